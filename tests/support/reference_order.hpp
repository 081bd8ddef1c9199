// The order of docs/order.md as a recursive function over scalars: obvious rather than fast, and without the library's
// page code.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>

#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/folds.hpp"
#include "onefold/types.hpp"
#include "support/number.hpp"

namespace support {

/// Which elements of a page a state takes one after the other: those of a lane, 8 neighbors, or all.
enum class layout { lanes, neighbors, page };

/// Folds elements 0 .. n-1 of `bytes` bytes each: lift(i) is the state of element i, push(s, i) adds element i to s,
/// close(s) is the state of a page above the page; combine takes two states of either kind. end(s) is a strip's state
/// once its last element is in.
template <class Lift, class Push, class Combine, class Close = std::identity, class End = std::identity>
class reference_order {
 public:
  using lane_state = std::invoke_result_t<Lift, std::int64_t>;
  using state = std::remove_cvref_t<std::invoke_result_t<Close, lane_state>>;
  reference_order(std::int64_t n, std::int64_t bytes, layout how, Lift lift, Push push, Combine combine,
                  Close close = {}, End end = {})
      : n_(n), how_(how), lift_(lift), push_(push), combine_(combine), close_(close), end_(end) {
    while (2 * lanes_ * bytes <= 512) lanes_ *= 2;
  }

  /// The state of everything; nothing for no elements.
  std::optional<state> total() const {
    int level = 0;
    while ((page_elements() << level) < n_) ++level;
    return node(level, 0);
  }

 private:
  template <class S>
  using maybe = std::optional<S>;
  std::int64_t page_elements() const { return 32 * lanes_; }

  /// What is missing is skipped: its sibling passes through.
  template <class S>
  maybe<S> both(const maybe<S>& a, const maybe<S>& b) const {
    if (a && b) return combine_(*a, *b);
    return a ? a : b;
  }
  /// The aligned tree over pages.
  maybe<state> node(int level, std::int64_t j) const {
    if (j * (page_elements() << level) >= n_) return {};
    if (level == 0) return page(j * page_elements());
    return both(node(level - 1, 2 * j), node(level - 1, 2 * j + 1));
  }
  maybe<state> page(std::int64_t first) const {
    switch (how_) {
      case layout::lanes:
        return close_(*halved(first, 0, 1));
      case layout::neighbors:
        return close_(*in_order(first, 32 * lanes_));
      case layout::page:
        break;
    }
    lane_state s = lift_(first);
    for (std::int64_t i = first + 1; i < first + page_elements() && i < n_; ++i) s = push_(s, i);
    return close_(s);
  }

  /// Lane j once `width` lanes are left.
  maybe<lane_state> halved(std::int64_t first, std::int64_t j, std::int64_t width) const {
    if (width == lanes_) return lane(first + j);
    return both(halved(first, j, 2 * width), halved(first, j + width, 2 * width));
  }
  maybe<lane_state> lane(std::int64_t i) const {
    const auto s = [&](std::int64_t k) { return strip(i + 8 * k * lanes_, lanes_); };
    return both(both(s(0), s(1)), both(s(2), s(3)));
  }
  /// For operations that do not commute: strips of neighbors, and the tree above them.
  maybe<lane_state> in_order(std::int64_t first, std::int64_t count) const {
    if (count == 8) return strip(first, 1);
    return both(in_order(first, count / 2), in_order(first + count / 2, count / 2));
  }
  maybe<lane_state> strip(std::int64_t i, std::int64_t stride) const {
    if (i >= n_) return {};
    lane_state s = lift_(i);
    for (int r = 1; r < 8 && i + r * stride < n_; ++r) s = push_(s, i + r * stride);
    return end_(s);
  }

  std::int64_t n_, lanes_ = 1;
  layout how_;
  Lift lift_;
  Push push_;
  Combine combine_;
  Close close_;
  End end_;
};

/// A lane's state as the tree above the page carries it.
template <class F, class S>
auto closed(const S& s) {
  if constexpr (requires { F::close(s); })
    return F::close(s);
  else
    return s;
}

/// A strip's state once its last element is in.
template <class F, class S>
S ended(const S& s) {
  if constexpr (requires { F::end_strip(s); })
    return F::end_strip(s);
  else
    return s;
}

/// The result of a catalog entry in that order, computed by the scalar functions of its fold.
template <class Op, class T, onefold::accuracy A>
auto reference_result(const T* x, std::int64_t n) {
  using F = onefold::detail::fold_of<Op, T, A>;
  using V = typename F::value;
  using R = typename Op::template result<T>;
  const auto element = [x](std::int64_t i) { return static_cast<V>(value_of(x[i])); };
  const auto close = [](auto s) { return closed<F>(s); };
  const reference_order order(
      n, sizeof(T), layout::lanes, [&](std::int64_t i) { return F::lift(element(i)); },
      [&](auto s, std::int64_t i) { return F::push(s, element(i)); }, [](auto a, auto b) { return F::combine(a, b); },
      close, [](auto s) { return ended<F>(s); });
  const auto s = order.total();
  return F::template finish<R>(s ? *s : closed<F>(onefold::detail::identity_of<F, V>(F{})), n);
}

}  // namespace support
