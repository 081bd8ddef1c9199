// Row operations of the stand-in for CUDA.
#pragma once

#include <cstdint>
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

/// By definition.
template <class T>
void work_on_rows(const row_problem& p, const row_memory& memory, const row_extras& extras) {
  using reference = support::row_reference<T>;
  using V = typename reference::V;
  const row_request& what = p.what;
  const auto n = static_cast<std::size_t>(what.from.n);
  const bool gives_one = what.operation == row_operation::logsumexp;
  const reference by_definition{what.operation, what.eps, static_cast<const T*>(memory.weight),
                                static_cast<const T*>(memory.bias)};
  std::vector<T> x(n), y(gives_one ? 1 : n);
  for (std::int64_t line = 0; line < what.from.outputs; ++line) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::int64_t>(i);
      if (p.maps.arrays > 0)
        compute_one(p.maps, extras.from, line, at, &x[i]);
      else
        x[i] = static_cast<const T*>(memory.data)[offset(what.from.kept, what.from.kept_axes, line) +
                                                  offset(what.from.reduced, what.from.reduced_axes, at)];
    }
    by_definition.line(x.data(), what.from.n, y.data(), memory.mean ? static_cast<V*>(memory.mean) + line : nullptr,
                       memory.rstd ? static_cast<V*>(memory.rstd) + line : nullptr);
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
