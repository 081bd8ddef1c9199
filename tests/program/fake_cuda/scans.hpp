// Scans of the stand-in for CUDA.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "program/fake_cuda/arrays.hpp"
#include "program/fake_cuda/groups.hpp"
#include "program/fake_cuda/session.hpp"

namespace fake_cuda {

/// Each prefix of a line by itself, as the prefix law says; result i goes to to(i).
template <class To>
void scan_line(void* handle, const void* op, const std::vector<char>& elements, std::int64_t n, const void* init,
               const To& to, accelerator_failure* failed) {
  const bool exclusive = static_cast<session*>(handle)->exclusive;
  for (std::int64_t k = 0; k < n; ++k)
    enqueue(handle, op, elements.data(), exclusive ? k : k + 1, nullptr, init, to(k), nullptr, failed);
}

inline bool enqueue_scan(void* handle, const void* op, const void* data, const void* init, void* out, CUstream_st*,
                         accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  const std::int64_t size = o.host->element_size;
  std::vector<char> elements(static_cast<std::size_t>(o.shape.n * size + 1));
  for (std::int64_t i = 0; i < o.shape.outputs; ++i) {
    const char* const first = static_cast<const char*>(data) + offset(o.shape.kept, o.shape.kept_axes, i) * size;
    const std::int64_t to = offset(o.results.kept, o.results.kept_axes, i);
    for (std::int64_t k = 0; k < o.shape.n; ++k)
      std::memcpy(elements.data() + k * size, first + offset(o.shape.reduced, o.shape.reduced_axes, k) * size,
                  static_cast<std::size_t>(size));
    const auto result = [&](std::int64_t k) {
      return static_cast<char*>(out) +
             (to + offset(o.results.reduced, o.results.reduced_axes, k)) * std::int64_t{o.result_size};
    };
    scan_line(handle, op, elements, o.shape.n, init, result, failed);
  }
  return true;
}

inline bool run_scan(void* handle, const void* op, const void* data, const void* init, void* out,
                     accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  return enqueue_scan(handle, op, data, init, out, nullptr, failed);
}

inline bool enqueue_segment_scan(void* handle, const void* op, const void* data, const device_segments& segments,
                                 const void* init, void* out, CUstream_st*, accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  const auto* const x = static_cast<const char*>(data);
  const std::int64_t size = o.host->element_size;
  for (std::int64_t i = 0; i < segments.count; ++i) {
    const std::int64_t begin = offset_of(segments, i), end = offset_of(segments, i + 1);
    const auto result = [&](std::int64_t k) { return static_cast<char*>(out) + (begin + k) * o.result_size; };
    scan_line(handle, op, {x + begin * size, x + end * size}, end - begin, init, result, failed);
  }
  return true;
}

inline bool run_segment_scan(void* handle, const void* op, const void* data, const device_segments& segments,
                             const void* init, void* out, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  return enqueue_segment_scan(handle, op, data, segments, init, out, nullptr, failed);
}

}  // namespace fake_cuda
