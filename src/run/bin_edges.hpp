// Edges of bins as a CPU compares elements with them: numbers of the elements' own type.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "onefold/catalog.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

/// What elements are compared as.
template <class T>
using edge_number = std::conditional_t<is_small_float<T>, float, T>;

template <class T>
edge_number<T> as_edge_number(T x) {
  return static_cast<edge_number<T>>(x);
}

/// The number beside a finite one: the next greater one, or (not `up`) the next smaller one, of integers at most the
/// last. Faster than std::nextafter, which is a call.
template <class C>
C number_beside(C x, bool up) {
  if constexpr (is_integer<C>) {
    const C last = up ? std::numeric_limits<C>::max() : std::numeric_limits<C>::min();
    return x == last ? x : static_cast<C>(up ? x + 1 : x - 1);
  } else {
    using bits = std::conditional_t<sizeof(C) == 8, std::int64_t, std::int32_t>;
    if (x == 0) return up ? std::numeric_limits<C>::denorm_min() : -std::numeric_limits<C>::denorm_min();
    return std::bit_cast<C>(std::bit_cast<bits>(x) + ((x > 0) == up ? 1 : -1));
  }
}

/// Edges in ascending order, the last one just above the upper edge of the last bin. An element is in the slot of its
/// number of edges that it is not below: slot 0 is in front of all bins, slot i + 1 is bin i. Edges that no element
/// reaches are left out, so that there may be fewer slots than bins.
template <class C>
class bin_edges {
 public:
  explicit bin_edges(std::span<const double> edges) {
    at_.reserve(edges.size() + 2);
    for (const double e : edges.first(edges.size() - 1)) add(e, true);
    add(edges.back(), false);
    count_ = std::ssize(at_);
    // Beyond them is what no element reaches; of integers that is the largest one, which `clamp` takes back.
    at_.resize(at_.size() + std::bit_ceil(at_.size() + 1), unreached);
  }

  std::span<const C> at() const { return {at_.data(), static_cast<std::size_t>(count_)}; }

  /// The slot of x, which is at least `from` and less than `from` + 2 * step: step is a power of two, or 0. NaN stays
  /// at `from`.
  [[gnu::always_inline]] std::int64_t find(C x, std::int64_t from, std::int64_t step) const {
    for (; step > 0; step /= 2)
      from += static_cast<std::int64_t>(x >= at_[static_cast<std::size_t>(from + step - 1)]) * step;
    return is_integer<C> ? std::min(from, count_) : from;
  }
  std::int64_t find(C x) const {
    if (count_ == 0 || !(x >= at_[0])) return 0;
    if (x >= at_[static_cast<std::size_t>(count_ - 1)]) return count_;  // soon, where most elements are in no bin
    return find(x, 0, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(count_))));
  }

 private:
  static constexpr C unreached = is_integer<C> ? std::numeric_limits<C>::max() : std::numeric_limits<C>::quiet_NaN();

  /// An edge: the first C that is not below it, or (not `from` it on) the first one above it.
  void add(double edge, bool from) {
    if constexpr (is_integer<C>) {
      constexpr C least = std::numeric_limits<C>::min(), most = std::numeric_limits<C>::max();
      const double whole = from ? std::ceil(edge) : std::floor(edge);
      if (whole >= std::ldexp(1.0, std::numeric_limits<C>::digits)) return;
      const C near = whole < static_cast<double>(least) ? least : static_cast<C>(whole);
      if (from || whole < static_cast<double>(least))
        at_.push_back(near);
      else if (near < most)
        at_.push_back(static_cast<C>(near + 1));
    } else {
      const C infinity = std::numeric_limits<C>::infinity(), near = static_cast<C>(edge);
      if (from)
        at_.push_back(near < edge ? number_beside(near, true) : near);
      else if (near > edge || near < infinity)
        at_.push_back(near > edge ? near : number_beside(near, true));
    }
  }

  std::vector<C> at_;
  std::int64_t count_;
};

}  // namespace onefold::detail
