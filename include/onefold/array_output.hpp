// Where results go that have extents: memory of the caller's.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "onefold/array_view.hpp"
#include "onefold/source.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// Where results go: an output_view with the extents of the results, or a contiguous range with as many places, which
/// get them in C order.
template <class T>
class array_output {
 public:
  /// Results that lie as the view says.
  array_output(const output_view<T>& view) : view_(view) {}
  /// Neighboring results.
  template <contiguous_elements Range>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): no array_output is a range
  requires std::is_convertible_v<Range&&, std::span<T>> array_output(Range&& range)
      : view_(std::span<T>(range)), in_c_order_(true) {}

  /// The view, given the extents of the results. A range with another number of places is a view of one axis.
  output_view<T> view(const extents& e) const {
    return in_c_order_ && detail::count_results(e, sizeof(T)) == static_cast<std::size_t>(view_.axes()[0].extent)
               ? output_view<T>(view_.data(), e)
               : view_;
  }

 private:
  output_view<T> view_;
  bool in_c_order_ = false;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
