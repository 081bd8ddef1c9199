// A scan in three steps, each of which could be a kernel: totals of blocks, their scan, and a scan of each block.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

namespace {

/// All prefix sums of x, by blocks of one size.
std::vector<float> scan_by_blocks(std::span<const float> x, std::size_t blocks) {
  const std::size_t size = x.size() / blocks;
  const auto block = [&](std::size_t b) { return x.subspan(b * size, size); };

  std::vector<float> totals(blocks);  // kernel 1: a sum for each block; the blocks could run at the same time
  for (std::size_t b = 0; b < blocks; ++b) totals[b] = std::accumulate(block(b).begin(), block(b).end(), 0.0f);

  std::vector<float> before(blocks);  // kernel 2: the sum of all blocks before each one
  std::exclusive_scan(totals.begin(), totals.end(), before.begin(), 0.0f);

  std::vector<float> out(x.size());  // kernel 3: each block again, beginning with what is before it
  for (std::size_t b = 0; b < blocks; ++b) {
    float within = 0;
    for (std::size_t i = 0; i < size; ++i) out[b * size + i] = before[b] + (within += block(b)[i]);
  }
  return out;
}

}  // namespace

int main() {
  std::vector<float> data(1'000'000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = 1.0f / static_cast<float>(i + 1);

  const std::vector<float> loop = scan_by_blocks(data, 1);
  for (const std::size_t blocks : {1u, 10u, 100u, 1000u}) {
    const std::vector<float> scan = scan_by_blocks(data, blocks);
    std::size_t others = 0;
    for (std::size_t i = 0; i < scan.size(); ++i) others += scan[i] != loop[i];
    std::printf("%4zu blocks: prefix of 500000 %.9g, of 1000000 %.9g; %6zu prefixes differ from those of one block\n",
                blocks, static_cast<double>(scan[499'999]), static_cast<double>(scan.back()), others);
  }
}
