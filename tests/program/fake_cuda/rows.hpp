// Row operations of the stand-in for CUDA.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "program/fake_cuda/session.hpp"
#include "support/line_reference.hpp"

namespace fake_cuda {

inline bool open_rows(const row_request& what, int, void** handle, int* device, accelerator_failure*) {
  *handle = new row_request(what);
  *device = 0;
  return true;
}
inline void close_rows(void* handle) { delete static_cast<row_request*>(handle); }

/// By definition.
template <class T>
void work_on_rows(const row_request& what, const row_memory& memory) {
  using reference = support::row_reference<T>;
  using V = typename reference::V;
  const reference by_definition{what.operation, what.eps, static_cast<const T*>(memory.weight),
                                static_cast<const T*>(memory.bias)};
  const auto n = static_cast<std::size_t>(what.from.n);
  const bool gives_one = what.operation == row_operation::logsumexp;
  std::vector<T> x(n), y(gives_one ? 1 : n);
  for (std::int64_t line = 0; line < what.from.outputs; ++line) {
    const T* const from = static_cast<const T*>(memory.data) + offset(what.from.kept, what.from.kept_axes, line);
    T* const to = static_cast<T*>(memory.results) + offset(what.to.kept, what.to.kept_axes, line);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = from[offset(what.from.reduced, what.from.reduced_axes, static_cast<std::int64_t>(i))];
    by_definition.line(x.data(), what.from.n, y.data(), memory.mean ? static_cast<V*>(memory.mean) + line : nullptr,
                       memory.rstd ? static_cast<V*>(memory.rstd) + line : nullptr);
    for (std::size_t i = 0; i < y.size(); ++i)
      to[offset(what.to.reduced, what.to.reduced_axes, static_cast<std::int64_t>(i))] = y[i];
  }
}

inline bool enqueue_rows(void* handle, const row_memory& memory, CUstream_st*, accelerator_failure*) {
  const row_request& what = *static_cast<row_request*>(handle);
  if (what.element == dtype::f32) work_on_rows<float>(what, memory);
  if (what.element == dtype::f64) work_on_rows<double>(what, memory);
  if (what.element == dtype::f16) work_on_rows<f16>(what, memory);
  if (what.element == dtype::bf16) work_on_rows<bf16>(what, memory);
  return true;
}

inline bool run_rows(void* handle, const row_memory& memory, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  return enqueue_rows(handle, memory, nullptr, failed);
}

}  // namespace fake_cuda
