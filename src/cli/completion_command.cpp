// onefold completion: a bash script whose words are the library's own lists.
#include <fmt/format.h>

#include "choices.hpp"
#include "commands.hpp"
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
  local word operation="" listed=""
  COMPREPLY=()
  [[ $current == *,* ]] && listed="${{current%,*}},"
  if [[ $COMP_CWORD -eq 1 ]]; then
    words="{commands} --help --version"
  else
    for word in "${{COMP_WORDS[@]:2:COMP_CWORD-2}}"; do
      [[ " {operations} " == *" $word "* ]] && operation=$word
    done
    case "$previous" in
      --backend) words="{backends}" ;;
      --accuracy) words="{accuracies}" ;;
      --isa) words="{isas}" ;;
      --kernel) words="{kernels}" ;;
      --dtype) words="{dtypes}" ;;
      --result) words="f32 f64 f16 bf16" ;;
      --input) words="{inputs}" ;;
      --separator) words="{separators}" ;;
      --data) words="{data_sets}" ;;
      --op) words="{referenced}"; [[ ${{COMP_WORDS[1]}} == bench ]] && words="{operations}" ;;
      --location) words="{locations}" ;;
      --base) words="{backends}" ;;
      --format) words="text json"; [[ ${{COMP_WORDS[1]}} == accuracy || ${{COMP_WORDS[1]}} == bench ]] && words+=" csv" ;;
      --threads|--device|--init|--column|--n|--seed|--cond|--seconds|--largest|--tolerance) return ;;
      --preset) words="{presets}" ;;
      --output|-o|--compare|--peers|--plot) compopt -o default; return ;;
      completion) words="bash" ;;
      *)
        if [[ $current == -* && ${{COMP_WORDS[1]}} == reduce ]]; then
          words="--backend --accuracy --threads --isa --kernel --device --dtype --result --init --input --column --separator --header --format"
          words+=" --explain --help"
        elif [[ $current == -* && ${{COMP_WORDS[1]}} == accuracy ]]; then
          words="--data --n --seed --cond --op --backend --accuracy --threads --isa --dtype --input --column --separator --header"
          words+=" --format --plot --help"
        elif [[ $current == -* && ${{COMP_WORDS[1]}} == bench ]]; then
          words="--op --dtype --n --data --seed --backend --accuracy --threads --kernel --location --base --seconds"
          words+=" --warm --format --help"
        elif [[ $current == -* && ${{COMP_WORDS[1]}} == report ]]; then
          words="--output --quick --full --preset --seconds --largest --peers --compare --tolerance --format --help"
        elif [[ $current == -* && ${{COMP_WORDS[1]}} == calibrate ]]; then
          words="--check --output --format --help"
        elif [[ $current == -* ]]; then
          words="--format --help"
        elif [[ ${{COMP_WORDS[1]}} == reduce && -z $operation ]]; then
          words="{operations}"
        elif [[ ${{COMP_WORDS[1]}} == reduce || ${{COMP_WORDS[1]}} == accuracy || ${{COMP_WORDS[1]}} == report ]]; then
          compopt -o default
          return
        fi ;;
    esac
  fi
  COMPREPLY=($(compgen -P "$listed" -W "$words" -- "${{current##*,}}"))
}}
complete -F _onefold onefold
)";

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
      fmt::arg("operations", fmt::join(operation_names(), " ")), fmt::arg("commands", fmt::join(command_names, " ")),
      fmt::arg("data_sets", fmt::join(data_set_names(), " ")),
      fmt::arg("referenced", fmt::join(referenced_operations(), " ")),
      fmt::arg("locations", fmt::join(measure::location_names, " ")),
      fmt::arg("presets", fmt::join(preset_names(), " "))));
}

}  // namespace onefold::cli
