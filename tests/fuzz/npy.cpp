// Fuzzes the reader of .npy headers: any bytes give a consistent layout or one line that says what is wrong.
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string_view>

#include "files/npy.hpp"
#include "onefold/error.hpp"

namespace {

using namespace onefold;
using namespace onefold::detail;

/// Ends the program where something does not hold: the fuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

void require_consistent(const npy_layout& layout, std::size_t available) {
  require(size_of(layout.type) > 0 && layout.type <= dtype::u64);
  require(layout.header_bytes >= 10 && layout.header_bytes <= available);
  require(layout.count >= 0 && layout.count <= std::numeric_limits<std::int64_t>::max() / size_of(layout.type));
  require(!layout.swapped || size_of(layout.type) > 1);
  bool empty = false;
  for (const std::int64_t length : layout.shape) {
    require(length >= 0);
    empty |= length == 0;
  }
  std::int64_t count = empty ? 0 : 1;
  for (const std::int64_t length : layout.shape)
    if (!empty) require(!__builtin_mul_overflow(count, length, &count));
  require(count == layout.count);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    const std::size_t header = npy_header_bytes(bytes.first(std::min(size, npy_start)));
    require(header <= (std::size_t{1} << 20) + npy_start);
    require_consistent(read_npy_header(bytes.first(std::min(size, header)), dtype::bf16), size);
  } catch (const error& e) {
    require(e.code() == error_code::invalid_argument &&
            std::string_view(e.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
