// Softmax three ways: by its definition, with the largest element subtracted, and by onefold; then in f16.
#include <algorithm>
#include <cstdio>
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

void show(const char* what, const auto& p) {
  std::printf("  %-10s", what);
  for (const float v : p) std::printf(" %8.3g", static_cast<double>(v));
  std::puts("");
}

/// The sum of n ones, as a f16 sees it that is rounded after every addition.
float sum_of_ones(int n) {
  onefold::f16 sum(0);
  for (int i = 0; i < n; ++i) sum = onefold::f16(static_cast<float>(sum) + 1);
  return static_cast<float>(sum);
}

}  // namespace

int main() {
  for (const std::vector<float>& x :
       {std::vector<float>{1, 2, 3}, {88, 89, 90}, {-104, -105, -106}, {1000, 0, -1000}}) {
    std::printf("logits %g, %g, %g\n", static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2]));
    show("definition", softmax_with(x, 0));
    show("shifted", softmax_with(x, *std::max_element(x.begin(), x.end())));
    show("onefold", onefold::softmax(x));
  }

  const std::vector<onefold::f16> equal(4096);  // 4096 logits of 0 in f16: each weight is 1/4096
  const float weight = static_cast<float>(onefold::softmax(equal)[0]);
  std::printf("4096 equal logits in f16: the sum of their exponentials is %g, by onefold %g\n",
              static_cast<double>(sum_of_ones(4096)), static_cast<double>(1 / weight));
}
