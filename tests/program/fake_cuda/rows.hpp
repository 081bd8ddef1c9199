// Row operations of the stand-in for CUDA.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "program/fake_cuda/mapped.hpp"
#include "program/fake_cuda/session.hpp"
#include "support/line_reference.hpp"

namespace fake_cuda {

inline bool open_rows(const row_problem& what, int, void** handle, int* device, accelerator_failure*) {
  *handle = new row_problem(what);
  *device = 0;
  return true;
}
inline void close_rows(void* handle) { delete static_cast<row_problem*>(handle); }

/// Whether element i of a line counts.
template <class T>
bool is_selected(const selection& by, const void* mask, std::int64_t line, std::int64_t i, T x) {
  if (by.kind == mask_kind::all) return true;
  const auto number = support::row_reference<T>::wide(x);
  if (by.kind == mask_kind::not_nan) return number == number;
  const std::int64_t at = offset(by.mask.kept, by.mask.kept_axes, line) +
                          offset(by.mask.reduced, by.mask.reduced_axes, i) +
                          (by.kind == mask_kind::bits ? by.offset : 0);
  const auto* const bytes = static_cast<const unsigned char*>(mask);
  return by.kind == mask_kind::bytes ? bytes[at] != 0 : bytes[at / 8] >> at % 8 & 1;
}

/// By definition. Where elements are selected there are no weights and biases.
template <class T>
void work_on_rows(const row_problem& p, const row_memory& memory, const row_extras& extras) {
  using reference = support::row_reference<T>;
  using V = typename reference::V;
  const row_request& what = p.what;
  const auto n = static_cast<std::size_t>(what.from.n);
  const bool gives_one = what.operation == row_operation::logsumexp;
  const reference by_definition{what.operation, what.eps, static_cast<const T*>(memory.weight),
                                static_cast<const T*>(memory.bias)};
  const T fill(what.operation == row_operation::log_softmax ? -std::numeric_limits<float>::infinity() : 0.0f);
  for (std::int64_t line = 0; line < what.from.outputs; ++line) {
    std::vector<T> x, results(n + 1), y;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::int64_t>(i);
      T one;
      if (p.maps.arrays > 0)
        compute_one(p.maps, extras.from, line, at, &one);
      else
        one = static_cast<const T*>(memory.data)[offset(what.from.kept, what.from.kept_axes, line) +
                                                 offset(what.from.reduced, what.from.reduced_axes, at)];
      if (!is_selected(p.selects, extras.mask, line, at, one)) continue;
      x.push_back(one);
      places.push_back(i);
    }
    if (x.empty())
      results[0] = T(-std::numeric_limits<float>::infinity());
    else
      by_definition.line(x.data(), static_cast<std::int64_t>(x.size()), results.data(),
                         memory.mean ? static_cast<V*>(memory.mean) + line : nullptr,
                         memory.rstd ? static_cast<V*>(memory.rstd) + line : nullptr);
    y.assign(gives_one ? 1 : n, gives_one ? results[0] : fill);
    for (std::size_t i = 0; i < places.size() && !gives_one; ++i) y[places[i]] = results[i];
    if (p.stores) {
      extras.store.take(extras.store.context, y.data(), line, static_cast<std::int64_t>(y.size()));
      continue;
    }
    T* const to = static_cast<T*>(memory.results) + offset(what.to.kept, what.to.kept_axes, line);
    for (std::size_t i = 0; i < y.size(); ++i)
      to[offset(what.to.reduced, what.to.reduced_axes, static_cast<std::int64_t>(i))] = y[i];
  }
}

inline bool enqueue_rows(void* handle, const row_memory& memory, const row_extras& extras, CUstream_st*,
                         accelerator_failure*) {
  const row_problem& p = *static_cast<row_problem*>(handle);
  if (p.what.element == dtype::f32) work_on_rows<float>(p, memory, extras);
  if (p.what.element == dtype::f64) work_on_rows<double>(p, memory, extras);
  if (p.what.element == dtype::f16) work_on_rows<f16>(p, memory, extras);
  if (p.what.element == dtype::bf16) work_on_rows<bf16>(p, memory, extras);
  return true;
}

inline bool run_rows(void* handle, const row_memory& memory, const row_extras& extras, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  return enqueue_rows(handle, memory, extras, nullptr, failed);
}

}  // namespace fake_cuda
