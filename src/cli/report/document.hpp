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
};

/// A whole report.
struct document {
  std::string title;
  std::vector<section> sections;
};

/// Images by the name of their section: data URIs.
using plots = std::map<std::string, std::string>;

/// As Markdown (GitHub's tables), without images.
std::string as_markdown(const document& d);

/// As one file of HTML that needs no other; `seen` stand in their sections.
std::string as_html(const document& d, const plots& seen);

}  // namespace onefold::cli
