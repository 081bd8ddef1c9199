// Layer norm in f32 with the variance by E[x^2] - E[x]^2, and by onefold, of rows further and further from 0.
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

/// For printf: NaN without its sign, which differs between machines.
double shown(float x) { return std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(x); }

/// E[x^2] - E[x]^2, and E[x]: both sums from one loop, as often written.
float variance_by_formula(const std::vector<float>& x, float& mean) {
  float sum = 0, squares = 0;
  for (const float v : x) {
    sum += v;
    squares += v * v;
  }
  const float n = static_cast<float>(x.size());
  mean = sum / n;
  return squares / n - mean * mean;
}

}  // namespace

int main() {
  for (const float shift : {0.0f, 100.0f, 1000.0f, 5000.0f, 10000.0f}) {
    std::vector<float> x;
    for (int i = 0; i < 250; ++i) x.push_back(shift + static_cast<float>(i % 10) / 10.0f);
    float mean = 0;
    const float variance = variance_by_formula(x, mean);
    std::printf("shift %5g: variance %10.6f, first result %7.4f; onefold: %8.6f, %7.4f\n", shown(shift),
                shown(variance), shown((x[0] - mean) / std::sqrt(variance + 1e-5f)), shown(onefold::variance(x)),
                shown(onefold::layer_norm(x)[0]));
  }
}
