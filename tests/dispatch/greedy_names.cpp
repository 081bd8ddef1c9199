// Verbs with functions and lists call the library's verbs, whatever the namespaces of their arguments have; and what is
// reduced before main begins.
#include <complex>
#include <cstdint>
#include <limits>
#include <ranges>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/catch.hpp"

namespace user {

struct order {
  double price;
};
enum class color : int { red, green };

// Take anything, and are found by the namespace of an argument.
template <class... Arguments>
double sum(Arguments&&...) {
  return -1;
}
template <class... Arguments>
double mean(Arguments&&...) {
  return -1;
}
template <class... Arguments>
double mapped(Arguments&&...) {
  return -1;
}
template <class Range>
double max(Range&&, const onefold::options&) {
  return -1;
}
template <class... Arguments>
double dot(Arguments&&...) {
  return -1;
}

template <class... Arguments>
double count_elements(Arguments&&...) {
  return -1;
}
order element_at(const order* first, std::int64_t) { return {first->price + 7}; }

}  // namespace user

namespace {

const std::vector<double> numbers{4, 2};
const auto first_before_main = onefold::first(numbers);
const auto last_before_main = onefold::last(numbers);
const std::vector<std::complex<double>> pairs{{1, 2}, {3, -1}};
const auto product_before_main = onefold::product(pairs);

}  // namespace

TEST_CASE("a function of a verb's name in an argument's namespace is not called") {
  const std::vector<user::order> orders{{1}, {2}, {4}};
  CHECK(onefold::sum(orders, &user::order::price) == 7);
  CHECK(onefold::mean(orders, [](const user::order& o) { return o.price; }) == 7.0 / 3);
  CHECK(onefold::dot(orders, &user::order::price, &user::order::price) == 21);
  CHECK(onefold::sum(orders, orders, [](const user::order& a, const user::order& b) { return a.price * b.price; }) ==
        21);
  CHECK(onefold::map_reduce<onefold::op::sum>(orders, &user::order::price) == 7);
  CHECK(onefold::skewness(orders, &user::order::price) == onefold::skewness(std::vector<double>{1, 2, 4}));
  CHECK(onefold::max({user::color::red, user::color::green}) == user::color::green);
  CHECK(onefold::dot({user::color::green, user::color::green}, {user::color::green, user::color::red}) == 1);
}

TEST_CASE("what has no type of the catalog can be reduced before main begins") {
  CHECK(first_before_main.value == 4);
  CHECK(last_before_main.value == 2);
  CHECK(last_before_main.index == 1);
  CHECK(product_before_main == std::complex<double>(5, 5));
}

TEST_CASE("NaN among computed elements do not make a device an error") {
  std::vector<double> x{1, 2, 3};
  const auto twice = [](double a) { return 2 * a; };
  const auto summarized = [&] { return onefold::summary(x, twice, {.device = 0}).n; };
  const auto without = summarized();
  x[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(summarized() == without);
}

#if !defined(__clang__) || __clang_major__ >= 16  // older ones do not compile libstdc++'s views
TEST_CASE("a summary of a view computes each element once") {
  int calls = 0;
  std::vector<int> x(1000, 1);
  const auto counted = x | std::views::transform([&](int a) {
                         ++calls;
                         return a;
                       });
  const auto s = onefold::summary(counted, {.backend = onefold::backend::sequential});
  CHECK(s.sum == 1000);
  CHECK(calls == 1000);
}
#endif
