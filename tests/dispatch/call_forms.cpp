// The forms of a call that every verb has: a function of the elements, and a list in braces; and reduce with a function
// of two values.
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

using support::bits_of;
using support::on_backend;

namespace {

struct order {
  double price;
  int amount;
  double total() const { return price * amount; }
  bool is_late() const { return price > 2; }
};

/// Elements that a verb takes: integers where it works on bits.
constexpr bool takes_integers(std::string_view verb) { return verb.starts_with("bit_"); }
template <bool integers>
using element_of = std::conditional_t<integers, int, float>;

template <class T>
T three_times(T x) {
  return 3 * x;
}

/// 3 x 1000 numbers.
template <class T>
std::vector<T> numbers() {
  std::vector<T> x;
  support::random_numbers r(3);
  for (int i = 0; i < 3000; ++i) x.push_back(static_cast<T>(r.integer(-1000, 1000)));
  return x;
}

template <class R>
auto all_bits(const onefold::result_array<R>& results) {
  std::vector<support::result_bits> bits;
  for (const R& r : results) bits.push_back(bits_of(r));
  return bits;
}

/// A transformation by an affine function, of which the order matters.
struct affine {
  std::uint32_t a, b;
  friend bool operator==(const affine&, const affine&) = default;
};
affine then(const affine& f, const affine& g) { return {f.a * g.a, g.a * f.b + g.b}; }

/// The sum of orders' totals.
struct revenue {
  struct state {
    double sum;
  };
  static constexpr state identity() { return {0}; }
  static constexpr state lift(order x) { return {x.price * x.amount}; }
  static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
  static constexpr double finish(state s) { return s.sum; }
};

}  // namespace

#define ONEFOLD_VERB(verb)                                                                                          \
  TEST_CASE("a function and a list: " #verb) {                                                                      \
    using T = element_of<takes_integers(#verb)>;                                                                    \
    const auto x = numbers<T>();                                                                                    \
    const auto how = on_backend(onefold::accuracy::native, 2);                                                      \
    const auto f = [](T a) { return three_times(a); };                                                              \
    const auto mapped = onefold::mapped(f, x);                                                                      \
    CHECK(bits_of(onefold::verb(x, f, how)) == bits_of(onefold::verb(mapped, how)));                                \
    CHECK(bits_of(onefold::verb(x, three_times<T>)) == bits_of(onefold::verb(mapped)));                             \
    const onefold::array_view<T> view(x.data(), {3, 1000});                                                         \
    CHECK(all_bits(onefold::verb(view, f, 1, how)) == all_bits(onefold::verb(onefold::mapped(f, view), 1, how)));   \
    CHECK(bits_of(onefold::verb({T(4), T(9), T(2)}, how)) == bits_of(onefold::verb(std::vector<T>{4, 9, 2}, how))); \
    CHECK(bits_of(onefold::verb({T(4), T(9), T(2)})) == bits_of(onefold::verb(std::vector<T>{4, 9, 2})));           \
    CHECK(bits_of(onefold::verb({T(4), T(9)}, f, how)) == bits_of(onefold::verb(std::vector<T>{12, 27}, how)));     \
  }
#define ONEFOLD_OTHER_VERB(verb)
#define ONEFOLD_PAIR_VERB(verb)
#define ONEFOLD_ROW_VERB(verb)
#define ONEFOLD_SCAN_VERB(verb)
#include "onefold/verbs.def"

TEST_CASE("members") {
  const std::vector<order> orders{{2.5, 2}, {0.5, 7}, {4, 1}};
  const auto how = on_backend();
  CHECK(onefold::sum(orders, &order::price, how) == 7);
  CHECK(onefold::max(orders, &order::total, how) == 5);
  CHECK(onefold::count(orders, &order::is_late, how) == 2);
  CHECK(onefold::any(orders, &order::is_late, how));
  CHECK(onefold::argmin(std::deque<order>(orders.begin(), orders.end()), &order::price, how) == 1);
}

TEST_CASE("lists of verbs beyond the catalog") {
  CHECK(onefold::median({1.0, 5.0, 3.0}) == 3);
  CHECK(onefold::nansum({1.0, 5.0}) == 6);
  CHECK(onefold::nansummary({1.0, 5.0}).mean == 3);
  CHECK(onefold::geometric_mean({2.0, 8.0}) == onefold::geometric_mean(std::vector{2.0, 8.0}));
  CHECK(onefold::harmonic_mean({1.0f, 1.0f}) == 1);
  CHECK(onefold::skewness({1, 2, 3}) == 0);
  CHECK(onefold::norm_inf({-3, 2}) == 3u);
  CHECK(onefold::logsumexp({1.0, 2.0}) == onefold::logsumexp(std::vector{1.0, 2.0}));
  CHECK(onefold::softmax({1.0f, 1.0f})[1] == 0.5f);
}

TEST_CASE("two lists") {
  CHECK(onefold::dot({1.0, 2.0}, {3.0, 4.0}) == 11);
  CHECK(onefold::weighted_mean({1.0, 4.0}, {1.0, 2.0}) == 3);
  CHECK(onefold::cosine_similarity({1.0f, 0.0f}, {0.0f, 2.0f}) == 0);
  CHECK(onefold::covariance({1, 2, 4}, {1.0, 2.0, 4.0}) == onefold::variance({1, 2, 4}));
  CHECK(onefold::sample_covariance({1.0, 3.0}, {1.0, 3.0}, on_backend()) == 2);
  CHECK(onefold::correlation({1.0, 2.0}, {5.0, 3.0}) == -1);
}

TEST_CASE("a list and an array") {
  const std::vector<double> x{3, 4};
  CHECK(onefold::dot({1.0, 2.0}, x) == 11);
  CHECK(onefold::dot(x, {1.0, 2.0}, on_backend()) == 11);
  CHECK(onefold::weighted_mean(x, {3.0, 1.0}, on_backend()) == 3.25);
  CHECK(onefold::covariance({1, 3}, x) == 0.5);
  CHECK(onefold::distance({3.0, 1.0}, x) == 3);
  CHECK(onefold::distance(x, {3.0, 1.0}, onefold::norm::l1, on_backend()) == 3);
  CHECK(onefold::distance({1.0, 1.0}, x, onefold::norm::max) == 3);
  CHECK(onefold::distance({0.0, 0.0}, {3.0, 4.0}) == 5);
  CHECK(onefold::distance({0.0, 0.0}, {3.0, 4.0}, onefold::norm::l1) == 7);
  CHECK(onefold::distance({0.0, 0.0}, x, on_backend()) == 5);
  const onefold::array_view<double> view(x.data(), {1, 2});
  CHECK(onefold::distance(view, view, 1, on_backend())[0] == 0);
}

TEST_CASE("lists of verbs with more arguments") {
  const auto how = on_backend(onefold::accuracy::native, 2);
  CHECK(onefold::reduce({2.0, 3.0}, 4.0, std::multiplies<>{}, how) == 24);
  CHECK(std::get<0>(onefold::fused<onefold::op::max>({2.0, 3.0}, std::negate<>{}, how)) == -2);
  CHECK(onefold::cumsum({1, 2})[1] == 3);
  CHECK(onefold::layer_norm({1.0f, 3.0f}, {.eps = 0.0})[1] == 1);
  CHECK(onefold::rms_norm({2.0f, 2.0f}, {.eps = 0.0}, how)[0] == 1);
  CHECK(onefold::normalize({3.0, 4.0}, {onefold::norm::l1})[0] == 3.0 / 7);
  CHECK(onefold::histogram({1.0, 2.0, 2.5}, {0.0, 2.0, 3.0}).counts == std::vector<std::int64_t>{1, 2});
  CHECK(onefold::histogram({1, 2}, {.low = 0, .high = 4, .count = 2}, how).counts == std::vector<std::int64_t>{1, 1});
}

TEST_CASE("row operations take options in place of their parameters") {
  const std::vector<float> x{3, 4, 6, 8};
  const onefold::array_view<float> matrix(x.data(), {2, 2});
  const auto how = on_backend(onefold::accuracy::native, 2);
  const auto check = [&](const auto& verb) {
    const auto by_rows = verb(matrix), down = verb(matrix, 0), flat = verb(x);
    CHECK(all_bits(verb(x, how)) == all_bits(flat));
    CHECK(all_bits(verb(matrix, how)) == all_bits(by_rows));
    CHECK(all_bits(verb(matrix, 0, how)) == all_bits(down));
    std::vector<float> out(4);
    verb(matrix, 0, out, how);
    CHECK(out == std::vector<float>(down.begin(), down.end()));
    verb(matrix, onefold::output_view<float>(out.data(), {2, 2}), how);
    CHECK(out == std::vector<float>(by_rows.begin(), by_rows.end()));
    std::vector<float> taken(4);
    verb(
        matrix,
        [&](float y, onefold::row_position at) { taken[static_cast<std::size_t>(2 * at.line + at.position)] = y; },
        how);
    CHECK(taken == out);
    std::vector<float> in_place = x;
    verb(in_place, in_place, how);
    CHECK(in_place == std::vector<float>(flat.begin(), flat.end()));
    onefold::options wrong = how;
    wrong.threads = -1;
    CHECK(support::error_of([&] { verb(matrix, 0, wrong); }) == onefold::error_code::invalid_argument);
  };
  check([](auto&&... with) { return onefold::layer_norm(with...); });
  check([](auto&&... with) { return onefold::rms_norm(with...); });
  check([](auto&&... with) { return onefold::normalize(with...); });
  CHECK(onefold::layer_norm({1.0F, 1.0F}, how)[0] == 0);
  CHECK(onefold::rms_norm({0.0F, 0.0F}, how)[0] == 0);
  CHECK(onefold::normalize({3.0, 4.0}, how)[1] == 0.8);
  std::vector<float> weight{2, 1};
  CHECK(onefold::rms_norm(matrix, {weight}, how)[0] == onefold::rms_norm(matrix, {.weight = weight}, how)[0]);
}

TEST_CASE("order statistics take lists, and options without a method") {
  using onefold::quantile_method;
  const std::vector<double> x{5, 1, 3};
  const auto how = on_backend(onefold::accuracy::native, 2);
  CHECK(onefold::nth_smallest({5, 1, 3}, 1, how) == 3);
  CHECK(onefold::quantile(x, 0.75, how) == 4);
  CHECK(onefold::quantile({5.0, 1.0, 3.0}, 0.75) == 4);
  CHECK(onefold::quantile({5.0, 1.0, 3.0}, 0.75, how) == 4);
  CHECK(onefold::quantile({5.0, 1.0, 3.0}, 0.75, quantile_method::lower, how) == 3);
  CHECK(onefold::nanquantile(x, 0.75, how) == 4);
  CHECK(onefold::nanquantile({5.0, 1.0, 3.0}, 0.75, how) == 4);
  CHECK(onefold::quantiles(x, {0.0, 0.75}, how) == std::vector<double>{1, 4});
  CHECK(onefold::quantiles({5, 1, 3}, {0.0, 0.75}) == std::vector<double>{1, 4});
  CHECK(onefold::quantiles({5, 1, 3}, std::vector{0.75}, quantile_method::higher) == std::vector<double>{5});
}

TEST_CASE("axes of any integer type") {
  const std::vector<double> x{1, 2, 3, 4, 5, 6};
  const onefold::array_view<double> view(x.data(), {2, 3});
  const auto sum_over = [&](const onefold::axis_list& axes) { return all_bits(onefold::sum(view, axes)); };
  const auto rows = all_bits(onefold::sum(view, 1)), all = all_bits(onefold::sum(view, {0, 1}));
  CHECK(sum_over(std::vector<std::size_t>{1}) == rows);
  CHECK(sum_over(std::vector<long>{-1}) == rows);
  CHECK(sum_over(std::vector<int>{1}) == rows);
  CHECK(sum_over(std::array<std::size_t, 2>{0, 1}) == all);
  CHECK(sum_over(std::deque<unsigned>{1}) == rows);
  const long axes[] = {1};
  CHECK(sum_over(axes) == rows);
  CHECK(all_bits(onefold::sum(view, {0u, 1u})) == all);
  CHECK(all_bits(onefold::sum(view, {0, 1L})) == all);
  CHECK(all_bits(onefold::reduce<double, onefold::op::sum>(view, {.axes = std::vector<std::size_t>{1}})) == rows);
  const auto refuses = [](const std::string& axis, const auto& f) {
    support::check_error(onefold::error_code::invalid_argument, "axis " + axis, f);
  };
  refuses("2147483647", [&] { onefold::sum(view, std::size_t{1} << 32); });
  refuses("-2147483648", [&] { onefold::sum(view, {0, -(std::int64_t{1} << 40)}); });
}

TEST_CASE("reduce with a function keeps the elements' order, and begins with the initial value") {
  support::random_numbers r(9);
  for (const std::size_t n : {0u, 1u, 2u, 33u, 1000u, 5000u, 70'000u}) {
    std::vector<affine> x(n);
    for (affine& f : x) f = {static_cast<std::uint32_t>(r.bits()) | 1, static_cast<std::uint32_t>(r.bits())};
    const affine init{7, 11};
    affine meant = init;
    for (const affine& f : x) meant = then(meant, f);
    for (const int threads : {1, 3})
      CHECK(onefold::reduce(x, init, then, on_backend(onefold::accuracy::native, threads)) == meant);
  }
}

TEST_CASE("reduce with a function converts elements to the type of the initial value") {
  const auto how = on_backend();
  const std::vector<int> large{2'000'000'000, 2'000'000'000};
  CHECK(onefold::reduce(large, std::int64_t{1}, std::plus<>{}, how) == 4'000'000'001);
  CHECK(onefold::reduce(std::vector<int>{}, 2.5, std::plus<>{}, how) == 2.5);
  const int most = 3;  // a lambda that captures
  CHECK(onefold::reduce(
            std::vector<int>{1, 2, 4}, 0, [most](int a, int b) { return std::min(a + b, most); }, how) == 3);
  const std::vector<double> x{1, 2, 3, 4};
  const auto product = [](double a, double b) { return a * b; };
  const auto by_key = onefold::reduce(onefold::by_key(x, std::vector{1, 2, 1, 2}), 10.0, product, how);
  CHECK(by_key.results[0] == 30);
  CHECK(by_key.results[1] == 80);
  CHECK(onefold::reduce(onefold::where(x, std::vector<std::uint8_t>{0, 1, 1, 0}), 1.0, product, how) == 6);
  CHECK(onefold::reduce(onefold::mapped([](double a) { return a + 1; }, x), 1.0, product, how) == 120);
}

TEST_CASE("reduce with a function has the same bits on all CPU backends") {
  const auto x = support::normal_data<double>(100'000, 5);
  const auto add = [](double a, double b) { return a + b; };
  const double alone = onefold::reduce(x, 0.0, add, {.backend = onefold::backend::sequential});
  for (const int threads : {1, 2, 3, 8})
    CHECK(bits_of(onefold::reduce(x, 0.0, add, on_backend(onefold::accuracy::native, threads))) == bits_of(alone));
}

TEST_CASE("reduce names an operation, and deduces what it reduces") {
  namespace op = onefold::op;
  const auto x = numbers<float>();
  const auto how = on_backend();
  const onefold::array_view<float> view(x.data(), {3, 1000});
  CHECK(bits_of(onefold::reduce<op::sum>(x, how)) == bits_of(onefold::sum(x, how)));
  CHECK(bits_of(onefold::reduce<op::argmax>(x, how)) == bits_of(onefold::argmax(x, how)));
  CHECK(bits_of(onefold::reduce<op::sum, double>(x, how)) == bits_of(onefold::reduce<float, op::sum, double>(x, how)));
  CHECK(bits_of(onefold::reduce<op::sum>(std::deque<float>(x.begin(), x.end()), how)) == bits_of(onefold::sum(x, how)));
  CHECK(bits_of(onefold::reduce<op::variance>(view, how)) == bits_of(onefold::variance(view, how)));
  CHECK(all_bits(onefold::reduce<op::max>(view, 1, how)) == all_bits(onefold::max(view, 1, how)));
  CHECK(all_bits(onefold::reduce<op::mean>(view, {0, 1}, how)) == all_bits(onefold::mean(view, {0, 1}, how)));
  const std::vector<std::int64_t> offsets{0, 7, 7, 3000};
  CHECK(all_bits(onefold::reduce<op::sum>(onefold::segments(x, offsets), how)) ==
        all_bits(onefold::sum(onefold::segments(x, offsets), how)));
  std::vector<std::uint8_t> third(x.size());
  for (std::size_t i = 0; i < x.size(); i += 3) third[i] = 1;
  CHECK(bits_of(onefold::reduce<op::sum>(onefold::where(x, third), how)) ==
        bits_of(onefold::sum(onefold::where(x, third), how)));
  CHECK(bits_of(onefold::reduce<op::sum>(onefold::mapped(three_times<float>, x), how)) ==
        bits_of(onefold::sum(onefold::mapped(three_times<float>, x), how)));
}

TEST_CASE("reduce names an operation of the user's") {
  const std::vector<order> orders{{1.5, 2}, {2.5, 4}};
  CHECK(onefold::reduce<revenue>(orders, on_backend()) == 13);
  CHECK(onefold::reduce<order, revenue>(orders, on_backend()) == 13);
}

TEST_CASE("reduce names elements and an operation of a view") {
  using onefold::op::sum;
  const auto x = numbers<float>();
  const auto how = on_backend();
  const onefold::array_view<float> view(x.data(), {3, 1000});
  CHECK(bits_of(onefold::reduce<float, sum>(view, how)) == bits_of(onefold::sum(view, how)));
  CHECK(all_bits(onefold::reduce<float, sum>(view, 0, how)) == all_bits(onefold::sum(view, 0, how)));
  CHECK(all_bits(onefold::reduce<float, sum>(view, -1)) == all_bits(onefold::sum(view, 1)));
}
