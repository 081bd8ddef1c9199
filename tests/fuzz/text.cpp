// Fuzzes the text reader: any bytes, cut into windows anywhere, give the same numbers or the same one-line error as
// the whole text at once.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/failure.hpp"
#include "input/text.hpp"

namespace {

using namespace onefold;
using namespace onefold::cli;

/// Ends the program where something does not hold: the fuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

/// The elements' bytes, column by column, with the numbers of their keys and the keys; or the error's text.
struct outcome {
  std::vector<std::vector<std::byte>> elements, key_numbers;
  std::vector<std::string> keys;
  std::size_t missing = 0;
  std::optional<std::string> error;
  bool operator==(const outcome&) const = default;
};

/// Reads the text in windows of at least `window` bytes, as the program does.
outcome read(std::string_view text, dtype type, const text_layout& layout, std::size_t window) {
  outcome result;
  text_columns out(layout);
  try {
    text_reader reader(type, layout, 1);
    for (std::size_t wanted = window; !text.empty();) {
      std::string_view part = text.substr(0, wanted);
      if (part.size() < text.size()) {
        const std::size_t complete = reader.complete(part);
        require(complete <= part.size());
        part = part.substr(0, complete);
      }
      if (part.empty()) {
        wanted *= 2;
        continue;
      }
      reader.parse(part, out);
      text.remove_prefix(part.size());
      wanted = window;
    }
    result.missing = out.all_missing();
    const auto copy = [](const byte_buffer& b) { return std::vector<std::byte>(b.bytes().begin(), b.bytes().end()); };
    for (const byte_buffer& column : out.values) result.elements.push_back(copy(column));
    for (const byte_buffer& list : out.key_numbers) result.key_numbers.push_back(copy(list));
    for (std::size_t k = 0; k < out.keys.size(); ++k) result.keys.emplace_back(out.keys[k]);
  } catch (const failure& f) {
    require(f.code() == exit_code::bad_data || (f.code() == exit_code::wrong_usage && layout.wanted().size() > 1));
    result.error = f.what();
    require(result.error->find('\n') == std::string::npos);
  }
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const auto type = static_cast<dtype>(data[0] % element_types::size);
  text_layout layout;
  if ((data[1] & 3) != 0) layout.columns = {{data[1] & 3u, ""}};
  layout.header = (data[1] & 4) != 0;
  if ((data[1] & 24) == 24) layout.columns = {{0, "x"}};
  if (layout.table() && (data[2] & 32) != 0) layout.columns.insert(layout.columns.begin(), {2, ""});
  if (layout.table() && (data[2] & 64) != 0) layout.key = {3, ""};
  const std::size_t window = 1 + (data[1] >> 5) * 3;
  layout.missing = static_cast<missing_rule>((data[2] & 3) % 3);
  layout.integers = static_cast<integer_rule>(data[2] >> 2 & 1);
  if (layout.table()) layout.separator = "\0,\t "[data[2] >> 3 & 3];
  const std::string text(reinterpret_cast<const char*>(data + 3), size - 3);
  const outcome whole = read(text, type, layout, text.size() + 1);
  for (const std::vector<std::byte>& column : whole.elements) {
    require(column.size() % static_cast<std::size_t>(size_of(type)) == 0);
    require(column.size() / static_cast<std::size_t>(size_of(type)) <= text.size());
  }
  require(whole == read(text, type, layout, window));
  return 0;
}
