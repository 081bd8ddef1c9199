// Plans: chosen once, run many times, with any number of elements up to their own.
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"

namespace {

std::vector<float> noise(std::size_t n) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> data(n);
  for (float& x : data) x = normal(random);
  return data;
}

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

TEST_CASE("a plan gives what reduce gives, for every n up to its own and in any sequence") {
  const auto data = noise(1 << 20);
  for (const auto mode : {onefold::accuracy::native, onefold::accuracy::wide, onefold::accuracy::kahan}) {
    onefold::plan<float, onefold::op::sum> p(1 << 20, support::on_backend(mode, 2));
    for (const std::int64_t n : {1 << 20, 1, 4096, 4097, 0, 700001, 127, 128, 129, 8192, 12289, 500000, 1 << 20}) {
      const float once = onefold::reduce<float, onefold::op::sum>(
          data.data(), n, {.backend = onefold::backend::sequential, .accuracy = mode});
      INFO(n);
      CHECK(same_bits(p(data.data(), n), once));
    }
  }
}

TEST_CASE("a plan says who runs it") {
  const onefold::plan<double, onefold::op::max> p(1000000, support::on_backend(onefold::accuracy::native, 2));
  CHECK(p.report().backend == support::backend_under_test());
  const auto who = support::backend_under_test();
  CHECK(p.report().threads == (who == onefold::backend::cuda ? 0 : who == onefold::backend::sequential ? 1 : 2));
  CHECK(p.report().why == "requested by the caller");
}

TEST_CASE("a plan can be moved") {
  const auto data = noise(50000);
  onefold::plan<float, onefold::op::sum> a(50000, support::on_backend());
  const float expected = a(data);
  onefold::plan<float, onefold::op::sum> b = std::move(a);
  CHECK(same_bits(b(data), expected));
  onefold::plan<float, onefold::op::sum> c(1, support::on_backend());
  c = std::move(b);
  CHECK(same_bits(c(data), expected));
  std::vector<onefold::plan<float, onefold::op::sum>> many;
  for (int i = 0; i < 5; ++i) many.emplace_back(50000, support::on_backend());
  for (auto& p : many) CHECK(same_bits(p(data), expected));
}

TEST_CASE("a plan that was moved from throws, and can be assigned to") {
  const auto data = noise(50000);
  const auto how = support::on_backend();
  using plan = onefold::plan<float, onefold::op::sum>;
  plan by_construction(50000, how), by_assignment(50000, how), taker(1, how);
  const float expected = by_construction(data);
  plan b = std::move(by_construction);
  taker = std::move(by_assignment);
  const auto refused = [](auto&& f) {
    try {
      f();
    } catch (const onefold::error& e) {
      return e.code() == onefold::error_code::invalid_argument &&
             std::string(e.what()).find("the plan was moved from") != std::string::npos;
    }
    return false;
  };
  for (plan* p : {&by_construction, &by_assignment}) {
    float result = 0;
    const std::int64_t n = 1;
    for (const std::int64_t size : {0, 1, 4096, 50000, 50001, -1}) CHECK(refused([&] { (*p)(data.data(), size); }));
    CHECK(refused([&] { (*p)(nullptr, 0); }));
    CHECK(refused([&] { p->enqueue(data.data(), 1, &result, nullptr); }));
    CHECK(refused([&] { p->enqueue(data.data(), &n, &result, nullptr); }));
    CHECK(refused([&] { static_cast<void>(p->report()); }));
    plan next = std::move(*p);
    CHECK(refused([&] { next(data); }));
    *p = plan(50000, how);
    CHECK(same_bits((*p)(data), expected));
  }
  CHECK(same_bits(b(data), expected));
  CHECK(same_bits(taker(data), expected));
  plan& itself = taker;
  taker = std::move(itself);
  CHECK(same_bits(taker(data), expected));
}

TEST_CASE("a plan for no elements") {
  onefold::plan<float, onefold::op::sum> p(0, support::on_backend());
  CHECK(p(nullptr, 0) == 0);
  CHECK(p({}) == 0);
  CHECK_THROWS_AS(p(noise(1)), onefold::error);
}

TEST_CASE("a plan for more elements than there is memory") {
  onefold::plan<double, onefold::op::sum> p(std::int64_t{1} << 50, support::on_backend(onefold::accuracy::native, 2));
  const std::vector<double> ones(100000, 1.0);
  CHECK(p(ones) == 100000.0);
}
