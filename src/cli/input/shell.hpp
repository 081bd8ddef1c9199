// Words of command lines that messages suggest.
#pragma once

#include <string>
#include <string_view>

namespace onefold::cli {

/// The text as one word of a shell's command line: in quotes where it needs them.
std::string shell_word(std::string_view text);

/// A file's name as such a word, never taken for an option.
std::string shell_path(std::string_view path);

}  // namespace onefold::cli
