// Filling paragraphs, and putting options and their descriptions side by side.
#include "help_layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "help.hpp"

namespace onefold::cli {
namespace {

constexpr std::size_t widest_line = 100, widest_heading = 90;
constexpr std::size_t description_column = 26;

/// A name, and beside it what it means.
void add_row(std::string& out, const std::string& name, const std::string& description) {
  const std::string left = "  " + name;
  out += left;
  if (left.size() + 2 > description_column)
    out += '\n' + std::string(description_column, ' ');
  else
    out += std::string(description_column - left.size(), ' ');
  fill(out, description, description_column, description_column, widest_line);
}

std::string option_row(const option_syntax& o) {
  return (o.short_name.empty() ? "" : o.short_name + ", ") + o.name + (o.value.empty() ? "" : " " + o.value);
}

void add_options(std::string& out, const command_syntax& command) {
  std::vector<std::string> groups;
  for (const option_syntax& o : command.options)
    if (std::ranges::find(groups, o.group) == groups.end()) groups.push_back(o.group);
  for (const std::string& group : groups) {
    out += '\n' + group + ":\n";
    for (const option_syntax& o : command.options)
      if (o.group == group) add_row(out, option_row(o), description_of(o));
  }
}

void add_text(std::string& out, std::string_view text) {
  bool below_heading = false;
  for (const help_part& part : read_help(text)) {
    if (part.what == help_part::kind::heading) {
      out += '\n' + part.text + ":\n";
      below_heading = true;
    } else if (part.what == help_part::kind::lines) {
      out += part.text;
      below_heading = false;
    } else {
      out += below_heading ? "  " : "\n";
      fill(out, part.text, below_heading ? 2 : 0, below_heading ? 2 : 0, widest_line);
    }
  }
}

}  // namespace

void fill(std::string& out, std::string_view text, std::size_t column, std::size_t indentation, std::size_t width) {
  bool first = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) continue;
    if (!first && column + 1 + word.size() > width) {
      out += '\n' + std::string(indentation, ' ');
      column = indentation;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    first = false;
  }
  out += '\n';
}

std::vector<help_part> read_help(std::string_view text) {
  std::vector<help_part> parts;
  bool continues = false;  // the paragraph that is last
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) {
      continues = false;
    } else if (line.starts_with(' ')) {
      if (parts.empty() || parts.back().what != help_part::kind::lines) parts.push_back({help_part::kind::lines, ""});
      parts.back().text += std::string(line) + '\n';
      continues = false;
    } else if (continues) {
      parts.back().text += ' ' + std::string(line);
    } else if (line.ends_with(':') && line.size() < widest_heading && !line.starts_with('-')) {
      parts.push_back({help_part::kind::heading, std::string(line.substr(0, line.size() - 1))});
    } else {
      parts.push_back({help_part::kind::paragraph, std::string(line)});
      continues = true;
    }
  }
  return parts;
}

std::string description_of(const option_syntax& option) {
  if (option.choices.words.empty()) return option.summary;
  return fmt::format("{}: {}", option.summary, fmt::join(option.choices.words, " "));
}

std::string help_of(const command_syntax& command, const std::vector<command_syntax>& all) {
  std::string out = command.summary + "\nUsage: " + command.usage + "\n";
  if (!command.arguments.empty()) out += "\nArguments:\n";
  for (const option_syntax& o : command.arguments)
    add_row(out, o.name + (o.kind == value_kind::file ? "..." : ""), description_of(o));
  if (command.name.empty()) {
    out += "\nCommands:\n";
    for (const command_syntax& c : all) add_row(out, c.name, c.summary);
  }
  add_options(out, command);
  add_text(out, help_about(command.name));
  out += "\nExit codes:\n";
  std::string codes;
  for (const exit_meaning& e : exit_meanings)
    codes += fmt::format("{}{} {}", codes.empty() ? "" : ", ", e.code, e.meaning);
  out += "  ";
  fill(out, codes, 2, 2, widest_line);
  return out;
}

}  // namespace onefold::cli
