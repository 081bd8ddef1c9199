// Which elements of a problem a mask selects, as it crosses the border to a backend.
#pragma once

#include <cstdint>

#include "onefold/problem.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// What says which elements are selected.
enum class mask_kind : std::uint8_t {
  bytes,    ///< a byte for each element: 0 leaves it out
  bits,     ///< a bit for each element, the lowest of a byte first: 0 leaves it out
  not_nan,  ///< no mask: elements that are NaN are left out
  all,      ///< no mask, and all are selected
};

/// Whether there is a mask in memory.
constexpr bool is_in_memory(mask_kind kind) { return kind == mask_kind::bytes || kind == mask_kind::bits; }

/// Which elements of a problem are selected, but for where the mask is.
struct selection {
  mask_kind kind;
  dtype element;        ///< not_nan: the type of the data
  std::int64_t offset;  ///< bits: from the first bit of the mask to that of the first element
  problem places;  ///< the problem with the mask's strides, in bytes or bits, for the data's; unused without a mask
};

/// How far the mask of a problem with elements reaches from its pointer, in bytes.
constexpr element_reach mask_reach_of(const selection& by) {
  const element_reach r = reach_of(by.places, 1);
  if (by.kind != mask_kind::bits) return r;
  return {(r.first + by.offset) >> 3, (r.end + by.offset + 7) >> 3};
}

}  // namespace onefold
