// Runs of an operation as text beside the same operation compiled with the tests.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/sources.hpp"

namespace support {

template <class T>
std::vector<T> source_elements(std::int64_t n) {
  std::vector<T> x(static_cast<std::size_t>(n));
  random_numbers random(77);
  for (T& one : x) one = static_cast<T>(std::is_integral_v<T> ? random.integer(0, 100) : random.uniform(-2, 2));
  return x;
}

/// Compares mine::cubes as text, run as `how` says, with the compiled one on a backend of the CPU, over axes, segments,
/// keys and selected elements.
inline void check_source_plans(const onefold::options& how, const onefold::options& reference) {
  using onefold::dtype;
  const auto text = source_of("cubes", dtype::f32);
  const auto x = source_elements<float>(60'000);
  const onefold::array_view<float> view(x.data(), {200, 300});
  std::vector<float> results(60'000);
  const auto check_bits = [&](const auto& wanted) {
    REQUIRE(wanted.size() > 0);
    CHECK(std::memcmp(results.data(), wanted.data(), wanted.size() * sizeof(float)) == 0);
  };
  for (const int along : {0, 1}) {
    onefold::dynamic_shaped_plan p(text, view.axes(), {.axes = along}, how);
    p.run(x.data(), results.data(), p.size());
    check_bits(onefold::reduce<float, mine::cubes>(view, {.axes = along}, reference));
  }
  {
    const std::vector<std::int32_t> offsets{0, 3, 3, 20'000, 59'999};
    onefold::dynamic_segmented_plan p(text, 4, 60'000, how);
    p.run(x.data(), 60'000, offsets.data(), 5, dtype::i32, results.data(), 4);
    check_bits(onefold::reduce<float, mine::cubes>(onefold::segments(x, offsets), reference));
  }
  {
    std::vector<std::int32_t> keys(x.size()), found(x.size());
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::int32_t>(i * i % 11);
    onefold::dynamic_keyed_plan p(text, dtype::i32, 60'000, how);
    const std::int64_t groups = p.run(x.data(), keys.data(), 60'000, onefold::dynamic_keyed_plan::grouping::keys,
                                      found.data(), results.data(), 60'000);
    const auto wanted = onefold::reduce<float, mine::cubes>(onefold::by_key(x, keys), reference);
    CHECK(groups == static_cast<std::int64_t>(wanted.keys.size()));
    check_bits(wanted.results);
  }
  {
    std::vector<std::uint8_t> mask(x.size());
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 3 != 1;
    const onefold::array_view<std::uint8_t> lies(mask.data(), {200, 300});
    onefold::dynamic_selected_plan p(text, view.axes(), {onefold::mask_kind::bytes, lies.axes()}, {.axes = 1}, how);
    p.run(x.data(), mask.data(), results.data(), p.size());
    check_bits(onefold::reduce<float, mine::cubes>(onefold::where(view, lies), {.axes = 1}, reference));
  }
}

}  // namespace support
