// Sums of exact products on a CPU: a block of products is an array of f64, or two, which the catalog's exact sum adds.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

#include "cpu.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/exact/products.hpp"
#include "onefold/detail/exact_dot.hpp"
#include "onefold/error.hpp"
#include "registry.hpp"

namespace onefold::detail {
namespace {

constexpr int block_products = 2048;                ///< products at once: their parts stay in the first-level cache
constexpr int few_products = 32;                    ///< up to as many are added one by one
constexpr double least = 0x1p-900, most = 0x1p900;  ///< products between these have two parts that are numbers of f64

/// The rounded product, and what rounding took away: by a fused multiply-add or as in Dekker 1971, "A Floating-Point
/// Technique for Extending the Available Precision". False where a product has no such parts.
template <bool Fused>
[[gnu::always_inline]] inline bool split_by(const double* x, const double* y, int n, double* high, double* low) {
  std::int64_t bad = 0;
  for (int i = 0; i < n; ++i) {
    const double a = x[i], b = y[i], p = a * b;
    const double of_a = __builtin_fabs(a), of_b = __builtin_fabs(b), size = __builtin_fabs(p);
    high[i] = p;
    if constexpr (Fused) {
      low[i] = __builtin_fma(a, b, -p);
    } else {
      constexpr double half = 0x1p27 + 1;
      const double ca = half * a, cb = half * b;
      const double a1 = ca - (ca - a), b1 = cb - (cb - b), a2 = a - a1, b2 = b - b1;
      low[i] = ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
    }
    const bool is_zero = (of_a == 0) | (of_b == 0);
    const bool has_parts = (of_a <= most) & (of_b <= most) & (size <= most) & ((size >= least) | is_zero);
    bad |= static_cast<std::int64_t>(!has_parts);
  }
  return bad == 0;
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] bool split_fused(const double* x, const double* y, int n, double* high, double* low) {
  return split_by<true>(x, y, n, high, low);
}
bool split_apart(const double* x, const double* y, int n, double* high, double* low) {
  return split_by<false>(x, y, n, high, low);
}
bool split(const double* x, const double* y, int n, double* high, double* low) {
  static const bool fuses = std::ranges::any_of(cpu_levels(), [](isa level) { return level >= isa::x86_64_v3; });
  return (fuses ? split_fused : split_apart)(x, y, n, high, low);
}
#else
bool split(const double* x, const double* y, int n, double* high, double* low) {
  return split_by<true>(x, y, n, high, low);
}
#endif

/// The catalog's exact sum of f64; null where this build has none.
const recipe* exact_sum_of_f64() {
  static const recipe* const found = []() -> const recipe* {
    try {
      const recipe& r = find_recipe(operation_index<op::sum>, dtype::f64, accuracy::exact, cpu_levels().back());
      return r.state_size == sizeof(superaccumulator) && r.room_size == 0 && r.page >= block_products ? &r : nullptr;
    } catch (const error&) {
      return nullptr;
    }
  }();
  return found;
}

template <class T>
void add_all(const T* x, const T* y, std::int64_t n, product_accumulator* sum) {
  for (std::int64_t i = 0; i < n; ++i) add_product(*sum, x[i], y[i]);
}

void add_sum(const recipe& by, const double* terms, int n, product_accumulator* sum) {
  superaccumulator s;
  by.fold(nullptr, {terms, n, 0}, 0, 1, 0, &s, nullptr);
  add(*sum, s);
}

template <class T>
void add_in_blocks(const recipe& by, const T* x, const T* y, std::int64_t n, product_accumulator* sum) {
  const std::unique_ptr<double[]> room(
      new (std::nothrow) double[2 * block_products]);  // too much for some threads' stacks
  if (!room) return add_all(x, y, n, sum);
  double *const high = room.get(), *const low = high + block_products;
  for (std::int64_t at = 0; at < n; at += block_products, x += block_products, y += block_products) {
    const int count = static_cast<int>(std::min<std::int64_t>(block_products, n - at));
    if constexpr (std::is_same_v<T, double>) {
      if (!split(x, y, count, high, low)) {
        add_all(x, y, count, sum);
        continue;
      }
      add_sum(by, low, count, sum);
    } else {
      for (int i = 0; i < count; ++i) high[i] = double{static_cast<float>(x[i])} * double{static_cast<float>(y[i])};
    }
    add_sum(by, high, count, sum);
  }
}

}  // namespace

void add_products(dtype element, const void* x, const void* y, std::int64_t n, product_accumulator* sum) {
  const recipe* const by = n > few_products ? exact_sum_of_f64() : nullptr;
  for_each_type(element_types{}, [&]<class T>() {
    if constexpr (is_float<T>) {
      if (element != dtype_of<T>) return;
      const auto *a = static_cast<const T*>(x), *b = static_cast<const T*>(y);
      if (by)
        add_in_blocks(*by, a, b, n, sum);
      else
        add_all(a, b, n, sum);
    }
  });
}

}  // namespace onefold::detail
