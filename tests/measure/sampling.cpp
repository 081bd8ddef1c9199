// How often a call is repeated: by budget, at least some times, in batches, and not after a stop.
#include "measure/sampling.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "support/catch.hpp"

using namespace onefold::measure;

namespace {
void nap(std::int64_t milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }
}  // namespace

TEST_CASE("a long call is sampled the least number of times, after a warm-up") {
  int calls = 0, after = 0;
  effort how;
  how.seconds = 0;
  const auto s = sample(
      how,
      [&](std::int64_t count) {
        CHECK(count == 1);
        ++calls;
        nap(2);
      },
      [&] { ++after; });
  REQUIRE(s);
  CHECK(s->samples == how.least_samples);
  CHECK(calls == static_cast<int>(how.least_samples) + 1);
  CHECK(after == calls);
  CHECK(s->minimum >= 2e-3);
}

TEST_CASE("a short call is measured many at a time, and its time is that of one") {
  effort how;
  how.seconds = 0.1;
  how.least_sample = 5e-3;
  std::int64_t largest = 0;
  const auto s = sample(how, [&](std::int64_t count) {
    largest = std::max(largest, count);
    std::this_thread::sleep_for(std::chrono::microseconds(500 * count));
  });
  REQUIRE(s);
  CHECK(largest >= 8);
  CHECK(s->median >= 0.5e-3);
  CHECK(s->median < 5e-3);
}

TEST_CASE("the budget ends the sampling") {
  effort how;
  how.seconds = 0.05;
  const auto start = std::chrono::steady_clock::now();
  const auto s = sample(how, [](std::int64_t count) { nap(count); });
  REQUIRE(s);
  CHECK(s->samples > how.least_samples);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(50));
  how.most_samples = 7;
  CHECK(sample(how, [](std::int64_t) {})->samples == 7);
}

TEST_CASE("what is stopped has no summary") {
  std::atomic<bool> stop = false;
  effort how;
  how.seconds = 100;
  how.stop = &stop;
  int calls = 0;
  CHECK_FALSE(sample(how, [&](std::int64_t) {
    nap(1);
    stop = ++calls == 3;
  }));
  CHECK(calls == 3);
}

TEST_CASE("what a call throws passes through") {
  CHECK_THROWS_AS(sample({}, [](std::int64_t) { throw std::runtime_error("no"); }), std::runtime_error);
}
