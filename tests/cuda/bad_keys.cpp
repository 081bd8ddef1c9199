// Keys on the device that cannot be grouped, and more of them than 32 bits count.
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "memory.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/keys.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"

namespace {

using onefold::backend;
using onefold::error_code;
using support::check_error;
using support::memory_kind;

}  // namespace

TEST_CASE("keys on the device that do not fit") {
  const std::size_t n = 10'000;
  const support::copied<float> far(std::vector<float>(n, 1.0f));
  std::vector<double> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<double>(i % 7);
  keys[9000] = std::numeric_limits<double>::quiet_NaN();
  support::copied<double> far_keys(keys);
  const std::span<const float> values(far.data(), n);
  const std::span<const double> bad(far_keys.data(), n);
  check_error(error_code::invalid_argument, "key 9000 is a NaN", [&] { onefold::sum(onefold::by_key(values, bad)); });
  keys[6543] = -keys[9000];
  far_keys.put(keys);
  check_error(error_code::invalid_argument, "key 6543 is a NaN",
              [&] { onefold::sum(onefold::runs_by_key(values, bad)); });
  check_error(error_code::invalid_argument, "key 6543 is a NaN",
              [&] { onefold::sum(onefold::by_key(values, keys), {.backend = backend::cuda}); });
  check_error(error_code::invalid_argument, "the number of keys, 9999, is not that of the elements, 10000",
              [&] { onefold::sum(onefold::by_key(values, bad.first(n - 1))); });
  check_error(error_code::invalid_argument, "the keys' pointer is null, but there are 10000 keys",
              [&] { onefold::sum(onefold::by_key(values, std::span(static_cast<const int*>(nullptr), n))); });
  check_error(error_code::invalid_argument, "the data pointer is null, but there are 10000 elements",
              [&] { onefold::sum(onefold::by_key(std::span(static_cast<const float*>(nullptr), n), bad)); });
  check_error(error_code::invalid_argument, "the keys are in device memory, which backend sequential cannot read",
              [&] { onefold::sum(onefold::by_key(std::vector<float>(n), bad), {.backend = backend::sequential}); });
  check_error(error_code::invalid_argument, "the data is in device memory, which backend sequential cannot read",
              [&] { onefold::sum(onefold::by_key(values, keys), {.backend = backend::sequential}); });
  check_error(error_code::invalid_argument, "the keys are not aligned to 8 bytes", [&] {
    const auto* const between = reinterpret_cast<const double*>(reinterpret_cast<const char*>(bad.data()) + 4);
    onefold::sum(onefold::by_key(values.first(9), std::span(between, 9)));
  });
  // What an earlier call has found means nothing for keys that cannot be NaN.
  const std::vector<std::int32_t> integers(n, 4);
  CHECK(onefold::sum(onefold::runs_by_key(values, integers)).keys.size() == 1);
  // Values that are not aligned to their size are copied to where a device can load them.
  std::vector<char> bytes(4 * n + 1);
  std::memcpy(bytes.data() + 1, std::vector<float>(n, 0.5f).data(), 4 * n);
  onefold::dynamic_keyed_plan p("sum", "f32", "i32", static_cast<std::int64_t>(n), {.backend = backend::cuda});
  std::int32_t its_key = 0;
  float its_sum = 0;
  CHECK(p.run(bytes.data() + 1, integers.data(), static_cast<std::int64_t>(n),
              onefold::dynamic_keyed_plan::grouping::runs, &its_key, &its_sum, 1) == 1);
  CHECK(its_sum == 0.5f * static_cast<float>(n));
  // What is before the first NaN can be grouped, and the device goes on.
  CHECK(onefold::sum(onefold::by_key(values.first(6543), bad.first(6543))).keys.size() == 7);
  CHECK(onefold::sum(onefold::by_key(values.first(0), bad.first(0))).keys.size() == 0);
}

TEST_CASE("more keys than 32 bits count") {
  // Keys that ascend, and runs, need no sorting.
  const std::int64_t n = (std::int64_t{1} << 32) + 4096, last = (std::int64_t{1} << 32) + 7;
  const support::memory values(memory_kind::device, n), keys(memory_kind::device, n);
  support::cuda(cudaMemset(values.at(), 1, static_cast<std::size_t>(n)));
  support::cuda(cudaMemset(keys.at(), 3, static_cast<std::size_t>(n)));
  support::cuda(cudaMemset(keys.at(last), 5, static_cast<std::size_t>(n - last)));
  const std::span<const std::int8_t> x(values.at<std::int8_t>(), static_cast<std::size_t>(n)),
      by(keys.at<std::int8_t>(), static_cast<std::size_t>(n));
  for (const bool runs : {false, true}) {
    const auto sums = onefold::sum(runs ? onefold::runs_by_key(x, by) : onefold::by_key(x, by));
    REQUIRE(sums.keys.size() == 2);
    CHECK(sums.keys[0] == 3);
    CHECK(sums.keys[1] == 5);
    CHECK(sums.results[0] == last);
    CHECK(sums.results[1] == n - last);
  }
  support::cuda(cudaMemset(keys.at(last), 2, static_cast<std::size_t>(n - last)));
  check_error(error_code::unsupported, std::to_string(n) + " keys do not ascend, and a GPU sorts at most 2^32",
              [&] { onefold::sum(onefold::by_key(x, by)); });
  const auto runs = onefold::sum(onefold::runs_by_key(x, by));
  REQUIRE(runs.keys.size() == 2);
  CHECK(runs.keys[1] == 2);
}
