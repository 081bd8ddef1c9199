// Operations on rows: row_plan, and the verbs softmax, log_softmax, logsumexp, layer_norm, rms_norm, normalize and
// standardize.
//
// Each line of the data along an axis is reduced, and its elements are mapped by what came out. The bits of a line's
// results depend on the line alone, whatever the strides, the backend and its threads (docs/row-operations.md).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "onefold/array_output.hpp"
#include "onefold/detail/device_store_of.hpp"
#include "onefold/detail/row_engine.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/shapes.hpp"

namespace onefold {

inline namespace ONEFOLD_LEVEL {

/// The type that elements are widened to, in which rows are computed: f32, or f64 for f64.
template <class T>
using row_value = typename detail::accumulator<canonical_t<T>>::type;

/// What layer_norm and rms_norm take besides the data. All of it may be left out; memory must last as long as the call.
template <class T>
struct row_parameters {
  std::span<const T> weight = {};     ///< results are multiplied by these, one for each place along the line
  std::span<const T> bias = {};       ///< and these are added; layer_norm only
  std::optional<double> eps = {};     ///< added to variances and mean squares, else 1e-5; a norm's least, else 1e-12
  std::span<row_value<T>> mean = {};  ///< gets each line's mean, in C order of the lines; layer_norm only
  std::span<row_value<T>> rstd = {};  ///< and its 1 / sqrt(variance + eps); both or none
};

/// The axis along which lines lie: `0`, or `-1` for the last one. Nothing is not an axis, so that `softmax(view, {})`
/// takes default options.
class row_axis {
 public:
  /// An axis.
  constexpr row_axis(int number) : number_(number) {}
  /// A number with a fraction, which is not an axis.
  template <std::floating_point Number>
  constexpr row_axis(Number) {
    static_assert(!std::floating_point<Number>, "onefold: an axis is an integer: write softmax(view, 0)");
  }
  /// Its number.
  constexpr int number() const { return number_; }

 private:
  int number_ = 0;
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Hands the results of a line to a function, one by one.
template <class T, class Store>
void store_line(const void* store, const void* results, std::int64_t line, std::int64_t n) noexcept {
  const Store& take = *static_cast<const Store*>(store);
  const T* const y = static_cast<const T*>(results);
  for (std::int64_t i = 0; i < n; ++i) take(y[i], row_position{line, i});
}

/// What is taken for a function that takes results: an object that is neither a range nor a view.
template <class Store, class T>
concept store_argument =
    std::is_class_v<Store> && !contiguous_elements<Store> && !std::is_convertible_v<const Store&, output_view<T>>;

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// Where results go: memory, as array_output says, or a function. Memory may be the data's own, with the data's
/// strides; any other overlap is an error.
template <class T>
class row_output : public array_output<T> {
 public:
  using array_output<T>::array_output;
  /// Results that a function object takes: store(y, row_position) is called once for each, with what would have been
  /// written. Several threads call it at once, through a const reference, for different lines in any order; it must not
  /// throw. It may write over elements of its own line: they are all read before its first result is there. It must
  /// live as long as the call.
  template <detail::store_argument<T> Store>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): a row_output is no store_argument
  row_output(const Store& store) : array_output<T>(output_view<T>(nullptr, extents{})) {
    constexpr bool takes = std::is_invocable_v<const Store&, T, row_position>;
    static_assert(takes || !std::is_invocable_v<Store&, T, row_position>,
                  "onefold: the function that takes the results changes itself: several threads call it at once, so "
                  "that it must be const (a lambda without `mutable`)");
    static_assert(
        takes || std::is_invocable_v<Store&, T, row_position>,
        "onefold: results of row operations go to an output_view, to a contiguous range of the elements' type, "
        "or to a function that is called with a result and a onefold::row_position");
    if constexpr (takes) store_ = {&store, detail::store_line<T, Store>, detail::device_store_of<Store, T>::value};
  }

  /// The function that takes the results, if one does.
  const row_store& store() const { return store_; }
  /// The view, given the extents of the results; without memory where a function takes them.
  output_view<T> view(const extents& e) const {
    return store_.take ? output_view<T>(nullptr, e) : array_output<T>::view(e);
  }

 private:
  row_store store_;
};

}  // namespace ONEFOLD_LEVEL
namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The element type of what a row operation takes; any will do for what none does.
template <class Data>
struct row_element_of {
  using type = float;
};
template <reducible Data>
requires is_float_element<typename source_traits<Data>::element_type>
struct row_element_of<Data> {
  using type = typename source_traits<Data>::element_type;
};
template <class Data>
using row_element = typename row_element_of<std::remove_cvref_t<Data>>::type;

/// What has rows to work on: ranges and views of floating-point elements, what is selected of them, and
/// computed elements.
template <class Data>
concept has_lines = reducible<Data> &&
    (with_axes<Data> || contiguous_elements<Data> || is_selected<Data> || is_mapped<Data> || is_scattered<Data>);
template <class Data>
concept has_rows = has_lines<Data> && is_float_element<typename source_traits<Data>::element_type>;

/// What a row_output of T is made from, by its own type: neither braces nor what only resembles a function.
template <class Out, class T>
concept takes_rows = std::is_convertible_v<Out, array_output<T>> || std::is_invocable_v<const Out, T, row_position>;

/// Says why Data can be reduced, but has no rows to work on.
template <class Data>
struct explained_rows {
  static_assert(
      has_lines<Data>,
      "onefold: row operations take ranges, views, selected elements of them and computed elements: copy segments "
      "or groups to an array first");
  static_assert(!has_lines<Data> || has_rows<Data>,
                "onefold: row operations take elements of type f16, bf16, f32 or f64: convert integers first");
};
template <class Data>
constexpr void explain_rows() {
  if constexpr (reducible<Data>)
    static_cast<void>(explained_rows<Data>{});
  else
    static_cast<void>(explained<Data>{});
}

/// What a row operation takes, within a call.
template <class T>
struct row_source {
  const T* data = nullptr;  ///< null for computed elements
  mapped_axes lies = {};    ///< the array; the first array of computed elements
  mask_view mask = {};
  std::span<const mapped_axes> arrays = {};
  mapped_source from = {};

  std::span<const axis> axes() const { return {lies.axes, lies.rank}; }
  row_layout layout() const { return {axes(), mask, arrays}; }
};

template <class T>
row_source<T> source_of_view(const array_view<T>& view, const mask_view& mask = {}) {
  row_source<T> s{view.data(), {view.rank(), {}}, mask};
  std::ranges::copy(view.axes(), s.lies.axes);
  return s;
}

template <class Data>
row_source<row_element<Data>> source_of(const Data& data) {
  using T = row_element<Data>;
  if constexpr (is_selected<Data>)
    return source_of_view<T>(data.view, data.mask);
  else if constexpr (is_mapped<Data>)
    return {nullptr, data.axes()[0], {}, data.axes(), data.source()};
  else if constexpr (with_axes<Data>)
    return source_of_view<T>(view_of(data));
  else
    return source_of_view<T>(array_view<T>(std::data(data), {static_cast<std::int64_t>(std::size(data))}));
}

/// Sizes and memory of parameters.
template <class T>
row_sizes sizes_of(const row_parameters<T>& p) {
  return {p.weight.size(), p.bias.size(), p.mean.size(), p.rstd.size()};
}
template <class T>
row_memory memory_of(const T* data, T* results, const row_parameters<T>& p) {
  const auto given = [](const auto& s) { return s.empty() ? nullptr : s.data(); };
  return {data, results, given(p.weight), given(p.bias), given(p.mean), given(p.rstd)};
}

/// An operation on rows, with results that go where `out` says.
template <class T>
row_problem row_problem_of(row_operation operation, const row_source<T>& from, int along, const row_output<T>& out,
                           const row_parameters<T>& with) {
  const output_view<T> to = out.view(row_extents(from.axes(), along, operation));
  row_problem p = make_rows(operation, dtype_of<T>, from.layout(), to.axes(), along, with.eps, sizes_of(with));
  p.stores = out.store().take != nullptr;
  p.stores_on_device = !p.stores || out.store().device;
  p.maps_on_device = from.arrays.empty() || from.from.device.exists();
  return p;
}

/// Works on rows.
template <class T>
void run_rows(row_operation operation, const row_source<T>& from, int along, const row_output<T>& out,
              const row_parameters<T>& with, const options& how) {
  const row_memory memory = memory_of(from.data, out.view(extents{}).data(), with);
  const row_extras extras{from.mask.data, from.from, out.store()};
  row_engine(row_problem_of(operation, from, along, out, with), how, memory, extras).run(memory, extras);
}

/// What every row operation does, or why it does not compile.
template <class Data>
void rows_into(row_operation operation, const Data& data, row_axis along, const row_output<row_element<Data>>& out,
               const row_parameters<row_element<Data>>& with, const options& how) {
  if constexpr (has_rows<Data> && is_scattered<Data>)
    rows_into(operation, source_traits<Data>::elements(data), along, out, with, how);
  else if constexpr (has_rows<Data>)
    run_rows(operation, source_of(data), along.number(), out, with, how);
  else
    explain_rows<Data>();
}

/// The same into an array of its own.
template <class Data>
result_array<row_element<Data>> rows_of(row_operation operation, const Data& data, row_axis along,
                                        const row_parameters<row_element<Data>>& with, const options& how) {
  using T = row_element<Data>;
  if constexpr (has_rows<Data> && is_scattered<Data>) {
    return rows_of(operation, source_traits<Data>::elements(data), along, with, how);
  } else if constexpr (has_rows<Data>) {
    const row_source<T> from = source_of(data);
    result_array<T> out(row_extents(from.axes(), along.number(), operation));
    run_rows<T>(operation, from, along.number(), output_view<T>(out.data(), out.extents()), with, how);
    return out;
  } else {
    explain_rows<Data>();
    return result_array<T>(extents{});
  }
}

/// What plans of T take: selected and computed elements of this type.
template <class Data, class T>
concept plannable_rows = (is_selected<Data> || is_mapped<Data>)&&std::is_same_v<row_element<Data>, T>;

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// A row operation that is chosen once and run many times, without allocating: on arrays with the extents and strides
/// of a view, with parameters of the sizes that it was made with. Like a plan, it serves one thread at a time, and can
/// be moved.
template <class T>
class row_plan {
  static_assert(detail::is_float_element<T>,
                "onefold: row operations take elements of type f16, bf16, f32 or f64: convert integers first");

 public:
  /// Chooses a backend for arrays that lie as `like` does, whose results lie in C order. Neither data nor parameters
  /// are looked at, only their sizes. Throws onefold::error as the operations do.
  row_plan(row_operation operation, const array_view<T>& like, row_axis axis = -1, const row_parameters<T>& with = {},
           const options& how = {})
      : row_plan(detail::source_of_view(like), operation, in_c_order(operation, detail::source_of_view(like), axis),
                 axis, with, how) {}
  /// The same for results that lie as `out` does, or that a function takes.
  row_plan(row_operation operation, const array_view<T>& like, const row_output<T>& out, row_axis axis = -1,
           const row_parameters<T>& with = {}, const options& how = {})
      : row_plan(detail::source_of_view(like), operation, out, axis, with, how) {}
  /// The first of them for selected elements, `where(view, mask)`, and computed ones, `mapped(f, x)`: for all arrays
  /// and masks that lie as these do, and all functions that return T.
  template <detail::plannable_rows<T> Data>
  row_plan(row_operation operation, const Data& like, row_axis axis = -1, const row_parameters<T>& with = {},
           const options& how = {})
      : row_plan(detail::source_of(like), operation, in_c_order(operation, detail::source_of(like), axis), axis, with,
                 how) {}
  /// The second of them for selected and computed elements.
  template <detail::plannable_rows<T> Data>
  row_plan(row_operation operation, const Data& like, const row_output<T>& out, row_axis axis = -1,
           const row_parameters<T>& with = {}, const options& how = {})
      : row_plan(detail::source_of(like), operation, out, axis, with, how) {}

  /// Works on the array at `data`, with results at `out`. The parameters have the sizes that the plan was made with;
  /// their eps does not count. Throws onefold::error as the operations do, and invalid_argument where the plan was made
  /// for a mask or a function.
  void operator()(const T* data, T* out, const row_parameters<T>& with = {}) { run(at(data), out, {}, with); }
  /// The same on selected or computed elements. Throws also invalid_argument where extents or strides of data, mask or
  /// arrays, or the kind of mask, are not those that the plan was made for.
  template <detail::plannable_rows<T> Data>
  void operator()(const Data& data, T* out, const row_parameters<T>& with = {}) {
    run(detail::source_of(data), out, {}, with);
  }
  /// Works on an array with results that a function takes, for plans that were made for a function: this or another
  /// one.
  template <detail::store_argument<T> Store>
  void operator()(const T* data, const Store& store, const row_parameters<T>& with = {}) {
    run(at(data), nullptr, row_output<T>(store).store(), with);
  }
  /// The same on selected or computed elements.
  template <detail::plannable_rows<T> Data, detail::store_argument<T> Store>
  void operator()(const Data& data, const Store& store, const row_parameters<T>& with = {}) {
    run(detail::source_of(data), nullptr, row_output<T>(store).store(), with);
  }

  /// Enqueues that on a CUDA stream, with everything in device memory, and returns at once. Can be captured into a CUDA
  /// graph. The plan must live until the work is done, and has room for one run at a time: enqueue the next one in
  /// order after it. Throws onefold::error as plan::enqueue does, and unsupported for a function that was not compiled
  /// for the device.
  void enqueue(const T* data, T* out, CUstream_st* stream, const row_parameters<T>& with = {}) {
    enqueue_on(stream, at(data), out, {}, with);
  }
  /// The same of selected or computed elements.
  template <detail::plannable_rows<T> Data>
  void enqueue(const Data& data, T* out, CUstream_st* stream, const row_parameters<T>& with = {}) {
    enqueue_on(stream, detail::source_of(data), out, {}, with);
  }
  /// The same with results that a function takes.
  template <detail::store_argument<T> Store>
  void enqueue(const T* data, const Store& store, CUstream_st* stream, const row_parameters<T>& with = {}) {
    enqueue_on(stream, at(data), nullptr, row_output<T>(store).store(), with);
  }
  /// The same of selected or computed elements, with results that a function takes.
  template <detail::plannable_rows<T> Data, detail::store_argument<T> Store>
  void enqueue(const Data& data, const Store& store, CUstream_st* stream, const row_parameters<T>& with = {}) {
    enqueue_on(stream, detail::source_of(data), nullptr, row_output<T>(store).store(), with);
  }

  /// What runs it, and why.
  run_report report() const { return engine_.report(); }

 private:
  row_plan(const detail::row_source<T>& like, row_operation operation, const row_output<T>& out, row_axis axis,
           const row_parameters<T>& with, const options& how)
      : sizes_(detail::sizes_of(with)),
        lies_(like.lies),
        mask_(like.mask),
        arrays_(like.arrays.size()),
        engine_(detail::row_problem_of(operation, like, axis.number(), out, with), how) {
    std::ranges::copy(like.arrays, axes_);
  }
  static row_output<T> in_c_order(row_operation operation, const detail::row_source<T>& like, row_axis axis) {
    return output_view<T>(nullptr, detail::row_extents(like.axes(), axis.number(), operation));
  }
  /// An array that lies as the plan's.
  detail::row_source<T> at(const T* data) const { return {data, lies_}; }
  void require_as_planned(const detail::row_source<T>& from, const row_parameters<T>& with) const {
    detail::require_alike({{lies_.axes, lies_.rank}, mask_, {axes_, arrays_}}, from.layout());
    detail::require_sizes(sizes_, detail::sizes_of(with));
  }
  void run(const detail::row_source<T>& from, T* out, const row_store& store, const row_parameters<T>& with) {
    require_as_planned(from, with);
    engine_.run(detail::memory_of(from.data, out, with), row_extras{from.mask.data, from.from, store});
  }
  void enqueue_on(CUstream_st* stream, const detail::row_source<T>& from, T* out, const row_store& store,
                  const row_parameters<T>& with) {
    require_as_planned(from, with);
    engine_.enqueue(detail::memory_of(from.data, out, with), row_extras{from.mask.data, from.from, store}, stream);
  }

  detail::row_sizes sizes_;
  detail::mapped_axes lies_;
  detail::mask_view mask_;
  std::size_t arrays_;
  detail::mapped_axes axes_[most_mapped_arrays];
  detail::row_engine engine_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold

#include "onefold/verbs/rows.hpp"
