// Softmax three ways: by its definition, with the largest element subtracted, and by onefold; then in f16.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "onefold/math.hpp"
#include "onefold/onefold.hpp"

namespace {

/// exp(x - shift) over the sum of exp(x - shift), in f32.
std::vector<float> softmax_with(const std::vector<float>& x, float shift) {
  std::vector<float> p;
  for (const float v : x) p.push_back(onefold::exp(v - shift));
  float sum = 0;
  for (const float v : p) sum += v;
  for (float& v : p) v /= sum;
  return p;
}

/// For printf: NaN without its sign, which differs between machines.
double shown(float x) { return std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(x); }

void show(const char* what, const auto& p) {
  std::printf("  %-10s", what);
  for (const float v : p) std::printf(" %8.3g", shown(v));
  std::puts("");
}

/// The sum of n ones, in f16, rounded after every addition.
float sum_of_ones(int n) {
  onefold::f16 sum(0);
  for (int i = 0; i < n; ++i) sum = onefold::f16(static_cast<float>(sum) + 1);
  return static_cast<float>(sum);
}

}  // namespace

int main() {
  for (const std::vector<float>& x :
       {std::vector<float>{1, 2, 3}, {88, 89, 90}, {-110, -111, -112}, {1000, 0, -1000}}) {
    std::printf("logits %g, %g, %g\n", shown(x[0]), shown(x[1]), shown(x[2]));
    show("definition", softmax_with(x, 0));
    show("shifted", softmax_with(x, *std::max_element(x.begin(), x.end())));
    show("onefold", onefold::softmax(x));
  }

  const std::vector<onefold::f16> equal(4096);  // 4096 logits of 0 in f16: each weight is 1/4096
  const float weight = static_cast<float>(onefold::softmax(equal)[0]);
  std::printf("4096 equal logits in f16: the sum of their exponentials is %g, by onefold %g\n",
              shown(sum_of_ones(4096)), shown(1 / weight));
}
