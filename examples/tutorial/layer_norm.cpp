// Layer norm in f32 with the variance by E[x^2] - E[x]^2, and by onefold, of rows that lie further and further from 0.
#include <cmath>
#include <cstdio>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

/// The first result of a row, and the variance behind it, as often written: both sums in one loop.
void by_formula(const std::vector<float>& x) {
  float sum = 0, squares = 0;
  for (const float v : x) {
    sum += v;
    squares += v * v;
  }
  const float n = static_cast<float>(x.size()), mean = sum / n, variance = squares / n - mean * mean;
  std::printf("variance %8g, first result %9.6f", static_cast<double>(variance),
              static_cast<double>((x[0] - mean) / std::sqrt(variance + 1e-5f)));
}

}  // namespace

int main() {
  for (const float shift : {0.0f, 100.0f, 1000.0f, 10000.0f}) {
    std::vector<float> x;
    for (int i = 0; i < 256; ++i) x.push_back(shift + static_cast<float>(i % 16) / 16.0f);
    std::printf("shift %5g: ", static_cast<double>(shift));
    by_formula(x);
    std::vector<float> y(x.size()), mean(1), rstd(1);
    onefold::layer_norm(x, -1, y, {.mean = mean, .rstd = rstd});
    std::printf("; onefold %9.6f\n", static_cast<double>(y[0]));
  }
}
