// How lines of row operations lie in tests of the kernels, and what takes their results.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "onefold/row_problem.hpp"

namespace emulation {

using namespace onefold;

inline constexpr row_operation operations_on_rows[] = {
    row_operation::softmax,      row_operation::log_softmax,   row_operation::logsumexp,
    row_operation::layer_norm,   row_operation::rms_norm,      row_operation::normalize_l1,
    row_operation::normalize_l2, row_operation::normalize_max, row_operation::standardize};

/// How lines lie in an array: its kept and reduced axes.
struct layout {
  std::vector<axis> kept, reduced;

  problem of() const {
    problem p{};
    p.size = sizeof(problem);
    p.outputs = p.n = 1;
    for (const axis& a : kept) {
      p.kept[p.kept_axes++] = a;
      p.outputs *= a.extent;
    }
    for (const axis& a : reduced) {
      p.reduced[p.reduced_axes++] = a;
      p.n *= a.extent;
    }
    return p;
  }
};
inline std::size_t place(const problem& p, std::int64_t line, std::int64_t i) {
  std::int64_t at = 0;
  for (int a = p.kept_axes; a-- > 0; line /= p.kept[a].extent) at += line % p.kept[a].extent * p.kept[a].stride;
  for (int a = p.reduced_axes; a-- > 0; i /= p.reduced[a].extent) at += i % p.reduced[a].extent * p.reduced[a].stride;
  return static_cast<std::size_t>(at);
}

/// The same axes in another array: all strides larger.
inline problem spread(problem p) {
  for (axis& a : p.kept) a.stride *= 2;
  for (axis& a : p.reduced) a.stride *= 2;
  return p;
}

/// What elements are computed in.
template <class T>
using value = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// Takes a result: writes it where the line and the position say.
template <class T>
struct keep {
  T* to;
  std::int64_t n;
  void operator()(T y, row_position at) const {
    T& slot = to[at.line * n + at.position];
    slot = static_cast<value<T>>(slot) == -3 ? y : T(-4.0f);  // once
  }
};

/// The request of an operation on such lines, with results that lie twice as far apart.
inline row_request request_for(row_operation operation, dtype element, const layout& lies) {
  row_request what{};
  what.operation = operation;
  what.element = element;
  what.eps = 1e-5;
  what.from = lies.of();
  what.to = spread(what.from);
  if (operation == row_operation::logsumexp) {
    what.to.kept_axes = 1;
    what.to.kept[0] = {what.from.outputs, 1};
    for (axis& a : what.to.reduced) a.stride = 0;
  }
  return what;
}

}  // namespace emulation
