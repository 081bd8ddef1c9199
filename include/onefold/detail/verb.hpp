// What every verb does: reduces data that can be reduced, or says why it cannot be.
#pragma once

#include <iterator>
#include <type_traits>

#include "onefold/axes.hpp"
#include "onefold/options.hpp"
#include "onefold/source.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Says why Data cannot be reduced, and what to write instead: one sentence.
template <class Data>
struct explained {
  static constexpr bool pointer = std::is_pointer_v<Data>;
  static constexpr bool iterator = !pointer && std::input_or_output_iterator<Data>;
  static constexpr bool eigen = looks_like_eigen<Data>;
  static_assert(!pointer, "onefold: a verb takes a range, not a pointer and a length: write sum(std::span(p, n))");
  static_assert(!iterator,
                "onefold: a verb takes a range, not a pair of iterators: write sum(std::span(first, last)), or "
                "sum(std::ranges::subrange(first, last)) where they are not contiguous");
  static_assert(!eigen, "onefold: for Eigen's types, include <onefold/eigen.hpp>");
  static_assert(pointer || iterator || eigen,
                "onefold: the elements of this range are not contiguous in memory: for ranges with random access "
                "(std::deque, std::vector<bool>, std::views::transform), include <onefold/ranges.hpp>; copy those of a "
                "std::list or a filter to a std::vector first");
};

/// Says that data has no axes.
template <class Data>
struct explained_axes {
  static_assert(reducible_over_axes<Data>,
                "onefold: this data has no axes to reduce over: make a range an onefold::array_view");
};

/// Says that what a verb computes has no axes, or why Data is not data at all.
template <class Data>
struct explained_whole {
  static_assert(
      !reducible<Data>,
      "onefold: order statistics and summaries are of all elements: for each row call the verb with a copy of "
      "the row");
};
template <class Data>
void refuse_axes() {
  if constexpr (reducible<Data>)
    static_cast<void>(explained_whole<Data>{});
  else
    static_cast<void>(explained<Data>{});
}

/// The end of a range, for overloads that say that a range is taken, and not two iterators. (A conversion, so that
/// user-defined functions of two iterators are chosen.)
struct range_end {
  template <std::input_or_output_iterator Last>
  constexpr range_end(const Last&) {}
};

/// The result of a verb.
template <class Op, class Data>
result_of<Op, Data> reduced(const Data& data, const options& how) {
  if constexpr (reducible<Data>) {
    using R = typename verb_results<Op, Data>::one;
    static_cast<void>(described<typename source_traits<Data>::element_type, Op>{});
    return source_traits<Data>::template reduce<Op, R>(data, how, Op{}, nullptr);
  } else {
    static_cast<void>(explained<Data>{});
    return {};
  }
}

/// The results of a verb over some axes.
template <class Op, class Data>
results_over_axes<Op, Data> reduced(const Data& data, const axis_list& axes, const options& how) {
  if constexpr (reducible_over_axes<Data>) {
    using R = typename verb_results<Op, Data>::one;
    static_cast<void>(described<typename source_traits<Data>::element_type, Op>{});
    return source_traits<Data>::template reduce<Op, R>(data, over{.axes = axes}, how, Op{}, nullptr);
  } else if constexpr (reducible<Data>) {
    static_cast<void>(explained_axes<Data>{});
    return results_over_axes<Op, Data>(extents{});
  } else {
    static_cast<void>(explained<Data>{});
    return {};
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
