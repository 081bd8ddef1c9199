// The slice law for user-defined operations: indices, order, large states, elements of any size, members.
#include <cstring>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/shapes.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"

namespace {

/// Reduces axis 1 of arrays of three axes in several layouts, and compares with reduce over copies; how many results
/// were compared.
template <class T, class Op, class Fill>
int compare(Fill fill, Op op = {}) {
  using R = onefold::default_result<T, Op>;
  int compared = 0;
  const auto page = static_cast<std::int64_t>(onefold::page_elements(sizeof(T)));
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{7}, std::int64_t{130}, page, 2 * page + 9})
    for (const std::int64_t outer : {1, 3})
      for (const std::int64_t inner : {1, 5})
        for (const int threads : {1, 3}) {
          std::vector<T> x(static_cast<std::size_t>(outer * (n + 1) * inner));
          for (std::size_t i = 0; i < x.size(); ++i) x[i] = fill(i);
          // C order with a row of padding, and the same array with its first axis innermost.
          const onefold::array_view<T> c(x.data(), {outer, n, inner}, {(n + 1) * inner, inner, 1}),
              f(x.data(), {outer, n, inner}, {1, outer, outer * n});
          for (const auto& view : {c, f}) {
            const auto how = support::on_backend(onefold::accuracy::native, threads);
            const auto found = onefold::reduce<T, Op>(view, {.axes = {1}}, how, op);
            REQUIRE(found.size() == static_cast<std::size_t>(outer * inner));
            std::vector<T> slice(static_cast<std::size_t>(n));
            for (std::int64_t o = 0; o < outer; ++o)
              for (std::int64_t i = 0; i < inner; ++i) {
                for (std::int64_t k = 0; k < n; ++k)
                  slice[static_cast<std::size_t>(k)] =
                      x[static_cast<std::size_t>(o * view.stride(0) + k * view.stride(1) + i * view.stride(2))];
                const R meant = onefold::reduce<T, Op>(slice, how, op);
                CHECK(std::memcmp(&found[static_cast<std::size_t>(o * inner + i)], &meant, sizeof(R)) == 0);
                ++compared;
              }
          }
        }
  return compared;
}

float ripple(std::size_t i) { return static_cast<float>(i % 1013) * 0.37f - 100; }

}  // namespace

TEST_CASE("user-defined operations obey the slice law") {
  const auto floats = [](std::size_t i) { return ripple(i); };
  const int all = compare<float, support::absolute_sum>(floats);
  CHECK(all == 2 * 5 * 2 * (1 + 3) * (1 + 5));
#ifndef __CUDACC__  // there states are plain types
  compare<float, support::absolute_sum_packs>(floats);
  compare<float, support::absolute_sum_lifted>(floats);
#endif
  compare<float, support::weighted_count>(floats, {-50, 50, 3});
  compare<float, support::affine_floats>(floats);
  compare<std::uint32_t, support::affine_maps>(
      [](std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761u); });
  compare<std::int32_t, support::index_sum>([](std::size_t i) { return static_cast<std::int32_t>(i % 777) - 300; });
  compare<std::uint8_t, support::histogram>([](std::size_t i) { return static_cast<std::uint8_t>(i * 37); });
  compare<std::uint8_t, support::histogram_in_place>([](std::size_t i) { return static_cast<std::uint8_t>(i * 91); });
}

TEST_CASE("large states and elements of any size obey the slice law") {
#ifndef __CUDACC__  // operations of the host alone
  const auto floats = [](std::size_t i) { return ripple(i); };
  compare<float, support::large_sums<4096>>(floats);
  compare<float, support::large_ordered_sums<2048>>(floats);
#endif
  compare<support::record<12>, support::record_box<12>>([](std::size_t i) {
    return support::record<12>{ripple(i), {}, ripple(i + 3)};
  });
  compare<support::record<1000>, support::record_box<1000>>([](std::size_t i) {
    return support::record<1000>{ripple(i), {}, ripple(i + 3)};
  });
}
