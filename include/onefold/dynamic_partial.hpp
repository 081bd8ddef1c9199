// Partials and accumulators whose operation and types are known at run time only: for programs and for bindings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "onefold/detail/partial.hpp"
#include "onefold/dynamic.hpp"

namespace onefold {

/// A partial whose operation and types are known at run time only: what partial<T, Op> is, without templates.
class ONEFOLD_API dynamic_partial {
 public:
  /// For no elements, at a position, with an operation of the catalog (by its place). Throws unsupported where the
  /// catalog does not have it for this element type and accuracy, invalid_argument for a negative position.
  dynamic_partial(int operation, dtype element, std::int64_t begin = 0,
                  onefold::accuracy mode = onefold::accuracy::native);
  /// The same by names, in any case: ("sum", "f32", 0, "wide"). Throws also unknown_name's error.
  dynamic_partial(std::string_view operation, std::string_view element, std::int64_t begin = 0,
                  std::string_view accuracy = "native");

  /// The place of the operation in the catalog.
  int operation() const { return core_.kind().operation; }
  /// The type of its elements.
  dtype element() const { return core_.kind().element; }
  /// The accuracy of its state.
  onefold::accuracy accuracy() const { return core_.kind().mode; }
  /// As partial's.
  std::int64_t begin() const { return core_.begin(); }
  /// As partial's.
  std::int64_t end() const { return core_.begin() + core_.count(); }
  /// How many elements there are.
  std::int64_t count() const { return core_.count(); }
  /// Whether result() has the elements that it needs: whether begin() is 0, or positions do not matter.
  bool has_result() const { return core_.begin() == 0 || core_.order_independent(); }

  /// As partial's join; throws invalid_argument also for partials of different operations or element types.
  friend ONEFOLD_API dynamic_partial join(dynamic_partial left, const dynamic_partial& right);

  /// The numbers of the result, as partial's result, of the operation's own type or of `result`. Throws as that and as
  /// dynamic_plan's constructor.
  std::vector<scalar> result(const initial& init = {}, std::optional<dtype> result = std::nullopt) const;

  /// As partial's save: the same bytes.
  std::vector<std::byte> save() const { return core_.save(); }
  /// What save() wrote, of any operation of the catalog. Throws as partial's load.
  static dynamic_partial load(std::span<const std::byte> bytes);

 private:
  friend class dynamic_accumulator;
  explicit dynamic_partial(detail::partial_core core);
  detail::partial_core core_;
};

/// An accumulator whose operation and types are known at run time only: what accumulator<T, Op> is, without templates.
/// Like that, it serves one thread at a time, and can be moved.
class ONEFOLD_API dynamic_accumulator : public dynamic_results {
 public:
  /// Goes on where a partial ends. `how` chooses a CPU backend with its threads and the initial value, `result` another
  /// type where the operation rounds. Throws as dynamic_plan's constructor does; unsupported for an accelerator.
  explicit dynamic_accumulator(const dynamic_partial& from, const options& how = {},
                               std::optional<dtype> result = std::nullopt);
  /// For no elements, at a position, with an operation of the catalog (by its place); `how` chooses the accuracy, too.
  dynamic_accumulator(int operation, dtype element, const options& how = {}, std::int64_t begin = 0,
                      std::optional<dtype> result = std::nullopt);

  /// Takes the next n elements. Throws as accumulator's push.
  void push(const void* data, std::int64_t n) { core_.push(nullptr, data, n); }

  /// The type of its elements.
  dtype element() const { return core_.kind().element; }
  /// How many elements there are, with those of the partial that it began with.
  std::int64_t count() const { return core_.count(); }

  /// What is known of all elements so far.
  dynamic_partial partial() const;

  /// Writes result_size() bytes to *result, aligned as dynamic_plan::run wants it. Throws as partial's result.
  void write_result(void* result) const;
  /// The numbers of the result.
  std::vector<scalar> result() const;

  /// What runs the longest piece so far, and why.
  run_report report() const { return core_.report(); }

 private:
  detail::accumulator_core core_;
};

}  // namespace onefold
