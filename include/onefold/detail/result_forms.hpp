// The forms that results have: one, an array of them, and one for each key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "onefold/array_view.hpp"
#include "onefold/detail/verb.hpp"

namespace onefold {

template <class K, class R>
struct keyed_results;  // onefold/keys.hpp

}  // namespace onefold

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Reductions of data as a whole, and over some axes: to results of type R, or where it is void of the operation's own.
struct whole_data {
  template <class Op, class R = void, class Data>
  auto reduce(const Data& data, const options& how) const {
    if constexpr (std::is_void_v<R>)
      return reduced<Op>(data, how);
    else
      return source_traits<Data>::template reduce<Op, R>(data, how, Op{}, nullptr);
  }
};
struct data_along {
  const axis_list& axes;

  template <class Op, class R = void, class Data>
  auto reduce(const Data& data, const options& how) const {
    if constexpr (std::is_void_v<R>)
      return reduced<Op>(data, axes, how);
    else
      return source_traits<Data>::template reduce<Op, R>(data, over{.axes = axes}, how, Op{}, nullptr);
  }
};

/// f of the results of several reductions, in their form.
template <class F, class... R>
auto for_each_result(const F& f, const R&... results) {
  return f(results...);
}
template <class F, class First, class... R>
auto for_each_result(const F& f, const result_array<First>& first, const result_array<R>&... results) {
  result_array<decltype(f(first[0], results[0]...))> all(first.extents());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = f(first[i], results[i]...);
  return all;
}
template <class F, class K, class First, class... R>
auto for_each_result(const F& f, const keyed_results<K, First>& first, const keyed_results<K, R>&... results) {
  result_array<K> keys(first.keys.extents());
  std::copy(first.keys.begin(), first.keys.end(), keys.begin());
  auto all = for_each_result(f, first.results, results.results...);
  return keyed_results<K, std::remove_cvref_t<decltype(all[0])>>{std::move(keys), std::move(all)};
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
