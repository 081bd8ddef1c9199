// Reading the commands and their options back from CLI11.
#include "syntax.hpp"

#include <utility>

#include <CLI/CLI.hpp>

namespace onefold::cli {
namespace {

/// The kind of an option's value; one with two values is --compare.
value_kind kind_of(const CLI::Option& option, const word_choices& choices) {
  if (option.get_positional()) return option.get_name() == "FILE" ? value_kind::file : value_kind::choice;
  if (option.get_items_expected_max() == 0) return value_kind::none;
  if (!choices.words.empty()) return value_kind::choice;
  const std::string value = option.get_type_name();
  if (value == "DIR") return value_kind::folder;
  return value == "FILE" || option.get_items_expected_max() == 2 ? value_kind::file : value_kind::word;
}

}  // namespace

command_syntax syntax_of(const CLI::App& command, const choice_lists& choices) {
  const bool is_program = command.get_parent() == nullptr;
  command_syntax c{is_program ? "" : command.get_name(),
                   command.get_description(),
                   is_program ? "onefold [OPTIONS] COMMAND ..." : "onefold " + command.get_name() + " [OPTIONS]",
                   {},
                   {}};
  for (const CLI::Option* o : command.get_options()) {
    const auto found = choices.find(o);
    option_syntax syntax{.name = o->get_name(),
                         .short_name = "",
                         .value = "",
                         .summary = o->get_description(),
                         .group = "",
                         .kind = value_kind::none,
                         .choices = found == choices.end() ? word_choices{} : found->second};
    syntax.kind = kind_of(*o, syntax.choices);
    if (o->get_positional()) {
      syntax.is_required = o->get_required();
      const std::string name = syntax.name + (syntax.kind == value_kind::file ? "..." : "");
      c.usage += syntax.is_required ? " " + name : " [" + name + "]";
      c.arguments.push_back(std::move(syntax));
      continue;
    }
    syntax.name = "--" + o->get_lnames().front();
    if (!o->get_snames().empty()) syntax.short_name = "-" + o->get_snames().front();
    if (syntax.kind != value_kind::none) syntax.value = o->get_type_name();
    syntax.group = o->get_group();
    c.options.push_back(std::move(syntax));
  }
  return c;
}

std::vector<command_syntax> command_syntaxes() {
  CLI::App app;
  arguments unused;
  std::string format;
  choice_lists choices;
  add_commands(app, unused, format, choices);
  std::vector<command_syntax> syntaxes;
  for (const CLI::App* command : app.get_subcommands({})) syntaxes.push_back(syntax_of(*command, choices));
  return syntaxes;
}

}  // namespace onefold::cli
