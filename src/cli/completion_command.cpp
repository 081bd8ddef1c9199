// onefold completion: prints the script for a shell.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "choices.hpp"
#include "commands.hpp"
#include "completion/scripts.hpp"
#include "output.hpp"

namespace onefold::cli {

std::string words_of(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

const option_syntax* first_choice(const command_syntax& command) {
  const auto& all = command.arguments;
  return !all.empty() && all.front().kind == value_kind::choice ? &all.front() : nullptr;
}

bool takes_files(const command_syntax& command) {
  // A second file follows the first one of --compare without the option's name.
  const auto is_file = [](const option_syntax& o) { return o.kind == value_kind::file; };
  return std::ranges::any_of(command.arguments, is_file) ||
         std::ranges::any_of(command.options, [](const option_syntax& o) { return o.value == "BEFORE AFTER"; });
}

bool files_come_first(const command_syntax& command) {
  const option_syntax* const first = first_choice(command);
  return takes_files(command) && (first == nullptr || !first->is_required);
}

void run_completion(const arguments& given) {
  using writer = std::string (*)(const std::vector<command_syntax>&);
  constexpr writer writers[] = {bash_script, zsh_script, fish_script};
  static_assert(std::size(writers) == std::size(shell_names));
  const auto* shell = std::ranges::find(shell_names, given.shell);
  if (shell == std::end(shell_names)) throw unknown_name("shell", given.shell, shell_names);
  write_output(writers[shell - std::begin(shell_names)](command_syntaxes()));
}

}  // namespace onefold::cli
