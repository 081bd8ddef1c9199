#include "run/selection.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "modules.hpp"
#include "onefold/error.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/problem.hpp"

namespace onefold::detail {

void check_mask(std::span<const axis> axes, const mask_view& mask) {
  if (!is_in_memory(mask.kind)) return;
  const auto text_of = [](std::span<const axis> of) {
    std::string text = "(";
    for (const axis& a : of) text += (text.size() > 1 ? ", " : "") + std::to_string(a.extent);
    return text + ")";
  };
  const std::span<const axis> own(mask.axes, mask.rank);
  if (!std::ranges::equal(axes, own, {}, &axis::extent, &axis::extent))
    refuse("the mask has the extents " + text_of(own) + ", the data has " + text_of(axes) +
           "; a mask needs the extents of its data, with a stride of 0 where it repeats");
  if (mask.offset < 0) refuse("the offset of the mask's bits is negative: " + std::to_string(mask.offset));
  std::int64_t last =
      0;  // the last bit of the highest byte; the view of the bits has no reach that overflows by itself
  bool too_far = __builtin_add_overflow(mask.offset, 7, &last);
  for (const axis& a : own)
    if (a.extent > 1 && a.stride > 0) too_far |= __builtin_add_overflow(last, (a.extent - 1) * a.stride, &last);
  if (too_far) refuse("the mask's bits reach farther than there are addresses");
}

list_selection select_from_list(std::int64_t n, const mask_view& mask) {
  const axis list{n, 1};
  check_mask({&list, 1}, mask);
  return {mask.kind, mask.element, mask.data, mask.offset, is_in_memory(mask.kind) ? mask.axes[0].stride : 1};
}

bool are_alike(const mask_view& a, const mask_view& b) {
  return a.kind == b.kind && a.offset == b.offset &&
         std::ranges::equal(std::span(a.axes, a.rank), std::span(b.axes, b.rank));
}

namespace {

void require_mask(const void* mask, std::int64_t n) {
  if (!mask) refuse("the mask's pointer is null, but " + there_are(n, "element"));
}

[[noreturn]] void refuse_mask(const std::string& by) {
  refuse("the mask is in device memory, and the data is reduced " + by + "; both must be where one backend reads them");
}

}  // namespace

void require_readable_mask(const void* mask, std::int64_t n) {
  require_mask(mask, n);
  if (locate(mask).kind == accelerator_memory::device) refuse_mask("on the CPU");
}

void check_mask_memory(mask_kind kind, const void* mask, std::int64_t n, const choice& c) {
  if (!is_in_memory(kind) || n == 0) return;
  require_mask(mask, n);
  if (is_beyond(c, locate_for(c, mask)))
    refuse_mask(c.scheduler ? "on the CPU" : std::string("by backend ") + name_of(c.backend));
}

bool overlaps_mask(const list_selection& by, std::int64_t n, const void* to, std::int64_t bytes) {
  return is_in_memory(by.kind) && n > 0 && overlap(to, bytes, by.mask, mask_reach_of(selection_of(by, n)));
}

void check_selection(const void* mask, const problem& p, const choice& c, const void* results) {
  const selection& by = *c.selects;
  check_mask_memory(by.kind, mask, p.outputs * p.n, c);
  if (is_in_memory(by.kind) && p.n > 0 && overlap(results, p.outputs * c.result_size, mask, mask_reach_of(by)))
    refuse("the results would overwrite the mask: their memory overlaps");
}

}  // namespace onefold::detail
