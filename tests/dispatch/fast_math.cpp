// Catalog operations called from a file that is compiled with -ffast-math: what is NaN stays NaN.
#include <cstring>
#include <limits>
#include <vector>

#include "onefold/exact_dot.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"

#ifndef __FAST_MATH__
#error "this file tests nothing without -ffast-math"
#endif

namespace {

template <class T>
void check_elements() {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const std::vector<T> x{T(1), nan, T(3)}, y{T(1), T(1), T(2)};
  const auto how = support::on_backend();
  // A comparison here would find that NaN equals anything.
  const auto is = [](T found, T wanted) { return std::memcmp(&found, &wanted, sizeof(T)) == 0; };
  CHECK(is(onefold::exact_dot<T>(onefold::where(x, onefold::not_nan), y, how), 7));
  CHECK(is(onefold::nansum(x, how), 4));
  CHECK(is(onefold::nanmax(x, how), 3));
}

}  // namespace

TEST_CASE("elements that are not NaN, by files that believe that nothing is") {
  check_elements<float>();
  check_elements<double>();
}
