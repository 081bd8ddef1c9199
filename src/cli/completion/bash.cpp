// Completion in bash, from version 4.
#include <fmt/format.h>

#include "choices.hpp"
#include "completion/scripts.hpp"

namespace onefold::cli {
namespace {

/// Doubled braces are fmt's spelling of single ones.
constexpr const char* bash_template = R"(# bash completion for onefold
_onefold() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words="" options="" first="" files=""
  local word command="${{COMP_WORDS[1]}}" operation="" listed=""
  COMPREPLY=()
  # bash splits --option=value into three words.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" && $COMP_CWORD -gt 2 ]]; then
    previous="${{COMP_WORDS[COMP_CWORD-2]}}"
  fi
  [[ $current == *,* ]] && listed="${{current%,*}},"
  if [[ $COMP_CWORD -eq 1 ]]; then
    words="{operations}"
    [[ $listed ]] || words="{commands} $words --help --version --color"
  else
    [[ " {operations} " == *" ${{command%%,*}} "* ]] && operation=$command command=reduce
    for word in "${{COMP_WORDS[@]:2:COMP_CWORD-2}}"; do
      [[ " {operations} " == *" ${{word%%,*}} "* ]] && operation=$word
    done
    case "$command" in
{commands_with_options}    esac
    case "$command $previous" in
{values}      *)
        if [[ $current == -* ]]; then
          words=$options
        elif [[ $command == reduce && -z $operation ]]; then
          words="{operations}"
        elif [[ $first && $COMP_CWORD -eq 2 ]]; then
          words=$first
          [[ $files == first ]] && compopt -o default
        elif [[ $files ]]; then
          compopt -o default
          return
        fi ;;
    esac
  fi
  COMPREPLY=($(compgen -P "$listed" -W "$words" -- "${{current##*,}}"))
}}
complete -F _onefold onefold
)";

/// The cases of bash that set each command's long options, the words of its argument, and whether it takes files.
std::string bash_options(const std::vector<command_syntax>& known) {
  std::string cases;
  for (const command_syntax& c : known) {
    std::string names;
    for (const option_syntax& o : c.options) names += (names.empty() ? "" : " ") + o.name;
    const option_syntax* first = c.name == "reduce" ? nullptr : first_choice(c);
    cases += fmt::format("      {}) options=\"{}\"{}{} ;;\n", c.name, names,
                         first == nullptr ? "" : fmt::format(" first=\"{}\"", words_of(first->choices.words)),
                         !takes_files(c)       ? ""
                         : files_come_first(c) ? " files=first"
                                               : " files=1");
  }
  return cases;
}

/// The cases of bash for what follows each option that takes a value.
std::string bash_values(const std::vector<command_syntax>& known) {
  std::string cases;
  for (const command_syntax& c : known)
    for (const option_syntax& o : c.options) {
      if (o.kind == value_kind::none) continue;
      const std::string also = o.short_name.empty() ? "" : fmt::format(" | \"{} {}\"", c.name, o.short_name);
      const std::string action = o.kind == value_kind::choice ? fmt::format("words=\"{}\"", words_of(o.choices.words))
                                 : o.kind == value_kind::word ? "return"
                                                              : "compopt -o default; return";
      cases += fmt::format("      \"{} {}\"{}) {} ;;\n", c.name, o.name, also, action);
    }
  return cases;
}

}  // namespace

std::string bash_script(const std::vector<command_syntax>& known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const command_syntax& c : known) names.push_back(c.name);
  return fmt::format(bash_template, fmt::arg("operations", fmt::join(operation_names(), " ")),
                     fmt::arg("commands", words_of(names)), fmt::arg("commands_with_options", bash_options(known)),
                     fmt::arg("values", bash_values(known)));
}

}  // namespace onefold::cli
