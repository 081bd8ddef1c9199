// Histograms against a linear search of each element's bin, in a number type that has all elements and edges.
#include "onefold/histogram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/instrumented.hpp"

namespace {

using onefold::error_code;
using onefold::histogram;
using onefold::uniform_bins;
using counts = std::vector<std::int64_t>;
using edges = std::vector<double>;

const double not_a_number = std::nan("");

// Of 64 bits and an exponent: what f64, i64 and u64 have.
static_assert(std::numeric_limits<long double>::digits >= 64);

/// How many elements are in each bin, by the definition.
template <class T>
counts by_definition(const std::vector<T>& x, const edges& at) {
  counts found(at.size() - 1);
  for (const T& e : x) {
    const auto number = static_cast<long double>(support::value_of(e));
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
      const bool last = i + 2 == at.size();
      if (number >= at[i] && (number < at[i + 1] || (last && number == at[i + 1]))) ++found[i];
    }
  }
  return found;
}

/// Random elements, with infinities and NaN among those of floating-point types.
template <class T>
std::vector<T> elements(std::int64_t n, support::random_numbers& r) {
  std::vector<T> x(static_cast<std::size_t>(n));
  support::fill<T>(x.data(), n, r);
  if constexpr (onefold::detail::is_float<T>)
    for (T& e : x)
      if (const double special[] = {HUGE_VAL, -HUGE_VAL, not_a_number, -0.0}; r.integer(0, 99) == 0)
        e = support::nearest<T>(special[r.integer(0, 3)]);
  return x;
}

/// Ascending edges, some of them elements and some equal.
template <class T>
edges random_edges(const std::vector<T>& x, support::random_numbers& r) {
  edges at(static_cast<std::size_t>(r.integer(2, 40)));
  for (double& e : at) {
    e = static_cast<double>(support::value_of(x[r.bits() % x.size()]));
    if (std::isnan(e)) e = 0;
    if (r.integer(0, 1)) e = e / 2 + 0.25;
  }
  std::sort(at.begin(), at.end());
  return at;
}

}  // namespace

TEST_CASE("bins of equal widths need both ends") {
  support::check_error(onefold::error_code::invalid_argument, "bins have finite ends that ascend, not from nan to nan",
                       [] {
                         onefold::histogram(std::vector{1.0, 2.0}, onefold::uniform_bins{.count = 5});
                       });
}

TEST_CASE("every element is in the bin of the definition") {
  support::random_numbers r(61);
  onefold::for_each_type(onefold::element_types{}, [&]<class T>() {
    if (onefold::why_not(onefold::operation_index<onefold::op::min>, onefold::dtype_of<T>, onefold::accuracy::native))
      return;
    for (const std::int64_t n : {1, 2, 100, 5000, 70'000}) {
      const auto x = elements<T>(n, r);
      const auto how = support::on_backend(onefold::accuracy::native, r.integer(1, 4));
      INFO(onefold::name_of(onefold::dtype_of<T>) << ' ' << n);
      const edges at = random_edges(x, r);
      const auto found = histogram(x, at, how);
      CHECK(found.edges == at);
      CHECK(found.counts == by_definition(x, at));
      for (const auto& bins : {uniform_bins{-3, 3, 7}, uniform_bins{0, 100, 64}, uniform_bins{0.1, 0.9, 1},
                               uniform_bins{-1, 1, n > 5000 ? 64 : 5000}}) {
        const auto equal = histogram(x, bins, how);
        CHECK(equal.counts == by_definition(x, equal.edges));
        CHECK(equal.counts == histogram(x, equal.edges, how).counts);  // guessed and searched
      }
    }
  });
}

/// The same by a binary search, for many edges.
template <class T>
counts by_search(const std::vector<T>& x, const edges& at) {
  counts found(at.size() - 1);
  for (const T& e : x) {
    const auto number = static_cast<long double>(support::value_of(e));
    if (!(number >= at.front() && number <= at.back())) continue;
    const auto above = std::upper_bound(at.begin(), at.end(), number);
    ++found[above == at.end() ? found.size() - 1 : static_cast<std::size_t>(above - at.begin()) - 1];
  }
  return found;
}

TEST_CASE("each way to find bins, of edges far apart, crowded, over orders of magnitude, and of many") {
  support::random_numbers r(67);
  const auto between = [&](double low, double high) { return low + (high - low) * std::ldexp(r.bits() >> 11, -53); };
  const auto sorted = [](edges at) {
    std::sort(at.begin(), at.end());
    return at;
  };
  std::vector<edges> lists;
  for (const std::size_t n : {15u, 33u, 34u, 200u, 70'000u}) {
    edges at(n);
    for (double& e : at) e = between(-1000, 1000);
    lists.push_back(sorted(at));
    at.front() = -HUGE_VAL;
    at.back() = HUGE_VAL;
    lists.push_back(sorted(at));
  }
  edges crowded{-HUGE_VAL, -5, 5, 5}, relative{-HUGE_VAL, HUGE_VAL}, whole;
  for (int i = 0; i < 300; ++i) crowded.push_back(std::nextafter(i < 200 ? crowded.back() : crowded[2], 6));
  for (int i = -200; i < 200; ++i)
    for (const double sign : {-1.0, 1.0}) relative.push_back(sign * std::pow(1.07, i));
  for (int i = -100; i <= 100; ++i) whole.push_back(i);
  edges largest{-1e9};  // up to the largest integer of 32 bits
  for (int i = 48; i > 0; --i) largest.push_back(0x1p31 - i);
  lists.insert(lists.end(),
               {sorted(crowded), sorted(relative), whole, largest, {-0.0, 0.0, 0.0, 0x1p-1074, 1e-40, 1e-39, 1e300}});
  onefold::for_each_type(onefold::element_types{}, [&]<class T>() {
    if (onefold::why_not(onefold::operation_index<onefold::op::min>, onefold::dtype_of<T>, onefold::accuracy::native))
      return;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const edges& at = lists[i];
      std::vector<T> x = elements<T>(140'000, r);
      for (std::size_t j = 0; j < x.size(); j += 2) {  // many are near the edges, and equal to them
        double e = at[r.bits() % at.size()];
        if (const auto way = r.integer(0, 3); way == 0)
          e = std::nextafter(e, -HUGE_VAL);
        else if (way == 1)
          e = between(-1000, 1000);
        if constexpr (std::is_integral_v<T>) {
          e = std::floor(e);
          if (e >= -100 && e <= 100) x[j] = static_cast<T>(std::is_signed_v<T> ? e : std::abs(e));
        } else {
          x[j] = support::nearest<T>(e);
        }
      }
      if constexpr (std::is_integral_v<T>) {
        x[1] = std::numeric_limits<T>::max();
        x[3] = std::numeric_limits<T>::min();
      }
      INFO(onefold::name_of(onefold::dtype_of<T>) << " list " << i);
      const auto how = support::on_backend(onefold::accuracy::native, r.integer(1, 3));
      CHECK((histogram(x, at, how).counts == by_search(x, at)));  // long: not printed
      for (const uniform_bins& bins :
           {uniform_bins{-100, 100, 200}, uniform_bins{-77.7, 500, 1000}, uniform_bins{-1000, 1000, 100'000}}) {
        const auto equal = histogram(x, bins, how);
        CHECK((equal.counts == by_search(x, equal.edges)));
      }
    }
  });
}

TEST_CASE("elements at the edges and beside them") {
  const auto how = support::on_backend();
  for (const auto& bins :
       {uniform_bins{0, 1, 10}, uniform_bins{-1, 1, 3}, uniform_bins{0.1, 0.7, 1000}, uniform_bins{1e15, 1e15 + 3, 24},
        uniform_bins{-1e308, 7e307, 11}, uniform_bins{0, 1e-309, 10}, uniform_bins{-0x1p-1074, 0x1p-1074, 2}}) {
    const auto width = (bins.high - bins.low) / static_cast<double>(bins.count);
    edges at;
    for (std::int64_t i = 0; i < bins.count; ++i) at.push_back(bins.low + static_cast<double>(i) * width);
    at.push_back(bins.high);
    std::vector<double> x;
    for (const double e : at)
      for (const double near : {std::nextafter(e, -HUGE_VAL), e, std::nextafter(e, HUGE_VAL)}) x.push_back(near);
    const auto found = histogram(x, bins, how);
    CHECK(found.edges == at);
    CHECK(found.counts == by_definition(x, at));
    std::vector<float> narrow(x.begin(), x.end());
    CHECK(histogram(narrow, bins, how).counts == by_definition(narrow, at));
  }
}

TEST_CASE("integers that f64 does not have") {
  const auto how = support::on_backend();
  const std::int64_t big = std::int64_t{1} << 53;
  const std::vector<std::int64_t> x{big - 1, big, big + 1, big + 2, INT64_MIN, INT64_MAX};
  const double b = 0x1p53;
  CHECK(histogram(x, edges{b, b + 2, b + 4}, how).counts == counts{2, 1});
  CHECK(histogram(x, edges{b + 2, 0x1p63}, how).counts == counts{2});
  CHECK(histogram(x, edges{-0x1p63, 0.5, HUGE_VAL}, how).counts == counts{1, 5});
  CHECK(histogram(x, edges{-1e300, 1e300}, how).counts == counts{6});
  CHECK(histogram(x, edges{1e30, 1e300}, how).counts == counts{0});
  CHECK(histogram(x, uniform_bins{1e30, 1e300, 3}, how).counts == counts{0, 0, 0});
  const std::vector<std::uint64_t> y{0, 1, UINT64_MAX};
  CHECK(histogram(y, edges{0.5, 0x1p64}, how).counts == counts{2});
  // The ends are on the outer sides of the extremes.
  const auto all = histogram(std::vector<std::int64_t>{big + 1, big + 3, INT64_MAX}, 2, how);
  CHECK(all.edges.front() == b);
  CHECK(all.edges.back() == 0x1p63);
  CHECK(all.counts == counts{2, 1});
}

TEST_CASE("bins from the smallest element to the largest one") {
  const auto how = support::on_backend();
  const auto found = histogram(std::vector<float>{1, 2, NAN, 3, 5, 5}, 4, how);
  CHECK(found.edges == edges{1, 2, 3, 4, 5});
  CHECK(found.counts == counts{1, 1, 1, 2});
  const auto equal = histogram(std::vector<std::int32_t>{7, 7}, 2, how);
  CHECK(equal.edges == edges{6.5, 7, 7.5});
  CHECK(equal.counts == counts{0, 2});
  const auto none = histogram(std::vector<double>{}, 2, how);
  CHECK(none.edges == edges{0, 0.5, 1});
  CHECK(none.counts == counts{0, 0});
}

TEST_CASE("braces have edges, whatever their numbers, and names have bins of equal widths") {
  const auto how = support::on_backend();
  const std::vector<double> x{-1, 0, 2, 5, 7, 10, 11};
  for (const auto& found :
       {histogram(x, {0, 5, 10}, how), histogram(x, {0.0, 5.0, 10.0}, how), histogram(x, {0, 5.0f, 10u}, how),
        histogram(x, std::vector<float>{0, 5, 10}, how),
        histogram(x, std::vector{onefold::bf16(0.0f), onefold::bf16(5.0f), onefold::bf16(10.0f)}, how),
        histogram(x, std::array<std::int8_t, 3>{0, 5, 10}, how), histogram(x, edges{0, 5, 10}, how)}) {
    CHECK(found.edges == edges{0, 5, 10});
    CHECK(found.counts == counts{2, 3});
  }
  CHECK(histogram(x, {0, 5}).counts == counts{3});
  CHECK(histogram(x, {0, 1, 2, 3, 5}).counts == counts{1, 0, 1, 1});
  const double at[] = {0, 5, 10};
  CHECK(histogram(x, at, how).counts == counts{2, 3});
  const auto equal = histogram(x, {.low = 0, .high = 10, .count = 5}, how);
  CHECK(equal.edges == edges{0, 2, 4, 6, 8, 10});
  CHECK(equal.counts == counts{1, 1, 1, 1, 1});
  CHECK(histogram(x, std::ssize(x), how).counts.size() == x.size());
  CHECK(histogram({1.0, 2.0, 2.5}, 2, how).counts == counts{1, 2});
  CHECK(histogram({1, 2, 3}, uniform_bins{0, 4, 2}, how).counts == counts{1, 2});
}

TEST_CASE("more bins than elements") {
  const auto how = support::on_backend(onefold::accuracy::native, 4);
  std::vector<std::int32_t> x(40'000);
  std::iota(x.begin(), x.end(), 0);
  const auto found = histogram(x, uniform_bins{0, 40'000, 80'000}, how);
  for (std::size_t i = 0; i < found.counts.size(); ++i)
    if (found.counts[i] != (i % 2 == 0 ? 1 : 0)) FAIL("bin " << i);
}

TEST_CASE("equal elements that are too large for edges half a unit apart") {
  const auto how = support::on_backend();
  const auto check = [&](const auto& x, std::int64_t bins) {
    const auto found = histogram(x, bins, how);
    CHECK(std::ranges::adjacent_find(found.edges, std::greater_equal{}) == found.edges.end());
    CHECK(std::accumulate(found.counts.begin(), found.counts.end(), std::int64_t{0}) == std::ssize(x));
  };
  check(std::vector{1e17, 1e17}, 10);
  check(std::vector{-1e300}, 1);
  check(std::vector{0x1p53}, 1000);  // where the distance of neighbors changes
  check(std::vector<std::int64_t>(3, (std::int64_t{1} << 60) + 1), 7);
  check(std::vector<std::uint64_t>(3, UINT64_MAX), 1);
  CHECK(histogram(std::vector{1000.0}, 2, how).edges == edges{999.5, 1000, 1000.5});
  CHECK(histogram(std::vector{0x1p48}, 10, how).edges.front() == 0x1p48 - 0.5);
}

TEST_CASE("errors of histograms") {
  const auto how = support::on_backend();
  const std::vector<double> x{1, 2};
  const auto refuses = [&](const char* what, auto call) {
    support::check_error(error_code::invalid_argument, what, call);
  };
  refuses("at least 1 bin, not 0", [&] { histogram(x, uniform_bins{0, 1, 0}, how); });
  refuses("at least 1 bin, not -1", [&] { histogram(x, -1, how); });
  refuses("finite ends that ascend, not from 1 to 0", [&] { histogram(x, uniform_bins{1, 0, 3}, how); });
  refuses("finite ends that ascend, not from nan to 0", [&] { histogram(x, uniform_bins{not_a_number, 0, 3}, how); });
  refuses("finite ends that ascend, not from 0 to inf", [&] { histogram(x, uniform_bins{0, HUGE_VAL, 3}, how); });
  refuses("wider together than any f64", [&] { histogram(x, uniform_bins{-1.7e308, 1.7e308, 3}, how); });
  refuses("3 bins from 1 to 1.0000000000000002 are too many", [&] {
    histogram(x, uniform_bins{1, 1 + 0x1p-52, 3}, how);
  });
  refuses("are too many", [&] { histogram(x, uniform_bins{0, 1, INT64_MAX}, how); });
#if !ONEFOLD_TEST_SANITIZED  // which end a program that asks for so much
  refuses("not enough memory for 35184372088832 bins", [&] { histogram(x, std::int64_t{1} << 45, how); });
#endif
  for (const bool named : {true, false})
    refuses("histograms take no initial value", [&] {
      const onefold::options from{.init = 1};
      named ? histogram(x, edges{0, 1}, from) : histogram(x, 3, from);
    });
  refuses("at least 2 edges, but there is 1 edge", [&] { histogram(x, edges{1}, how); });
  refuses("at least 2 edges, but there are 0 edges", [&] { histogram(x, edges{}, how); });
  refuses("edge 1 of the bins is NaN", [&] { histogram(x, edges{0, not_a_number, 1}, how); });
  refuses("edge 2 of the bins, 0.5, is below the one before it, 1", [&] { histogram(x, edges{0, 1, 0.5}, how); });
  refuses("from 1 to inf", [&] { histogram(std::vector<double>{1, HUGE_VAL}, 3, how); });
  refuses("from nan to nan", [&] { histogram(std::vector<double>{not_a_number}, 3, how); });
  // An accelerator that is named and cannot run is not replaced.
  if (!onefold::backends().front().available)
    for (const bool named : {true, false})
      support::check_error(error_code::backend_unavailable, "backend cuda cannot run", [&] {
        const onefold::options cuda{.backend = onefold::backend::cuda};
        named ? histogram(x, uniform_bins{0, 1, 3}, cuda) : histogram(x, 3, cuda);
      });
}
