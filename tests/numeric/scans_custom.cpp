// The prefix law for user-defined operations: indices, order, large states, elements of any size, members, packs.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/scan.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"

namespace {

/// Scans arrays and columns of several lengths, and compares with reduce over prefixes; how many results were compared.
template <class T, class Op, class Fill>
int compare(Fill fill, Op op = {}) {
  using R = onefold::default_result<T, Op>;
  int compared = 0;
  const auto page = static_cast<std::int64_t>(onefold::page_elements(sizeof(T)));
  const std::int64_t longest = sizeof(R) > 64 ? page + 9 : 40 * page + 9;
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{7}, std::int64_t{130}, page, 2 * page + 9, longest})
    for (const std::int64_t inner : {1, 3})
      for (const int threads : {1, 3}) {
        if (n > longest || (n > 3 * page && inner > 1)) continue;
        std::vector<T> x(static_cast<std::size_t>(n * inner));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = fill(i);
        const onefold::array_view<T> view(x.data(), {n, inner});
        const auto how = support::on_backend(onefold::accuracy::native, threads);
        const auto found = onefold::inclusive_scan<T, Op>(view, 0, how, op);
        const auto shifted = onefold::exclusive_scan<T, Op>(view, 0, how, op);
        REQUIRE(found.size() == x.size());
        for (std::int64_t c = 0; c < inner; ++c) {
          std::vector<T> line(static_cast<std::size_t>(n));
          for (std::int64_t i = 0; i < n; ++i)
            line[static_cast<std::size_t>(i)] = x[static_cast<std::size_t>(i * inner + c)];
          const std::int64_t step = n < 200 ? 1 : n / 23;
          for (std::int64_t i = 0; i < n;
               i += (i % step == 0 && i + step >= n ? std::max<std::int64_t>(1, n - 1 - i) : step)) {
            const R meant = onefold::reduce<T, Op>(line.data(), i + 1, how, op),
                    before = onefold::reduce<T, Op>(line.data(), i, how, op);
            const auto place = static_cast<std::size_t>(i * inner + c);
            CHECK(std::memcmp(&found[place], &meant, sizeof(R)) == 0);
            CHECK(std::memcmp(&shifted[place], &before, sizeof(R)) == 0);
            ++compared;
          }
        }
      }
  return compared;
}

float ripple(std::size_t i) { return static_cast<float>(i % 1013) * 0.37f - 100; }

/// Infinities of both signs and NaN with other bits than the canonical one among numbers.
float hostile(std::size_t i) {
  const float infinity = std::numeric_limits<float>::infinity();
  return i % 97 == 50 ? infinity : i % 89 == 80 ? -infinity : i % 211 == 200 ? -std::nanf("7") : ripple(i);
}

/// A sum in the processor's arithmetic.
struct own_sum {
  struct state {
    float s;
  };
  state identity() const { return {-0.0f}; }
  state lift(float x) const { return {x}; }
  state combine(state a, state b) const { return {a.s + b.s}; }
  float finish(state a) const { return a.s; }
};

template <std::size_t Align>
void check_alignment() {
  using T = support::wide_element<Align>;
  const std::vector<T> x(600, {1});
  for (const int axis : {0, 1})
    for (const std::int64_t misaligned : onefold::inclusive_scan<T, support::misaligned_count<T>>(
             onefold::array_view<T>(x.data(), {20, 30}), axis, support::on_backend()))
      CHECK(misaligned == 0);
}

}  // namespace

TEST_CASE("user-defined operations obey the prefix law") {
  const auto floats = [](std::size_t i) { return ripple(i); };
  CHECK(compare<float, support::absolute_sum>(floats) > 800);
  compare<float, support::absolute_sum_with_names>(floats);
#ifndef __CUDACC__  // there states are plain types
  compare<float, support::absolute_sum_packs>(floats);
  compare<float, support::absolute_sum_lifted>(floats);
  compare<float, support::absolute_sum_of_pages>(floats);
#endif
  compare<float, support::weighted_count>(floats, {-50, 50, 3});
  compare<float, support::affine_floats>(floats);
  compare<std::uint32_t, support::affine_maps>(
      [](std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761u); });
  compare<std::int32_t, support::index_sum>([](std::size_t i) { return static_cast<std::int32_t>(i % 777) - 300; });
}

TEST_CASE("a NaN of a user-defined operation is the canonical one") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const std::vector<float>& x : {std::vector<float>{infinity, -infinity}, {1, -std::nanf("7")}})
    CHECK(std::bit_cast<std::uint32_t>(onefold::reduce<float, own_sum>(x, support::on_backend())) == 0x7fc00000);
  CHECK(compare<float, own_sum>(hostile) > 800);
  compare<float, support::absolute_sum>(hostile);
#ifndef __CUDACC__
  compare<float, support::absolute_sum_packs>(hostile);
#endif
}

TEST_CASE("large states and elements of any size obey the prefix law") {
  compare<std::uint8_t, support::histogram>([](std::size_t i) { return static_cast<std::uint8_t>(i * 37); });
  compare<std::uint8_t, support::histogram_in_place>([](std::size_t i) { return static_cast<std::uint8_t>(i * 91); });
  compare<support::record<12>, support::record_box<12>>([](std::size_t i) {
    return support::record<12>{ripple(i), {}, ripple(i + 3)};
  });
  compare<support::record<1000>, support::record_box<1000>>([](std::size_t i) {
    return support::record<1000>{ripple(i), {}, ripple(i + 3)};
  });
  compare<support::record<48>, support::strip_count<48>>([](std::size_t i) {
    return support::record<48>{ripple(i), {}, ripple(i + 3)};
  });
}

TEST_CASE("elements are scanned where they are aligned, also after they were gathered") {
  check_alignment<128>();
  check_alignment<256>();
  check_alignment<512>();
  check_alignment<4096>();
}
