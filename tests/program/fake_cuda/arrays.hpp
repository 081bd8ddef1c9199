// Reductions of the stand-in for CUDA: of an array, over some axes, and of selected elements.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "program/fake_cuda/session.hpp"

namespace fake_cuda {

inline bool run(void* handle, const void* op, const void* data, std::int64_t n, void* state,
                accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  fold(*static_cast<session*>(handle), op, data, n, state);
  if (wrong) *static_cast<unsigned char*>(state) ^= 1;
  return true;
}

/// The file that the environment names FAKE_LOG, to append to; null without one.
inline auto opened_log() {
  const char* const name = std::getenv("FAKE_LOG");
  return std::unique_ptr<std::FILE, int (*)(std::FILE*)>(name ? std::fopen(name, "a") : nullptr, std::fclose);
}

/// Each node is a line of the log: the device, and which elements.
inline bool start_nodes(void* handle, const void* op, const node_run* runs, int count, accelerator_failure* failed) {
  session& o = *static_cast<session*>(handle);
  const char* const broken_device = std::getenv("FAKE_BROKEN_DEVICE");
  if (broken || (broken_device && std::atoi(broken_device) == o.device))
    return fails(failed, error_code::device, "the stand-in is broken");
  const auto log = opened_log();
  const std::size_t size = o.host->state_size;
  o.node_bytes = static_cast<std::size_t>(count) * size;
  o.nodes.reset(std::aligned_alloc(64, (o.node_bytes + 63) / 64 * 64));
  for (int i = 0; i < count; ++i) {
    auto* const state = static_cast<char*>(o.nodes.get()) + static_cast<std::size_t>(i) * size;
    fold(o, op, runs[i].data, runs[i].n, state, runs[i].index);
    if (wrong) *state ^= 1;
    if (log)
      std::fprintf(log.get(), "%d %lld %lld\n", o.device, static_cast<long long>(runs[i].index),
                   static_cast<long long>(runs[i].n));
  }
  return true;
}

/// A line without elements.
inline bool finish_nodes(void* handle, void* states, accelerator_failure*) {
  const session& o = *static_cast<session*>(handle);
  if (const auto log = opened_log()) std::fprintf(log.get(), "%d 0 0\n", o.device);
  if (o.node_bytes > 0) std::memcpy(states, o.nodes.get(), o.node_bytes);
  return true;
}

inline bool enqueue(void* handle, const void* op, const void* data, std::int64_t n, const std::int64_t*,
                    const void* init, void* result, CUstream_st*, accelerator_failure*) {
  const session& o = *static_cast<session*>(handle);
  if (n == 0 && o.host->small_limit > 0) {  // which no fold takes
    o.host->small(op, data, n, init, o.result, result);
    return true;
  }
  void* const state = std::aligned_alloc(64, (o.host->state_size + 63) / 64 * 64);
  fold(o, op, data, n, state);
  o.host->finish(op, state, n, init, o.result, result, nullptr);  // of the catalog, which needs no room here
  std::free(state);
  return true;
}

/// The result, or the state, of output i, which has n elements.
inline void reduce_output(void* handle, const void* op, const void* elements, std::int64_t n, const void* init,
                          bool finished, std::int64_t i, void* out, accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  char* const to = static_cast<char*>(out) + i * (finished ? o.result_size : o.host->state_size);
  if (finished)
    enqueue(handle, op, elements, n, nullptr, init, to, nullptr, failed);
  else
    fold(o, op, elements, n, to);
}

inline bool run_shape(void* handle, const void* op, const void* data, const void* init, bool finished, void* out,
                      accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  const session& o = *static_cast<session*>(handle);
  const std::int64_t size = o.host->element_size;
  std::vector<char> elements(static_cast<std::size_t>(o.shape.n * size + 1));
  for (std::int64_t i = 0; i < o.shape.outputs; ++i) {
    const char* const first = static_cast<const char*>(data) + offset(o.shape.kept, o.shape.kept_axes, i) * size;
    for (std::int64_t k = 0; k < o.shape.n; ++k)
      std::memcpy(elements.data() + k * size, first + offset(o.shape.reduced, o.shape.reduced_axes, k) * size,
                  static_cast<std::size_t>(size));
    reduce_output(handle, op, elements.data(), o.shape.n, init, finished, i, out, failed);
  }
  return true;
}

inline bool enqueue_shape(void* handle, const void* op, const void* data, const void* init, void* results, CUstream_st*,
                          accelerator_failure* failed) {
  return run_shape(handle, op, data, init, true, results, failed);
}

/// With a mask of bytes.
inline bool run_selected(void* handle, const void* op, const void* data, const void* mask, const void* init, bool,
                         void* out, std::int64_t*, accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  if (broken || o.selects.kind != mask_kind::bytes || o.gives_index)
    return fails(failed, error_code::device, "the stand-in cannot do that");
  const std::int64_t size = o.host->element_size;
  const problem& shape = o.selects.mask;
  for (std::int64_t i = 0; i < o.shape.outputs; ++i) {
    const char* const first = static_cast<const char*>(data) + offset(o.shape.kept, o.shape.kept_axes, i) * size;
    const char* const of_mask = static_cast<const char*>(mask) + offset(shape.kept, shape.kept_axes, i);
    std::vector<char> elements;
    for (std::int64_t k = 0; k < o.shape.n; ++k) {
      const char* const x = first + offset(o.shape.reduced, o.shape.reduced_axes, k) * size;
      if (of_mask[offset(shape.reduced, shape.reduced_axes, k)] != 0) elements.insert(elements.end(), x, x + size);
    }
    enqueue(handle, op, elements.data(), static_cast<std::int64_t>(elements.size()) / size, nullptr, init,
            static_cast<char*>(out) + i * o.result_size, nullptr, failed);
  }
  return true;
}

inline bool enqueue_selected(void* handle, const void* op, const void* data, const void* mask, const void* init,
                             void* results, CUstream_st*, accelerator_failure* failed) {
  return run_selected(handle, op, data, mask, init, true, results, nullptr, failed);
}

}  // namespace fake_cuda
