// Verbs of vectors whose values are folded as they are computed: they have the bits of the reduction of the values,
// wherever the arrays begin and whatever is left of the last page.
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "onefold/order.hpp"
#include "onefold/vectors.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::array_view;
using onefold::norm;
using support::bits_of;

template <class T>
struct two_arrays {
  std::vector<T> x, y;

  two_arrays(std::int64_t n, support::random_numbers& r)
      : x(static_cast<std::size_t>(n)), y(static_cast<std::size_t>(n)) {
    support::fill<T>(x.data(), n, r);
    support::fill<T>(y.data(), n, r);
  }
};

template <class V, class X, class F>
std::vector<V> values(std::span<const X> x, std::span<const X> y, F f) {
  std::vector<V> all(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) all[i] = f(static_cast<V>(x[i]), static_cast<V>(y[i]));
  return all;
}
const auto product = [](auto a, auto b) { return a * b; };
const auto difference = [](auto a, auto b) { return std::fabs(a - b); };
const auto magnitude = [](auto a, auto) { return std::fabs(a); };

/// All verbs of two spans.
template <class T>
void check(std::span<const T> x, std::span<const T> y, const onefold::options& how) {
  using onefold::op::norm2;
  using onefold::op::sum;
  INFO(x.size() << " elements");
  const auto same = [&](auto found, auto meant) { CHECK(bits_of(found) == bits_of(meant)); };
  same(onefold::dot(x, y, how), onefold::reduce<T, sum>(values<T>(x, y, product), how));
  same(onefold::distance(x, y, norm::l1, how), onefold::reduce<T, sum>(values<T>(x, y, difference), how));
  same(onefold::distance(x, y, norm::l2, how), onefold::reduce<T, norm2>(values<T>(x, y, difference), how));
  same(onefold::norm1(x, how), onefold::reduce<T, sum>(values<T>(x, y, magnitude), how));
  const auto of_f64 = [&](std::span<const T> a, std::span<const T> b) {
    return onefold::reduce<double, sum>(values<double>(a, b, product), how);
  };
  const double xy = of_f64(x, y), xx = of_f64(x, x), yy = of_f64(y, y);
  if (xx > 0 && yy > 0 && std::isfinite(xx * yy))
    CHECK(std::fabs(static_cast<double>(onefold::cosine_similarity(x, y, how)) - xy / std::sqrt(xx) / std::sqrt(yy)) <=
          2 * static_cast<double>(std::numeric_limits<T>::epsilon()));
}

template <class T>
void check_lengths() {
  constexpr std::int64_t page = onefold::page_elements(sizeof(T)), few = 4096 / sizeof(T);
  support::random_numbers r(11);
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{7}, few - 1, few, few + 1, page - 1, page, page + 1,
                               2 * page, 5 * page + 3, 64 * page, 67 * page + 129}) {
    const two_arrays<T> data(n + 3, r);
    for (const std::size_t offset : {0u, 1u, 3u}) {
      const auto x = std::span(data.x).subspan(offset, static_cast<std::size_t>(n)),
                 y = std::span(data.y).subspan(3 - offset, static_cast<std::size_t>(n));
      check<T>(x, y, support::on_backend(accuracy::native, r.integer(1, 3)));
    }
  }
}

/// Lines of several pages in rows that have a gap between them, and in columns.
template <class T>
void check_axes() {
  constexpr std::int64_t page = onefold::page_elements(sizeof(T)), rows = 5, n = 3 * page + 17, gap = 5;
  support::random_numbers r(12);
  const two_arrays<T> data(rows * (n + gap), r);
  const auto how = support::on_backend(accuracy::native, 2);
  const array_view<T> x(data.x.data(), {rows, n}, {n + gap, 1}), y(data.y.data(), {rows, n});
  const auto by_rows = onefold::dot(x, y, 1, how);
  std::vector<T> all;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto products = values<T>(std::span(x.data() + row * (n + gap), static_cast<std::size_t>(n)),
                                    std::span(y.data() + row * n, static_cast<std::size_t>(n)), product);
    CHECK(bits_of(by_rows[static_cast<std::size_t>(row)]) ==
          bits_of(onefold::reduce<T, onefold::op::sum>(products, how)));
    all.insert(all.end(), products.begin(), products.end());
  }
  CHECK(bits_of(onefold::dot(x, y, {0, 1}, how)[0]) == bits_of(onefold::reduce<T, onefold::op::sum>(all, how)));
  // The elements of x lie apart, and those of y are neighbors.
  std::vector<T> gathered;
  for (std::int64_t i = 0; i < n; ++i) gathered.push_back(data.x[static_cast<std::size_t>(i * rows)]);
  const T* const last = data.y.data() + n - 1;  // the same backward, and one element n times
  std::vector<T> backward(std::reverse_iterator(last + 1), std::reverse_iterator(last + 1 - n));
  const std::vector<T> one(static_cast<std::size_t>(n), data.y[0]);
  CHECK(bits_of(onefold::dot(gathered, array_view<T>(last, {n}, {-1}), how)) ==
        bits_of(onefold::dot(gathered, backward, how)));
  CHECK(bits_of(onefold::dot(gathered, array_view<T>(data.y.data(), {n}, {0}), how)) ==
        bits_of(onefold::dot(gathered, one, how)));
  CHECK(bits_of(onefold::dot(array_view<T>(data.x.data(), {n}, {rows}), array_view<T>(data.y.data(), {n}), how)) ==
        bits_of(onefold::dot(gathered, std::span(data.y).first(static_cast<std::size_t>(n)), how)));
}

}  // namespace

TEST_CASE("verbs of vectors have the bits of their values' reductions") {
  check_lengths<float>();
  check_lengths<double>();
}

TEST_CASE("and of arrays of two types") {
  constexpr std::int64_t n = 5 * 4096 + 3;
  support::random_numbers r(13);
  const two_arrays<float> narrow(n, r);
  const two_arrays<double> wide(n, r);
  const auto how = support::on_backend(accuracy::native, 2);
  std::vector<double> products;
  for (std::size_t i = 0; i < wide.y.size(); ++i) products.push_back(static_cast<double>(narrow.x[i]) * wide.y[i]);
  const double meant = onefold::reduce<double, onefold::op::sum>(products, how);
  CHECK(bits_of(onefold::dot(narrow.x, wide.y, how)) == bits_of(meant));
  CHECK(bits_of(onefold::dot(wide.y, narrow.x, how)) == bits_of(meant));
}

TEST_CASE("and along axes, with gaps between rows and between elements") {
  check_axes<float>();
  check_axes<double>();
}

TEST_CASE("NaN and infinities in full pages") {
  const auto how = support::on_backend(accuracy::native, 1);
  const float infinite = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t place : {0u, 5000u, 12'287u}) {
    std::vector<float> x(12'288, 1.0f), y(12'288, -2.0f);
    x[place] = infinite;
    CHECK(onefold::dot(x, y, how) == -infinite);
    CHECK(onefold::distance(x, y, norm::l2, how) == infinite);
    CHECK(onefold::norm1(x, how) == infinite);
    y[12'287 - place] = nan;
    CHECK(bits_of(onefold::dot(x, y, how)) == bits_of(nan));
    CHECK(bits_of(onefold::distance(x, y, norm::l1, how)) == bits_of(nan));
  }
}
