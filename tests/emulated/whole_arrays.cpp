// The kernels of the CUDA backend over whole arrays, run on the CPU: wherever an array begins and ends, they have the
// bits of the CPU's folds, touch nothing but its elements, and leave their slots zero.
#include <limits>
#include <vector>

#include "reference.hpp"
#include "support/data.hpp"

namespace {

using namespace onefold;

template <class Op, class T, accuracy Mode>
class comparison : emulation::reference<Op, T, Mode> {
  using base = emulation::reference<Op, T, Mode>;
  using typename base::R;
  using strategy = detail::device_strategy<typename base::fold, T>;
  static constexpr std::int64_t word = 16 / sizeof(T), line = 128 / sizeof(T), lanes = 32 * word, strip = 8 * lanes,
                                page = 4 * strip;

 public:
  explicit comparison(std::vector<T> elements) : x_(std::move(elements)) {}

  /// Arrays of up to `pages` pages and a few elements more, that begin at each element of a line.
  int at_all_places(std::int64_t pages) {
    std::vector<std::int64_t> sizes{1, 2, line};
    for (const std::int64_t border : {word, lanes, strip, 3 * strip, page, 2 * page, 4 * page, pages * page})
      for (const std::int64_t more :
           {-word - 1, -word, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, word - 1, word, word + 1})
        if (border <= pages * page) sizes.push_back(border + more);
    for (const std::int64_t n : sizes) {
      if (n <= 0) continue;
      REQUIRE(n <= static_cast<std::int64_t>(x_.size()));
      const R meant = base::wanted(x_.data(), n);
      for (std::int64_t offset = 0; offset < line; offset += offset < 32 ? 1 : 7) of(n, offset, meant);
    }
    return base::compared;
  }

 private:
  void of(std::int64_t n, std::int64_t offset, const R& meant) {
    INFO(Op::name << " of " << n << " elements from element " << offset);
    const emulation::placed<T> data(x_.data(), n, offset);
    for (const std::int64_t spare : {std::int64_t{0}, 5 * page + 1}) {
      R found{};
      std::vector<char> slots(static_cast<std::size_t>(strategy::slot_bytes(n + spare) + 16));
      device_launch how = base::launch_of(data.first(), n + spare, slots.data(), &found);
      if (spare > 0) how.device_n = &n;
      REQUIRE(strategy::launch(how) == 0);
      base::same(found, meant);
      if (std::ranges::count(slots, 0) != std::ssize(slots)) FAIL_CHECK("slots are not zero again");
    }
  }

  std::vector<T> x_;
};

template <class Op, class T, accuracy Mode = accuracy::native>
void compare(std::vector<T> x, std::int64_t pages = 5) {
  CHECK(comparison<Op, T, Mode>(std::move(x)).at_all_places(pages) > 500);
}

/// Room for `pages` pages and what a test adds to them.
template <class T>
constexpr std::int64_t elements(std::int64_t pages = 5) {
  return page_elements(sizeof(T)) * pages + 64;
}

/// Zeros of both signs and NaN among a few numbers.
template <class T>
std::vector<T> hostile_data(std::int64_t n, std::uint64_t seed, double nan_share) {
  support::random_numbers r(seed);
  return support::generated<T>(n, [&] {
    return r.uniform() < nan_share ? std::numeric_limits<double>::quiet_NaN() : r.sign() * r.integer(-3, 0);
  });
}

}  // namespace

TEST_CASE("sums of f32") {
  compare<op::sum, float>(support::normal_data<float>(elements<float>(41), 1), 41);
  compare<op::sum, float, accuracy::kahan>(support::normal_data<float>(elements<float>(), 2));
  compare<op::sum, float, accuracy::wide>(support::normal_data<float>(elements<float>(), 3));
}
TEST_CASE("sums of f16") {
  compare<op::sum, f16>(support::normal_data<f16>(elements<f16>(30), 4), 30);
  compare<op::sum, f16, accuracy::kahan>(support::normal_data<f16>(elements<f16>(), 5));
}
TEST_CASE("sums of f64") {
  compare<op::sum, double>(support::normal_data<double>(elements<double>(17), 6), 17);
  compare<op::sum, double, accuracy::kahan>(support::normal_data<double>(elements<double>(), 7));
  compare<op::sum_squares, double>(support::normal_data<double>(elements<double>(), 8));
}
TEST_CASE("sums of integers") {
  compare<op::sum, std::int8_t>(support::integer_data<std::int8_t>(elements<std::int8_t>(9), 9), 9);
  compare<op::sum, std::int32_t>(support::integer_data<std::int32_t>(elements<std::int32_t>(), 10));
}
TEST_CASE("sums of zeros keep their sign") {
  compare<op::sum, float>(std::vector<float>(elements<float>(), -0.0f));
  compare<op::sum, f16>(std::vector<f16>(elements<f16>(), support::nearest<f16>(-0.0)));
  compare<op::sum, double>(std::vector<double>(elements<double>(), -0.0));
}
TEST_CASE("extremes") {
  compare<op::max, double>(support::normal_data<double>(elements<double>(9), 11), 9);
  compare<op::min, double>(hostile_data<double>(elements<double>(), 12, 1e-4));
  compare<op::max, float>(hostile_data<float>(elements<float>(), 13, 0));
  compare<op::max, f16>(hostile_data<f16>(elements<f16>(), 14, 1e-4));
  compare<op::max, std::int8_t>(support::integer_data<std::int8_t>(elements<std::int8_t>(), 15));
}
TEST_CASE("places of extremes") {
  compare<op::argmax, float>(support::normal_data<float>(elements<float>(30), 16), 30);
  compare<op::argmin, float>(hostile_data<float>(elements<float>(9), 17, 1e-4), 9);
  compare<op::argmax, f16>(hostile_data<f16>(elements<f16>(), 18, 0));
  compare<op::argmax, double>(hostile_data<double>(elements<double>(), 19, 1e-5));
  compare<op::argmin, std::int8_t>(support::integer_data<std::int8_t>(elements<std::int8_t>(), 20));
}
TEST_CASE("moments") { compare<op::moments, float>(support::normal_data<float>(elements<float>(), 21)); }
TEST_CASE("exact sums") {
  compare<op::sum, float, accuracy::exact>(support::normal_data<float>(elements<float>(), 22));
}
