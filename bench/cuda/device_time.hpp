// The device time of a call: many calls in a CUDA graph, replayed; medians.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace bench {

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(e));
}

/// Device memory that holds copies of one array, more than the second-level cache keeps, so that no call finds its
/// elements there.
class arena {
 public:
  /// Room for arrays of up to `bytes` bytes.
  explicit arena(std::int64_t bytes);
  ~arena();
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;
  /// Fills the room with copies of an array of `bytes` bytes.
  void fill(const void* host, std::int64_t bytes);
  /// The i-th copy; they repeat.
  const void* copy(int i) const;

 private:
  char* data_ = nullptr;
  std::int64_t room_, stride_ = 1, copies_ = 1;
};

/// Microseconds on the device of one call(stream, i), i = 0, 1, ...
double device_microseconds(std::int64_t bytes, const std::function<void(cudaStream_t, int)>& call);

/// Microseconds on the host of one call(i) that returns when its result is there.
double host_microseconds(int calls, const std::function<void(int)>& call);

}  // namespace bench
