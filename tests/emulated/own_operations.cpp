// The kernels of user-defined operations over whole arrays, run on the CPU: full pages at multiples of 16 bytes are
// folded in another way than others, and all have the bits of the CPU's folds.
#include <vector>

#include "reference.hpp"
#include "support/data.hpp"
#include "support/source_text.hpp"

namespace {

using namespace onefold;

/// Rounds at the end of a strip, and has a function that counts for folds over packs alone.
struct rounded_strips {
  struct state {
    float sum;
    std::int32_t n;
  };
  static constexpr state identity() { return {-0.0f, 0}; }
  static constexpr state lift(float x) { return {x * 1.1f, 1}; }
  static constexpr state combine(state a, state b) { return {a.sum + b.sum, a.n + b.n}; }
  static constexpr state end_strip(state s) { return {s.sum * 0.7f, s.n}; }
  static constexpr state with_count(state s, int n) { return {s.sum, n}; }
  static constexpr float finish(state s) { return s.sum + static_cast<float>(s.n); }
};

/// An operation whose identity is only neutral on the left.
struct left_neutral {
  struct state {
    double sum;
  };
  static constexpr state identity() { return {-1}; }
  static constexpr state lift(float x) { return {x}; }
  static constexpr state combine(state a, state b) { return a.sum == -1 ? b : state{a.sum * 0.5 + b.sum}; }
  static constexpr double finish(state s) { return s.sum; }
};

/// Elements of two bytes.
struct cubes_of_integers {
  struct state {
    float sum;
  };
  static constexpr state identity() { return {0}; }
  static constexpr state lift(std::int16_t x) { return {0.01f * static_cast<float>(x * x) * static_cast<float>(x)}; }
  static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
  static constexpr float finish(state s) { return s.sum; }
};

/// With an element's index.
struct weighted {
  struct state {
    double sum;
  };
  static constexpr state identity() { return {0}; }
  static constexpr state lift(float x, std::int64_t i) { return {x * static_cast<double>(i)}; }
  static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
  static constexpr double finish(state s) { return s.sum; }
};

template <class Op, class T, class R>
int compare() {
  emulation::fold_reference<Op, T, R, -1> by;
  constexpr std::int64_t page = page_elements(sizeof(T));
  static constexpr device_fold device = detail::make_device_fold<Op, T>();
  const std::vector<T> x = [] {
    if constexpr (std::is_integral_v<T>)
      return support::integer_data<T>(20 * page + 8, 5);
    else
      return support::normal_data<T>(20 * page + 8, 5);
  }();
  for (const std::int64_t n : {std::int64_t{1}, page - 1, page, page + 1, 2 * page, 17 * page, 20 * page + 7})
    for (const std::int64_t offset : {std::int64_t{0}, static_cast<std::int64_t>(16 / sizeof(T)), std::int64_t{1}}) {
      INFO(n << " elements from element " << offset);
      const emulation::placed<T> data(x.data(), n, offset);
      R found{};
      std::vector<char> slots(static_cast<std::size_t>(device.slot_bytes(device, n, 0) + 16));
      REQUIRE(device.launch(device, by.launch_of(data.first(), n, slots.data(), &found)) == 0);
      by.same(found, data.first(), n);
    }
  return by.compared;
}

}  // namespace

TEST_CASE("own operations have the CPU's bits") {
  CHECK(compare<mine::cubes, float, float>() == 21);
  CHECK(compare<cubes_of_integers, std::int16_t, float>() == 21);
  CHECK(compare<mine::polynomial, float, float>() == 21);
  CHECK(compare<rounded_strips, float, float>() == 21);
  CHECK(compare<left_neutral, float, double>() == 21);
  CHECK(compare<weighted, float, double>() == 21);
}
