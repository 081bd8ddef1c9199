// Runs both files of user_levels.cpp, the greater one where the CPU allows it.
#include <cstdio>
#include <vector>

#include "onefold/options.hpp"
#include "onefold/report.hpp"

float lesser(const std::vector<float>& x);
float greater(const std::vector<float>& x);

int main() {
  std::vector<float> x(100'003);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1000) - 300.5f;
  const float first = lesser(x);
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::puts("the CPU has no AVX2");
    return 77;
  }
  const float second = greater(x);
  std::printf("%a %a\n", static_cast<double>(first), static_cast<double>(second));
  return first == second ? 0 : 1;
}
