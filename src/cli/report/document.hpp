// A report as text, tables and places for plots, whatever it is written as.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace onefold::cli {

/// The first cell of a line is its name.
struct table {
  std::string caption;
  std::vector<std::string> names;  ///< of the columns
  std::vector<std::vector<std::string>> lines;
  bool words = false;  ///< its cells are words, which begin at the left, and not numbers
};

/// A heading and what stands below it.
struct section {
  std::string name;  ///< of the chapter: its plot's name, and its anchor
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<table> tables;
  std::vector<std::string> notes;  ///< below the tables
  bool folded = false;             ///< on a screen closed until somebody asks for it
};

/// A whole report.
struct document {
  std::string title;
  std::string headline;  ///< what it says, in a sentence; or nothing
  std::vector<section> sections;
};

/// Images by the name of their section: SVG. Of a section with two, that for narrow pages has this after the name.
inline constexpr const char* narrow_plot = "-narrow";
using plots = std::map<std::string, std::string>;

/// The folder of the images, beside the Markdown.
inline constexpr const char* plot_folder = "plots";

/// Where the image of a section lies, beside the Markdown.
std::string plot_file(const section& s);

/// As Markdown (GitHub's tables), which refers to the files of `seen`.
std::string as_markdown(const document& d, const plots& seen);

/// As one file of HTML that needs no other; `seen` stand in their sections.
std::string as_html(const document& d, const plots& seen);

}  // namespace onefold::cli
