// Computed elements that the library changes, line by line, before they are reduced.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "onefold/map_reduce.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Computed elements, which must outlive these, after change(line, n), which writes n elements in place of those at
/// `line`. On CPUs.
template <class Change, class M>
class changed_elements {
 public:
  using element_type = typename M::element_type;

  changed_elements(Change change, const M& elements) : change_(std::move(change)), elements_(elements) {}

  std::span<const mapped_axes> axes() const { return elements_.axes(); }
  mapped_source source() const {
    mapped_source s = elements_.source();
    s.context = this;
    s.compute = compute;
    s.device = {};
    return s;
  }

 private:
  static void compute(const void* self, const mapped_lines& which, void* to) noexcept {
    const auto& what = *static_cast<const changed_elements*>(self);
    const mapped_source from = what.elements_.source();
    from.compute(from.context, which, to);
    auto* line = static_cast<element_type*>(to);
    for (std::int64_t l = 0; l < which.lines; ++l, line += which.distance) what.change_(line, which.n);
  }

  Change change_;
  const M& elements_;
};

template <class Change, class M>
inline constexpr bool is_mapped<changed_elements<Change, M>> = true;

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
