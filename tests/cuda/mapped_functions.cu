// Functions of elements that a .cu file compiles for the device: lambdas, function objects, members, and what computes
// on CPUs only.
#include "onefold/onefold.hpp"  // first: its verbs must not hide what device code calls

#include "onefold/cuda.cuh"

#include <cstdint>
#include <cstring>
#include <vector>

#include "memory.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::array_view;
using onefold::backend;
using onefold::error_code;
using onefold::map_reduce;
using onefold::mapped;
using onefold::options;
using support::bits_of;
namespace op = onefold::op;

struct order {
  float price;
  std::int16_t amount;
  bool open;
};

/// Callable on the device because it is constexpr.
struct revenue {
  float tax;
  constexpr float operator()(const order& o) const { return o.price * static_cast<float>(o.amount) * (1 + tax); }
};

/// Has no default, and is not an element type.
struct pair_of_numbers {
  float low;
  double high;
  __host__ __device__ pair_of_numbers(float a, double b) : low(a), high(b) {}
};
struct sum_of_pairs {
  struct state {
    float low;
    double high;
  };
  static constexpr state identity() { return {0, 0}; }
  __host__ __device__ static state lift(const pair_of_numbers& x) { return {x.low, x.high}; }
  static constexpr state combine(state a, state b) { return {a.low + b.low, a.high + b.high}; }
  static constexpr double finish(state s) { return s.low + s.high; }
};

std::vector<order> some_orders(std::int64_t n) {
  const auto prices = support::normal_data<float>(n, 1);
  std::vector<order> all;
  for (std::size_t i = 0; i < prices.size(); ++i)
    all.push_back({prices[i], static_cast<std::int16_t>(i % 7), i % 3 == 0});
  return all;
}

const options on_cpu{.backend = backend::sequential}, on_cuda{.backend = backend::cuda};

/// reduce(options, x) on the device, of what is there and of what is on the host, has the bits of the CPU.
template <class T, class Reduce>
void compare(const std::vector<T>& x, const Reduce& reduce) {
  const support::copied<T> there{std::span<const T>(x)};
  const std::span<const T> here(x), far(there.data(), x.size());
  const auto meant = bits_of(reduce(on_cpu, here));
  CHECK(bits_of(reduce(on_cuda, far)) == meant);
  CHECK(bits_of(reduce(options{}, far)) == meant);
  CHECK(bits_of(reduce(on_cuda, here)) == meant);
}

int on_the_host_only(float x) { return static_cast<int>(x) + 1; }

}  // namespace

TEST_CASE("function objects, members and lambdas compute on the device") {
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{1000}, std::int64_t{3} << 20}) {
    const auto orders = some_orders(n);
    const float least = 0.25f;
    const auto valuable = [=] __host__ __device__(const order& o) { return o.price > least ? o.price * o.amount : 0; };
    const auto difference = [] __host__ __device__(double a, double b, double c) { return a * b - c; };
    compare(orders, [](const options& how, auto x) { return map_reduce<op::sum>(revenue{0.19f}, x, how); });
    compare(orders, [](const options& how, auto x) { return map_reduce<op::max>(&order::price, x, how); });
    compare(orders, [](const options& how, auto x) { return map_reduce<op::sum>(&order::amount, x, how); });
    compare(orders, [](const options& how, auto x) { return onefold::any(mapped(&order::open, x), how); });
    compare(orders, [=](const options& how, auto x) { return onefold::argmax(mapped(valuable, x), how); });
    compare(support::normal_data<double>(n, 2),
            [=](const options& how, auto x) { return map_reduce<op::norm2>(difference, x, x, x, how); });
  }
}

TEST_CASE("functions of elements over axes, in plans") {
  const auto x = support::normal_data<float>(600 * 500, 3);
  const support::copied<float> there{std::span<const float>(x)};
  const auto f = [] __host__ __device__(float a, float b) { return a < b ? b - a : a * b; };
  const auto elements = [&](const float* data) {
    return mapped(f, array_view<float>(data, {600, 500}), array_view<float>(data, {600, 500}, {1, 600}));
  };
  for (const int axis : {0, 1}) {
    onefold::mapped_plan<float, op::sum> here(elements(x.data()), {.axes = axis}, on_cpu);
    onefold::mapped_plan<float, op::sum> far(elements(x.data()), {.axes = axis});
    std::vector<float> meant(static_cast<std::size_t>(here.size())), found(meant.size());
    here(elements(x.data()), meant);
    far(elements(there.data()), found);
    CHECK(far.report().backend == backend::cuda);
    CHECK(std::memcmp(meant.data(), found.data(), 4 * meant.size()) == 0);
  }
}

TEST_CASE("a user-defined operation over what a function returns") {
  const auto both = [] __host__ __device__(float a) { return pair_of_numbers(a, 2.0 * a); };
  for (const std::int64_t n : {std::int64_t{100}, std::int64_t{1} << 21})
    compare(support::normal_data<float>(n, 4),
            [=](const options& how, auto x) { return map_reduce<sum_of_pairs>(both, x, how); });
}

TEST_CASE("functions that compute on CPUs only") {
  const auto x = support::normal_data<float>(1000, 5);
  const support::copied<float> there{std::span<const float>(x)};
  const std::span<const float> far(there.data(), x.size());
  const auto refused = [&](const auto& f) {
    CHECK(onefold::sum(mapped(f, x)) == onefold::sum(mapped(f, x), on_cpu));
    support::check_error(error_code::unsupported, "runs on CPUs only, not on backend cuda",
                         [&] { onefold::sum(mapped(f, x), on_cuda); });
    support::check_error(error_code::invalid_argument, "where the function that computes the elements cannot run",
                         [&] { onefold::sum(mapped(f, far)); });
  };
  refused([](float a) { return on_the_host_only(a); });
  refused([](auto a) { return a; });
  refused(on_the_host_only);
  const std::vector<float> table{1, 2};
  refused([table](float a) { return a + table[0]; });
}
