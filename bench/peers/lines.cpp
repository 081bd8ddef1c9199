// Scans and row operations as the standard library, oneTBB, or loops of a program without a library do them; and a copy
// of the elements, which no operation with a result for each element can be faster than.
#include <omp.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <execution>
#include <numeric>

#include "peer.hpp"

namespace bench::ONEFOLD_BENCH_FLAGS {
namespace {

template <class T>
void standard_scan(const T* x, T* y, std::int64_t, std::int64_t n, int) {
  std::inclusive_scan(x, x + n, y);
}
template <class T>
void parallel_standard_scan(const T* x, T* y, std::int64_t, std::int64_t n, int) {
  std::inclusive_scan(std::execution::par_unseq, x, x + n, y);
}
template <class T>
void plain_scan(const T* x, T* y, std::int64_t, std::int64_t n, int) {
  T sum{};
  for (std::int64_t i = 0; i < n; ++i) y[i] = sum += x[i];
}
#ifndef __FAST_MATH__  // which takes the errors out
/// With the rounding errors beside the sum (Neumaier 1974), as accuracy kahan has them.
template <class T>
void kahan_scan(const T* x, T* y, std::int64_t, std::int64_t n, int) {
  T sum{}, errors{};
  for (std::int64_t i = 0; i < n; ++i) {
    const T next = sum + x[i];
    errors += std::abs(sum) >= std::abs(x[i]) ? (sum - next) + x[i] : (x[i] - next) + sum;
    sum = next;
    y[i] = sum + errors;
  }
}
#endif
template <class T>
void tbb_scan(const T* x, T* y, std::int64_t, std::int64_t n, int) {
  tbb::parallel_scan(
      tbb::blocked_range<std::int64_t>(0, n), T{},
      [=](const tbb::blocked_range<std::int64_t>& r, T sum, bool is_final) {
        for (std::int64_t i = r.begin(); i < r.end(); ++i) {
          sum += x[i];
          if (is_final) y[i] = sum;
        }
        return sum;
      },
      [](T a, T b) { return a + b; });
}

/// Each thread copies a part.
template <class T>
void copy(const T* x, T* y, std::int64_t lines, std::int64_t length, int threads) {
  const std::int64_t n = lines * length;
  const auto part = [=](int i) {
    const std::int64_t first = n * i / threads, last = n * (i + 1) / threads;
    std::memcpy(static_cast<void*>(y + first), x + first, static_cast<std::size_t>(last - first) * sizeof(T));
  };
  if (threads == 1) return part(0);
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < threads; ++i) part(i);
}

/// Elements of 16 bits, computed with as f32.
#ifdef __FLT16_MAX__
inline float value_of(onefold::f16 x) { return static_cast<float>(std::bit_cast<_Float16>(x.bits)); }
inline void store(onefold::f16* to, float x) { to->bits = std::bit_cast<std::uint16_t>(static_cast<_Float16>(x)); }
#else
inline float value_of(onefold::f16 x) { return static_cast<float>(x); }
inline void store(onefold::f16* to, float x) { *to = onefold::f16(x); }
#endif
inline float value_of(onefold::bf16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); }
inline void store(onefold::bf16* to, float x) {
  const std::uint32_t b = std::bit_cast<std::uint32_t>(x);
  to->bits = static_cast<std::uint16_t>((b + 0x7fff + (b >> 16 & 1)) >> 16);  // the results have no NaN
}
inline float value_of(float x) { return x; }
inline void store(float* to, float x) { *to = x; }

struct softmax {
  template <class T>
  static void line(const T* x, T* y, std::int64_t n) {
    float most = value_of(x[0]), sum = 0;
    for (std::int64_t i = 1; i < n; ++i) most = std::max(most, value_of(x[i]));
    for (std::int64_t i = 0; i < n; ++i) sum += std::exp(value_of(x[i]) - most);
    for (std::int64_t i = 0; i < n; ++i) store(y + i, std::exp(value_of(x[i]) - most) / sum);
  }
};
struct log_softmax {
  template <class T>
  static void line(const T* x, T* y, std::int64_t n) {
    float most = value_of(x[0]), sum = 0;
    for (std::int64_t i = 1; i < n; ++i) most = std::max(most, value_of(x[i]));
    for (std::int64_t i = 0; i < n; ++i) sum += std::exp(value_of(x[i]) - most);
    const float shift = most + std::log(sum);
    for (std::int64_t i = 0; i < n; ++i) store(y + i, value_of(x[i]) - shift);
  }
};
struct layer_norm {
  template <class T>
  static void line(const T* x, T* y, std::int64_t n) {
    float sum = 0, squares = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += value_of(x[i]);
    const float mean = sum / static_cast<float>(n);
    for (std::int64_t i = 0; i < n; ++i) squares += (value_of(x[i]) - mean) * (value_of(x[i]) - mean);
    const float factor = 1 / std::sqrt(squares / static_cast<float>(n) + 1e-5f);
    for (std::int64_t i = 0; i < n; ++i) store(y + i, (value_of(x[i]) - mean) * factor);
  }
};
struct rms_norm {
  template <class T>
  static void line(const T* x, T* y, std::int64_t n) {
    float squares = 0;
    for (std::int64_t i = 0; i < n; ++i) squares += value_of(x[i]) * value_of(x[i]);
    const float factor = 1 / std::sqrt(squares / static_cast<float>(n) + 1e-5f);
    for (std::int64_t i = 0; i < n; ++i) store(y + i, value_of(x[i]) * factor);
  }
};

template <class Operation, class T>
void on_lines(const T* x, T* y, std::int64_t lines, std::int64_t length, int) {
  for (std::int64_t i = 0; i < lines; ++i) Operation::line(x + i * length, y + i * length, length);
}

/// Adds a peer's function to the rows of an operation.
template <class T, void (*Function)(const T*, T*, std::int64_t, std::int64_t, int)>
void list_lines(const char* operation, const char* name, runtime needs, bool copies = false) {
  listed_lines().push_back({operation, type_name<T>, name, needs, copies,
                            [](const void* x, void* y, std::int64_t lines, std::int64_t length, int threads) {
                              Function(static_cast<const T*>(x), static_cast<T*>(y), lines, length, threads);
                            }});
}

template <class T>
void list_scans() {
  list_lines<T, standard_scan<T>>("cumsum", "std::inclusive_scan", runtime::none);
  list_lines<T, parallel_standard_scan<T>>("cumsum", "std::inclusive_scan(par_unseq)", runtime::tbb);
  list_lines<T, plain_scan<T>>("cumsum", "a loop", runtime::none);
#ifndef __FAST_MATH__
  list_lines<T, kahan_scan<T>>("cumsum", "a loop, kahan", runtime::none);
#endif
  list_lines<T, tbb_scan<T>>("cumsum", "tbb::parallel_scan", runtime::tbb);
  list_lines<T, copy<T>>("cumsum", "memcpy", runtime::openmp, true);
}
template <class T>
void list_rows() {
  list_lines<T, on_lines<softmax, T>>("softmax", "loops", runtime::none);
  list_lines<T, on_lines<log_softmax, T>>("log_softmax", "loops", runtime::none);
  list_lines<T, on_lines<layer_norm, T>>("layer_norm", "loops", runtime::none);
  list_lines<T, on_lines<rms_norm, T>>("rms_norm", "loops", runtime::none);
  for (const char* operation : {"softmax", "log_softmax", "layer_norm", "rms_norm"})
    list_lines<T, copy<T>>(operation, "memcpy", runtime::openmp, true);
}

bool list_all() {
  list_scans<float>();
  list_scans<double>();
  list_rows<float>();
  list_rows<onefold::f16>();
  list_rows<onefold::bf16>();
  return true;
}
[[maybe_unused]] const bool are_listed = list_all();

}  // namespace
}  // namespace bench::ONEFOLD_BENCH_FLAGS
