// A session's device and scratch, and how it finds data in memory of any kind.
#pragma once

#include <nvtx3/nvToolsExt.h>

#include <bit>
#include <memory>
#include <string>

#include "devices.hpp"
#include "memory_kind.hpp"
#include "onefold/problem.hpp"
#include "scratch.hpp"

namespace onefold::cuda {

/// A range on the timeline of NVIDIA's profilers; nothing with -DNVTX_DISABLE.
class profiled {
 public:
  explicit profiled(const char* name) { nvtxRangePushA(name); }
  ~profiled() { nvtxRangePop(); }
  profiled(const profiled&) = delete;
  profiled& operator=(const profiled&) = delete;
};

inline int chosen_device(int asked) {
  if (asked == -1) return current();
  const int count = devices();
  if (asked < 0 || asked >= count)
    throw error(error_code::invalid_argument,
                "device = " + std::to_string(asked) + " is out of range; there " +
                    (count == 1 ? "is one device, 0" : "are devices 0 to " + std::to_string(count - 1)));
  return asked;
}

/// A device, and scratch there.
class device_session {
 public:
  int device() const { return device_; }

 protected:
  explicit device_session(int asked) : device_(chosen_device(asked)) {
    const current_device here(device_);
    scratch_ = acquire_scratch(device_);
  }
  ~device_session() {
    try {
      const current_device here(device_);
      release_scratch(std::move(scratch_), clean_);
    } catch (...) {  // a device that is lost: its scratch is, too
    }
  }
  device_session(const device_session&) = delete;
  device_session& operator=(const device_session&) = delete;

  void require_stream(cudaStream_t stream) const {
    int of_stream = device_;
    check(cudaStreamGetDevice(stream, &of_stream), "cudaStreamGetDevice");
    if (of_stream != device_)
      throw error(error_code::invalid_argument, "the stream belongs to device " + std::to_string(of_stream) +
                                                    ", but the plan is for device " + std::to_string(device_));
  }

  /// What is at `data`, as far as `reach` says in bytes: where it is in device memory, after a copy into `room` if it
  /// was in host memory. `what` it is, for an error.
  const void* on_device(const void* data, const element_reach& reach, std::int64_t element_size, device_memory& room,
                        const char* what = "data") {
    if (memory_kind_of(static_cast<const char*>(data) + reach.first, device_) == memory_kind::device) return data;
    const std::int64_t bytes = reach.end - reach.first;
    const char* const from = static_cast<const char*>(data) + reach.first;
    require_readable(from, bytes, what);
    room.grow(bytes + 32);  // as whole words of 16 bytes
    // As far from 16 bytes as on the host, but aligned to an element's size, as it need not be there.
    const auto size = static_cast<std::uintptr_t>(element_size), far = reinterpret_cast<std::uintptr_t>(from) % 16;
    char* const to = static_cast<char*>(room.data()) + (std::has_single_bit(size) ? far / size * size : far);
    check(cudaMemcpy(to, from, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice), "a copy");
    return to - reach.first;
  }

  /// What launches of a function have in common, but for where the elements go; arrays of the host are copied to the
  /// device.
  map_launch launch_on_device(const mapping& m, const mapped_source& from) {
    map_launch how{};
    how.function = from.device.function;
    how.stream = cudaStreamLegacy;
    for (int k = 0; k < m.arrays; ++k) {
      const mapped_array& array = from.arrays[k];
      constexpr const char* names[] = {"first array's", "second array's", "third array's"};
      how.arrays[k] = m.of[k].n == 0 ? array.data
                                     : on_device(array.data, reach_of(m.of[k], array.element_size), array.element_size,
                                                 scratch_->arrays[k], m.arrays == 1 ? "data" : names[k]);
    }
    return how;
  }

  void require_device(const void* p, const char* otherwise) const {
    if (memory_kind_of(p, device_) == memory_kind::pageable) throw error(error_code::invalid_argument, otherwise);
  }

  int device_;
  bool clean_ = true;  ///< whether nothing of ours is under way on the device
  std::unique_ptr<scratch> scratch_;
};

}  // namespace onefold::cuda
