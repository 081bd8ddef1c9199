// first and last: against a plain search, of ranges, axes, segments, groups and pieces, selected or not, on every CPU
// backend; elements of every size; and what is refused.
#include "onefold/first.hpp"

#include <complex>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

using onefold::array_view;
using onefold::indexed_element;
using onefold::where;
using support::check_error;
using support::on_backend;

namespace {

/// Every so many bytes of a mask are set.
std::vector<std::uint8_t> sparse_mask(std::size_t n, int one_in, std::uint64_t seed) {
  support::random_numbers r(seed);
  std::vector<std::uint8_t> mask(n);
  for (auto& m : mask) m = r.integer(1, one_in) == 1;
  return mask;
}

template <class T>
struct both_ends {
  std::optional<indexed_element<T>> first, last;
};

/// The ends of the selected elements at begin, begin + step, ..., counted from 0.
template <class T>
both_ends<T> search(const std::vector<T>& x, const std::vector<std::uint8_t>& mask, std::size_t begin, std::size_t n,
                    std::size_t step) {
  both_ends<T> found;
  for (std::size_t i = 0; i < n; ++i) {
    if (!mask[begin + i * step]) continue;
    const indexed_element<T> e{static_cast<std::int64_t>(i), x[begin + i * step]};
    if (!found.first) found.first = e;
    found.last = e;
  }
  return found;
}

template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(static_cast<T>(static_cast<std::uint8_t>(i * 7 + 3)));
  return x;
}

template <class T>
void check_sizes() {
  for (const std::size_t n : {1u, 2u, 31u, 33u, 1000u, 4097u, 50'000u})
    for (const int one_in : {1, 3, 1000, 20'000}) {
      const auto x = numbers<T>(n);
      const auto mask = sparse_mask(n, one_in, n);
      const auto meant = search(x, mask, 0, n, 1);
      for (const int threads : {1, 3}) {
        const auto how = on_backend(onefold::accuracy::native, threads);
        CHECK(onefold::first(x, how) == indexed_element<T>{0, x.front()});
        CHECK(onefold::last(x, how) == indexed_element<T>{static_cast<std::int64_t>(n) - 1, x.back()});
        if (meant.first) {
          CHECK(onefold::first(where(x, mask), how) == *meant.first);
          CHECK(onefold::last(where(x, mask), how) == *meant.last);
        } else {
          CHECK(support::error_of([&] { onefold::first(where(x, mask), how); }) == onefold::error_code::empty_input);
          CHECK(support::error_of([&] { onefold::last(where(x, mask), how); }) == onefold::error_code::empty_input);
        }
      }
    }
}

}  // namespace

TEST_CASE("the ends of ranges and of what is selected of them are those of a plain search") {
  check_sizes<std::uint8_t>();
  check_sizes<std::int16_t>();
  check_sizes<float>();
  check_sizes<double>();
  check_sizes<std::complex<double>>();
}

TEST_CASE("ends over axes are counted in their slices") {
  const std::size_t a = 3, b = 40, c = 50;
  const auto x = numbers<float>(a * b * c);
  const auto mask = sparse_mask(x.size(), 9, 4);
  const auto how = on_backend(onefold::accuracy::native, 3);
  const array_view<float> cube(x.data(), {3, 40, 50});
  const array_view<const std::uint8_t> selects(mask.data(), {3, 40, 50});
  const auto rows = onefold::first(where(cube, selects), 2, how), ends = onefold::last(where(cube, selects), 2, how);
  REQUIRE(rows.size() == a * b);
  for (std::size_t r = 0; r < a * b; ++r) {
    const auto meant = search(x, mask, r * c, c, 1);
    CHECK(rows[r] == *meant.first);
    CHECK(ends[r] == *meant.last);
  }
  const auto columns = onefold::last(where(cube, selects), {0, 1}, how);
  const auto whole = onefold::first(cube, {0, 1}, how);
  REQUIRE(columns.size() == c);
  for (std::size_t k = 0; k < c; ++k) {
    CHECK(columns[k] == *search(x, mask, k, a * b, c).last);
    CHECK(whole[k] == indexed_element<float>{0, x[k]});
  }
}

TEST_CASE("ends of segments and groups are counted in each of them") {
  const auto x = numbers<double>(10'000);
  const auto mask = sparse_mask(x.size(), 5, 8);
  const auto how = on_backend(onefold::accuracy::native, 2);
  std::vector<int> keys;
  for (std::size_t i = 0; i < x.size(); ++i) keys.push_back(static_cast<int>(i % 10));
  const auto first = onefold::first(where(onefold::by_key(x, keys), mask), how);
  const auto last = onefold::last(onefold::by_key(x, keys), how);
  REQUIRE(first.results.size() == 10);
  for (std::size_t k = 0; k < 10; ++k) {
    CHECK(first.results[k] == *search(x, mask, k, 1000, 10).first);
    CHECK(last.results[k] == indexed_element<double>{999, x[9990 + k]});
  }
  const std::vector<std::int64_t> offsets{0, 100, 4000, 10'000};
  const auto segments = onefold::last(where(onefold::segments(x, offsets), mask), how);
  for (std::size_t s = 0; s < 3; ++s) {
    const auto begin = static_cast<std::size_t>(offsets[s]), end = static_cast<std::size_t>(offsets[s + 1]);
    CHECK(segments[s] == *search(x, mask, begin, end - begin, 1).last);
  }
  check_error(onefold::error_code::empty_input, "first of no elements has no value", [&] {
    onefold::first(onefold::segments(x, std::vector{0, 5, 5}), how);
  });
}

TEST_CASE("ends of computed elements, of other ranges, of pieces, and of elements that are not NaN") {
  const auto how = on_backend(onefold::accuracy::native, 2);
  struct order {
    double price;
    int amount;
    char name[20];
  };
  const std::vector<order> orders{{2.5, 1, "a"}, {0.5, 7, "b"}};
  CHECK(onefold::last(onefold::mapped(&order::price, orders), how) == indexed_element<double>{1, 0.5});
  CHECK(onefold::first(std::deque<int>{4, 9}, how) == indexed_element<int>{0, 4});
  const std::vector<std::vector<int>> pieces{{}, {1, 2}, {3}};
  CHECK(onefold::first(onefold::concatenated(pieces), how) == indexed_element<int>{0, 1});
  CHECK(onefold::last(onefold::concatenated(pieces), how) == indexed_element<int>{2, 3});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{nan, 3, nan, 5, nan};
  CHECK(onefold::first(where(x, onefold::not_nan), how) == indexed_element<float>{1, 3});
  CHECK(onefold::last(where(x, onefold::not_nan), how) == indexed_element<float>{3, 5});
  CHECK(onefold::last(x, how).index == 4);
  CHECK(support::bits_of(onefold::last(std::vector<float>{1, -0.0f}, how).value) == support::bits_of(-0.0f));
}

TEST_CASE("elements of 8 and 16 bytes at odd addresses") {
  struct text {
    char c[8];
    bool operator==(const text&) const = default;
  };
  struct long_text {
    char c[16];
    bool operator==(const long_text&) const = default;
  };
  static_assert(alignof(text) == 1 && alignof(long_text) == 1);
  std::vector<char> bytes(16 * 5000 + 1);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  const auto check = [&]<class T>(const T* x) {
    const std::span elements(x, (bytes.size() - 1) / sizeof(T));
    const std::int64_t last = std::ssize(elements) - 1;
    CHECK(onefold::first(elements, on_backend()) == indexed_element<T>{0, elements.front()});
    CHECK(onefold::last(elements, on_backend()) == indexed_element<T>{last, elements.back()});
  };
  check(reinterpret_cast<const text*>(bytes.data() + 1));
  check(reinterpret_cast<const long_text*>(bytes.data() + 1));
}

TEST_CASE("what first refuses") {
  const auto how = on_backend();
  check_error(onefold::error_code::empty_input, "last of no elements has no value: the input is empty",
              [&] { onefold::last(std::vector<float>{}, how); });
  auto from = how;
  from.init = 1;
  check_error(onefold::error_code::invalid_argument, "takes no initial value",
              [&] { onefold::first(std::vector<float>{1}, from); });
  check_error(onefold::error_code::unsupported, "accuracy exact does not apply to first, whose state",
              [&] { onefold::first(std::vector<float>{1}, {.accuracy = onefold::accuracy::exact}); });
  CHECK(support::error_of([&] { onefold::first(std::vector<float>{1}, {.backend = onefold::backend::cuda}); }) !=
        std::nullopt);
}
