// Vectors of length 1 in f32: by the root of a sum of squares, and by normalize.
#include <cmath>
#include <cstdio>
#include <vector>

#include "onefold/onefold.hpp"

int main() {
  const std::vector<float> x = {3, 4, 3e20f, 4e20f, 3e-24f, 4e-24f, 0, 0};
  const onefold::array_view<float> rows(x.data(), {4, 2});
  const auto unit = onefold::normalize(rows);
  for (std::size_t i = 0; i < x.size(); i += 2) {
    const float length = std::sqrt(x[i] * x[i] + x[i + 1] * x[i + 1]);
    std::printf("(%g, %g): length %g, divided (%g, %g), normalize (%g, %g)\n", static_cast<double>(x[i]),
                static_cast<double>(x[i + 1]), static_cast<double>(length), static_cast<double>(x[i] / length),
                static_cast<double>(x[i + 1] / length), static_cast<double>(unit[i]), static_cast<double>(unit[i + 1]));
  }
}
