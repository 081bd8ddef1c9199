// Stored partials, changed: what a test or a fuzzer makes of good bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "onefold/detail/exact/serialized.hpp"
#include "onefold/dynamic_partial.hpp"

namespace support {

using stored_partial = std::vector<std::byte>;

/// Puts the checksum at the end right.
inline void seal_partial(stored_partial& bytes) {
  if (bytes.size() < 4) return;
  const std::size_t checked = bytes.size() - 4;
  onefold::detail::write_bytes(&bytes[checked], onefold::detail::crc32c(bytes.data(), checked), 4);
}

/// Whether bytes are read. What is read can be used: it writes the same bytes, and whatever a partial can do has a
/// defined outcome. `wrong` is called where it does not hold.
template <class Wrong>
bool accepted(std::span<const std::byte> bytes, const Wrong& wrong) {
  try {
    const auto p = onefold::dynamic_partial::load(bytes);
    const stored_partial again = p.save();
    if (again.size() != bytes.size() || !std::equal(again.begin(), again.end(), bytes.begin())) wrong();
    try {
      static_cast<void>(p.result());
    } catch (const onefold::error&) {  // empty_input, overflow, elements that are missing
    }
    try {
      static_cast<void>(join(p, onefold::dynamic_partial(p.operation(), p.element(), p.end(), p.accuracy())));
      static_cast<void>(join(p, p).result());
    } catch (const onefold::error&) {
    }
    return true;
  } catch (const onefold::error& e) {
    if (e.code() != onefold::error_code::invalid_argument && e.code() != onefold::error_code::unsupported) wrong();
    return false;
  }
}

}  // namespace support
