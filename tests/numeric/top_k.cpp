// The first elements of both orders against a stable sort, with ties, zeros, infinities and NaN.
#include "onefold/top_k.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::error_code;
using support::bits_of;

const double not_a_number = std::nan("");

template <class T>
bool is_nan(T x) {
  if constexpr (onefold::detail::is_float<T>)
    return std::isnan(static_cast<double>(support::value_of(x)));
  else
    return false;
}

/// Whether a stands before b: NaN, then the larger one (or, ascending, the smaller one), where -0 < +0.
template <class T>
bool in_front(T a, T b, bool descending) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) && !is_nan(b);
  const auto x = support::value_of(a), y = support::value_of(b);
  if constexpr (onefold::detail::is_float<T>)
    if (x == y) return std::signbit(x) != std::signbit(y) && std::signbit(descending ? y : x);
  return descending ? y < x : x < y;
}

/// The indices of all elements in this order, by a sort.
template <class T>
std::vector<std::int64_t> sorted_indices(const std::vector<T>& x, bool descending) {
  std::vector<std::int64_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t i, std::int64_t j) {
    return in_front(x[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(j)], descending);
  });
  return order;
}

/// Random elements; of kind 1 few different ones, with zeros of both signs, infinities and NaN of both signs.
template <class T>
std::vector<T> elements(std::int64_t n, int kind, support::random_numbers& r) {
  std::vector<T> x(static_cast<std::size_t>(n));
  support::fill<T>(x.data(), n, r);
  const double few[] = {0.0, -0.0, 1, 2, HUGE_VAL, -HUGE_VAL, not_a_number, -not_a_number};
  for (T& e : x)
    if (kind == 1) {
      if constexpr (onefold::detail::is_float<T>)
        e = support::nearest<T>(few[r.integer(0, 7)]);
      else
        e = static_cast<T>(r.integer(0, 3));
    }
  return x;
}

template <class T>
void check_first(const onefold::ranked_elements<T>& found, const std::vector<T>& x,
                 const std::vector<std::int64_t>& order, std::int64_t k) {
  REQUIRE(found.values.size() == static_cast<std::size_t>(k));
  CHECK(std::equal(found.indices.begin(), found.indices.end(), order.begin(), order.begin() + k));
  bool same = true;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    T meant = x[static_cast<std::size_t>(order[i])];
    if constexpr (onefold::detail::is_float<T>)
      if (is_nan(meant)) meant = support::nearest<T>(not_a_number);
    same = same && bits_of(found.values[i]) == bits_of(meant);
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("the first elements are those of a stable sort") {
  support::random_numbers r(53);
  onefold::for_each_type(onefold::element_types{}, [&]<class T>() {
    if (onefold::why_not(onefold::operation_index<onefold::op::min>, onefold::dtype_of<T>, onefold::accuracy::native))
      return;
    for (const std::int64_t n : {1, 2, 7, 1000, 70'000})
      for (int kind = 0; kind < 2; ++kind) {
        const auto x = elements<T>(n, kind, r);
        const auto down = sorted_indices(x, true), up = sorted_indices(x, false);
        const auto nans = std::count_if(x.begin(), x.end(), is_nan<T>);
        const auto how = support::on_backend(onefold::accuracy::native, r.integer(1, 4));
        INFO(onefold::name_of(onefold::dtype_of<T>) << ' ' << n << ' ' << kind);
        for (const std::int64_t k : {std::int64_t{0}, std::int64_t{1}, n / 100, n / 2, n}) {
          check_first(onefold::top_k(x, k, how), x, down, k);
          check_first(onefold::bottom_k(x, k, how), x, up, k);
          const std::int64_t numbers = std::min(k, n - nans);
          check_first(onefold::nantop_k(x, numbers, how), x, {down.begin() + nans, down.end()}, numbers);
          check_first(onefold::nanbottom_k(x, numbers, how), x, {up.begin() + nans, up.end()}, numbers);
        }
      }
  });
}

TEST_CASE("the first one is the extreme one") {
  const auto how = support::on_backend();
  for (const auto& x : {std::vector<float>{3, 1, 4, 1, 5}, std::vector<float>{-0.0f, 0.0f, -0.0f},
                        std::vector<float>{1, NAN, 7, NAN}}) {
    const auto [values, indices] = onefold::top_k(x, 1, how);
    CHECK(bits_of(values[0]) == bits_of(onefold::max(x, how)));
    CHECK(indices[0] == onefold::argmax(x, how));
    const auto low = onefold::bottom_k(x, 1, how);
    CHECK(bits_of(low.values[0]) == bits_of(onefold::min(x, how)));
    CHECK(low.indices[0] == onefold::argmin(x, how));
  }
}

TEST_CASE("a list in braces") {
  const auto [values, indices] = onefold::top_k({3.0, 1.0, 4.0}, 2, support::on_backend());
  CHECK(values == std::vector{4.0, 3.0});
  CHECK(indices == std::vector<std::int64_t>{2, 0});
  CHECK(onefold::nanbottom_k({3.0, not_a_number, 4.0}, 1).values == std::vector{3.0});
}

TEST_CASE("errors of top_k") {
  const auto how = support::on_backend();
  const std::vector<double> x{1, not_a_number, 2}, none;
  CHECK(onefold::top_k(none, 0, how).values.empty());
  support::check_error(error_code::invalid_argument, "4 elements are wanted, but there are 3 elements",
                       [&] { onefold::top_k(x, 4, how); });
  support::check_error(error_code::invalid_argument, "1 element is wanted, but there are 0 elements",
                       [&] { onefold::bottom_k(none, 1, how); });
  support::check_error(error_code::invalid_argument, "is negative: -1", [&] { onefold::bottom_k(x, -1, how); });
  support::check_error(error_code::invalid_argument, "there are 2 elements that are not NaN",
                       [&] { onefold::nantop_k(x, 3, how); });
  support::check_error(error_code::unsupported, "order statistics are computed on CPUs only",
                       [&] { onefold::top_k(x, 1, {.backend = onefold::backend::cuda}); });
}
