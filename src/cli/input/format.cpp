// The rule that tells .npy, raw and text apart: first what the content proves, then the name, then the options.
#include "input/format.hpp"

#include <algorithm>

#include "files/npy.hpp"
#include "input/text.hpp"

namespace onefold::cli {
namespace {

constexpr std::size_t looked_at = 4096;

bool looks_like_text(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes.first(std::min(bytes.size(), looked_at)), [](std::byte b) {
    const char c = static_cast<char>(b);
    return is_space(c) || (c > 0x20 && c < 0x7f);
  });
}

bool named(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return path.ends_with(ending); });
}

}  // namespace

input_format find_format(const std::string& path, source& in, bool has_type, bool has_column) {
  if (detail::is_npy(in.peek(detail::npy_start)) || named(path, {".npy"})) return input_format::npy;
  if (has_column || named(path, {".txt", ".text", ".csv", ".tsv", ".dat"})) return input_format::text;
  if (named(path, {".bin", ".raw"})) return input_format::raw;
  if (!has_type) return input_format::text;
  return looks_like_text(in.peek(looked_at)) ? input_format::text : input_format::raw;
}

}  // namespace onefold::cli
