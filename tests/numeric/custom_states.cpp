// States of any size and operations of any make: what does not fit on the stack, what is pushed in place, what settles.
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "onefold/map_reduce.hpp"
#include "support/custom_operations.hpp"
#include "support/custom_runs.hpp"
#include "support/data.hpp"
#include "support/instrumented.hpp"

namespace {

using support::layout;

/// Reduces with 1 to 8 threads and expects the bits of the reference order, whose own recursion holds states on the
/// stack: up to 64 KiB they fit.
template <class Op>
void check_large(const std::vector<std::int64_t>& sizes, layout how) {
  const auto x = support::normal_data<float>(sizes.back(), 11);
  for (const std::int64_t n : sizes) {
    INFO(n << " elements, states of " << sizeof(typename Op::state) << " bytes");
    CHECK(std::bit_cast<std::uint32_t>(support::run<Op>(x, n)) ==
          std::bit_cast<std::uint32_t>(support::reference_indexed<Op>(x, n, how)));
  }
}

/// Runs f on a thread of 256 KiB of stack.
template <class F>
void on_small_stack(F f) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, 256 << 10) == 0);
  pthread_t thread;
  const auto start = [](void* context) -> void* { return (*static_cast<F*>(context))(), nullptr; };
  const int failed = pthread_create(&thread, &attributes, start, &f);  // looked at later: f may check too
  if (!failed) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  REQUIRE(failed == 0);
}

}  // namespace

TEST_CASE("an operation with members needs no default constructor") {
  std::vector<float> x(static_cast<std::size_t>(support::sizes(4).back()));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 11);
  const double scale = 2;
  const float least = 5;
  const support::mapped_sum op{[least](float y) { return y < least ? 0.0 : static_cast<double>(y); }, scale, 1};
  for (const std::int64_t n : support::sizes(4)) {
    double wanted = 0;  // of small integers: exact
    for (std::int64_t i = 0; i < n; ++i) wanted += op.lift(x[static_cast<std::size_t>(i)]);
    for (int threads = 1; threads <= 8; ++threads)
      CHECK(onefold::reduce<float>(x.data(), n, support::on_backend(onefold::accuracy::native, threads), op) == wanted);
  }
}

TEST_CASE("a state that is too large for the stack has the bits of the reference") {
  const std::vector<std::int64_t> some{0, 1, 7, 128, 129, 1500, 4096, 4097, 5 * 4096 + 77};
  check_large<support::large_sums<136>>(some, layout::lanes);
  check_large<support::large_sums<4096>>(some, layout::lanes);
  check_large<support::large_sums<64 << 10>>({0, 1, 300, 4099}, layout::lanes);
  check_large<support::large_ordered_sums<4096>>(some, layout::neighbors);
  check_large<support::large_ordered_sums<64 << 10>>({0, 9, 200, 4099}, layout::neighbors);
}

TEST_CASE("elements that are pushed in place have the bits of the reference") {
  const std::vector<std::int64_t> some{0, 1, 7, 128, 129, 1500, 4096, 4097, 37 * 4096 + 77};
  check_large<support::large_sums_in_place<8>>(some, layout::page);
  check_large<support::large_sums_in_place<4096>>(some, layout::page);
  check_large<support::large_sums_in_place<64 << 10>>({0, 1, 3 * 4096 + 5}, layout::page);
}

TEST_CASE("a large state takes no stack") {
  const auto x = support::normal_data<float>(2 * 4096 + 5, 8);
  using large = support::large_sums<1 << 20>;
  using in_place = support::large_sums_in_place<1 << 20>;
  on_small_stack([&] {
    const auto how = support::on_backend(onefold::accuracy::native, 1);
    CHECK(std::isfinite(onefold::reduce<float, large>(x.data(), 70, how)));
    CHECK(std::isfinite(onefold::reduce<float, in_place>(x.data(), 2 * 4096 + 5, how)));
    CHECK(onefold::reduce<float, in_place>(x.data(), 0, how) == 0);
  });
}

#if !ONEFOLD_TEST_SANITIZED
TEST_CASE("memory for states that there is not is std::bad_alloc") {
  const std::vector<float> x(3, 1.0f);
  const auto how = support::on_backend(onefold::accuracy::native, 1);
  onefold::reduce<float, support::large_sums<4096>>(x, how);  // the backend is loaded before memory is short
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  const rlimit short_of{std::min<rlim_t>(before.rlim_max, 64 << 20), before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_AS, &short_of) == 0);
  bool refused = false;
  try {
    onefold::reduce<float, support::large_sums<64 << 20>>(x, how);
  } catch (const std::bad_alloc&) {
    refused = true;
  }
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  CHECK(refused);
}
#endif

TEST_CASE("computed elements are aligned as their type wants") {
  const auto check = [](auto element) {
    using T = decltype(element);
    const auto made = [](float x) { return T{static_cast<std::int64_t>(x)}; };
    for (const std::size_t n : {3u, 30u, 300u, 3000u}) {
      const std::vector<float> x(n, 1.0f);
      CHECK(onefold::map_reduce<support::misaligned_count<T>>(made, x, support::on_backend()) == 0);
    }
  };
  check(support::wide_element<32>{});
  check(support::wide_element<128>{});
  check(support::wide_element<512>{});
}

TEST_CASE("what settles a state does not drop what came before") {
  const std::int64_t n = 40 * 4096 - 7;
  std::vector<float> x(static_cast<std::size_t>(n), 1.0f);
  for (const std::int64_t at : {0, 1, 4095, 4096, 3 * 4096 + 5, 17 * 4096, 39 * 4096 + 1}) {
    INFO("the first negative element is " << at);
    x[static_cast<std::size_t>(at)] = -1;
    if (at + 6 * 4096 < n) x[static_cast<std::size_t>(at + 6 * 4096)] = -1;  // later ones change nothing
    CHECK(support::run<support::leading_count>(x, n) == at);
    CHECK(support::run<support::large_leading_count>(x, n) == at);
    std::fill(x.begin(), x.end(), 1.0f);
  }
  CHECK(support::run<support::leading_count>(x, n) == n);
}
