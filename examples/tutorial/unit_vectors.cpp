// Vectors of length 1 in f32: by the root of a sum of squares, and by normalize.
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

/// For printf: NaN without its sign, which differs between machines.
double shown(float x) { return std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(x); }

}  // namespace

int main() {
  const std::vector<float> x = {3, 4, 3e20f, 4e20f, 3e-24f, 4e-24f, 0, 0};
  const onefold::array_view<float> rows(x.data(), {4, 2});
  const auto unit = onefold::normalize(rows);
  const auto without_eps = onefold::normalize(rows, {.eps = 0});
  for (std::size_t i = 0; i < x.size(); i += 2) {
    const float a = x[i], b = x[i + 1], length = std::sqrt(a * a + b * b);
    std::printf("(%g, %g): length %g\n", shown(a), shown(b), shown(length));
    std::printf("  divided by it         (%g, %g)\n", shown(a / length), shown(b / length));
    std::printf("  normalize             (%g, %g)\n", shown(unit[i]), shown(unit[i + 1]));
    std::printf("  normalize, eps = 0    (%g, %g)\n", shown(without_eps[i]), shown(without_eps[i + 1]));
  }
}
