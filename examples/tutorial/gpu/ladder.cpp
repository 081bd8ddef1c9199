// Every kernel of the ladder over the same data: the bits of its sum beside those of the CPU.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

/// Prints the sum; false if it cannot run.
bool show(const char* name, const std::vector<float>& data, const onefold::options& how) {
  const auto r = onefold::try_reduce<float, onefold::op::sum>(data, how);
  if (r)
    std::printf("%-21s %.9g, bits %08x\n", name, static_cast<double>(*r), std::bit_cast<std::uint32_t>(*r));
  else
    std::printf("skipped: %s\n", r.error().what());
  return static_cast<bool>(r);
}

}  // namespace

int main() {
  std::vector<float> data(1 << 22);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = 1.0f / static_cast<float>(i + 1);

  show("the CPU", data, {.backend = onefold::backend::sequential});
  for (const char* name : {"global_interleaved", "interleaved", "sequential_addressing", "first_add", "unrolled",
                           "shuffle", "coarsened", "canonical"})
    if (!show(name, data, {.backend = onefold::backend::cuda, .kernel = onefold::kernel_named(name)})) return 77;
}
