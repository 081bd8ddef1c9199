// Fuzzes the bytes of partials: any bytes, and changed ones of each operation with a right checksum, are refused or
// read as what writes the same bytes and can be joined and finished.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "onefold/dynamic_partial.hpp"
#include "onefold/order.hpp"
#include "support/entries.hpp"
#include "support/partial_bytes.hpp"

namespace {

/// Partials of each entry of the catalog: of a few elements, and of pages between raw elements.
const std::vector<support::stored_partial>& samples() {
  static const std::vector<support::stored_partial> all = [] {
    std::vector<support::stored_partial> made;
    support::for_each_entry_and_accuracy([&]<class Op, class T, onefold::accuracy A>() {
      constexpr std::int64_t page = onefold::page_elements(sizeof(T));
      const std::vector<std::byte> zeros(static_cast<std::size_t>(3 * page) * sizeof(T));
      onefold::options how;
      how.backend = onefold::backend::sequential;
      how.accuracy = A;
      for (const std::int64_t n : {std::int64_t{3}, 2 * page + 1}) {
        onefold::dynamic_accumulator a(onefold::operation_index<Op>, onefold::dtype_of<T>, how, page - 1);
        a.push(zeros.data(), n);
        made.push_back(a.partial().save());
      }
    });
    return made;
  }();
  return all;
}

void check(std::span<const std::byte> bytes) {
  static_cast<void>(support::accepted(bytes, [] { std::abort(); }));
}

}  // namespace

// The bytes themselves; then a sample with changes of three bytes each: where, and what stands there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check(std::as_bytes(std::span(data, size)));
  if (size < 2) return 0;
  support::stored_partial bytes = samples()[static_cast<std::size_t>(data[0] | data[1] << 8) % samples().size()];
  for (std::size_t i = 2; i + 3 <= size; i += 3)
    bytes[static_cast<std::size_t>(data[i] | data[i + 1] << 8) % bytes.size()] = static_cast<std::byte>(data[i + 2]);
  support::seal_partial(bytes);
  check(bytes);
  return 0;
}
