// The part of arrays of partials that knows no type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "onefold/axes.hpp"
#include "onefold/detail/partial.hpp"
#include "onefold/problem.hpp"

namespace onefold::detail {

/// Partials of equally many elements at the same position, one for each output of a reduction over axes. `op` is the
/// operation object, as in the recipe. Of one that was moved from, all but assignment and destruction throw
/// invalid_argument.
class ONEFOLD_API partial_array_core {
 public:
  /// For no elements. Throws as partial_core, and invalid_argument for more partials than can be allocated.
  partial_array_core(const partial_kind& what, const extents& kept, std::int64_t begin);
  /// Of the outputs of a problem, whose first element is at `data`. Throws as accumulator_core does, invalid_argument
  /// for null, and unsupported for elements in device memory that are not neighbors.
  partial_array_core(const partial_kind& what, const extents& kept, std::int64_t begin, const options& how,
                     const void* op, const problem& shape, const void* data);

  const onefold::extents& extents() const { return made().extents_; }
  const partial_kind& kind() const { return made().kind_; }
  std::int64_t begin() const { return made().begin_; }
  std::int64_t count() const { return made().count_; }
  std::int64_t size() const { return static_cast<std::int64_t>(made().partials_.size()); }

  /// Takes the elements of another array's partials, each after its own, as partial_core::append. Throws as that, and
  /// invalid_argument for other extents; it is then as before, but for std::bad_alloc.
  void append(const void* op, const partial_array_core& right);

  /// The results, one after another. Throws as partial_core::result.
  void results(const void* op, const request& to, const void* init, void* results) const;

  /// All partials as bytes; what save() wrote, which must be of this operation and element type. Throws as
  /// partial_core.
  std::vector<std::byte> save() const;
  static partial_array_core load(std::span<const std::byte> bytes, const partial_kind& expected);

 private:
  /// This one, unless it was moved from.
  const partial_array_core& made() const;
  /// Of elements in device memory. Throws unsupported for elements of an output that are not neighbors.
  void fold_on_device(const options& how, const void* op, const problem& shape, const void* data);

  partial_kind kind_;
  onefold::extents extents_;
  std::int64_t begin_, count_ = 0;
  std::vector<partial_core> partials_;
};

}  // namespace onefold::detail
