// Adds 0.1f ten million times: by a plain loop, and by onefold. The answer is 1000000.0149; its nearest float, 1000000.
#include <cstdio>
#include <vector>

#include "onefold/onefold.hpp"

int main() {
  const std::vector<float> data(10'000'000, 0.1f);

  float loop = 0;
  for (const float x : data) loop += x;

  const float native = onefold::sum(data);
  const float exact = onefold::sum(data, {.accuracy = onefold::accuracy::exact});

  std::printf("a plain loop      %.9g\n", static_cast<double>(loop));
  std::printf("onefold, native   %.9g\n", static_cast<double>(native));
  std::printf("onefold, exact    %.9g\n", static_cast<double>(exact));
}
