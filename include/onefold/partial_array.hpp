// Arrays of partials: what is known of parts of many rows, joined row by row to the bits of a reduction over axes of
// the whole. docs/partials.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "onefold/detail/partial_array.hpp"
#include "onefold/partial.hpp"
#include "onefold/shapes.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// A partial for each result of a reduction over axes: of an array of which only a part is there, cut along the first
/// of the axes that are reduced. For a matrix of which this process has the columns from `begin` on,
/// `partial_array<float, op::sum>(columns, {.axes = {1}}, begin)` has a partial for each row. Each is what
/// partial<T, Op> is of the same elements, and takes about 220 bytes besides its elements and states. A value, as
/// partial.
template <class T, class Op>
class partial_array : detail::described<T, Op> {
 public:
  /// For no elements at a position, for results with these extents. Throws as partial's constructor, and
  /// invalid_argument for more partials than can be allocated.
  explicit partial_array(const onefold::extents& kept, std::int64_t begin = 0,
                         onefold::accuracy mode = onefold::accuracy::native, Op op = {})
      : op_(op), core_(detail::kind_of_partial<T, Op>(mode), kept, begin) {}

  /// Of a part of an array, whose elements of each result, counted in C order of the reduced axes, begin at a position.
  /// The threads that `how` chooses share out the rows, or, where there are few, the pages of each. Throws as partial's
  /// constructor, invalid_argument as a reduction over axes does, and unsupported for rows in device memory whose
  /// elements are not neighbors.
  explicit partial_array(const array_view<T>& part, const over& along, std::int64_t begin = 0, const options& how = {},
                         Op op = {})
      : partial_array(part, along, begin, how, op, {}) {}

  /// The extents of the results.
  const onefold::extents& extents() const { return core_.extents(); }
  /// How many results there are.
  std::int64_t size() const { return core_.size(); }
  /// The position of the first element of each partial.
  std::int64_t begin() const { return core_.begin(); }
  /// The position after the last one.
  std::int64_t end() const { return core_.begin() + core_.count(); }
  /// How many elements each partial has.
  std::int64_t count() const { return core_.count(); }
  /// The accuracy of the states.
  onefold::accuracy accuracy() const { return core_.kind().mode; }

  /// The partials of the elements of both, result by result: `right` begins where `left` ends. Throws as partial's
  /// join, and invalid_argument for other extents.
  friend partial_array join(partial_array left, const partial_array& right) {
    left.core_.append(detail::object_of(left.op_), right.core_);
    return left;
  }

  /// The bits of reduce<T, Op, R> over the axes of the whole. Throws as partial's result.
  template <class R = default_result<T, Op>>
  result_array<R> result(const initial& init = {}) const {
    result_array<R> out(extents());
    const std::optional<R> first = detail::initial_value<R, Op>(init);
    core_.results(detail::object_of(op_), detail::request_for<T, Op, R>(count(), first.has_value()),
                  first ? &*first : nullptr, out.data());
    return out;
  }

  /// All partials as bytes, as partial's save.
  std::vector<std::byte> save() const { return core_.save(); }
  /// What save() wrote. Throws as partial's load.
  static partial_array load(std::span<const std::byte> bytes, Op op = {}) {
    return {detail::partial_array_core::load(bytes, detail::kind_of_partial<T, Op>(onefold::accuracy::native)), op};
  }

 private:
  partial_array(detail::partial_array_core core, Op op) : op_(op), core_(std::move(core)) {}
  partial_array(const array_view<T>& part, const over& along, std::int64_t begin, const options& how, Op op,
                problem shape)
      : op_(op),
        core_(detail::kind_of_partial<T, Op>(how.accuracy), detail::make_problem(part.axes(), along, &shape), begin,
              how, detail::object_of(op_), shape, part.data()) {}

  [[no_unique_address]] Op op_;
  detail::partial_array_core core_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
