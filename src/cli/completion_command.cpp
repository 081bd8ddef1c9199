// onefold completion: a bash script whose words are the library's own lists.
#include <set>

#include <fmt/format.h>

#include "choices.hpp"
#include "commands.hpp"
#include "grammar.hpp"
#include "lab/reference.hpp"
#include "measure/arena.hpp"
#include "output.hpp"
#include "report/chapter.hpp"

namespace onefold::cli {
namespace {

/// Doubled braces are fmt's spelling of single ones.
constexpr const char* bash_script = R"(# bash completion for onefold
_onefold() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
  local word command="${{COMP_WORDS[1]}}" operation="" listed="" options="" files=""
  COMPREPLY=()
  [[ $current == *,* ]] && listed="${{current%,*}},"
  if [[ $COMP_CWORD -eq 1 ]]; then
    words="{operations}"
    [[ $listed ]] || words="{commands} $words --help --version"
  else
    [[ " {operations} " == *" ${{command%%,*}} "* ]] && operation=$command command=reduce
    for word in "${{COMP_WORDS[@]:2:COMP_CWORD-2}}"; do
      [[ " {operations} " == *" ${{word%%,*}} "* ]] && operation=$word
    done
    case "$command" in
{commands_with_options}    esac
    case "$previous" in
      --backend) words="{backends}" ;;
      --accuracy) words="{accuracies}" ;;
      --isa) words="{isas}" ;;
      --kernel) words="{kernels}" ;;
      --dtype) words="{dtypes}" ;;
      --result) words="f32 f64 f16 bf16" ;;
      --input) words="{inputs}" ;;
      --separator) words="{separators}" ;;
      --missing) words="{missing_rules}" ;;
      --integers) words="{integer_rules}" ;;
      --data) words="{data_sets}" ;;
      --op) words="{referenced}"; [[ $command == bench ]] && words="{operations}" ;;
      --location) words="{locations}" ;;
      --base) words="{backends}" ;;
      --format) words="text json"; [[ $command == accuracy || $command == bench ]] && words+=" csv" ;;
      --preset) words="{presets}" ;;
      {file_options}) compopt -o default; return ;;
      {other_options}) return ;;
      completion) words="bash" ;;
      help) words="{commands} {operations}" ;;
      *)
        if [[ $current == -* ]]; then
          words=$options
        elif [[ $command == reduce && -z $operation ]]; then
          words="{operations}"
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

/// A pattern of bash for the options of all commands that take a value: a file or a folder, or something else.
std::string options_with(bool file) {
  std::set<std::string> names;
  for (const command_syntax& c : command_syntaxes())
    for (const option_syntax& o : c.options) {
      const bool takes_file = o.value == "FILE" || o.value == "DIR" || o.value == "BEFORE AFTER";
      if (!o.value.empty() && takes_file == file) names.insert(o.name);
    }
  return fmt::format("{}", fmt::join(names, "|"));
}

/// The cases of bash that set each command's long options, and whether it takes files.
std::string commands_with_options() {
  std::string cases;
  for (const command_syntax& c : command_syntaxes()) {
    std::string names;
    for (const option_syntax& o : c.options)
      if (o.name.starts_with("--")) names += (names.empty() ? "" : " ") + o.name;
    cases += fmt::format("      {}) options=\"{}\"{} ;;\n", c.name, names, c.takes_files ? " files=1" : "");
  }
  return cases;
}

}  // namespace

void run_completion(const arguments& given) {
  const std::string_view shells[] = {"bash"};
  if (given.shell != shells[0]) throw unknown_name("shell", given.shell, shells);
  std::vector<std::string_view> separators;
  for (const named_separator& s : named_separators) separators.push_back(s.name);
  write_output(fmt::format(
      fmt::runtime(bash_script), fmt::arg("backends", fmt::join(backend_names(), " ")),
      fmt::arg("accuracies", fmt::join(accuracy_names(), " ")), fmt::arg("isas", fmt::join(isa_names(), " ")),
      fmt::arg("kernels", fmt::join(kernel_names(), " ")), fmt::arg("dtypes", fmt::join(dtype_names(), " ")),
      fmt::arg("inputs", fmt::join(input_format_names, " ")), fmt::arg("separators", fmt::join(separators, " ")),
      fmt::arg("missing_rules", fmt::join(missing_rule_names, " ")),
      fmt::arg("integer_rules", fmt::join(integer_rule_names, " ")),
      fmt::arg("operations", fmt::join(operation_names(), " ")), fmt::arg("commands", fmt::join(command_names, " ")),
      fmt::arg("data_sets", fmt::join(data_set_names(), " ")),
      fmt::arg("referenced", fmt::join(referenced_operations(), " ")),
      fmt::arg("locations", fmt::join(measure::location_names, " ")), fmt::arg("file_options", options_with(true)),
      fmt::arg("other_options", options_with(false)), fmt::arg("commands_with_options", commands_with_options()),
      fmt::arg("presets", fmt::join(preset_names(), " "))));
}

}  // namespace onefold::cli
