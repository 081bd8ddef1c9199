// The states of the catalog as bytes that every machine reads, and which of its folds do without an order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "onefold/options.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

/// What partials need to know of an entry's fold and its states, which are the same on all instruction sets.
struct state_format {
  bool order_independent;  ///< whether elements and states can be folded in any order, with the same bits
  std::uint32_t bytes;     ///< bytes of a state as written

  /// Writes a state: its numbers one after the other, each with its lowest byte first; exact sums in the one form that
  /// their value has.
  void (*save)(const void* state, std::byte* to);
  /// Reads what save wrote into memory for a state. False for bytes that save never writes.
  bool (*load)(const std::byte* from, void* state);
};

/// The format of an entry that the catalog has.
const state_format& format_of_states(int operation, dtype element, accuracy a);

}  // namespace onefold::detail
