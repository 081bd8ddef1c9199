// Groups of elements with equal keys on the CPU, and what must hold before they are made and reduced.
#pragma once

#include <cstdint>

#include "onefold/detail/keys.hpp"
#include "run/element_memory.hpp"
#include "run/key_order.hpp"
#include "run/segments.hpp"

namespace onefold::detail {

/// Throws invalid_argument where there are not as many keys as elements, more than a plan is for, where a pointer to
/// them is missing, and where the keys are not aligned.
void require_keys(const key_data& from, std::int64_t most);

/// Throws invalid_argument where a pointer to what `count` groups leave is missing, not aligned, or leads into elements
/// or keys.
void require_room(const key_data& from, std::int64_t count, const choice& c, const group_room& to);

/// Groups in host memory, which keeps its size from one call to the next. All functions share out their work.
class host_groups {
 public:
  /// Groups elements, of which there are some, by their keys; how many groups there are. Throws invalid_argument for a
  /// key that is a NaN.
  std::int64_t group(const key_data& from, const team& by);

  /// The groups as segments; elements that were not in their order are copied, with their mask. Valid until the next
  /// call.
  segment_list segments(const key_data& from, const team& by);

  /// Writes the key of each group: that of its first element.
  void write_keys(const key_data& from, const team& by, void* to) const;

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(order_.offsets().size()) - 1; }
  list_selection sorted_selection(const key_data& from, const team& by);

  key_order order_;
  element_memory values_;  ///< elements in that order
  element_memory mask_;    ///< of elements in that order: a byte for each
};

}  // namespace onefold::detail
