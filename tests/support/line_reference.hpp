// What row operations are by definition, in plain code: pages of lanes of strips, joined by the aligned tree.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "onefold/detail/folds.hpp"
#include "onefold/math.hpp"
#include "onefold/order.hpp"
#include "onefold/row_request.hpp"

namespace support {

using namespace onefold;

/// The state of up to a page of n values, of lanes that combine, strip by strip.
template <class State, class Value, class Lift, class Push, class Combine>
State page_of(const Value& value, std::int64_t n, int lanes, const Lift& lift, const Push& push,
              const Combine& combine) {
  std::vector<State> lane;
  for (int j = 0; j < lanes && j < n; ++j) {
    std::vector<State> strip;
    for (int s = 0; s < page_strips; ++s)
      for (int r = 0; r < strip_rows; ++r) {
        const std::int64_t i = j + std::int64_t{lanes} * (s * strip_rows + r);
        if (i >= n) break;
        if (r == 0)
          strip.push_back(lift(value(i)));
        else
          strip.back() = push(strip.back(), value(i));
      }
    for (std::size_t s = 0; s + 1 < strip.size(); s += 2) strip[s] = combine(strip[s], strip[s + 1]);
    lane.push_back(strip.size() > 2 ? combine(strip[0], strip[2]) : strip[0]);
  }
  for (int w = lanes / 2; w > 0; w /= 2)
    for (int j = 0; j < w && static_cast<std::size_t>(j + w) < lane.size(); ++j)
      lane[static_cast<std::size_t>(j)] =
          combine(lane[static_cast<std::size_t>(j)], lane[static_cast<std::size_t>(j + w)]);
  return lane[0];
}

/// Nodes of the aligned tree.
template <class State, class Combine>
State tree_of(std::vector<State> nodes, const Combine& combine) {
  while (nodes.size() > 1) {
    std::vector<State> above;
    for (std::size_t i = 0; i < nodes.size(); i += 2)
      above.push_back(i + 1 < nodes.size() ? combine(nodes[i], nodes[i + 1]) : nodes[i]);
    nodes = above;
  }
  return nodes[0];
}

template <class E, class State, class Value, class Lift, class Push, class Combine, class Close, class Above>
auto line_of(const Value& value, std::int64_t n, const Lift& lift, const Push& push, const Combine& combine,
             const Close& close, const Above& above) {
  constexpr std::int64_t page = page_elements(sizeof(E));
  std::vector<decltype(close(lift(value(0))))> states;
  for (std::int64_t p = 0; p < n; p += page)
    states.push_back(close(page_of<State>([&](std::int64_t i) { return value(p + i); }, std::min(page, n - p),
                                          lanes_of(sizeof(E)), lift, push, combine)));
  return tree_of(states, above);
}

template <class T>
struct row_reference {
  using V = std::conditional_t<std::is_same_v<T, double>, double, float>;
  row_operation operation;
  double epsilon;
  const T *weight, *bias;

  static V wide(T x) { return static_cast<V>(x); }
  static V nan() { return std::numeric_limits<V>::quiet_NaN(); }
  static T rounded(V y) { return T(y == y ? y : nan()); }
  static V sum(const std::vector<V>& v) {
    const auto add = [](V a, V b) { return a + b; };
    const auto same = [](V a) { return a; };
    return line_of<V, V>([&](std::int64_t i) { return v[static_cast<std::size_t>(i)]; },
                         static_cast<std::int64_t>(v.size()), same, add, add, same, add);
  }

  void soft(const T* x, std::int64_t n, T* y) const {
    constexpr std::int64_t size = page_elements(sizeof(V));
    constexpr V infinity = std::numeric_limits<V>::infinity();
    struct state {
      V c, s;
    };
    std::vector<state> pages;
    std::vector<V> e;
    bool any_infinite = false;
    for (std::int64_t p = 0; p < n; p += size) {
      V m = -infinity;
      for (std::int64_t i = p; i < std::min(n, p + size); ++i) {
        m = m != m || wide(x[i]) < m ? m : wide(x[i]);
        any_infinite |= wide(x[i]) == infinity;
      }
      const V c = std::isfinite(m) ? m : m != m ? m : V{0};
      std::vector<V> own;
      for (std::int64_t i = p; i < std::min(n, p + size); ++i) own.push_back(onefold::exp_nonpositive(wide(x[i]) - c));
      pages.push_back({c, m == infinity ? m : sum(own)});
      e.insert(e.end(), own.begin(), own.end());
    }
    const auto join = [](state a, state b) -> state {
      if (a.s == 0) return b;
      if (b.s == 0) return a;
      const V c = a.c != a.c || b.c != b.c ? nan() : std::max(a.c, b.c);
      const auto moved = [c](state t) { return std::isinf(t.s) ? t.s : t.s * onefold::exp_nonpositive(t.c - c); };
      return {c, moved(a) + moved(b)};
    };
    const state line = tree_of(pages, join);
    const bool is_number = std::isfinite(line.s) && line.s != 0;
    if (operation == row_operation::logsumexp) {
      bool any_nan = false;
      for (std::int64_t i = 0; i < n; ++i) any_nan |= wide(x[i]) != wide(x[i]);
      *y = rounded(any_nan ? nan() : any_infinite ? infinity : line.s == 0 ? -infinity : line.c + onefold::log(line.s));
      return;
    }
    for (std::int64_t i = 0; i < n; ++i) {
      const state& p = pages[static_cast<std::size_t>(i / size)];
      const V g = !is_number ? nan() : (p.s == 0 ? V{1} : onefold::exp_nonpositive(p.c - line.c)) / line.s;
      V r = nan();
      if (is_number)
        r = operation == row_operation::softmax ? e[static_cast<std::size_t>(i)] * g
                                                : (wide(x[i]) - line.c) - onefold::log(line.s);
      y[i] = rounded(r);
    }
  }

  void affine(const T* x, std::int64_t n, T* y, V* mean, V* scale) const {
    const auto value = [&](std::int64_t i) { return static_cast<double>(wide(x[i])); };
    const double count = static_cast<double>(n);
    V a = 0, r = 0;
    if (operation == row_operation::layer_norm || operation == row_operation::standardize) {
      using F = detail::kernel_t<detail::fold_of<op::moments, T, accuracy::native>>;
      using L = typename F::template state<double>;
      const auto total = line_of<T, L>(
          value, n, [](double v) { return F::lift(v); }, [](L s, double v) { return F::push(s, v); },
          [](L s, L t) { return F::template combine<double>(s, t); }, [](L s) { return F::close(s); },
          [](auto s, auto t) { return F::combine(s, t); });
      a = static_cast<V>(total.mean);
      r = static_cast<V>(1 / std::sqrt(total.m2 / count + (operation == row_operation::layer_norm ? epsilon : 0)));
    } else if (operation == row_operation::normalize_l1 || operation == row_operation::normalize_max) {
      std::vector<V> sizes;
      for (std::int64_t i = 0; i < n; ++i) sizes.push_back(std::fabs(wide(x[i])));
      V norm = 0;
      if (operation == row_operation::normalize_l1)
        norm = sum(sizes);
      else
        for (V s : sizes) norm = norm != norm || s < norm ? norm : s;
      const double wider = norm;
      r = static_cast<V>(1 / (wider < epsilon ? epsilon : wider));
    } else {
      const auto add = [](double s, double t) { return s + t; };
      const auto same = [](double s) { return s; };
      const double q =
          line_of<T, double>([&](std::int64_t i) { return value(i) * value(i); }, n, same, add, add, same, add);
      if (operation == row_operation::rms_norm) {
        r = static_cast<V>(1 / std::sqrt(q / count + epsilon));
      } else {
        const double norm = std::sqrt(q);
        r = static_cast<V>(1 / (norm < epsilon ? epsilon : norm));
      }
    }
    for (std::int64_t i = 0; i < n; ++i) {
      V v = (wide(x[i]) - a) * r;
      if (weight) v = v * wide(weight[i]);
      if (bias) v = v + wide(bias[i]);
      y[i] = rounded(v);
    }
    if (mean) *mean = a == a ? a : nan();
    if (scale) *scale = r == r ? r : nan();
  }

  void line(const T* x, std::int64_t n, T* y, V* mean, V* scale) const {
    if (operation == row_operation::softmax || operation == row_operation::log_softmax ||
        operation == row_operation::logsumexp)
      soft(x, n, y);
    else
      affine(x, n, y, mean, scale);
  }
};

}  // namespace support
