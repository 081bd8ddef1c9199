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

/// The elements' bytes, or the error's text.
struct outcome {
  std::vector<std::byte> elements;
  std::size_t missing = 0;
  std::optional<std::string> error;
  bool operator==(const outcome&) const = default;
};

/// Reads the text in windows of at least `window` bytes, as the program does.
outcome read(std::string_view text, dtype type, const text_layout& layout, std::size_t window) {
  outcome result;
  byte_buffer out;
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
    result.missing = reader.missing();
    result.elements.assign(out.bytes().begin(), out.bytes().end());
  } catch (const failure& f) {
    require(f.code() == exit_code::bad_data);
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
  layout.column = data[1] & 3;
  layout.header = (data[1] & 4) != 0;
  if ((data[1] & 24) == 24) layout.column_name = "x";
  const std::size_t window = 1 + (data[1] >> 5) * 3;
  layout.missing = static_cast<missing_rule>((data[2] & 3) % 3);
  layout.integers = static_cast<integer_rule>(data[2] >> 2 & 1);
  if (layout.table()) layout.separator = "\0,\t "[data[2] >> 3 & 3];
  const std::string text(reinterpret_cast<const char*>(data + 3), size - 3);
  const outcome whole = read(text, type, layout, text.size() + 1);
  require(whole.elements.size() % static_cast<std::size_t>(size_of(type)) == 0);
  require(whole.elements.size() / static_cast<std::size_t>(size_of(type)) <= text.size());
  require(whole == read(text, type, layout, window));
  return 0;
}
