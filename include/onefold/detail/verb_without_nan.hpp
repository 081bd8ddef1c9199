// What every verb of the nan forms does: reduces what `where` selects of data without its NaN.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "onefold/axes.hpp"
#include "onefold/detail/element_types.hpp"
#include "onefold/detail/verb.hpp"
#include "onefold/options.hpp"
#include "onefold/selection.hpp"
#include "onefold/source.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Whether the elements of Data that are not NaN can be selected. (That not_nan is of this library finds every
/// `where`.)
template <class Data>
concept selects_not_nan = requires(const Data& data) {
  where(data, not_nan);
};

/// Says that nothing can be selected from data.
template <class Data>
struct explained_selection {
  static_assert(selects_not_nan<Data>,
                "onefold: elements cannot be selected from this data: write the verb without nan, over a copy without "
                "the elements that are NaN");
};

/// A range whose elements are not neighbors: nothing can be selected but from a copy of them.
template <class Data>
concept copied_range = reducible<Data> && plain_range<Data> && !selects_not_nan<Data>;

/// f of a copy of a range's elements, where any of them can be NaN, or else of the range.
template <copied_range Data, class Function>
auto with_copy(const Data& range, const Function& f) {
  using T = typename source_traits<Data>::element_type;
  if constexpr (is_float_element<T>) {
    std::vector<T> copy;
    for (const auto& x : range) copy.push_back(x);
    return f(copy);
  } else {
    return f(range);
  }
}

/// The name of the verb that leaves NaN out.
template <class Op>
inline constexpr auto name_without_nan = [] {
  constexpr std::string_view name = Op::name;
  std::array<char, name.size() + sizeof "nan"> all{'n', 'a', 'n'};
  std::copy(name.begin(), name.end(), all.begin() + 3);
  return all;
}();

/// The result of a verb over the elements that are not NaN.
template <class Op, class Data>
onefold::result_of<Op, Data> reduced_without_nan(const Data& data, const options& how) {
  if constexpr (selects_not_nan<Data>) {
    return as_verb(name_without_nan<Op>.data(), [&] { return reduced<Op>(where(data, not_nan), how); });
  } else if constexpr (copied_range<Data>) {
    return with_copy(data, [&how]<class Copy>(const Copy& copy) {
      if constexpr (selects_not_nan<Copy>)
        return reduced_without_nan<Op>(copy, how);
      else
        return reduced<Op>(copy, how);
    });
  } else if constexpr (reducible<Data>) {
    static_cast<void>(explained_selection<Data>{});
    return reduced<Op>(data, how);
  } else {
    static_cast<void>(explained<Data>{});
    return {};
  }
}

/// The results of a verb over some axes of the elements that are not NaN.
template <class Op, class Data>
results_over_axes<Op, Data> reduced_without_nan(const Data& data, const axis_list& axes, const options& how) {
  if constexpr (requires { where(view_of(data), not_nan); }) {
    return as_verb(name_without_nan<Op>.data(), [&] { return reduced<Op>(where(view_of(data), not_nan), axes, how); });
  } else {
    if constexpr (reducible_over_axes<Data>) static_cast<void>(explained_selection<Data>{});
    return reduced<Op>(data, axes, how);  // which does not compile, unless that said why
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
