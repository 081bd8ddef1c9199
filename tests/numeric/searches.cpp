// argmin and argmax of many results: the first of equals, NaN first, whatever the shape.
#include <span>
#include <vector>

#include "onefold/shapes.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/plain.hpp"

namespace {

enum class kind { numbers, many_nan, zeros, equal, ascending, last_is_best };
constexpr kind kinds[] = {kind::numbers, kind::many_nan, kind::zeros, kind::equal, kind::ascending, kind::last_is_best};

template <class T>
T number(kind k, std::int64_t i, std::int64_t n, support::random_numbers& r) {
  constexpr bool real = support::is_float<T>;
  const auto of = [](double x) {
    if constexpr (real && sizeof(T) == 2)
      return T(static_cast<float>(x));
    else
      return static_cast<T>(x);
  };
  switch (k) {
    case kind::numbers:
      return of(r.integer(0, 20));  // with many equals
    case kind::many_nan:
      if constexpr (real)
        if (r.integer(0, 2) == 0) return support::canonical_nan<T>();
      return of(r.integer(0, 9));
    case kind::zeros:
      if constexpr (real)
        if (r.integer(0, 3) > 0) return of(-0.0);
      return of(0);
    case kind::equal:
      return of(3);
    case kind::ascending:
      return of(static_cast<double>(i % 100));
    case kind::last_is_best:
      return of(i == n - 1 ? 100 : 50);
  }
  return of(0);
}

/// Compares the places in `outputs` results of n elements each with a plain loop's; how many were compared.
template <class T>
int compare(kind k, std::int64_t outputs, std::int64_t n, support::random_numbers& r) {
  const std::int64_t padding = 3;
  std::vector<T> x(static_cast<std::size_t>((outputs + padding) * (n + padding)));
  int compared = 0;
  // Dense and padded rows, and columns: strides from result to result, and from element to element.
  const std::int64_t strides[][2] = {{n, 1}, {n + padding, 1}, {1, outputs}, {1, outputs + padding}};
  for (const auto& [across, along] : strides) {
    const auto place = [&, across = across, along = along](std::int64_t o, std::int64_t i) {
      return static_cast<std::size_t>(o * across + i * along);
    };
    for (std::int64_t o = 0; o < outputs; ++o)
      for (std::int64_t i = 0; i < n; ++i) x[place(o, i)] = number<T>(k, i, n, r);
    const onefold::array_view<T> view(x.data(), {outputs, n}, {across, along});
    const auto how = support::on_backend();
    const auto low = onefold::argmin(view, 1, how), high = onefold::argmax(view, 1, how);
    REQUIRE(low.size() == static_cast<std::size_t>(outputs));
    REQUIRE(high.size() == static_cast<std::size_t>(outputs));
    std::vector<T> slice(static_cast<std::size_t>(n));
    for (std::int64_t o = 0; o < outputs; ++o) {
      for (std::int64_t i = 0; i < n; ++i) slice[static_cast<std::size_t>(i)] = x[place(o, i)];
      INFO("kind " << static_cast<int>(k) << ", result " << o << " of " << outputs << ", " << n << " elements, strides "
                   << across << ' ' << along);
      CHECK(low[static_cast<std::size_t>(o)] == support::plain(onefold::op::argmin{}, std::span<const T>(slice)));
      CHECK(high[static_cast<std::size_t>(o)] == support::plain(onefold::op::argmax{}, std::span<const T>(slice)));
      compared += 2;
    }
  }
  return compared;
}

}  // namespace

TEMPLATE_TEST_CASE("argmin and argmax find the first of the best", "", float, double, onefold::f16, onefold::bf16,
                   std::int8_t, std::int64_t, std::uint32_t) {
  using T = TestType;
  support::random_numbers r(sizeof(T));
  const std::int64_t page = onefold::page_elements(sizeof(T));
  int compared = 0;
  for (const kind k : kinds)
    for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}, std::int64_t{7}, std::int64_t{31}, std::int64_t{32},
                                 std::int64_t{33}, std::int64_t{127}, std::int64_t{129}, page, page + 5, 2 * page + 9})
      for (const std::int64_t outputs : {1, 2, 3, 4, 5, 40})
        if (outputs <= 5 || n < 200) compared += compare<T>(k, outputs, n, r);
  CHECK(compared == 2 * 4 * 6 * (11 * (1 + 2 + 3 + 4 + 5) + 8 * 40));
}
