// Scripts that complete command lines, one for each shell; their words are the grammar's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax.hpp"

namespace onefold::cli {

std::string bash_script(const std::vector<command_syntax>& known);
std::string zsh_script(const std::vector<command_syntax>& known);
std::string fish_script(const std::vector<command_syntax>& known);

/// The words with blanks between them.
std::string words_of(const std::vector<std::string>& words);

/// The argument of this command whose place is first, or null: OP of reduce and scan, NAMES of statistic, SHELL of
/// completion, COMMAND of help.
const option_syntax* first_choice(const command_syntax& command);

/// Whether a file is completed where no option is.
bool takes_files(const command_syntax& command);

/// Whether that is so in the place of first_choice too, which may be left out.
bool files_come_first(const command_syntax& command);

}  // namespace onefold::cli
