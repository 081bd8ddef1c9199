#include "run/keys.hpp"

#include <algorithm>
#include <string>

#include "onefold/error.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/problem.hpp"
#include "run/selection.hpp"

namespace onefold::detail {

void require_keys(const key_data& from, std::int64_t most) {
  if (from.key_count != from.elements)
    refuse("the number of keys, " + std::to_string(from.key_count) + ", is not that of the elements, " +
           std::to_string(from.elements));
  if (from.elements > most)
    refuse("the plan is for at most " + quantity(most, "element") + ", not for " + std::to_string(from.elements));
  if (from.elements == 0) return;
  if (!from.keys) refuse("the keys' pointer is null, but " + there_are(from.key_count, "key"));
  if (!from.values) refuse("the data pointer is null, but " + there_are(from.elements, "element"));
  require_aligned(from.keys, size_of(from.key_type), "the keys are");
}

void require_room(const key_data& from, std::int64_t count, const choice& c, const group_room& to) {
  if (count == 0) return;
  if (!to.keys) refuse("the pointer to the groups' keys is null");
  if (!to.results) refuse("the result pointer is null");
  const std::int64_t key_size = size_of(from.key_type);
  require_aligned(to.keys, key_size, "the groups' keys are");
  require_aligned(c, to.results);
  const std::int64_t result_bytes = count * c.result_size, key_bytes = count * key_size;
  const element_reach values{0, from.elements * from.element_size}, keys{0, from.elements * key_size};
  const auto refuse_overlap = [](const char* what, const char* of) {
    refuse(std::string("the ") + what + " would overwrite the " + of + ": their memory overlaps");
  };
  if (overlap(to.results, result_bytes, from.values, values)) refuse_overlap("results", "data");
  if (overlap(to.results, result_bytes, from.keys, keys)) refuse_overlap("results", "keys");
  if (overlap(to.keys, key_bytes, from.values, values)) refuse_overlap("groups' keys", "data");
  if (overlap(to.keys, key_bytes, from.keys, keys)) refuse_overlap("groups' keys", "keys");
  if (overlap(to.keys, key_bytes, to.results, {0, result_bytes})) refuse_overlap("groups' keys", "results");
  if (overlaps_mask(from.selects, from.elements, to.results, result_bytes)) refuse_overlap("results", "mask");
  if (overlaps_mask(from.selects, from.elements, to.keys, key_bytes)) refuse_overlap("groups' keys", "mask");
}

std::int64_t host_groups::group(const key_data& from, const team& by) {
  order_.make(from, by);
  return count();
}

segment_list host_groups::segments(const key_data& from, const team& by) {
  const char* values = static_cast<const char*>(from.values);
  list_selection selects = from.selects;
  if (order_.sorted()) {
    char* const to = values_.room(from.elements, from.element_size);
    by.share_out(from.elements, [&](int, std::int64_t first, std::int64_t last) {
      gather(values, order_.places(first, last - first), from.element_size, to + first * from.element_size);
    });
    values = to;
    selects = sorted_selection(from, by);
  }
  return {values, from.elements, order_.offsets().data(), count(), true, false, false, selects};
}

/// The selection of the elements in the groups' order.
list_selection host_groups::sorted_selection(const key_data& from, const team& by) {
  const list_selection& selects = from.selects;
  if (!is_in_memory(selects.kind)) return selects;
  const auto* const mask = static_cast<const unsigned char*>(selects.mask);
  char* const to = mask_.room(from.elements, 1);
  by.share_out(from.elements, [&](int, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const std::int64_t at = selects.offset + static_cast<std::int64_t>(order_.place(i)) * selects.stride;
      to[i] = static_cast<char>(selects.kind == mask_kind::bytes ? mask[at] : mask[at >> 3] >> (at & 7) & 1);
    }
  });
  return {mask_kind::bytes, dtype::other, to};
}

void host_groups::write_keys(const key_data& from, const team& by, void* to) const {
  constexpr std::int64_t keys_at_once = 512;
  const std::int64_t size = size_of(from.key_type);
  by.share_out(count(), [&](int, std::int64_t first, std::int64_t last) {
    std::uint64_t at[keys_at_once];
    for (std::int64_t g = first; g < last; g += keys_at_once) {
      const std::int64_t n = std::min(keys_at_once, last - g);
      for (std::int64_t j = 0; j < n; ++j) at[j] = order_.place(order_.offsets()[static_cast<std::size_t>(g + j)]);
      gather(from.keys, {at, ~std::uint64_t{0}, n}, size, static_cast<char*>(to) + g * size);
    }
  });
}

}  // namespace onefold::detail
