// Parsing the command line, and its errors on one line.
#include "arguments.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "axis.hpp"
#include "choices.hpp"
#include "commands.hpp"
#include "grammar.hpp"
#include "help_layout.hpp"
#include "input/shell.hpp"
#include "input/unpack.hpp"
#include "output.hpp"
#include "syntax.hpp"
#include "version_text.hpp"

namespace onefold::cli {
namespace {

std::vector<std::string> with_marks(int count, const char* const* words) {
  std::vector<std::string> out;
  if (count > 1 && command_that_takes(words[1]) == "reduce") out.emplace_back("reduce");
  bool only_files = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (!only_files && word == "--")
      only_files = true;
    else if (only_files || word.starts_with('[') || word.starts_with("-:") || word.starts_with(mark))
      out.push_back(mark + std::string(word));
    else if (word.starts_with("--") && word.find('=') == word.size() - 1)
      out.push_back(std::string(word) + mark);
    else
      out.emplace_back(word);
  }
  std::reverse(out.begin(), out.end());  // as CLI11 wants it
  return out;
}

/// The names of the formats, in their order; csv is one of `onefold accuracy` and `onefold bench` only.
constexpr std::string_view format_names[] = {"text", "json", "csv"};

/// The options that were given, each with its values, as words of a command line.
std::vector<std::string> given_options(CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* o : command.get_options()) {
    if (o->count() == 0 || o->get_lnames().empty()) continue;
    const std::string name = "--" + o->get_lnames().front();
    const bool is_flag = o->get_items_expected_max() == 0;
    const std::vector<std::string> values = is_flag ? std::vector<std::string>{} : o->results();
    // A value like -5 must not pass for an option, nor one of several for a file.
    const bool repeated = o->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (repeated || (values.size() == 1 && unmarked(values[0]).starts_with('-'))) {
      for (const std::string& value : values) words.push_back(name + "=" + unmarked(value));
      continue;
    }
    words.push_back(name);
    for (const std::string& value : values) words.push_back(unmarked(value));
  }
  return words;
}

/// The failure for a wrong use of a command's options, which CLI11 gives no name: twice, without a value, or a flag
/// with one; or else what it says itself.
failure misuse(CLI::App& command, std::span<const char* const> words, const CLI::ParseError& other) {
  std::vector<const CLI::Option*> seen;
  for (std::size_t i = 0; i < words.size() && std::string_view(words[i]) != "--"; ++i) {
    const std::string word = words[i], name = word.substr(0, word.find('='));
    const CLI::Option* option = name.starts_with('-') ? command.get_option_no_throw(name) : nullptr;
    if (option == nullptr) continue;
    const auto expected = static_cast<std::size_t>(option->get_items_expected_min());
    const std::size_t here = name.size() < word.size() ? 1 : 0;
    const auto wrong = [&](std::string_view what) {
      return failure(exit_code::wrong_usage, fmt::format("{}: {}: {}", command.get_name(), name, what));
    };
    if (expected == 0 && here != 0)
      return wrong(fmt::format("expected no value, found {}", in_quotes(word.substr(name.size() + 1))));
    if (expected == 0) continue;
    const bool repeatable = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (!repeatable && std::ranges::find(seen, option) != seen.end()) return wrong("given twice, expected once");
    seen.push_back(option);
    const std::size_t missing = expected - here;
    if (i + missing >= words.size())
      return wrong(fmt::format("expected {}, found the end of the command line", option->get_type_name()));
    i += missing;
  }
  return {exit_code::wrong_usage, fmt::format("{}: {}", command.get_name(), other.what())};
}

/// The failure for a command line that lacks its command, which would have taken the first word.
failure command_left_out(std::string_view command, const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& w : words) line += " " + shell_word(unmarked(w));
  return {exit_code::wrong_usage, fmt::format("unknown command {}; did you mean onefold {}{}?",
                                              in_quotes(unmarked(words.front())), command, line)};
}

/// The failure for an option that is none of those that a command has: where the name is not near one of them, but is
/// that of another command's option, it says which.
failure unknown_option(CLI::App& app, const std::string& name, std::span<const std::string_view> options) {
  if (nearest_name(name, options).empty())
    for (const CLI::App* other : app.get_subcommands([](const CLI::App*) { return true; })) {
      const std::vector<std::string> others = long_options(*other);
      if (std::ranges::find(others, name) != others.end())
        return {exit_code::wrong_usage,
                fmt::format("unknown option {}; it is one of onefold {}", in_quotes(name), other->get_name())};
    }
  return unknown_name("option", name, options);
}

/// The failure for words that the grammar has no place for.
failure unexpected(CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const std::vector<std::string> left = app.remaining(true);
  const std::string word = left.empty() ? "" : unmarked(left.front());
  if (chosen.empty() && std::ranges::find(command_names, word) != std::end(command_names))
    return {exit_code::wrong_usage, fmt::format("expected the command {} before --", word)};
  if (chosen.empty() && find_operation(word) >= 0)
    return {exit_code::wrong_usage, fmt::format("expected the operation {} before --", word)};
  if (const std::string_view command = command_that_takes(word); chosen.empty() && !command.empty())
    return command_left_out(command, left);
  if (chosen.empty() && !word.starts_with('-'))
    return unknown_command("command", word, left.size() > 1 && find_operation(left[1]) >= 0 ? left[1] : "sum");
  const std::vector<std::string> names = long_options(chosen.empty() ? app : *chosen.front());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string name = word.substr(0, word.find('='));
  if (!chosen.empty() && std::ranges::find(views, name) != views.end())
    return {exit_code::wrong_usage, fmt::format("{}: expected after the command {}", name, chosen.front()->get_name())};
  if (word.starts_with('-')) return unknown_option(app, name, views);
  return {exit_code::wrong_usage,
          fmt::format("{}: unexpected argument {}", chosen.empty() ? "onefold" : chosen.front()->get_name(),
                      in_quotes(word))};
}

/// The help that "onefold help" asks for, with the words that follow it.
std::string help_asked_for(const CLI::App& app, const choice_lists& choices, std::span<const char* const> words) {
  if (words.size() > 1)
    throw failure(exit_code::wrong_usage, fmt::format("help: unexpected argument {}", in_quotes(words[1])));
  if (words.empty()) return help_of(syntax_of(app, choices), command_syntaxes());
  const std::string_view first = words[0];
  std::string word(first == "--help" || first == "-h" ? "help" : command_that_takes(words[0]));
  if (word.empty()) word = first;
  if (std::ranges::find(command_names, word) == std::end(command_names)) throw unknown_command("command", word);
  return help_of(syntax_of(*app.get_subcommand(word), choices), {});
}

/// The version that "onefold --version" asks for, with the words that follow it.
std::string version_asked_for(std::span<const char* const> words) {
  const std::string_view first = words.empty() ? "" : words[0];
  std::string_view format = "text";
  if (first == "--format" && words.size() == 2)
    format = words[1];
  else if (first.starts_with("--format=") && words.size() == 1)
    format = first.substr(std::string_view("--format=").size());
  else if (!words.empty())
    throw failure(exit_code::wrong_usage,
                  fmt::format("--version: expected --format text or json, or nothing, found {}", in_quotes(first)));
  return version_text(static_cast<output_format>(
      chosen_name("--format", "format", std::string(format), std::span(format_names).first(2))));
}

/// When errors are in color: what --color says, as far as that can be known before the line is understood.
color_choice color_asked_for(std::span<const char* const> words) {
  std::string_view word;
  for (std::size_t i = 0; i < words.size() && std::string_view(words[i]) != "--"; ++i) {
    const std::string_view here = words[i];
    if (here == "--color" && i + 1 < words.size()) word = words[i + 1];
    if (here.starts_with("--color=")) word = here.substr(std::string_view("--color=").size());
  }
  const auto* found = std::ranges::find(color_names, word);
  return found == std::end(color_names) ? color_choice::automatic
                                        : static_cast<color_choice>(found - std::begin(color_names));
}

}  // namespace

std::optional<arguments> read_arguments(int count, const char* const* words) {
  const std::span given(words, static_cast<std::size_t>(count));
  color_errors(color_asked_for(given));
  CLI::App app("Reductions on every machine with the same answer.", "onefold");
  // Read here, not by CLI11: --format may follow.
  bool version = false;
  app.add_flag("--version", version, "Show the version, and what this program is built with and runs on");
  app.require_subcommand(0, 1);
  arguments a;
  std::string format = "text";
  choice_lists choices;
  add_commands(app, a, format, choices);
  const std::string_view first = count > 1 ? given[1] : "";
  if (first == "help" || first == "--version") {
    write_output(first == "help" ? help_asked_for(app, choices, given.subspan(2))
                                 : version_asked_for(given.subspan(2)));
    return std::nullopt;
  }
  try {
    app.parse(with_marks(count, words));
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    write_output(chosen.empty() ? help_of(syntax_of(app, choices), command_syntaxes())
                                : help_of(syntax_of(*chosen.front(), choices), {}));
    return std::nullopt;
  } catch (const CLI::ExtrasError&) {
    throw unexpected(app);
  } catch (const CLI::ParseError& e) {
    const auto chosen = app.get_subcommands();
    throw misuse(chosen.empty() ? app : *chosen.front(), given.subspan(1), e);
  }
  if (version) {
    write_output(version_text(output_format::text));
    return std::nullopt;
  }
  if (app.get_subcommands().empty())
    throw failure(exit_code::wrong_usage,
                  fmt::format("expected a command: {} (see onefold --help)", fmt::join(command_names, " ")));
  a.command = app.get_subcommands().front()->get_name();
  a.options = given_options(*app.get_subcommands().front());
  const std::span formats = std::span(format_names).first(a.command == "accuracy" || a.command == "bench" ? 3 : 2);
  a.format = static_cast<output_format>(chosen_name("--format", "format", unmarked(format), formats));
  if (a.color) chosen_name("--color", "color", *a.color, color_names);
  a.operation = unmarked(a.operation);
  a.shell = unmarked(a.shell);
  for (std::string& f : a.files) f = unmarked(f);
  if (a.command == "statistic" && replaces_statistics(a.operation))
    a.files.insert(a.files.begin(), std::exchange(a.operation, {}));
  for (std::string& axis : a.axes) axis = unmarked(axis);
  for (std::string& f : a.compare) f = unmarked(f);
  if (a.files.empty() && !a.data && a.command != "bench") a.files.emplace_back("-");
  if (std::ranges::count_if(a.files, is_standard_input) > 1)
    throw failure(exit_code::wrong_usage, "standard input (-) can be read only once");
  return a;
}

}  // namespace onefold::cli
