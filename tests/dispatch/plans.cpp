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
  CHECK(p.report().why == "the caller asked for it");
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
