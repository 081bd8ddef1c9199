// Segments whose offsets were checked, and what must hold before they are reduced.
#pragma once

#include <cstdint>

#include "choose.hpp"
#include "onefold/detail/segments.hpp"
#include "onefold/order.hpp"

namespace onefold::detail {

/// How long it takes to reduce segments, as a number of elements: besides its elements, a segment costs as much as a
/// row of elements (a call of `small`: some 5 ns on a Xeon with AVX-512). Throws invalid_argument where that cannot be
/// counted.
std::int64_t work_of(std::int64_t segments, std::int64_t elements, std::int64_t element_size);

/// The work that is expected of groups by key. How many there are is not known before they are made: they are taken to
/// be as long as a row, so that half of the work is to read the elements.
std::int64_t expected_work(std::int64_t elements, std::int64_t element_size);

/// A page of a segment.
struct segment_place {
  std::int64_t segment, page;
  bool is_before(const segment_place& other) const {
    return segment != other.segment ? segment < other.segment : page < other.page;
  }
};

/// Segments of an array: their offsets do not decrease and are within it.
struct segment_list {
  const char* values;
  std::int64_t all;  ///< elements of the array
  const void* offsets;
  std::int64_t count;  ///< of segments
  bool wide;           ///< whether offsets have 64 bits, else 32
  bool far;            ///< whether the offsets are in device memory: then nothing is known of them here
  bool some_empty;
  list_selection selects;  ///< which elements of the array count

  std::int64_t offset(std::int64_t i) const {
    return wide ? static_cast<const std::int64_t*>(offsets)[i]
                : std::int64_t{static_cast<const std::uint32_t*>(offsets)[i]};
  }
  std::int64_t size(std::int64_t i) const { return offset(i + 1) - offset(i); }
  /// How many elements are in segments; where nothing is known of the offsets, at most.
  std::int64_t elements() const { return far ? all : offset(count) - offset(0); }

  /// The work, as in work_of, of the segments before one.
  std::int64_t work_before(std::int64_t segment, const recipe& r) const {
    return offset(segment) - offset(0) + segment * (r.page / page_rows);
  }

  /// Where the rest begins after this much work: at a page of a long segment, or at a whole short one.
  segment_place place_of(std::int64_t work, const recipe& r) const;
};

/// Checks the offsets, unless they are in device memory. Throws invalid_argument where they are not segments of the
/// values.
segment_list checked(const segment_data& from);

/// The same of offsets in device memory, without asking where they are.
segment_list unchecked(const segment_data& from);

/// Throws invalid_argument for more segments, or elements in them, than a plan is for.
void require_within(const segment_list& s, std::int64_t most_segments, std::int64_t most_elements);

/// Throws unsupported for offsets in device memory that the choice's backend cannot reach.
void require_readable_offsets(const segment_list& s, const choice& c);

/// Checks a run of segments; false where there are none.
bool check_segments(const segment_list& s, const choice& c, const void* init, const void* results,
                    std::int64_t capacity);

}  // namespace onefold::detail
