// What every verb of the nan forms does: reduces what `where` selects of data without its NaN.
#pragma once

#include "onefold/axes.hpp"
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

/// The result of a verb over the elements that are not NaN.
template <class Op, class Data>
onefold::result_of<Op, Data> reduced_without_nan(const Data& data, const options& how) {
  if constexpr (selects_not_nan<Data>) {
    return reduced<Op>(where(data, not_nan), how);
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
    return reduced<Op>(where(view_of(data), not_nan), axes, how);
  } else {
    if constexpr (reducible_over_axes<Data>) static_cast<void>(explained_selection<Data>{});
    return reduced<Op>(data, axes, how);  // which does not compile, unless that said why
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
