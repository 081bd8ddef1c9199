// Adds the numbers from 1 to 1000 with every CPU backend that the package has.
#include <cstdio>
#include <numeric>
#include <vector>

#include <onefold/onefold.hpp>

int main() {
  std::vector<float> data(1000);
  std::iota(data.begin(), data.end(), 1.0f);
  for (const onefold::backend_info& b : onefold::backends()) {
    if (!b.available) continue;
    const float sum = onefold::sum(data, {.backend = b.backend});
    std::printf("%s: %g, onefold %s\n", onefold::name_of(b.backend), sum, ONEFOLD_VERSION);
    if (sum != 500500.0f) return 1;
  }
}
