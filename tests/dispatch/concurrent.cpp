// Many threads call at once, on every backend: the same bits as one thread alone, and each error stays with its caller.
#include <atomic>
#include <chrono>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "onefold/custom.hpp"
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

/// Counts elements; the first one waits until as many reductions as there are callers have come this far.
struct meeting {
  std::atomic<int>* arrived;
  using state = std::int64_t;
  static state identity() { return 0; }
  state lift(float, std::int64_t index) const {
    if (index != 0) return 1;
    ++*arrived;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (*arrived < callers && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    return *arrived < callers ? -1'000'000 : 1;
  }
  static state combine(state a, state b) { return a + b; }
  static state finish(state s) { return s; }
};

/// Counts elements; each page's first one reduces by itself.
struct nesting {
  const std::vector<float>* inner;
  using state = std::int64_t;
  static state identity() { return 0; }
  state lift(float, std::int64_t index) const {
    return index % 4096 == 0 ? onefold::count(*inner, support::on_backend(onefold::accuracy::native, 2)) : 1;
  }
  static state combine(state a, state b) { return a + b; }
  static state finish(state s) { return s; }
};

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

TEST_CASE("no caller waits for another's threads") {
  if (support::backend_under_test() == onefold::backend::cuda) return;  // these operations are compiled for CPUs
  const std::vector<float> data(100'000, 1.0f);
  std::atomic<int> arrived{0};
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < callers; ++i)
      threads.emplace_back([&] {
        right += onefold::reduce<float, meeting>(data, support::on_backend(onefold::accuracy::native, 2),
                                                 meeting{&arrived}) == 100'000;
      });
  }
  CHECK(right == callers);
}

TEST_CASE("a reduction within a reduction") {
  if (support::backend_under_test() == onefold::backend::cuda) return;
  const std::vector<float> data(10 * 4096, 1.0f), inner(20'000, 1.0f);
  CHECK(failures([&](int) {
          return onefold::reduce<float, nesting>(data, support::on_backend(onefold::accuracy::native, 2),
                                                 nesting{&inner}) == 10 * 4095 + 10 * 20'000;
        }) == 0);
}
