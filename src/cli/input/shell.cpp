// Quoting for POSIX shells; $'...', which bash and zsh know, for bytes that a message must not show as they are.
#include "input/shell.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace onefold::cli {
namespace {

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         std::string_view("%+,-./:=@_").find(c) != std::string_view::npos;
}

bool is_printable(char c) { return c >= ' ' && c < '\x7f'; }

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  const bool printable = std::ranges::all_of(text, is_printable);
  std::string word = printable ? "'" : "$'";
  for (const char c : text)
    if (!is_printable(c))
      word += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else if (printable)
      word += c == '\'' ? "'\\''" : std::string(1, c);
    else
      word.append(c == '\'' || c == '\\' ? "\\" : "").push_back(c);
  return word + '\'';
}

std::string shell_path(std::string_view path) {
  return shell_word(fmt::format("{}{}", path.starts_with('-') ? "./" : "", path));
}

}  // namespace onefold::cli
