// The slice law of segments, and of what a mask selects of them, for user-defined operations.
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/segments.hpp"
#include "onefold/where.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"

namespace {

/// Reduces segments of each kind of length with user-defined operations, and compares with reduce over copies; how
/// many results were compared.
///
/// The elements begin `beyond` bytes after an address that 16 divides.
template <class T, class Op, class Fill>
int compare_segments(Fill fill, Op op = {}, std::size_t beyond = 0) {
  using R = onefold::default_result<T, Op>;
  const std::int64_t page = onefold::page_elements(sizeof(T));
  std::vector<std::int64_t> at{3};
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{7}, page, std::int64_t{130}, 5 * page + 9, page + 1,
                               std::int64_t{2}, 2 * page, std::int64_t{1}})
    at.push_back(at.back() + n);
  const auto count = static_cast<std::size_t>(at.back() + 2);
  std::vector<std::max_align_t> memory((count * sizeof(T) + beyond) / sizeof(std::max_align_t) + 1);
  const std::span<T> x(reinterpret_cast<T*>(reinterpret_cast<char*>(memory.data()) + beyond), count);
  for (std::size_t i = 0; i < count; ++i) ::new (&x[i]) T(fill(i));
  int compared = 0;
  for (const int threads : {1, 2, 3, 4}) {
    const auto how = support::on_backend(onefold::accuracy::native, threads);
    const auto found = onefold::reduce<T, Op>(onefold::segments(x, at), how, op);
    REQUIRE(found.size() == at.size() - 1);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::vector<T> slice(x.begin() + at[i], x.begin() + at[i + 1]);
      const R meant = onefold::reduce<T, Op>(slice, how, op);
      CHECK(std::memcmp(&found[i], &meant, sizeof(R)) == 0);
      ++compared;
    }
    // Of each segment the first element is selected, for operations without an identity, and others.
    for (const std::int64_t step : {1, 2, 7}) {
      std::vector<std::uint8_t> mask(count);
      for (std::size_t i = 0; i + 1 < at.size(); ++i)
        for (std::int64_t k = at[i]; k < at[i + 1]; ++k)
          mask[static_cast<std::size_t>(k)] = step == 7 ? (k - at[i]) % 7 != 6 : (k - at[i]) % step == 0;
      const auto selected = onefold::reduce<T, Op>(onefold::where(onefold::segments(x, at), mask), how, op);
      for (std::size_t i = 0; i + 1 < at.size(); ++i) {
        std::vector<T> slice;
        for (std::int64_t k = at[i]; k < at[i + 1]; ++k)
          if (mask[static_cast<std::size_t>(k)] != 0) slice.push_back(x[static_cast<std::size_t>(k)]);
        const R meant = onefold::reduce<T, Op>(slice, how, op);
        CHECK(std::memcmp(&selected[i], &meant, sizeof(R)) == 0);
      }
    }
  }
  return compared;
}

float wave(std::size_t i) { return static_cast<float>(i % 1013) * 0.37f - 100; }

}  // namespace

TEST_CASE("segments of user-defined operations obey the slice law") {
  const auto floats = [](std::size_t i) { return wave(i); };
  CHECK(compare_segments<float, support::absolute_sum>(floats) == 4 * 9);
#ifndef __CUDACC__  // there states are plain types, and these operations of the host alone
  compare_segments<float, support::absolute_sum_packs>(floats);
  compare_segments<float, support::absolute_sum_lifted>(floats);
  compare_segments<float, support::large_sums<4096>>(floats);
  compare_segments<float, support::large_ordered_sums<2048>>(floats);
#endif
  compare_segments<float, support::weighted_count>(floats, {-50, 50, 3});
  compare_segments<float, support::affine_floats>(floats);
  compare_segments<std::uint32_t, support::affine_maps>(
      [](std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761u); });
  compare_segments<std::int32_t, support::index_sum>(
      [](std::size_t i) { return static_cast<std::int32_t>(i % 777) - 300; });
  compare_segments<std::uint8_t, support::histogram>([](std::size_t i) { return static_cast<std::uint8_t>(i * 37); });
  compare_segments<std::uint8_t, support::histogram_in_place>(
      [](std::size_t i) { return static_cast<std::uint8_t>(i * 91); });
  // 16 bytes that are aligned to 4.
  const auto pairs = [](std::size_t i) { return support::record<16>{wave(i), {}, wave(i + 3)}; };
  for (const std::size_t beyond : {0u, 4u, 8u, 12u})
    compare_segments<support::record<16>, support::record_box<16>>(pairs, {}, beyond);
  compare_segments<support::record<1000>, support::record_box<1000>>([](std::size_t i) {
    return support::record<1000>{wave(i), {}, wave(i + 3)};
  });
}

TEST_CASE("segments around a row of lanes, all of the same length, obey the slice law") {
  using T = support::record<16>;
  using Op = support::strip_count<16>;
  for (std::int64_t n = 1; n <= 66; ++n) {
    std::vector<std::int64_t> at{0};
    for (int i = 0; i < 50; ++i) at.push_back(at.back() + n);
    const std::vector<T> x(static_cast<std::size_t>(at.back()));
    const auto how = support::on_backend(onefold::accuracy::native, 1);
    const auto found = onefold::reduce<T, Op>(onefold::segments(x, at), how);
    const float meant = onefold::reduce<T, Op>(std::span(x).first(static_cast<std::size_t>(n)), how);
    CHECK(meant == static_cast<float>(n <= 32 ? n : 32));
    for (const float f : found) CHECK(f == meant);
  }
}
