// Rows, axes, segments, keys and masks: each result has the bits of a reduction over its own elements alone.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

/// The sum's bits beside those of a sum over a copy of its elements.
void compare(const char* what, float sum, const std::vector<float>& own) {
  const float alone = onefold::sum(own, {.backend = onefold::backend::sequential});
  const auto a = std::bit_cast<std::uint32_t>(sum), b = std::bit_cast<std::uint32_t>(alone);
  std::printf("%-22s %-10.9g %08x %08x %s\n", what, static_cast<double>(sum), a, b, a == b ? "same" : "DIFFERENT");
}

}  // namespace

int main() {
  constexpr std::size_t rows = 300, columns = 1000;
  std::vector<float> x(rows * columns);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0f / static_cast<float>(i % 997 + 1);
  const onefold::array_view<float> matrix(x.data(), {rows, columns});
  const auto of = [&x](auto&& belongs) {  // the elements for which it holds, in their order
    std::vector<float> own;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (belongs(i)) own.push_back(x[i]);
    return own;
  };

  const auto by_row = onefold::sum(matrix, 1), by_column = onefold::sum(matrix, 0);
  compare("row 7 of 300", by_row[7], of([](std::size_t i) { return i / columns == 7; }));
  compare("column 7 of 1000", by_column[7], of([](std::size_t i) { return i % columns == 7; }));

  const std::vector<std::int32_t> offsets = {0, 10, 10, 200'000, 300'000};
  const auto parts = onefold::sum(onefold::segments(x, offsets));
  compare("segment 2 of 4", parts[2], of([](std::size_t i) { return i >= 10 && i < 200'000; }));

  std::vector<std::int32_t> keys(x.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::int32_t>(i * i % 7);
  const auto groups = onefold::sum(onefold::by_key(x, keys));  // of the keys 0, 1, 2 and 4
  compare("key 4", groups.results[3], of([&](std::size_t i) { return keys[i] == 4; }));

  std::vector<std::uint8_t> mask(x.size());
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = x[i] < 0.5f;
  compare("where x < 0.5", onefold::sum(onefold::where(x, mask)), of([&](std::size_t i) { return x[i] < 0.5f; }));
}
