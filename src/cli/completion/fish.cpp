// Completion in fish, from version 3.4.
#include <fmt/format.h>

#include "choices.hpp"
#include "completion/scripts.hpp"

namespace onefold::cli {
namespace {

/// Doubled braces are fmt's spelling of single ones.
constexpr const char* fish_template = R"fish(# fish completion for onefold
set -g __onefold_operations {operations}

# The command of the line; reduce where operations stand in its place.
function __onefold_command
  for word in (commandline -opc)[2..]
    string match -q -- '-*' $word; and continue
    if contains -- (string split -f1 , -- $word) $__onefold_operations
      echo reduce
    else
      echo $word
    end
    return
  end
  return 1
end

function __onefold_is
  test "$(__onefold_command)" = $argv[1]
end

# Whether an argument follows the command, or an operation stands in its place; these options have values.
function __onefold_has_argument
  set -l has_command false
  set -l is_value false
  for word in (commandline -opc)[2..]
    if $is_value
      set is_value false
    else if string match -q -- '-*' $word
      contains -- $word $argv; and set is_value true
    else if $has_command; or contains -- (string split -f1 , -- $word) $__onefold_operations
      return 0
    else
      set has_command true
    end
  end
  return 1
end

# The words, each after what the list before the cursor has already.
function __onefold_list
  set -l begun (commandline -ct | string replace -r '^--?[a-z]+=' '' | string match -r '.*,')
  printf "$begun%s\n" $argv
end

complete -c onefold -f
complete -c onefold -n 'not __onefold_command' -l help -d 'Show help'
complete -c onefold -n 'not __onefold_command' -l version -d 'Show the version'
complete -c onefold -n 'not __onefold_command' -a '(__onefold_list {operations})' -d operation
)fish";

/// Within single quotes.
std::string fish_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out;
}

/// What completes a value, as options of complete.
std::string fish_action(const option_syntax& o) {
  switch (o.kind) {
    case value_kind::none:
      return "";
    case value_kind::file:
      return " -r -F";
    case value_kind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case value_kind::choice:
      return fmt::format(fmt::runtime(o.choices.several ? " -x -a '(__onefold_list {})'" : " -x -a '{}'"),
                         words_of(o.choices.words));
    default:
      return " -x";
  }
}

/// The condition that an argument of the command stands in the line.
std::string has_argument(const command_syntax& c) {
  std::string condition = "__onefold_has_argument";
  for (const option_syntax& o : c.options)
    if (o.kind != value_kind::none) condition += " " + o.name + (o.short_name.empty() ? "" : " " + o.short_name);
  return condition;
}

std::string fish_lines(const command_syntax& c) {
  const std::string start = fmt::format("complete -c onefold -n '__onefold_is {}", c.name);
  std::string out =
      fmt::format("\ncomplete -c onefold -n 'not __onefold_command' -a {} -d '{}'\n", c.name, fish_quoted(c.summary));
  for (const option_syntax& o : c.options)
    out += fmt::format("{}'{} -l {}{} -d '{}'\n", start, o.short_name.empty() ? "" : " -s " + o.short_name.substr(1),
                       o.name.substr(2), fish_action(o), fish_quoted(o.summary));
  const option_syntax* const first = first_choice(c);
  if (first != nullptr)
    out += fmt::format(fmt::runtime(first->choices.several ? "{}; and not {}' -a '(__onefold_list {})'\n"
                                                           : "{}; and not {}' -a '{}'\n"),
                       start, has_argument(c), words_of(first->choices.words));
  if (takes_files(c)) out += fmt::format("{}{}' -F\n", start, files_come_first(c) ? "" : "; and " + has_argument(c));
  return out;
}

}  // namespace

std::string fish_script(const std::vector<command_syntax>& known) {
  std::string out = fmt::format(fish_template, fmt::arg("operations", fmt::join(operation_names(), " ")));
  for (const command_syntax& c : known) out += fish_lines(c);
  return out;
}

}  // namespace onefold::cli
