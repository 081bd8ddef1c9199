// Numbers of axes: extents, strides, and the axes that a reduction is over.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>

#include "onefold/problem.hpp"

namespace onefold {

/// A list of a few numbers, one for each axis, that needs no memory of its own.
template <class Number>
class axis_numbers {
 public:
  /// None.
  constexpr axis_numbers() = default;
  /// Those of a list.
  constexpr axis_numbers(std::initializer_list<Number> list) : axis_numbers(std::span(list.begin(), list.size())) {}
  /// Those of an array.
  constexpr axis_numbers(std::span<const Number> list) : count_(list.size()) {
    for (std::size_t i = 0; i < list.size() && i < most_axes; ++i) numbers_[i] = list[i];
  }
  /// How many there were: more than most_axes are refused where they are used.
  constexpr std::size_t size() const { return count_; }
  /// The number of axis i.
  constexpr Number operator[](std::size_t i) const { return numbers_[i]; }
  /// The numbers, one after another.
  constexpr const Number* begin() const { return numbers_; }
  /// The end of the numbers.
  constexpr const Number* end() const { return numbers_ + (count_ < most_axes ? count_ : most_axes); }
  /// Adds the number of one more axis.
  constexpr void push_back(Number x) {
    if (count_ < most_axes) numbers_[count_] = x;
    ++count_;
  }

 private:
  Number numbers_[most_axes] = {};
  std::size_t count_ = 0;
};
/// How many elements there are along each axis.
using extents = axis_numbers<std::int64_t>;
/// How far apart neighbors are along each axis, in elements.
using strides = axis_numbers<std::int64_t>;

namespace detail {

/// A range of integers that are numbers of axes: bytes are masks or text.
template <class Axes>
concept axis_range = requires(const Axes& axes) {
  requires std::integral<std::remove_cvref_t<decltype(*std::begin(axes))>>;
  requires sizeof(*std::begin(axes)) >= sizeof(int);
  std::end(axes);
};

/// The number of an axis as int. What int does not hold becomes its nearest value, an axis that no data has.
template <std::integral Number>
constexpr int axis_number(Number given) {
  const int number = static_cast<int>(given);
  if (static_cast<Number>(number) == given && (std::is_signed_v<Number> || number >= 0)) return number;
  return given > 0 ? std::numeric_limits<int>::max() : std::numeric_limits<int>::min();
}

}  // namespace detail

/// The axes that a verb reduces over: `0`, `{0, 2}`, or a range of integers, as a vector or an array of `int` or
/// `std::size_t`. Negative numbers count from the last axis. Nothing is not a list of axes, so that `sum(view, {})`
/// takes default options.
class axis_list {
 public:
  /// One axis.
  constexpr axis_list(int axis) : numbers_{axis} {}
  /// A number with a fraction, which is not an axis.
  template <std::floating_point Number>
  constexpr axis_list(Number) {
    static_assert(!std::floating_point<Number>, "onefold: an axis is an integer: write sum(view, 0)");
  }
  /// One of another integer type, or several. (A list of initializers would make g++ 12 find `sum(view, {.threads =
  /// 2})` ambiguous.)
  template <std::integral... Axes>
  requires(sizeof...(Axes) > 0) constexpr axis_list(Axes... axes) : numbers_({detail::axis_number(axes)...}) {}
  /// Those of a range; none of an empty one.
  template <detail::axis_range Axes>
  constexpr axis_list(const Axes& axes) {
    for (const auto& axis : axes) numbers_.push_back(detail::axis_number(axis));
  }
  /// The same of an array, which is not the end of a range.
  template <std::integral Number, std::size_t n>
  constexpr axis_list(const Number (&axes)[n]) : axis_list(std::span<const Number>(axes)) {}
  /// The end of a range, which is not a list of axes: a verb takes a range, not two iterators.
  template <std::input_or_output_iterator Last>
  constexpr axis_list(Last) {
    static_assert(!std::input_or_output_iterator<Last>,
                  "onefold: a verb takes a range, not a pair of iterators: write sum(std::span(first, last)), or "
                  "sum(std::ranges::subrange(first, last)) where they are not contiguous");
  }
  /// Whether all axes are meant, without naming them.
  constexpr bool all() const { return all_; }
  /// The axes' numbers.
  constexpr const axis_numbers<int>& numbers() const { return numbers_; }

 protected:
  /// What all axes are made from. (A constructor without arguments would make `{}` a list.)
  enum class every {};
  /// All axes.
  constexpr explicit axis_list(every) : all_(true) {}

 private:
  axis_numbers<int> numbers_;
  bool all_ = false;
};

/// Which axes to reduce over: `{.axes = {0, 2}}`; negative numbers count from the last axis; by default all.
struct over {
  /// The axes' numbers; all axes where none are named.
  class list : public axis_list {
   public:
    /// All axes.
    constexpr list() : axis_list(every{}) {}
    /// Some.
    constexpr list(const axis_list& axes) : axis_list(axes) {}
    using axis_list::axis_list;
  };

  list axes = {};     ///< the axes
  bool keep = false;  ///< whether the reduced axes stay in the result, with one element each
};

}  // namespace onefold
