// What each accuracy makes of sums that can be worked out beforehand.
#include <cstdio>
#include <numeric>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

/// The loop of the textbooks: what an addition rounds away is added to the next element.
template <class T>
T textbook_kahan(const std::vector<T>& x) {
  T s = 0, lost = 0;
  for (const T one : x) {
    const T y = one - lost, t = s + y;
    lost = (t - s) - y;
    s = t;
  }
  return s;
}

/// Prints the sum by a left fold, by textbook Kahan and by onefold's four accuracies.
template <class T>
void show(const char* what, const std::vector<T>& x) {
  std::printf("%-27s %9.0f %9.0f", what, static_cast<double>(std::accumulate(x.begin(), x.end(), T{0})),
              static_cast<double>(textbook_kahan(x)));
  using enum onefold::accuracy;
  for (const auto a : {native, wide, kahan, exact})
    std::printf(" %9.0f", static_cast<double>(onefold::sum(x, {.accuracy = a})));
  std::puts("");
}

}  // namespace

int main() {
  std::printf("%-27s %9s %9s", "", "left fold", "textbook");
  for (const char* name : {"native", "wide", "kahan", "exact"}) std::printf(" %9s", name);
  std::puts("");
  show<float>("f32, 1e8 + 1e-8", {1e8f, 1e-8f});
  std::vector<float> small(1'000'001, 1.0f);
  small[0] = 1e8f;
  show("f32, 1e8 and a million ones", small);
  show<float>("f32, 1e8 + 1 - 1e8", {1e8f, 1.0f, -1e8f});
  show<float>("f32, 1e8 - 1e8 + 1", {1e8f, -1e8f, 1.0f});
  show<double>("f64, 1 + 1e100 + 1 - 1e100", {1.0, 1e100, 1.0, -1e100});
  std::printf("f64, 1e8 + 1e-8: %.10f\n", onefold::sum(std::vector{1e8, 1e-8}));
}
