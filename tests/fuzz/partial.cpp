// Fuzzes the bytes of partials and of arrays of them: any bytes, and changed ones of each operation with right
// checksums, are refused or read as what writes the same bytes and can be joined and finished.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "onefold/detail/exact/serialized.hpp"
#include "onefold/dynamic_partial.hpp"
#include "onefold/order.hpp"
#include "onefold/partial_array.hpp"
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

using row_sums = onefold::partial_array<float, onefold::op::sum>;

void check_array(std::span<const std::byte> bytes) try {
  const row_sums read = row_sums::load(bytes);
  if (!std::ranges::equal(read.save(), bytes)) std::abort();
  static_cast<void>(join(row_sums(read.extents(), read.begin(), read.accuracy()), read));
  static_cast<void>(read.result());
} catch (const onefold::error&) {
}

/// The sums of three rows of some pages, and where the checksum of the array's own bytes is.
constexpr std::size_t array_checksum = 8 + 8 * (1 + 2 + 3);
const std::vector<std::byte>& sample_array() {
  static const std::vector<std::byte> bytes = [] {
    constexpr std::int64_t columns = 2 * onefold::page_elements(sizeof(float)) + 7;
    const std::vector<float> zeros(static_cast<std::size_t>(3 * columns));
    return row_sums({zeros.data(), {3, columns}}, {.axes = {1}}, 4091, {.backend = onefold::backend::sequential})
        .save();
  }();
  return bytes;
}

/// Changes of three bytes each: where, and what stands there.
void change(std::vector<std::byte>& bytes, const std::uint8_t* data, std::size_t size) {
  for (std::size_t i = 2; i + 3 <= size; i += 3)
    bytes[static_cast<std::size_t>(data[i] | data[i + 1] << 8) % bytes.size()] = static_cast<std::byte>(data[i + 2]);
}

}  // namespace

// The bytes themselves; then changes of samples.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check(std::as_bytes(std::span(data, size)));
  check_array(std::as_bytes(std::span(data, size)));
  if (size < 2) return 0;
  support::stored_partial bytes = samples()[static_cast<std::size_t>(data[0] | data[1] << 8) % samples().size()];
  change(bytes, data, size);
  support::seal_partial(bytes);
  check(bytes);
  std::vector<std::byte> rows = sample_array();
  change(rows, data, size);
  onefold::detail::write_bytes(rows.data() + array_checksum, onefold::detail::crc32c(rows.data(), array_checksum), 4);
  check_array(rows);
  return 0;
}
