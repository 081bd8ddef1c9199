// What the GPU benchmark reduces, and where: elements with copies on the device, a result, CUB's temporary memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "device_time.hpp"
#include "onefold/onefold.hpp"
#include "peers.hpp"

namespace bench {

/// Elements in (-1/4, 3/4), integers with all their bits.
template <class T>
std::vector<T> numbers(std::int64_t n) {
  std::mt19937 r(7);
  std::vector<T> x(static_cast<std::size_t>(n));
  for (auto& y : x) {
    if constexpr (onefold::detail::is_integer<T>)
      y = static_cast<T>(r());
    else
      y = static_cast<T>(static_cast<float>(static_cast<double>(r()) / 4294967296.0 - 0.25));
  }
  return x;
}

/// Finite floating-point numbers of all exponents, as many of one as of another: what is hardest for an exact sum.
template <class T>
std::vector<T> any_exponents(std::int64_t n) {
  using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  std::mt19937_64 r(8);
  std::vector<T> x(static_cast<std::size_t>(n));
  for (auto& y : x) do
      y = std::bit_cast<T>(static_cast<bits>(r()));
    while (!std::isfinite(y));
  return x;
}

/// Elements for arrays of up to a size, and their copies on the device.
template <class T>
struct elements {
  explicit elements(std::int64_t most) : elements(numbers<T>(most)) {}
  explicit elements(std::vector<T> numbers)
      : memory(static_cast<std::int64_t>(numbers.size() * sizeof(T))), x(std::move(numbers)) {}
  void fill(std::int64_t n) { memory.fill(x.data(), n * static_cast<std::int64_t>(sizeof(T))); }
  const T* at(int i) const { return static_cast<const T*>(memory.copy(i)); }
  arena memory;
  std::vector<T> x;
};

/// A result on the device.
template <class T>
struct on_device {
  on_device() { check(cudaMalloc(reinterpret_cast<void**>(&p), 64)); }
  ~on_device() { static_cast<void>(cudaFree(p)); }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;
  T get() const {
    T v{};
    check(cudaMemcpy(&v, p, sizeof v, cudaMemcpyDefault));
    return v;
  }
  T* p = nullptr;
};

/// Several results, or other memory, on the device.
template <class R>
class results {
 public:
  explicit results(std::int64_t count) : count_(static_cast<std::size_t>(count)) {
    check(cudaMalloc(reinterpret_cast<void**>(&p_), std::max<std::size_t>(1, count_ * sizeof(R))));
  }
  explicit results(const std::vector<R>& host) : results(static_cast<std::int64_t>(host.size())) {
    check(cudaMemcpy(p_, host.data(), host.size() * sizeof(R), cudaMemcpyHostToDevice));
  }
  ~results() { static_cast<void>(cudaFree(p_)); }
  results(const results&) = delete;
  results& operator=(const results&) = delete;
  R* data() const { return p_; }
  std::span<R> all() const { return {p_, count_}; }
  /// Copies of them on the host.
  std::vector<R> host() const {
    std::vector<R> v(count_);
    check(cudaMemcpy(v.data(), p_, v.size() * sizeof(R), cudaMemcpyDeviceToHost));
    return v;
  }

 private:
  std::size_t count_;
  R* p_ = nullptr;
};

/// The temporary memory that CUB's sum of n elements asks for.
class cub_memory {
 public:
  template <class T>
  cub_memory(const elements<T>& d, std::int64_t n, T* out)
      : bytes_(asked(d, n, out)), memory_(static_cast<std::int64_t>(bytes_)) {}
  void* data() const { return const_cast<void*>(memory_.copy(0)); }
  std::size_t bytes() const { return bytes_; }

 private:
  template <class T>
  static std::size_t asked(const elements<T>& d, std::int64_t n, T* out) {
    std::size_t bytes = 0;
    cub_sum<T>(nullptr, bytes, d.at(0), out, n, nullptr);
    return bytes;
  }
  std::size_t bytes_;
  arena memory_;
};

}  // namespace bench
