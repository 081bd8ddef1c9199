// Many threads call at once, on every backend: the same bits as one thread alone, and each error stays with its caller.
#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"

namespace {

constexpr int callers = 8;
constexpr int rounds = 10;

std::vector<float> noise(std::size_t n) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  std::vector<float> data(n);
  for (float& x : data) x = normal(random);
  return data;
}

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Calls work(caller) on all threads at once. Catch's checks are not for threads: what went wrong is counted.
template <class Work>
int failures(Work work) {
  std::atomic<int> wrong{0};
  std::atomic<bool> go{false};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < callers; ++i)
      threads.emplace_back([&, i] {
        go.wait(false);
        for (int round = 0; round < rounds; ++round)
          if (!work(i)) ++wrong;
      });
    go = true;
    go.notify_all();
  }
  return wrong;
}

}  // namespace

TEST_CASE("concurrent one-shot calls") {
  const auto data = noise(400000);
  const float expected = onefold::sum(data, {.backend = onefold::backend::sequential});
  CHECK(failures([&](int) {
          return same_bits(onefold::sum(data, support::on_backend(onefold::accuracy::native, 2)), expected);
        }) == 0);
}

TEST_CASE("concurrent calls on all backends mixed") {
  const auto data = noise(400000);
  const float expected =
      onefold::sum(data, {.backend = onefold::backend::sequential, .accuracy = onefold::accuracy::kahan});
  const onefold::backend choices[] = {support::backend_under_test(), onefold::backend::automatic,
                                      onefold::backend::sequential, onefold::backend::cpu};
  CHECK(
      failures([&](int i) {
        return same_bits(
            onefold::sum(data, {.backend = choices[i % 4], .accuracy = onefold::accuracy::kahan, .threads = 1 + i % 3}),
            expected);
      }) == 0);
}

TEST_CASE("a plan for each thread") {
  const auto data = noise(300000);
  const float expected = onefold::sum(data, {.backend = onefold::backend::sequential});
  std::vector<onefold::plan<float, onefold::op::sum>> plans;
  for (int i = 0; i < callers; ++i) plans.emplace_back(300000, support::on_backend(onefold::accuracy::native, 2));
  CHECK(failures([&](int i) { return same_bits(plans[static_cast<std::size_t>(i)](data), expected); }) == 0);
}

TEST_CASE("errors and results side by side") {
  const std::vector<float> none, one{1};
  CHECK(failures([&](int i) {
          const auto r = onefold::try_reduce<float, onefold::op::max>(i % 2 ? none : one, support::on_backend());
          return i % 2 ? !r && r.error().code() == onefold::error_code::empty_input : r && *r == 1;
        }) == 0);
}

TEST_CASE("callers that come and go") {
  const auto data = noise(200000);
  const float expected = onefold::sum(data, {.backend = onefold::backend::sequential});
  for (int i = 0; i < 20; ++i) {
    bool same = false;
    std::jthread([&] {
      same = same_bits(onefold::sum(data, support::on_backend(onefold::accuracy::native, 2)), expected);
    }).join();
    CHECK(same);
  }
}
