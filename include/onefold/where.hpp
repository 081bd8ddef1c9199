// Reductions of selected elements: reduce<T, Op>(where(x, mask)), sum(where(x, not_nan)), nansum(x), selected_plan; of
// arrays, views, segments and groups by key.
//
// Each result has the bits of `reduce` over its selected elements alone, in their order (docs/shapes.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "onefold/array_view.hpp"
#include "onefold/detail/selection.hpp"
#include "onefold/keys.hpp"
#include "onefold/reduce.hpp"
#include "onefold/segments.hpp"
#include "onefold/shapes.hpp"

namespace onefold {

/// A mask of bits, as Arrow's validity bitmaps are: element i is selected where bit (offset + i) is set, counted from
/// the lowest bit of the first byte. With several axes strides count bits; they may be negative or 0.
class bitmap {
 public:
  /// For elements in C order.
  bitmap(const void* bytes, const extents& e) : bitmap(bytes, 0, e) {}
  /// For elements in C order, the first of which has bit `offset`, which must not be negative.
  bitmap(const void* bytes, std::int64_t offset, const extents& e)
      : bits_(static_cast<const std::uint8_t*>(bytes), e), offset_(offset) {}
  /// With any strides. Throws as array_view does.
  bitmap(const void* bytes, std::int64_t offset, const extents& e, const strides& s)
      : bits_(static_cast<const std::uint8_t*>(bytes), e, s), offset_(offset) {}

  /// Where the bits are.
  const void* bytes() const { return bits_.data(); }
  /// The bit of the first element.
  std::int64_t offset() const { return offset_; }
  /// The extents and strides, in bits.
  std::span<const axis> axes() const { return bits_.axes(); }

 private:
  array_view<std::uint8_t> bits_;
  std::int64_t offset_;
};

/// An array that the caller owns, and which of its elements are selected. `where` makes it.
template <class T>
struct selected {
  array_view<T> view;      ///< the array
  detail::mask_view mask;  ///< which are selected
};
/// The same of a range, which has no axes to choose from.
template <class T>
struct selected_range : selected<T> {};

namespace detail {
inline namespace ONEFOLD_LEVEL {

/// The type of a mask's elements, or void where it has none that are in memory one by one.
template <class Mask>
struct mask_element {
  using type = void;
};
template <class M>
struct mask_element<array_view<M>> {
  using type = std::remove_const_t<M>;
};
template <contiguous_elements Mask>
struct mask_element<Mask> {
  using type = std::ranges::range_value_t<Mask>;
};
template <viewed_only Mask>
struct mask_element<Mask> {
  using type = viewed_element<Mask>;
};

/// What selects elements, and what is often taken for it, of which `where` says what to write instead. (Not a number or
/// a pointer: a function that the caller defined may be meant.)
template <class Given>
concept mask_argument = std::is_same_v<std::remove_cvref_t<Given>, bitmap> ||
    std::is_same_v<std::remove_cvref_t<Given>, not_nan_t> || verb_argument<std::remove_cvref_t<Given>>;

/// What a mask selects from, or has selected from.
template <class Data>
concept has_selection = is_selected<Data> || requires(const Data& data) {
  data.selects;
};

inline mask_view mask_in(mask_kind kind, const void* data, std::int64_t offset, std::span<const axis> axes) {
  mask_view m{kind, dtype::other, data, offset, axes.size(), {}};
  std::ranges::copy(axes, m.axes);
  return m;
}

/// A caller's mask, of data with elements T.
template <class T, class Given>
mask_view mask_of(Given&& mask) {
  using Mask = std::remove_cvref_t<Given>;
  using M = typename mask_element<Mask>::type;
  constexpr bool bytes = std::is_same_v<M, bool> || std::is_same_v<M, std::uint8_t>;
  constexpr bool nan = std::is_same_v<Mask, not_nan_t>;
  static_assert(!std::is_same_v<Mask, std::vector<bool>>,
                "onefold: std::vector<bool> does not expose its bits; use std::vector<std::uint8_t>, or a "
                "onefold::bitmap over bits of your own");
  static_assert(
      bytes || nan || std::is_same_v<Mask, bitmap> || std::is_same_v<Mask, std::vector<bool>>,
      "onefold: a mask is a contiguous range, an array_view or what one is made from, of bool or std::uint8_t, "
      "a onefold::bitmap, or onefold::not_nan");
  static_assert(!nan || element<T>,
                "onefold: not_nan selects floating-point numbers and integers; use a mask for elements of your own");
  if constexpr (nan) {
    mask_view m;
    if constexpr (is_float<canonical_t<T>>) m = {mask_kind::not_nan, dtype_of<T>, nullptr, 0, 0, {}};
    return m;
  } else if constexpr (std::is_same_v<Mask, bitmap>) {
    return mask_in(mask_kind::bits, mask.bytes(), mask.offset(), mask.axes());
  } else if constexpr (bytes && is_array_view<Mask>) {
    return mask_in(mask_kind::bytes, mask.data(), 0, mask.axes());
  } else if constexpr (bytes && viewed_only<Mask>) {
    return mask_of<T>(array_view(std::forward<Given>(mask)));
  } else if constexpr (bytes) {
    const axis all{static_cast<std::int64_t>(std::ranges::size(mask)), 1};
    return mask_in(mask_kind::bytes, std::ranges::data(mask), 0, {&all, 1});
  } else {
    return {};
  }
}

/// Leaves of segments or groups only the values that a mask selects.
template <class Grouped>
void select(Grouped& what, const mask_view& mask) {
  const list_selection by = select_from_list(static_cast<std::int64_t>(what.values.size()), mask);
  if (by.kind == mask_kind::all) return;
  if (what.selects.kind != mask_kind::all)
    throw error(error_code::invalid_argument, "a mask has selected from these values already; combine the two masks");
  what.selects = by;
}

/// The problem of reducing selected elements over some axes.
template <class T>
struct selected_problem {
  problem shape;
  selection by;
  extents kept;

  selected_problem(const onefold::selected<T>& what, const over& along)
      : kept(make_selected_problem(what.view.axes(), what.mask, along, &shape, &by)) {}

  template <class Op, class R>
  request request_for(bool has_init) const {
    request q = request_for_shape<T, Op, R>(shape, has_init);
    if (by.kind != mask_kind::all) q.selects = &by;
    return q;
  }
  template <class Op, class R>
  void reduce(const onefold::selected<T>& what, std::span<R> out, const options& how, const Op& op,
              run_report* ran) const {
    const std::optional<R> init = initial_value<R, Op>(how.init);
    run_selected_once(request_for<Op, R>(init.has_value()), how, object_of(op), {what.view.data(), what.mask.data},
                      init ? &*init : nullptr, out.data(), static_cast<std::int64_t>(out.size()), ran);
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace detail
inline namespace ONEFOLD_LEVEL {

/// The elements of a view that a mask selects. The mask is an array_view, or what one is made from, of bool or
/// std::uint8_t, where 0 leaves an element out, a bitmap, or not_nan; it has the extents of the view and strides of its
/// own, 0 for an axis along which it repeats. Elements and mask are not copied: both must outlive the result, so that
/// temporaries serve only within the expression that reduces it. Throws invalid_argument where the extents differ, and
/// for a bitmap whose offset is negative or leads beyond all addresses.
template <class T, detail::mask_argument Mask>
auto where(const array_view<T>& view, Mask&& mask) {
  using E = std::remove_const_t<T>;
  selected<E> what{view, detail::mask_of<E>(std::forward<Mask>(mask))};
  detail::check_mask(view.axes(), what.mask);
  return what;
}
/// The same of what array_view is made from: an mdspan, a Kokkos::View, an Eigen matrix.
template <detail::viewed_only M, detail::mask_argument Mask>
auto where(M&& array, Mask&& mask) {
  return where(array_view(std::forward<M>(array)), std::forward<Mask>(mask));
}
/// The elements of a contiguous range that a mask selects: a contiguous range of as many bool or std::uint8_t, or one
/// of the above.
template <contiguous_elements Range, detail::mask_argument Mask>
auto where(const Range& data, Mask&& mask) {
  using T = std::ranges::range_value_t<Range>;
  const auto n = static_cast<std::int64_t>(std::ranges::size(data));
  return selected_range<T>{where(array_view<T>(std::ranges::data(data), {n}), std::forward<Mask>(mask))};
}

/// The values of segments, or of groups by key, that a mask selects: a contiguous range of as many bool or std::uint8_t
/// as there are values, an array_view or a bitmap of one axis, or not_nan. Segments and groups are those of all values:
/// one of which nothing is selected stays, and has the result of no elements, or is an error (empty_input) where the
/// operation has none. An index (argmin, argmax) is the position in the segment or group, unselected values counted.
/// What is returned is reduced as what it is made from, by calls and by plans; a plan allocates for masks,
/// on the CPU again where there are more elements or segments than before. Throws as where does above, and
/// invalid_argument for what a mask has selected already.
template <class T, class Offset, detail::mask_argument Mask>
auto where(segmented<T, Offset> what, Mask&& mask) {
  detail::select(what, detail::mask_of<T>(std::forward<Mask>(mask)));
  return what;
}
/// The same of groups by key.
template <class T, class K, detail::mask_argument Mask>
auto where(keyed<T, K> what, Mask&& mask) {
  detail::select(what, detail::mask_of<T>(std::forward<Mask>(mask)));
  return what;
}

/// @cond
// Diagnostics for a condition in place of a mask, and for elements that are not in memory.
template <verb_argument Data>
selected_range<double> where(const Data&, const std::type_identity_t<detail::function_of_one<Data>>&) {
  static_assert(!verb_argument<Data>,
                "onefold: a mask has a byte for each element: store f(x) for each x in a std::vector<std::uint8_t> "
                "first, or count elements with count(x, f)");
  return {{array_view<double>(nullptr, {0}), {}}};
}
template <reducible Data, detail::mask_argument Mask>
requires(!contiguous_elements<Data> && !detail::with_axes<Data> && !detail::has_selection<Data> &&
         !std::is_same_v<Mask, not_nan_t>) selected_range<double> where(const Data&, const Mask&) {
  static_assert(!reducible<Data>,
                "onefold: a mask selects elements in memory: store those that a function computes or that lie apart in "
                "a std::vector first, or give the function the mask, too: sum(x, mask, f)");
  return {{array_view<double>(nullptr, {0}), {}}};
}
/// @endcond

/// Selected elements are reduced to one result, or over the axes of their view.
template <class T>
struct source_traits<selected<T>> {
  using element_type = T;
  static constexpr bool has_axes = true;
  template <class R>
  using results = R;

  template <class Op, class R>
  static R reduce(const selected<T>& what, const options& how, const Op& op, run_report* ran) {
    R result;
    detail::selected_problem<T>(what, over{}).reduce(what, std::span(&result, 1), how, op, ran);
    return result;
  }
  template <class Op, class R>
  static result_array<R> reduce(const selected<T>& what, const over& along, const options& how, const Op& op,
                                run_report* ran) {
    const detail::selected_problem<T> problem(what, along);
    result_array<R> out(problem.kept);
    problem.reduce(what, std::span(out.data(), out.size()), how, op, ran);
    return out;
  }
};
/// Those of a range have one axis.
template <class T>
struct source_traits<selected_range<T>> : source_traits<selected<T>> {};

/// Reduces the selected elements over some axes with operation Op into out[0 .. number of results), in C order of the
/// axes that are left. An index (argmin, argmax) is the position in the slice, unselected elements counted. Data in
/// device memory is reduced there; its mask may be anywhere. Throws onefold::error as the reduction of a view does,
/// and: invalid_argument where the mask's pointer is null, where the results would overwrite the mask, and where the
/// mask is in device memory but the data is reduced on the CPU; empty_input, when other results may have been written,
/// where no element of a result is selected, the operation has no identity and there is no initial value.
template <class T, class Op, class R = default_result<T, Op>>
void reduce(const selected<std::type_identity_t<T>>& what, const over& along, std::span<std::type_identity_t<R>> out,
            const options& how = {}, Op op = {}) {
  static_cast<void>(detail::described<T, Op>{});
  detail::selected_problem<T>(what, along).reduce(what, out, how, op, nullptr);
}

/// The same into an array of its own: `reduce<float, op::sum>(where(view, mask), {.axes = {0}})`.
template <class T, class Op, class R = default_result<T, Op>>
result_array<R> reduce(const selected<std::type_identity_t<T>>& what, const over& along, const options& how = {},
                       Op op = {}) {
  static_cast<void>(detail::described<T, Op>{});
  return source_traits<selected<T>>::template reduce<Op, R>(what, along, how, op, nullptr);
}

/// All selected elements to one result: `reduce<float, op::sum>(where(x, mask))`.
template <class T, class Op, class R = default_result<T, Op>>
R reduce(const selected<std::type_identity_t<T>>& what, const options& how = {}, Op op = {}) {
  static_cast<void>(detail::described<T, Op>{});
  return source_traits<selected<T>>::template reduce<Op, R>(what, how, op, nullptr);
}

/// A reduction of selected elements that is chosen once and run many times, without allocating: for all arrays and
/// masks with the extents and strides of those that it is made for. Like a plan, it serves one thread at a time, and
/// can be moved.
template <class T, class Op, class R = default_result<T, Op>>
class selected_plan : detail::described<T, Op> {
 public:
  /// Chooses a backend. Neither the data nor the mask is looked at. Throws as reduce does.
  explicit selected_plan(const selected<T>& like, const over& along = {}, const options& how = {}, Op op = {})
      : op_(op),
        like_(like),
        problem_(like, along),
        init_(detail::initial_value<R, Op>(how.init)),
        engine_(problem_.template request_for<Op, R>(init_.has_value()), how) {}

  /// The extents of the results, and how many there are.
  const onefold::extents& extents() const { return problem_.kept; }
  /// How many results there are.
  std::int64_t size() const { return problem_.shape.outputs; }

  /// Reduces into out[0 .. size()). Throws onefold::error as reduce does, and invalid_argument where extents, strides
  /// or the kind of mask are not those of the plan.
  void operator()(const selected<T>& what, std::span<R> out) {
    require_alike(what);
    engine_.run_selected(detail::object_of(op_), {what.view.data(), what.mask.data}, init_ ? &*init_ : nullptr,
                         out.data(), static_cast<std::int64_t>(out.size()));
  }

  /// Enqueues the same on a CUDA stream, without waiting, allocating or checking: data, mask and out[0 .. size()) are
  /// in device memory. Where nothing of a result is selected, and the operation has no identity, what is left there
  /// means nothing. The plan serves one reduction at a time: enqueue the next one in order after it. Throws
  /// onefold::error as plan::enqueue does, and as the call above.
  void enqueue(const selected<T>& what, std::span<R> out, CUstream_st* stream) {
    require_alike(what);
    engine_.enqueue_selected(detail::object_of(op_), {what.view.data(), what.mask.data}, init_ ? &*init_ : nullptr,
                             out.data(), static_cast<std::int64_t>(out.size()), stream);
  }

  /// What runs it, and why.
  run_report report() const { return engine_.report(); }

 private:
  void require_alike(const selected<T>& what) const {
    if (!std::ranges::equal(what.view.axes(), like_.view.axes()) || !detail::are_alike(what.mask, like_.mask))
      throw error(error_code::invalid_argument,
                  "the data or the mask does not have the extents and strides that the plan was made for");
  }

  [[no_unique_address]] Op op_;
  selected<T> like_;
  detail::selected_problem<T> problem_;
  std::optional<R> init_;
  detail::engine engine_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold

#include "onefold/verbs/nan.hpp"
