// Completion in zsh, by its function _arguments; works as a file of fpath, and sourced.
#include <fmt/format.h>

#include "choices.hpp"
#include "completion/scripts.hpp"
#include "output.hpp"

namespace onefold::cli {
namespace {

/// Doubled braces are fmt's spelling of single ones.
constexpr const char* zsh_template = R"(#compdef onefold
# zsh completion for onefold
_onefold() {{
  local -a operations commands
  operations=({operations})
  commands=(
{commands}  )
  if (( CURRENT == 2 )); then
    if [[ $words[2] == -* ]]; then
      _arguments -S '--help[Show help]' '--version[Show the version]' '--color=[Color of error messages]:WHEN:({colors})'
    elif [[ $words[2] == *,* ]]; then
      _sequence compadd - $operations
    else
      _describe -t commands command commands
      _sequence compadd - $operations
    fi
    return
  fi
  local command=$words[2]
  local -a operation
  if (( operations[(Ie)${{command%%,*}}] )); then
    command=reduce
  else
    operation=('1:operation:_sequence compadd - {operations}')
  fi
  shift words
  (( CURRENT-- ))
  case $command in
{cases}  esac
}}
if [[ $funcstack[1] == _onefold ]]; then
  _onefold "$@"
else
  compdef _onefold onefold
fi
)";

/// Within single quotes, and within a specification of _arguments, where brackets and colons mean something.
std::string zsh_quoted(std::string_view text, bool in_specification) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (in_specification && (c == '[' || c == ']' || c == ':' || c == '\\'))
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

/// What completes a value.
std::string zsh_action(const option_syntax& o) {
  switch (o.kind) {
    case value_kind::file:
      return "_files";
    case value_kind::folder:
      return "_files -/";
    case value_kind::choice:
      return fmt::format(fmt::runtime(o.choices.several ? "_sequence compadd - {}" : "({})"),
                         words_of(o.choices.words));
    default:
      return "";
  }
}

std::string option_specification(const option_syntax& o) {
  const std::string summary = zsh_quoted(o.summary, true);
  if (o.kind == value_kind::none) return fmt::format("'{}[{}]'", o.name, summary);
  std::string value = fmt::format(":{}:{}", zsh_quoted(o.value, true), zsh_action(o));
  if (o.value == "BEFORE AFTER") value = ":BEFORE:_files:AFTER:_files";
  if (o.short_name.empty()) return fmt::format("'{}=[{}]{}'", o.name, summary, value);
  return fmt::format("'({0} {1})'{{{0}+,{1}=}}'[{2}]{3}'", o.short_name, o.name, summary, value);
}

std::string zsh_case(const command_syntax& c) {
  std::string out = fmt::format("    {})\n      _arguments -S", c.name);
  for (const option_syntax& o : c.options) out += " \\\n        " + option_specification(o);
  if (c.name == "reduce")  // its operation may be the command's name
    out += " \\\n        $operation";
  else if (const option_syntax* first = first_choice(c); first != nullptr)
    out += fmt::format(" \\\n        '1:{}:{}'", first->name,
                       files_come_first(c) ? "{" + zsh_action(*first) + "; _files}" : zsh_action(*first));
  if (takes_files(c)) out += " \\\n        '*:file:_files'";
  return out + "\n      ;;\n";
}

}  // namespace

std::string zsh_script(const std::vector<command_syntax>& known) {
  std::string names, cases;
  for (const command_syntax& c : known) {
    names += fmt::format("    '{}:{}'\n", c.name, zsh_quoted(c.summary, false));
    cases += zsh_case(c);
  }
  return fmt::format(zsh_template, fmt::arg("operations", fmt::join(operation_names(), " ")),
                     fmt::arg("commands", names), fmt::arg("colors", fmt::join(color_names, " ")),
                     fmt::arg("cases", cases));
}

}  // namespace onefold::cli
