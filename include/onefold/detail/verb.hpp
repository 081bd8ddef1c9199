// What every verb does: reduces data that can be reduced, or says why it cannot be.
#pragma once

#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "onefold/axes.hpp"
#include "onefold/error.hpp"
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
  static constexpr bool is_volatile = volatile_elements<Data>;
  static_assert(!pointer, "onefold: a verb takes a range, not a pointer and a length: write sum(std::span(p, n))");
  static_assert(!iterator,
                "onefold: a verb takes a range, not a pair of iterators: write sum(std::span(first, last)), or "
                "sum(std::ranges::subrange(first, last)) where they are not contiguous");
  static_assert(!eigen, "onefold: for Eigen's types, include <onefold/eigen.hpp>");
  static_assert(!is_volatile, "onefold: the elements of this range are volatile: copy them to a std::vector first");
  static_assert(pointer || iterator || eigen || is_volatile,
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

/// Says that order statistics have no axes, or why Data is not data at all.
template <class Data>
struct explained_whole {
  static_assert(!reducible<Data>,
                "onefold: order statistics take all elements: for each row call the verb with a copy of the row");
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

/// An element of Data, as a function gets it; no function gets one of what has none. (Some ranges, as filters, are not
/// read through a const reference.)
template <class Data>
struct passed_element {
  struct type {};
};
template <plain_range Data>
requires(!reducible<Data>) struct passed_element<Data> {
  using read = std::conditional_t<iterable<const Data>, const Data, Data>;
  using type = decltype(*std::begin(std::declval<read&>()));
};
template <reducible Data>
struct passed_element<Data> {
  using type = const typename source_traits<Data>::element_type&;
};

/// A function of one element of Data or a member of it, where it does not belong, likewise.
template <class Data>
struct function_of_one {
  template <class F>
  requires std::is_invocable_v<F&, typename passed_element<Data>::type>
  constexpr function_of_one(const F&) {}
  template <class Member, class Whole>
  constexpr function_of_one(Member Whole::*) {}
};

/// A member of a struct, likewise.
struct any_member {
  template <class Member, class Whole>
  constexpr any_member(Member Whole::*) {}
};

/// Whatever is given, or nothing, likewise.
struct anything {
  constexpr anything() = default;
  template <class Given>
  constexpr anything(const Given&) {}
};

/// A number, likewise: one of a list whose elements have several types.
struct any_number {
  template <element T>
  constexpr any_number(const T&) {}
};

/// Says what to write instead of what a verb does not take: one sentence each. Instead is always true.
template <bool Instead>
void refuse_second_array() {
  static_assert(!Instead,
                "onefold: a verb takes one array: of two write dot(x, y), weighted_mean(x, weights), or with any "
                "function sum(x, y, f)");
}
template <bool Instead>
void refuse_function_without_header() {
  static_assert(!Instead,
                "onefold: with <onefold/map_reduce.hpp> this verb takes a function of one element, or a member of it: "
                "sum(orders, &order::price)");
}
template <bool Instead>
void refuse_function() {
  static_assert(!Instead,
                "onefold: this verb takes elements, not a function or a member of them: copy what that returns for "
                "each element to a std::vector first");
}
/// Says why an order statistic or a histogram does not take what stands between the array and its number, or that Data
/// is not data at all, as an iterator is not.
template <class Data>
void refuse_order_of() {
  constexpr bool of_function = reducible<Data>;
  static_assert(
      !of_function,
      "onefold: the function, which is called with an element, stands between the array and the number: write "
      "top_k(orders, &order::price, 10)");
  if constexpr (!of_function) static_cast<void>(explained<Data>{});
}
template <bool Instead>
void refuse_function_first() {
  static_assert(!Instead, "onefold: a verb takes the array first: write sum(x, f), and of two arrays sum(x, y, f)");
}
template <bool Instead>
void refuse_one_function() {
  static_assert(!Instead,
                "onefold: this verb takes two arrays, or two functions or members of the elements of one: "
                "weighted_mean(orders, &order::price, &order::amount)");
}
template <bool Instead>
void refuse_member_of_rows() {
  static_assert(!Instead,
                "onefold: row operations take the values of a member as computed elements: write "
                "softmax(mapped(&order::price, orders))");
}
template <bool Instead>
void refuse_option_without_name() {
  static_assert(!Instead,
                "onefold: options have names: write sum(x, {.accuracy = onefold::accuracy::exact}), or {.backend = "
                "...}");
}
template <bool Instead>
void refuse_overloaded_function() {
  static_assert(
      !Instead,
      "onefold: a name of several functions, as std::sqrt, does not say which one of them takes the elements: "
      "write sum(x, [](double a) { return std::sqrt(a); })");
}
template <bool Instead>
void refuse_function_of_two() {
  static_assert(!Instead,
                "onefold: a verb takes a function of one element: to reduce with a function of two write reduce(x, "
                "init, f), and of the elements of two arrays sum(x, y, f)");
}
template <bool Instead>
void refuse_axes_before_function() {
  static_assert(!Instead, "onefold: the function stands before the axes: write sum(view, f, 0)");
}
template <bool Instead>
void refuse_two_types() {
  static_assert(!Instead, "onefold: the elements of a list have one type: write sum({1.0, 2.0})");
}

/// What does not belong after data, for an overload that says what to write instead: a second array, a function of two
/// elements, an option without its name, and a name of several functions. (Conversions, as of range_end.)
template <class Data>
struct misplaced_argument {
  template <class Array>
  requires((reducible<Array> || plain_range<Array>)&&!std::is_convertible_v<const Array&, axis_list>)  //
      constexpr misplaced_argument(const Array&) {
    refuse_second_array<verb_argument<Data>>();
  }
  template <class F>
  requires(!std::is_invocable_v<F&, typename passed_element<Data>::type> &&
           std::is_invocable_v<F&, typename passed_element<Data>::type, typename passed_element<Data>::type>)  //
      constexpr misplaced_argument(const F&) {
    refuse_function_of_two<verb_argument<Data>>();
  }
  constexpr misplaced_argument(accuracy) { refuse_option_without_name<verb_argument<Data>>(); }
  constexpr misplaced_argument(backend) { refuse_option_without_name<verb_argument<Data>>(); }
  constexpr misplaced_argument(double (*)(double)) { refuse_overloaded_function<verb_argument<Data>>(); }
};

/// A function before its arrays, likewise.
template <class Data>
struct leading_function {
  template <class F>
  requires(std::is_invocable_v<F&, typename passed_element<Data>::type> ||
           std::is_invocable_v<F&, typename passed_element<Data>::type, typename passed_element<Data>::type>)  //
      constexpr leading_function(const F&) {}
  template <class Member, class Whole>
  constexpr leading_function(Member Whole::*) {}
};

/// Throws the error that was caught so that it begins with the name of the verb that was called: "ptp: minmax of no
/// elements has no value".
[[noreturn]] inline void throw_named(const char* verb, const error& e) {
  if (std::string_view(e.what()).starts_with(verb)) throw;
  throw error(e.code(), std::string(verb) + ": " + e.what());
}
/// What f returns, for a verb that reduces with other operations than its own: errors name the verb.
template <class Function>
auto as_verb(const char* verb, const Function& f) {
  try {
    return f();
  } catch (const error& e) {
    throw_named(verb, e);
  }
}

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
