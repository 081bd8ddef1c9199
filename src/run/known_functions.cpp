#include "run/known_functions.hpp"

#include "onefold/catalog.hpp"
#include "onefold/detail/vector_functions.hpp"
#include "registry.hpp"
#include "run/widest.hpp"

namespace onefold::detail {
namespace {

/// The elements of an array, from line `l` on.
template <class X>
const X* line_of(const mapped_source& from, const mapped_lines& which, int array, std::int64_t l) {
  return static_cast<const X*>(from.arrays[array].data) + which.first[array] + l * which.across[array];
}

template <class R, class X, class F>
bool compute_of_one(const mapped_source& from, const mapped_lines& which, void* to, F f) {
  for (std::int64_t l = 0; l < which.lines; ++l) {
    const X* const x = line_of<X>(from, which, 0, l);
    R* const __restrict out = static_cast<R*>(to) + l * which.distance;
    run_widest([ =, n = which.n ]() __attribute__((always_inline)) {
      for (std::int64_t i = 0; i < n; ++i) out[i] = f(x[i]);
    });
  }
  return true;
}

template <class R, class X, class F>
bool compute_of_two(const mapped_source& from, const mapped_lines& which, void* to, F f) {
  for (std::int64_t l = 0; l < which.lines; ++l) {
    const X *const x = line_of<X>(from, which, 0, l), *const y = line_of<X>(from, which, 1, l);
    R* const __restrict out = static_cast<R*>(to) + l * which.distance;
    run_widest([ =, n = which.n ]() __attribute__((always_inline)) {
      for (std::int64_t i = 0; i < n; ++i) out[i] = f(x[i], y[i]);
    });
  }
  return true;
}

}  // namespace

bool compute_known(const mapped_source& from, const mapped_lines& which, void* to) {
  const known_function f = from.device.known;
  if (f == known_function::none || which.along[0] != 1) return false;
  const auto types = [&](dtype x, dtype r) { return from.arrays[0].element == x && from.device.result == r; };
  const bool of_f32 = types(dtype::f32, dtype::f32), of_f64 = types(dtype::f64, dtype::f64);
  if (f == known_function::magnitude) {
    if (of_f32) return compute_of_one<float, float>(from, which, to, absolute_value{});
    return of_f64 && compute_of_one<double, double>(from, which, to, absolute_value{});
  }
  if ((f != known_function::product && f != known_function::distance) || which.along[1] != 1 ||
      from.arrays[1].element != from.arrays[0].element)
    return false;
  if (f == known_function::distance) {
    if (of_f32) return compute_of_two<float, float>(from, which, to, distance_as<float>{});
    return of_f64 && compute_of_two<double, double>(from, which, to, distance_as<double>{});
  }
  if (of_f32) return compute_of_two<float, float>(from, which, to, product_as<float>{});
  if (of_f64) return compute_of_two<double, double>(from, which, to, product_as<double>{});
  return types(dtype::f32, dtype::f64) && compute_of_two<double, float>(from, which, to, product_as<double>{});
}

computed_pages::fold find_fold_of_known(const choice& c, const mapped_source& from) {
  const computed_pages* const pages = c.mode == accuracy::native ? find_computed_pages(c.element, c.level) : nullptr;
  const dtype x = from.arrays[0].element, y = from.arrays[1].element;
  if (!pages || from.device.result != c.element) return nullptr;
  const bool sums = c.operation == operation_index<op::sum>;
  switch (from.device.known) {
    case known_function::product:
      if (!sums || x != y) return nullptr;
      return x == c.element ? pages->sum_of_products : x == dtype::f32 ? pages->sum_of_products_of_f32 : nullptr;
    case known_function::distance:
      if (x != c.element || y != x) return nullptr;
      return sums                                        ? pages->sum_of_distances
             : c.operation == operation_index<op::norm2> ? pages->norm2_of_distances
                                                         : nullptr;
    case known_function::magnitude:
      return sums && x == c.element ? pages->sum_of_magnitudes : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace onefold::detail
