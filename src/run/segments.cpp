#include "run/segments.hpp"

#include <string>
#include <utility>

#include "modules.hpp"
#include "onefold/error.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/problem.hpp"
#include "run/selection.hpp"

namespace onefold::detail {
namespace {

/// Names the first offset that is not as it should be; there is one.
template <class Offset>
[[noreturn]] void fail_at_offset(const Offset* offsets, std::int64_t elements) {
  for (std::int64_t i = 0;; ++i) {
    const std::string which = "offset " + std::to_string(i) + " is " + std::to_string(offsets[i]);
    if (std::cmp_less(offsets[i], 0)) refuse(which + "; it must not be negative");
    if (i > 0 && offsets[i] < offsets[i - 1])
      refuse(which + ", less than the " + std::to_string(offsets[i - 1]) + " before it; offsets must not decrease");
    if (std::cmp_greater(offsets[i], elements)) refuse(which + ", beyond the end of " + quantity(elements, "element"));
  }
}

/// Checks all offsets, and says whether some segment is empty.
template <class Offset>
bool check_offsets(const Offset* offsets, std::int64_t count, std::int64_t elements) {
  bool decreases = false, empty = false;
  for (std::int64_t i = 1; i < count; ++i) {
    decreases |= offsets[i] < offsets[i - 1];
    empty |= offsets[i] == offsets[i - 1];
  }
  if (decreases || std::cmp_less(offsets[0], 0) || std::cmp_greater(offsets[count - 1], elements))
    fail_at_offset(offsets, elements);
  return empty;
}

bool check_offsets(const segment_data& from) {
  const auto check_as = [&]<class Offset>() {
    return check_offsets(static_cast<const Offset*>(from.offsets), from.offset_count, from.elements);
  };
  switch (from.offset_type) {
    case dtype::i32:
      return check_as.operator()<std::int32_t>();
    case dtype::u32:
      return check_as.operator()<std::uint32_t>();
    case dtype::i64:
      return check_as.operator()<std::int64_t>();
    default:
      return check_as.operator()<std::uint64_t>();
  }
}

}  // namespace

std::int64_t work_of(std::int64_t segments, std::int64_t elements, std::int64_t element_size) {
  if (segments < 0) refuse("the number of segments is negative: " + std::to_string(segments));
  if (elements < 0) refuse("the number of elements is negative: " + std::to_string(elements));
  std::int64_t work = 0;
  if (__builtin_mul_overflow(segments, std::int64_t{lanes_of(element_size)}, &work) ||
      __builtin_add_overflow(work, elements, &work))
    refuse(quantity(segments, "segment") + " of " + quantity(elements, "element") + " are more than can be counted");
  return work;
}

std::int64_t expected_work(std::int64_t elements, std::int64_t element_size) {
  return work_of(elements / lanes_of(element_size), elements, element_size);
}

segment_place segment_list::place_of(std::int64_t work, const recipe& r) const {
  std::int64_t low = 0, high = count;
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (work_before(middle, r) <= work)
      low = middle;
    else
      high = middle - 1;
  }
  if (low == count || size(low) <= r.page) return {low, 0};
  const std::int64_t page = (work - work_before(low, r)) / r.page;
  return page < onefold::pages_of(size(low), r.element_size) ? segment_place{low, page} : segment_place{low + 1, 0};
}

segment_list unchecked(const segment_data& from) {
  if (from.offset_count == 0) refuse("no offsets; k segments need k + 1");
  if (!from.offsets) refuse("the offsets' pointer is null, but " + there_are(from.offset_count, "offset"));
  const std::int64_t size = size_of(from.offset_type);
  require_aligned(from.offsets, size, "the offsets are");
  if (from.elements > 0 && !from.values) refuse("the data pointer is null, but " + there_are(from.elements, "element"));
  return {static_cast<const char*>(from.values),
          from.elements,
          from.offsets,
          from.offset_count - 1,
          size == 8,
          true,
          false,
          from.selects};
}

segment_list checked(const segment_data& from) {
  segment_list s = unchecked(from);
  s.far = locate(from.offsets).kind == accelerator_memory::device;
  if (!s.far) s.some_empty = check_offsets(from);
  return s;
}

void require_within(const segment_list& s, std::int64_t most_segments, std::int64_t most_elements) {
  if (s.count <= most_segments && s.elements() <= most_elements) return;
  refuse("the plan is for at most " + quantity(most_segments, "segment") + " with " +
         quantity(most_elements, "element") + " in all, not for " + std::to_string(s.count) + " with " +
         std::to_string(s.elements()));
}

void require_readable_offsets(const segment_list& s, const choice& c) {
  if (s.far && is_beyond(c, locate_for(c, s.offsets)))
    throw error(error_code::unsupported, std::string("the offsets are in device memory, which backend ") +
                                             name_of(c.backend) + " cannot read; copy them to host memory");
}

bool check_segments(const segment_list& s, const choice& c, const void* init, const void* results,
                    std::int64_t capacity) {
  if (capacity < s.count)
    refuse("the reduction has " + quantity(s.count, "result") + ", but there is room for " + std::to_string(capacity));
  if (s.count == 0) return false;
  require_readable_offsets(s, c);
  if (s.some_empty && !c.recipe->empty_allowed && !init) {
    std::int64_t which = 0;
    while (s.size(which) > 0) ++which;
    throw error(error_code::empty_input, std::string(c.recipe->name) + " of no elements has no value: segment " +
                                             std::to_string(which) + " is empty");
  }
  if (!results) refuse("the result pointer is null");
  require_aligned(c, results);
  const std::int64_t bytes = s.count * c.result_size, size = c.recipe->element_size;
  const std::int64_t first = s.far ? 0 : s.offset(0);
  if (s.elements() > 0 && overlap(results, bytes, s.values, {first * size, (first + s.elements()) * size}))
    refuse("the results would overwrite the data: their memory overlaps");
  if (overlap(results, bytes, s.offsets, {0, (s.count + 1) * (s.wide ? 8 : 4)}))
    refuse("the results would overwrite the offsets: their memory overlaps");
  check_mask_memory(s.selects.kind, s.selects.mask, s.all, c);
  if (overlaps_mask(s.selects, s.all, results, bytes))
    refuse("the results would overwrite the mask: their memory overlaps");
  return true;
}

}  // namespace onefold::detail
