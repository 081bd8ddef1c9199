// Two phases on the CPU: partial sums, then their sum; and what their order does to the last bits.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  std::vector<float> data(1'000'000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = 1.0f / static_cast<float>(i + 1);

  for (const std::size_t blocks : {1u, 10u, 100u, 1000u}) {
    const std::size_t size = data.size() / blocks;
    std::vector<float> partial;  // phase 1: one sum for each block; the blocks could run at the same time
    for (std::size_t b = 0; b < blocks; ++b) {
      const auto first = data.begin() + static_cast<std::ptrdiff_t>(b * size);
      partial.push_back(std::accumulate(first, first + static_cast<std::ptrdiff_t>(size), 0.0f));
    }
    const float up = std::accumulate(partial.begin(), partial.end(), 0.0f);  // phase 2: the sum of the sums
    std::reverse(partial.begin(), partial.end());
    const float down = std::accumulate(partial.begin(), partial.end(), 0.0f);
    std::printf("%4zu blocks: %.9g; last block first: %.9g\n", blocks, static_cast<double>(up),
                static_cast<double>(down));
  }
}
