// Reduces on each backend that its arguments name; all must be there and give the same bits.
#include <cstdio>
#include <cstring>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

std::uint32_t bits_of(float x) {
  std::uint32_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<float> data(300000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = 1.0f / static_cast<float>(i + 1);
  // 2^-149, a hundred times: lost where subnormals are flushed. By bits, for the compiler may flush them, too.
  const std::uint32_t smallest_bits = 1;
  float smallest;
  std::memcpy(&smallest, &smallest_bits, sizeof smallest);
  const std::vector<float> subnormals(100, smallest);

  const std::uint32_t expected = bits_of(onefold::sum(data, {.backend = onefold::backend::sequential}));
  int wrong = argc < 2;
  for (int i = 1; i < argc; ++i) {
    const onefold::options how{.backend = onefold::parse_backend(argv[i]).value(), .threads = 2};
    const auto r = onefold::try_reduce<float, onefold::op::sum>(data, how);
    if (!r) {
      std::printf("%s: %s\n", argv[i], r.error().what());
      ++wrong;
      continue;
    }
    const bool same = bits_of(*r) == expected;
    const bool kept = bits_of(onefold::sum(subnormals, how)) == 100;
    std::printf("%s: sum %s, subnormals %s\n", argv[i], same ? "as it should be" : "of other bits",
                kept ? "kept" : "lost");
    wrong += !same + !kept;
  }
  return wrong ? 1 : 0;
}
