// Reductions of the stand-in for CUDA by segments and by key.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "program/fake_cuda/arrays.hpp"
#include "program/fake_cuda/session.hpp"

namespace fake_cuda {

inline std::int64_t offset_of(const device_segments& segments, std::int64_t i) {
  return segments.wide ? static_cast<const std::int64_t*>(segments.offsets)[i]
                       : std::int64_t{static_cast<const std::uint32_t*>(segments.offsets)[i]};
}

/// With a mask of bytes.
inline bool run_segments(void* handle, const void* op, const void* data, const device_segments& segments,
                         const list_selection& selects, const void* init, bool finished, void* out, std::int64_t*,
                         accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  if (selects.kind != mask_kind::all && (selects.kind != mask_kind::bytes || o.gives_index))
    return fails(failed, error_code::device, "the stand-in cannot do that");
  for (std::int64_t i = 0; i < segments.count; ++i) {
    const std::int64_t size = o.host->element_size, begin = offset_of(segments, i);
    const char* first = static_cast<const char*>(data) + begin * size;
    std::int64_t n = offset_of(segments, i + 1) - begin;
    std::vector<char> elements;
    if (selects.kind == mask_kind::bytes) {
      const char* const mask = static_cast<const char*>(selects.from(begin).mask);
      for (std::int64_t k = 0; k < n; ++k)
        if (mask[k * selects.stride] != 0) elements.insert(elements.end(), first + k * size, first + (k + 1) * size);
      first = elements.data();
      n = static_cast<std::int64_t>(elements.size()) / size;
    }
    char* const to = static_cast<char*>(out) + i * (finished ? o.result_size : o.host->state_size);
    if (finished)
      enqueue(handle, op, first, n, nullptr, init, to, nullptr, failed);
    else
      fold(o, op, first, n, to);
  }
  return true;
}

inline bool enqueue_segments(void* handle, const void* op, const void* data, const device_segments& segments,
                             const list_selection& selects, const void* init, void* results, CUstream_st*,
                             accelerator_failure* failed) {
  return run_segments(handle, op, data, segments, selects, init, true, results, nullptr, failed);
}

/// By keys of type i32 alone.
inline bool group(void* handle, const keyed_elements& what, std::int64_t* count, accelerator_failure* failed) {
  session& o = *static_cast<session*>(handle);
  if (o.key_type != dtype::i32) return fails(failed, error_code::unsupported, "the stand-in groups by i32 alone");
  o.groups = {};
  const std::int64_t size = o.host->element_size;
  const auto* const keys = static_cast<const std::int32_t*>(what.keys);
  std::vector<std::int64_t> order(static_cast<std::size_t>(what.n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  if (!what.runs) std::ranges::stable_sort(order, {}, [&](std::int64_t i) { return keys[i]; });
  for (const std::int64_t i : order) {
    if (o.groups.keys.empty() || o.groups.keys.back() != keys[i]) {
      o.groups.offsets.push_back(static_cast<std::int64_t>(o.groups.elements.size()) / size);
      o.groups.keys.push_back(keys[i]);
    }
    const char* const from = static_cast<const char*>(what.elements) + i * size;
    o.groups.elements.insert(o.groups.elements.end(), from, from + size);
    if (what.selects.kind == mask_kind::bytes)
      o.groups.mask.push_back(static_cast<const char*>(what.selects.from(i).mask)[0]);
  }
  o.groups.offsets.push_back(what.n);
  *count = static_cast<std::int64_t>(o.groups.keys.size());
  return true;
}

inline bool run_groups(void* handle, const void* op, const void* init, bool finished, void* out, void* keys,
                       std::int64_t* offsets, accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  const auto count = static_cast<std::int64_t>(o.groups.keys.size());
  std::memcpy(keys, o.groups.keys.data(), o.groups.keys.size() * sizeof(std::int32_t));
  if (offsets) std::ranges::copy(o.groups.offsets, offsets);
  return run_segments(
      handle, op, o.groups.elements.data(),
      {o.groups.offsets.back(), o.groups.offsets.back(), o.groups.offsets.data(), count, true},
      o.groups.mask.empty() ? list_selection{} : list_selection{mask_kind::bytes, dtype::other, o.groups.mask.data()},
      init, finished, out, nullptr, failed);
}

inline bool enqueue_groups(void* handle, const void* op, const keyed_elements& what, const void* init,
                           const group_outputs& to, CUstream_st*, accelerator_failure* failed) {
  if (!group(handle, what, to.count, failed)) return false;
  made_groups& made = static_cast<session*>(handle)->groups;
  const auto count = static_cast<std::size_t>(std::min(*to.count, to.room));
  made.keys.resize(count);
  made.offsets.resize(count + 1);
  return run_groups(handle, op, init, true, to.results, to.keys, nullptr, failed);
}

}  // namespace fake_cuda
