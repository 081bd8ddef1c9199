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

/// Selects the elements that are not NaN: `where(x, not_nan)`. Of integers it selects all.
struct not_nan_t {};
inline constexpr not_nan_t not_nan;  ///< see not_nan_t

/// Whether there is a mask in memory.
constexpr bool is_in_memory(mask_kind kind) { return kind == mask_kind::bytes || kind == mask_kind::bits; }

/// Which elements of a problem are selected, but for where the mask is.
struct selection {
  mask_kind kind;       ///< what says it
  dtype element;        ///< not_nan: the type of the data
  std::int64_t offset;  ///< bits: from the first bit of the mask to that of the first element
  problem mask;  ///< the problem with the mask's strides, in bytes or bits, for the data's; unused without a mask
};

/// How far the mask of a problem with elements reaches from its pointer, in bytes.
constexpr element_reach mask_reach_of(const selection& by) {
  const element_reach r = reach_of(by.mask, 1);
  if (by.kind != mask_kind::bits) return r;
  return {(r.first + by.offset) >> 3, (r.end + by.offset + 7) >> 3};
}

/// Which elements of a list are selected, and where its mask is: of all values of segments or groups.
struct list_selection {
  mask_kind kind = mask_kind::all;  ///< what says it
  dtype element = dtype::other;     ///< not_nan: the type of the data
  const void* mask = nullptr;       ///< bytes and bits; unused otherwise, as what follows
  std::int64_t offset = 0;          ///< bits: from the first bit at `mask` to that of the first element
  std::int64_t stride = 1;  ///< from an element's byte or bit to the next one's: any sign, and 0 where it repeats

  /// The same of the elements from number `first` on.
  list_selection from(std::int64_t first) const {
    list_selection rest = *this;
    if (kind == mask_kind::bytes) rest.mask = static_cast<const char*>(mask) + first * stride;
    if (kind == mask_kind::bits) rest.offset += first * stride;
    return rest;
  }
};

/// A list of n elements, `stride` apart, as a problem of one output.
constexpr problem problem_of_list(std::int64_t n, std::int64_t stride = 1) {
  problem p{};
  p.size = sizeof(problem);
  p.reduced_axes = 1;
  p.reduced[0] = {n, stride};
  p.outputs = 1;
  p.n = n;
  return p;
}

/// The selection from problem_of_list(n).
constexpr selection selection_of(const list_selection& by, std::int64_t n) {
  return {by.kind, by.element, by.offset, problem_of_list(n, by.stride)};
}

}  // namespace onefold
