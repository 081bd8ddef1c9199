// exact_dot: the dot product of two arrays, rounded once.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "onefold/detail/exact/products.hpp"
#include "onefold/detail/exact_dot.hpp"
#include "onefold/detail/result_forms.hpp"
#include "onefold/detail/vector_functions.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/order.hpp"
#include "onefold/reduce.hpp"
#include "onefold/where.hpp"

namespace onefold {

namespace detail {
inline namespace ONEFOLD_LEVEL {

/// Which pairs of a dot product count: those whose first element is selected.
struct selected_pairs {
  mask_kind kind = mask_kind::all;
  const unsigned char* mask = nullptr;
  std::int64_t first = 0, stride = 0;  ///< the first element's place in the mask, and from one to the next

  template <class T>
  bool contain(T x, std::int64_t i) const {
    const std::int64_t place = first + i * stride;
    if (kind == mask_kind::bytes) return mask[place] != 0;
    if (kind == mask_kind::bits) return (mask[place >> 3] >> (place & 7)) & 1;
    if constexpr (is_float<T>)  // by its bits: the caller's file may be compiled to believe that nothing is NaN
      return !fields::of(x).nan;
    else
      return true;
  }
};

/// The recipe of an exact sum of products, which any CPU's backend follows: Self::add adds those of some elements. Sums
/// are exact, so that every instruction set has the same bits.
template <class Self, class Element, class R>
struct sum_of_products {
  static void fold(const void* op, const slice& elements, std::int64_t first, std::int64_t last, int run_log2,
                   void* states, void*) {
    const std::int64_t n = elements.n;
    const std::int64_t length = page_elements(sizeof(Element)) << run_log2;
    for (std::int64_t run = first; run < last; ++run) {
      product_accumulator& sum = static_cast<product_accumulator*>(states)[run];
      sum = {};
      Self::add(op, elements, run * length, n - run * length < length ? n : (run + 1) * length, sum);
    }
  }
  static void merge(const void*, void* states, std::int64_t count, void*) {
    auto* s = static_cast<product_accumulator*>(states);
    for (std::int64_t i = 1; i < count; ++i) detail::merge(s[0], s[i]);
  }
  static const char* finish(const void*, const void* state, std::int64_t, const void*, dtype, void* result, void*) {
    *static_cast<R*>(result) = round<R>(*static_cast<const product_accumulator*>(state)).value;
    return nullptr;
  }
  static const char* small(const void* op, const void* data, std::int64_t n, const void* init, dtype type,
                           void* result) {
    product_accumulator sum{};
    Self::add(op, {data, n, 0}, 0, n, sum);
    return finish(op, &sum, n, init, type, result, nullptr);
  }

  static constexpr recipe record = {.size = sizeof(recipe),
                                    .element_size = sizeof(Element),
                                    .state_size = sizeof(product_accumulator),
                                    .state_align = alignof(product_accumulator),
                                    .result_size = sizeof(R),
                                    .result_align = alignof(R),
                                    .room_size = 0,
                                    .page = page_elements(sizeof(Element)),
                                    .small_limit = page_elements(sizeof(Element)),
                                    .name = "exact_dot",
                                    .level = isa::baseline,
                                    .empty_allowed = true,
                                    .may_refuse = false,
                                    .device = nullptr,
                                    .small = small,
                                    .fold = fold,
                                    .merge = merge,
                                    .finish = finish,
                                    .finish_many = nullptr,
                                    .many = nullptr};

  /// What is asked for n elements.
  static request request_for(std::int64_t n, const options& how) {
    request what;
    what.own = &record;
    what.has_init = is_given(how.init);
    what.n = n;
    what.result_size = sizeof(R);
    return what;
  }
};

/// The options of such a recipe, whose state is exact.
inline options of_exact_state(options how) {
  how.accuracy = accuracy::native;
  return how;
}

/// Products of two arrays: the first one is the recipe's data, the second one comes with the operation's object.
template <class T, class R>
struct dot_product : sum_of_products<dot_product<T, R>, T, R> {
  const T* second;
  selected_pairs pairs;  // the sum is exact, so that what is left out may leave gaps

  dot_product(const T* y, const selected_pairs& which) : second(y), pairs(which) {}

  /// Adds the products of the elements [first, last).
  static void add(const void* op, const slice& of, std::int64_t first, std::int64_t last, product_accumulator& sum) {
    const auto& self = *static_cast<const dot_product*>(op);
    const T *x = static_cast<const T*>(of.data), *y = self.second + of.index;
    if (self.pairs.kind == mask_kind::all) {
      add_products(dtype_of<T>, x + first, y + first, last - first, &sum);
    } else {
      for (std::int64_t i = first; i < last; ++i)
        if (self.pairs.contain(x[i], of.index + i)) add_product(sum, x[i], y[i]);
    }
  }
};

/// The factors of `count` products, which are computed elements: of arrays that lie in any way.
template <int count>
struct factors {
  double x[count], y[count];
};
struct as_factors {
  template <class X, class Y>
  constexpr factors<1> operator()(const X& x, const Y& y) const {
    return {{widened<double>(x)}, {widened<double>(y)}};
  }
};
template <int count, class R>
struct factor_products : sum_of_products<factor_products<count, R>, factors<count>, R> {
  static void add(const void*, const slice& of, std::int64_t first, std::int64_t last, product_accumulator& sum) {
    constexpr std::int64_t block = 512 / count;
    double x[block * count], y[block * count];
    const auto* from = static_cast<const factors<count>*>(of.data) + first;
    for (std::int64_t n = last - first; n > 0; n -= block, from += block) {
      const std::int64_t elements = n < block ? n : block;
      for (std::int64_t i = 0; i < elements; ++i)
        for (int k = 0; k < count; ++k) {
          x[i * count + k] = from[i].x[k];
          y[i * count + k] = from[i].y[k];
        }
      add_products(dtype::f64, x, y, elements * count, &sum);
    }
  }
};

/// The exact sums of products whose factors are computed elements, over some axes, into `out` once its extents are
/// known. Each is rounded once.
template <int count, class Elements, class Out>
void exact_dots(const Elements& elements, const over& along, const options& how, const Out& out) {
  require_valid(how);
  const mapped_problem<factors<count>> problem(elements.axes(), along);
  const auto results = out(problem.kept);
  using products = factor_products<count, typename decltype(results)::value_type>;
  request what = products::request_for(problem.outputs() * problem.maps.of[0].n, how);
  what.shape = &problem.maps.of[0];
  what.maps = &problem.maps;
  run_mapped_once(what, of_exact_state(how), nullptr, elements.source(), nullptr, results.data(), std::ssize(results),
                  nullptr);
}

/// The exact sum of such products of whole arrays.
template <class R, int count, class Elements>
R exact_dot_of(const whole_data&, const Elements& elements, const options& how) {
  R result;
  exact_dots<count>(elements, over{}, how, [&](const extents&) { return std::span(&result, 1); });
  return result;
}
/// The same along some axes.
template <class R, int count, class Elements>
result_array<R> exact_dot_of(const data_along& form, const Elements& elements, const options& how) {
  std::optional<result_array<R>> results;
  exact_dots<count>(elements, over{.axes = form.axes}, how, [&](const extents& kept) {
    results.emplace(kept);
    return std::span<R>(results->data(), results->size());
  });
  return *std::move(results);
}

/// The dot product of the pairs that count.
template <class T, class R>
R dot_of(std::span<const T> x, std::span<const T> y, const selected_pairs& pairs, const options& how) {
  static_assert(is_float<T>, "onefold: exact_dot is for f16, bf16, f32 and f64 elements");
  require_valid(how);
  if (x.size() != y.size())
    throw error(error_code::invalid_argument, "the arrays of a dot product differ in length: " +
                                                  std::to_string(x.size()) + " and " + std::to_string(y.size()));
  if (!y.data() && !y.empty())  // the first array is looked at as any reduction's
    throw error(error_code::invalid_argument,
                "the second data pointer is null, but there are " + std::to_string(y.size()) + " elements");
  if (pairs.kind != mask_kind::all) {
    if (is_accelerator(how.backend))
      throw error(error_code::unsupported, "exact_dot of selected pairs runs on CPUs only: take a CPU's backend");
    require_host_reads_second(y.data(), how);
  } else if (!is_given(how.init)) {
    product_accumulator sum;
    if (dot_on_device(dtype_of<T>, x.data(), y.data(), static_cast<std::int64_t>(x.size()), how, &sum))
      return round<R>(sum).value;
  }
  using product = dot_product<T, R>;
  const product op(y.data(), pairs);
  R result;
  run_once(product::request_for(static_cast<std::int64_t>(x.size()), how), of_exact_state(how), &op, x.data(), nullptr,
           &result, nullptr);
  return result;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace detail

inline namespace ONEFOLD_LEVEL {

/// The dot product of two arrays, rounded once to R: no product or sum overflows or rounds on the way. Infinities and
/// NaN count as in IEEE arithmetic. `how` chooses what computes it (all backends and numbers of threads have the
/// same bits), not its accuracy. Throws invalid_argument where the arrays differ in length, one is null or there is an
/// initial value, and as map_reduce does of both arrays.
template <class T, class R = default_result<T, op::sum>>
R exact_dot(std::span<const std::type_identity_t<T>> x, std::span<const std::type_identity_t<T>> y,
            const options& how = {}) {
  return detail::dot_of<T, R>(x, y, {}, how);
}

/// The same of two contiguous ranges with elements of one type, which need not be named: `exact_dot(x, y)`.
template <contiguous_elements X, contiguous_elements Y>
auto exact_dot(const X& x, const Y& y, const options& how = {}) {
  using T = typename source_traits<X>::element_type;
  static_assert(std::is_same_v<T, typename source_traits<Y>::element_type>,
                "onefold: exact_dot takes two arrays of one type: of others write dot(x, y, {.accuracy = "
                "onefold::accuracy::exact})");
  if constexpr (std::is_same_v<T, typename source_traits<Y>::element_type>)
    return exact_dot<T>(std::span<const T>(std::data(x), std::size(x)), std::span<const T>(std::data(y), std::size(y)),
                        how);
}

/// The same of the pairs whose first element is selected: `exact_dot<float>(where(x, mask), y)`. Throws also
/// invalid_argument for a mask that is null and an array in device memory, unsupported for a mask there, and for a
/// GPU's backend.
template <class T, class R = default_result<T, op::sum>>
R exact_dot(const selected_range<std::type_identity_t<T>>& x, std::span<const std::type_identity_t<T>> y,
            const options& how = {}) {
  const std::int64_t n = x.view.extent(0);
  const detail::mask_view& mask = x.mask;
  if (is_in_memory(mask.kind) && n > 0) detail::require_readable_mask(mask.data, n);
  return detail::dot_of<T, R>(
      {x.view.data(), static_cast<std::size_t>(n)}, y,
      {mask.kind, static_cast<const unsigned char*>(mask.data), mask.offset, mask.axes[0].stride}, how);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
