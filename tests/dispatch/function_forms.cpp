// Where a function stands in a call: after its arrays or before them, once for two arrays, and twice for one; and the
// verbs beyond the catalog that take one. Each call has the bits of the plain form.
#include <cstdint>
#include <deque>
#include <list>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "onefold/central_moments.hpp"
#include "onefold/integer_sum.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace op = onefold::op;
using support::bits_of;
using support::on_backend;

namespace {

struct order {
  double price;
  int amount;
  std::int64_t stamp;
  double total() const { return price * amount; }
};

std::vector<double> numbers(unsigned seed, std::size_t n = 5000) {
  support::random_numbers r(seed);
  std::vector<double> x(n);
  for (double& a : x) a = r.integer(-1'000'000, 1'000'000) / 1024.0;
  return x;
}

std::vector<order> random_orders() {
  support::random_numbers r(8);
  std::vector<order> all;
  for (int i = 0; i < 5000; ++i)
    all.push_back({r.integer(1, 1'000'000) / 1024.0, r.integer(1, 50), std::int64_t{1} << 62});
  return all;
}

template <class T, class F>
std::vector<T> values_of(const std::vector<order>& orders, F f) {
  std::vector<T> x;
  for (const order& o : orders) x.push_back(std::invoke(f, o));
  return x;
}

template <class R>
auto all_bits(const onefold::result_array<R>& results) {
  std::vector<support::result_bits> bits;
  for (const R& r : results) bits.push_back(bits_of(r));
  return bits;
}

double halved(double a) { return a / 2; }
double product_of(double a, double b) { return a * b; }

}  // namespace

TEST_CASE("map_reduce takes the function after its arrays") {
  const auto x = numbers(1), y = numbers(2), z = numbers(3);
  const auto how = on_backend(onefold::accuracy::native, 2);
  const auto square = [](double a) { return a * a; };
  const auto product = [](double a, double b) { return a * b; };
  const auto fused = [](double a, double b, double c) { return a * b + c; };
  CHECK(bits_of(onefold::map_reduce<op::sum>(x, square, how)) == bits_of(onefold::map_reduce<op::sum>(square, x, how)));
  CHECK(bits_of(onefold::map_reduce<op::sum>(x, y, product, how)) ==
        bits_of(onefold::map_reduce<op::sum>(product, x, y, how)));
  CHECK(bits_of(onefold::map_reduce<op::max>(x, y, z, fused, how)) ==
        bits_of(onefold::map_reduce<op::max>(fused, x, y, z, how)));
  CHECK(bits_of(onefold::map_reduce<op::sum, float>(x, square, how, op::sum{})) ==
        bits_of(onefold::map_reduce<op::sum, float>(square, x, how)));
  CHECK(bits_of(onefold::map_reduce<op::sum>(x, halved, {.threads = 2})) ==
        bits_of(onefold::map_reduce<op::sum>(halved, x)));
  CHECK(bits_of(onefold::sum(onefold::mapped(x, y, product), how)) ==
        bits_of(onefold::sum(onefold::mapped(product, x, y), how)));
  const auto orders = random_orders();
  CHECK(onefold::map_reduce<op::max>(orders, &order::price) == onefold::max(orders, &order::price));
  CHECK(onefold::map_reduce<op::sum>(orders, &order::total) == onefold::map_reduce<op::sum>(&order::total, orders));
  const std::deque<double> far(x.begin(), x.end());
  CHECK(bits_of(onefold::map_reduce<op::sum>(far, std::span(y), product_of)) ==
        bits_of(onefold::map_reduce<op::sum>(product, x, y)));
}

TEST_CASE("map_reduce takes the function after its arrays over axes") {
  const auto x = numbers(1), y = numbers(2), z = numbers(3);
  const onefold::array_view<double> a(x.data(), {50, 100}), b(y.data(), {50, 100}), c(z.data(), {50, 100});
  const auto square = [](double u) { return u * u; };
  const auto product = [](double u, double v) { return u * v; };
  const auto fused = [](double u, double v, double w) { return u * v + w; };
  const auto how = on_backend();
  CHECK(all_bits(onefold::map_reduce<op::sum>(a, square, {.axes = {1}}, how)) ==
        all_bits(onefold::map_reduce<op::sum>(square, a, {.axes = {1}}, how)));
  CHECK(all_bits(onefold::map_reduce<op::sum>(a, b, product, {.axes = {0}}, how)) ==
        all_bits(onefold::map_reduce<op::sum>(product, a, b, {.axes = {0}}, how)));
  CHECK(all_bits(onefold::map_reduce<op::min>(a, b, c, fused, {.axes = {1}, .keep = true})) ==
        all_bits(onefold::map_reduce<op::min>(fused, a, b, c, {.axes = {1}, .keep = true})));
}

TEST_CASE("verbs take a function of two arrays or three") {
  const auto x = numbers(4), y = numbers(5);
  const auto how = on_backend(onefold::accuracy::native, 2);
  const auto product = [](double a, double b) { return a * b; };
  CHECK(bits_of(onefold::sum(x, y, product, how)) == bits_of(onefold::sum(onefold::mapped(product, x, y), how)));
  CHECK(bits_of(onefold::argmax(x, y, product_of)) == bits_of(onefold::argmax(onefold::mapped(product, x, y))));
  CHECK(onefold::count(
            x, y, [](double a, double b) { return a < b; }, how) ==
        onefold::count(onefold::mapped([](double a, double b) { return a < b; }, x, y)));
  const onefold::array_view<double> a(x.data(), {50, 100}), b(y.data(), {50, 100});
  CHECK(all_bits(onefold::sum(a, b, product, 1, how)) ==
        all_bits(onefold::sum(onefold::mapped(product, a, b), 1, how)));
  const auto fused = [](double u, double v, double w) { return u * v + w; };
  const auto z = numbers(6);
  const onefold::array_view<double> c(z.data(), {50, 100});
  CHECK(bits_of(onefold::sum(x, y, z, fused, how)) == bits_of(onefold::sum(onefold::mapped(fused, x, y, z), how)));
  CHECK(bits_of(onefold::max(x, y, z, fused)) == bits_of(onefold::max(onefold::mapped(fused, x, y, z))));
  CHECK(all_bits(onefold::mean(a, b, c, fused, 0, how)) ==
        all_bits(onefold::mean(onefold::mapped(fused, a, b, c), 0, how)));
  const auto orders = random_orders();
  std::vector<double> rates(orders.size(), 0.5);
  const auto cost = [](const order& o, double rate) { return o.price * rate; };
  CHECK(bits_of(onefold::norm2(orders, rates, cost)) == bits_of(onefold::norm2(onefold::mapped(cost, orders, rates))));
}

TEST_CASE("verbs of two arrays take two functions of one") {
  const auto orders = random_orders();
  const auto prices = values_of<double>(orders, &order::price), amounts = values_of<double>(orders, &order::amount);
  const auto how = on_backend(onefold::accuracy::native, 2);
  CHECK(bits_of(onefold::weighted_mean(orders, &order::price, &order::amount, how)) ==
        bits_of(onefold::weighted_mean(prices, amounts, how)));
  CHECK(bits_of(onefold::correlation(orders, &order::price, &order::amount)) ==
        bits_of(onefold::correlation(prices, amounts)));
  CHECK(bits_of(onefold::dot(orders, &order::price, [](const order& o) { return o.amount; })) ==
        bits_of(onefold::dot(prices, amounts)));
  const onefold::array_view<order> table(orders.data(), {50, 100});
  const onefold::array_view<double> a(prices.data(), {50, 100}), b(amounts.data(), {50, 100});
  CHECK(all_bits(onefold::covariance(table, &order::price, &order::amount, 1)) ==
        all_bits(onefold::covariance(a, b, 1)));
  CHECK(bits_of(onefold::distance(orders, &order::price, &order::amount, onefold::norm::l1, how)) ==
        bits_of(onefold::distance(prices, amounts, onefold::norm::l1, how)));
  CHECK(bits_of(onefold::distance(orders, &order::price, &order::amount)) ==
        bits_of(onefold::distance(prices, amounts)));
}

TEST_CASE("norms and user-defined operations of the library take members") {
  const auto orders = random_orders();
  const auto prices = values_of<double>(orders, &order::price);
  const auto amounts = values_of<int>(orders, &order::amount);
  const auto how = on_backend();
  CHECK(bits_of(onefold::norm1(orders, &order::price, how)) == bits_of(onefold::norm1(prices, how)));
  CHECK(onefold::norm_inf(orders, &order::amount) == onefold::norm_inf(amounts));
  CHECK(onefold::central_moments(orders, &order::price, how) == onefold::central_moments(prices, how));
  CHECK(onefold::integer_sum(orders, &order::stamp, how).text() == "23058430092136939520000");
  const onefold::array_view<order> table(orders.data(), {50, 100});
  CHECK(onefold::integer_sum(table, &order::stamp, 1)[7].text() == "461168601842738790400");
  CHECK(onefold::central_moments(table, &order::price, 1)[0].n == 100);
}

TEST_CASE("order statistics and histograms of computed elements") {
  const auto orders = random_orders();
  const auto totals = values_of<double>(orders, &order::total);
  const auto prices = values_of<double>(orders, &order::price);
  const auto how = on_backend(onefold::accuracy::native, 2);
  CHECK(onefold::median(orders, &order::total, how) == onefold::median(totals));
  CHECK(onefold::median(onefold::mapped(&order::total, orders)) == onefold::median(totals));
  CHECK(onefold::nanmedian(orders, &order::total) == onefold::median(totals));
  CHECK(onefold::nth_smallest(orders, &order::price, 17) == onefold::nth_smallest(prices, 17));
  CHECK(onefold::quantile(orders, &order::price, 0.9) == onefold::quantile(prices, 0.9));
  CHECK(onefold::quantile(orders, &order::price, 0.9, onefold::quantile_method::lower, how) ==
        onefold::quantile(prices, 0.9, onefold::quantile_method::lower));
  CHECK(onefold::nanquantile(orders, &order::price, 0.2, how) == onefold::quantile(prices, 0.2));
  CHECK(onefold::quantiles(orders, &order::price, {0.1, 0.9}) == onefold::quantiles(prices, {0.1, 0.9}));
  const auto most = onefold::top_k(orders, &order::price, 20), meant = onefold::top_k(prices, 20);
  CHECK(most.values == meant.values);
  CHECK(most.indices == meant.indices);
  CHECK(onefold::bottom_k(orders, &order::amount, 3, how).values ==
        onefold::bottom_k(values_of<int>(orders, &order::amount), 3).values);
  CHECK(onefold::histogram(orders, &order::price, 10, how).counts == onefold::histogram(prices, 10).counts);
  CHECK(onefold::histogram(orders, &order::price, {0.0, 100.0, 1000.0}).counts ==
        onefold::histogram(prices, {0.0, 100.0, 1000.0}).counts);
  CHECK(onefold::histogram(orders, &order::price, {.low = 0, .high = 500, .count = 5}).counts ==
        onefold::histogram(prices, {.low = 0, .high = 500, .count = 5}).counts);
  const auto first = [](const order& o, double rate) { return o.price * rate; };
  const std::vector<double> one(orders.size(), 1.0);
  CHECK(onefold::median(onefold::mapped(first, orders, one)) == onefold::median(prices));
}

TEST_CASE("order statistics of views with axes in another order, deques, views of ranges and pieces") {
  const auto x = numbers(6);
  const std::deque<double> far(x.begin(), x.end());
  CHECK(onefold::median(far) == onefold::median(x));
  CHECK(onefold::top_k(far, 5).indices == onefold::top_k(x, 5).indices);
  CHECK(onefold::nanquantile(far, 0.3) == onefold::quantile(x, 0.3));
  const onefold::array_view<double> columns(x.data(), {100, 50}, {1, 100});
  const auto copy = [&] {
    std::vector<double> all;
    for (std::size_t i = 0; i < 100; ++i)
      for (std::size_t j = 0; j < 50; ++j) all.push_back(-x[i + 100 * j]);
    return all;
  }();
  const auto found = onefold::top_k(onefold::mapped([](double a) { return -a; }, columns), 9);
  CHECK(found.values == onefold::top_k(copy, 9).values);
  CHECK(found.indices == onefold::top_k(copy, 9).indices);
  const std::list<std::vector<double>> pieces{
      {x.begin(), x.begin() + 1000}, {}, {x.begin() + 1000, x.begin() + 1001}, {x.begin() + 1001, x.end()}};
  CHECK(onefold::quantile(onefold::concatenated(pieces), 0.1) == onefold::quantile(x, 0.1));
  CHECK(onefold::bottom_k(onefold::concatenated(pieces), 7).indices == onefold::bottom_k(x, 7).indices);
  CHECK(onefold::histogram(onefold::concatenated(pieces), 9).counts == onefold::histogram(x, 9).counts);
  CHECK(onefold::median(onefold::mapped(halved, std::vector<double>{8})) == 4);
  support::check_error(onefold::error_code::empty_input, "no elements",
                       [] { onefold::median(onefold::mapped(halved, std::vector<double>{})); });
  support::check_error(onefold::error_code::invalid_argument, "null",
                       [] { onefold::median(onefold::mapped(halved, onefold::array_view<double>(nullptr, {3}))); });
}

TEST_CASE("order statistics and histograms of truth values are those of bytes") {
  const std::vector<bool> x{true, false, true, true};
  const std::vector<std::uint8_t> bytes{1, 0, 1, 1};
  CHECK(onefold::median(x) == onefold::median(bytes));
  CHECK(onefold::median(std::deque<bool>(x.begin(), x.end())) == onefold::median(bytes));
  CHECK(onefold::top_k(x, 2).indices == onefold::top_k(bytes, 2).indices);
  CHECK(onefold::histogram(x, {0, 0.5, 1}).counts == onefold::histogram(bytes, {0, 0.5, 1}).counts);
#if !defined(__clang__) || __clang_major__ >= 16  // older ones do not compile libstdc++'s views
  const std::vector<float> signs{1, -1, 2, 3};
  CHECK(onefold::median(signs | std::views::transform([](float a) { return a > 0; })) == onefold::median(bytes));
#endif
}

TEST_CASE("exact_dot of ranges whose type is not named") {
  const auto x = numbers(1), y = numbers(2);
  CHECK(bits_of(onefold::exact_dot(x, std::span(y), on_backend())) == bits_of(onefold::exact_dot<double>(x, y)));
  const std::vector<float> f{1, 2}, g{3, 4};
  static_assert(std::is_same_v<decltype(onefold::exact_dot(f, g)), float>);
  CHECK(onefold::exact_dot(f, g) == 11);
}
