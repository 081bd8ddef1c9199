// Memory of every kind for the tests of the CUDA backend, freed at the end of the scope.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/data.hpp"

namespace support {

inline void cuda(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(e));
}

enum class memory_kind { device, managed, pinned };

/// Room for bytes in memory of a kind.
class memory {
 public:
  memory(memory_kind kind, std::int64_t bytes) : kind_(kind) {
    const auto size = static_cast<std::size_t>(bytes);
    if (kind == memory_kind::device)
      cuda(cudaMalloc(&p_, size));
    else if (kind == memory_kind::managed)
      cuda(cudaMallocManaged(&p_, size));
    else
      cuda(cudaHostAlloc(&p_, size, cudaHostAllocDefault));
  }
  ~memory() { static_cast<void>(kind_ == memory_kind::pinned ? cudaFreeHost(p_) : cudaFree(p_)); }
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;
  template <class T = char>
  T* at(std::int64_t byte = 0) const {
    return reinterpret_cast<T*>(static_cast<char*>(p_) + byte);
  }

 private:
  memory_kind kind_;
  void* p_ = nullptr;
};

/// A copy of elements in memory of a kind, `offset` bytes behind its start.
template <class T>
class copied {
 public:
  explicit copied(std::span<const T> x, memory_kind kind = memory_kind::device, std::int64_t offset = 0)
      : memory_(kind, static_cast<std::int64_t>(x.size_bytes()) + offset + 1), offset_(offset) {
    put(x);
  }
  /// Returns when they are there for every stream: cudaMemcpy alone may return before.
  void put(std::span<const T> x) {
    cuda(cudaMemcpy(memory_.at(offset_), x.data(), x.size_bytes(), cudaMemcpyDefault));
    cuda(cudaStreamSynchronize(cudaStreamLegacy));
  }
  T* data() const { return memory_.at<T>(offset_); }
  /// The first n of them, as they are now.
  std::vector<T> get(std::size_t n) const {
    std::vector<T> x(n);
    cuda(cudaMemcpy(x.data(), data(), n * sizeof(T), cudaMemcpyDefault));
    return x;
  }

 private:
  memory memory_;
  std::int64_t offset_;
};

/// One value in device memory.
template <class T>
class on_device {
 public:
  /// Filled with bytes that are no result.
  on_device() : memory_(memory_kind::device, sizeof(T)) { cuda(cudaMemset(data(), 0xa5, sizeof(T))); }
  T* data() const { return memory_.at<T>(); }
  void set(const T& x) { cuda(cudaMemcpy(data(), &x, sizeof x, cudaMemcpyDefault)); }
  T get() const {
    T x;
    cuda(cudaMemcpy(&x, data(), sizeof x, cudaMemcpyDefault));
    return x;
  }

 private:
  memory memory_;
};

/// A stream that does not wait for the default one.
class stream {
 public:
  stream() { cuda(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
  ~stream() { static_cast<void>(cudaStreamDestroy(s_)); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  operator cudaStream_t() const { return s_; }
  void wait() const { cuda(cudaStreamSynchronize(s_)); }

 private:
  cudaStream_t s_ = nullptr;
};

/// Elements whose sum is in range: an exact sum of integers beyond it is an error.
template <class T>
std::vector<T> summable_data(std::int64_t n, std::uint64_t seed) {
  if constexpr (is_float<T>) {
    return normal_data<T>(n, seed);
  } else {
    auto x = integer_data<T>(n, seed);
    if constexpr (sizeof(T) == 8)
      for (T& y : x) y >>= 18;
    return x;
  }
}

/// Whether a stream refuses the operation: it has no way to say that there is no result.
template <class Op, class T, onefold::accuracy A>
inline constexpr bool refused_by_streams =
    std::is_same_v<Op, onefold::op::sum>&& A == onefold::accuracy::exact && !is_float<T>;

}  // namespace support
