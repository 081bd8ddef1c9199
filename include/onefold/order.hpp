// The order of a reduction: rows, strips, pages, lanes and the aligned tree. docs/order.md explains it.
#pragma once

#include <cstdint>

#include "onefold/detail/level.hpp"
#include "onefold/types.hpp"

namespace onefold {

inline constexpr int row_bytes = 512;  ///< bytes of a row: neighboring elements go to different lanes
inline constexpr int strip_rows = 8;   ///< rows that a lane folds one after another
inline constexpr int page_strips = 4;  ///< strips of a page
inline constexpr int page_rows = 32;   ///< rows of a page

/// Lanes of a row of elements of `bytes` bytes: the largest power of two that fits, at least 1.
ONEFOLD_INLINE constexpr int lanes_of(std::int64_t bytes) {
  int lanes = 1;
  while (bytes * lanes * 2 <= row_bytes) lanes *= 2;
  return lanes;
}

/// Elements of a page of elements of `bytes` bytes: 16 KiB for the catalog's types.
ONEFOLD_INLINE constexpr std::int64_t page_elements(std::int64_t bytes) {
  return std::int64_t{page_rows} * lanes_of(bytes);
}

/// Pages that hold n elements of `bytes` bytes; the last one may be partly filled.
ONEFOLD_INLINE constexpr std::int64_t pages_of(std::int64_t n, std::int64_t bytes) {
  return (n + page_elements(bytes) - 1) / page_elements(bytes);
}

inline namespace ONEFOLD_LEVEL {

/// Combines a sequence of states in the aligned binary tree over their index:
/// node(k, j) = node(k-1, 2j) o node(k-1, 2j+1); a missing node's sibling passes through.
/// Holds one state a level, like the digits of a binary counter. At most 2^48 states.
template <class S>
class aligned_tree {
 public:
  /// Adds the next state.
  template <class Combine>
  constexpr void push(S s, const Combine& combine) {
    for (std::uint64_t carry = count_; carry & 1; carry >>= 1) s = combine(node(--depth_), s);
    node(depth_++) = s;
    ++count_;
  }
  /// The state of everything pushed; at least one must have been.
  template <class Combine>
  constexpr S total(const Combine& combine) const {
    S s = node(depth_ - 1);
    for (int level = depth_ - 2; level >= 0; --level) s = combine(node(level), s);
    return s;
  }

 private:
  // Bytes, because a state need not have a default constructor; states are trivially copyable.
  constexpr S& node(int i) { return *reinterpret_cast<S*>(bytes_ + static_cast<std::uint64_t>(i) * sizeof(S)); }
  constexpr const S& node(int i) const {
    return *reinterpret_cast<const S*>(bytes_ + static_cast<std::uint64_t>(i) * sizeof(S));
  }
  alignas(S) unsigned char bytes_[48 * sizeof(S)];
  int depth_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
