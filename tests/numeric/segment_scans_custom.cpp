// The prefix law in segments, for user-defined operations.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/scan.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"

namespace {

/// Scans segments of each kind of length, and compares with reduce over prefixes, by the sequential backend; how many
/// results were compared. With `small` the longest has little more than a page.
template <class T, class Op, class Fill>
int compare_segment_scans(Fill fill, Op op = {}, bool small = false) {
  using R = onefold::default_result<T, Op>;
  const std::int64_t page = onefold::page_elements(sizeof(T));
  std::vector<std::int64_t> at{3};
  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{31}, page - 1, std::int64_t{0}, page, page + 1, 5 * page + 3})
    at.push_back(at.back() + (small ? std::min(n, page / 8 + 1) : n));
  if (small) at.push_back(at.back() + page + 1);
  const auto count = static_cast<std::size_t>(at.back() + 2);
  std::vector<T> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = fill(i);
  const auto how = support::on_backend();
  onefold::options alone = how;
  alone.backend = onefold::backend::sequential;
  int compared = 0;
  for (const bool exclusive : {false, true}) {
    std::vector<R> out(count);
    if (exclusive)
      onefold::exclusive_scan<T, Op>(onefold::segments(x, at), std::span<R>(out), how, op);
    else
      onefold::inclusive_scan<T, Op>(onefold::segments(x, at), std::span<R>(out), how, op);
    for (std::size_t s = 0; s + 1 < at.size(); ++s) {
      const std::int64_t n = at[s + 1] - at[s], step = n < 50 ? 1 : n / 23;
      for (std::int64_t i = 0; i < n; i = i + step < n || i + 1 == n ? i + step : n - 1) {
        const R meant = onefold::reduce<T, Op>(x.data() + at[s], exclusive ? i : i + 1, alone, op);
        CHECK(std::memcmp(&out[static_cast<std::size_t>(at[s] + i)], &meant, sizeof(R)) == 0);
        ++compared;
      }
    }
  }
  return compared;
}

float slow_wave(std::size_t i) { return static_cast<float>(i % 1013) * 0.37f - 100; }

}  // namespace

TEST_CASE("user-defined operations obey the prefix law in segments") {
  CHECK(compare_segment_scans<float, support::absolute_sum>(slow_wave) > 150);
  compare_segment_scans<float, support::absolute_sum_with_names>(slow_wave);
  compare_segment_scans<float, support::weighted_count>(slow_wave, {-50, 50, 3});
  compare_segment_scans<float, support::affine_floats>(slow_wave);
  compare_segment_scans<std::uint32_t, support::affine_maps>(
      [](std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761u); });
  compare_segment_scans<std::int32_t, support::index_sum>(
      [](std::size_t i) { return static_cast<std::int32_t>(i % 777) - 300; });
}

TEST_CASE("large states and elements of any size obey the prefix law in segments") {
  compare_segment_scans<std::uint8_t, support::histogram_in_place>(
      [](std::size_t i) { return static_cast<std::uint8_t>(i * 91); }, {}, true);
  compare_segment_scans<support::record<12>, support::record_box<12>>([](std::size_t i) {
    return support::record<12>{slow_wave(i), {}, slow_wave(i + 3)};
  });
  compare_segment_scans<support::record<1000>, support::record_box<1000>>([](std::size_t i) {
    return support::record<1000>{slow_wave(i), {}, slow_wave(i + 3)};
  });
}
