// Groups that are numbered: each element's number says to which one it belongs. Their offsets are found by counting,
// without a sort, and each group's values are put one after another for a reduction of segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include "onefold/types.hpp"

namespace onefold {

/// Elements in groups with the numbers from 0 on. A group may be empty.
class ONEFOLD_API numbered_groups {
 public:
  /// Counts how many elements each of `groups` groups has: numbers[i], below `groups`, is the number of element i's
  /// group. The numbers are the caller's: they must live, unchanged, as long as gather may be called; a temporary that
  /// owns them is refused. Throws onefold::error (invalid_argument) for a number that is not below `groups`, and where
  /// `groups` is negative or above 2^32.
  numbered_groups(std::span<const std::uint32_t> numbers, std::int64_t groups);
  /// Not of a temporary that owns the numbers.
  template <std::ranges::contiguous_range Temporary>
  requires(!std::ranges::borrowed_range<Temporary>) numbered_groups(Temporary&&, std::int64_t) {
    static_assert(
        std::ranges::borrowed_range<Temporary>,
        "onefold: these numbers are a temporary, and the groups would outlive them: give them a name (or, for a "
        "view, specialize std::ranges::enable_borrowed_range)");
  }

  /// Where each group begins among the gathered elements, and the end: the offsets of segments.
  std::span<const std::int64_t> offsets() const { return offsets_; }

  /// Whether the elements lie group by group as they are, so that they need not be gathered.
  bool in_order() const { return in_order_; }

  /// Copies the elements at `values`, of `size` bytes each, to `to`, group by group and in their order within each
  /// group. The memory must not overlap.
  void gather(const void* values, std::size_t size, void* to) const;

 private:
  std::span<const std::uint32_t> numbers_;
  std::vector<std::int64_t> offsets_;
  bool in_order_ = true;
};

}  // namespace onefold
