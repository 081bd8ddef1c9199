// The laws of every fold of the catalog: a neutral identity, an associative combine, a finish that is a function.
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/fold_entry.hpp"
#include "support/plain.hpp"

namespace {

using support::expect;

/// States of 1, 2, 3 and 8 elements, pushed and combined, with the elements' numbers.
template <class E, class T>
std::vector<std::pair<typename E::S, std::int64_t>> states_of(const std::vector<T>& x) {
  std::vector<std::pair<typename E::S, std::int64_t>> states;
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto s = E::lift(x[i], static_cast<std::int64_t>(3 * i));
    states.emplace_back(s, 1);
    auto combined = s;
    for (std::size_t k = 1; k < 8 && i + k < x.size(); ++k) {
      const auto index = static_cast<std::int64_t>(3 * i + k);
      s = E::push(s, x[i + k], index);
      combined = E::F::combine(combined, E::lift(x[i + k], index));
      if (k > 2 && k < 7) continue;
      states.emplace_back(support::ended<typename E::F>(s), k + 1);
      states.emplace_back(combined, k + 1);
    }
  }
  return states;
}

/// Whether results are within a tolerance of their size: numbers of f64, but for the first ones, `floats` of f32.
bool near(const support::result_bits& a, const support::result_bits& b, std::size_t floats) {
  const double tolerance = floats != 0 ? 0x1p-20 : 0x1p-44;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto number = [&](std::uint64_t bits) {
      return i < floats ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : std::bit_cast<double>(bits);
    };
    const double x = number(a[i]), y = number(b[i]);
    if (!(std::fabs(x - y) <= tolerance * std::fmax(std::fabs(x), std::fabs(y)))) return false;
  }
  return true;
}

/// How many numbers of a result type are of f32.
template <class R>
constexpr std::size_t floats_of = std::is_same_v<R, float> || std::is_same_v<R, onefold::bounded_sum<float>>;

}  // namespace

TEST_CASE("the identity is neutral to the bit") {
  support::for_each_level([]<class Op, class T, class E>() {
    for (const auto& [s, n] : states_of<E>(support::samples<T>(true))) {
      const auto left = E::F::combine(E::identity(), s), right = E::F::combine(s, E::identity());
      expect(support::equal(left, s), "identity o s is not s");
      expect(support::equal(right, s), "s o identity is not s");
      const auto result = E::finish(s, n);
      expect(E::finish(left, n) == result && E::finish(right, n) == result, "the identity changes a result");
      expect(E::finish(s, n) == result, "finish is not a function");
    }
    expect(support::equal(E::F::combine(E::identity(), E::identity()), E::identity()),
           "identity o identity is not the identity");
  });
  SUCCEED();
}

TEST_CASE("combine is associative: exactly where the order does not matter, else up to rounding") {
  support::for_each_level([]<class Op, class T, class E>() {
    constexpr bool exact = support::order_independent<Op, T>;
    auto x = support::samples<T>(exact);
    if constexpr (!exact) {  // positive and without cancellation, so that a relative tolerance says something
      x = support::uniform_data<T>(40, 5);
      if constexpr (!support::is_float<T>)
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(1 + 7 * i % 100);
    }
    const auto states = states_of<E>(x);
    for (std::size_t i = 0; i + 12 < states.size(); ++i) {
      const auto& [a, na] = states[i];
      const auto& [b, nb] = states[i + 5];
      const auto& [c, nc] = states[i + 12];
      const auto n = na + nb + nc;
      const auto left = E::F::combine(E::F::combine(a, b), c), right = E::F::combine(a, E::F::combine(b, c));
      if constexpr (exact)
        expect(E::finish(left, n) == E::finish(right, n), "(a o b) o c is not a o (b o c)");
      else
        expect(near(E::finish(left, n), E::finish(right, n), floats_of<typename E::R>),
               "(a o b) o c is not near a o (b o c)");
    }
  });
  SUCCEED();
}

TEST_CASE("an absorbing state is not changed by what comes after it, nor unsettled by what comes before") {
  int absorbing = 0;
  support::for_each_level([&]<class Op, class T, class E>() {
    if constexpr (requires(typename E::S s) { E::F::absorbing(s); }) {
      auto states = states_of<E>(support::samples<T>(true));
      states.emplace_back(E::lift(T{}, 0), 1);
      for (const auto& [s, n] : states) {
        if (!E::F::absorbing(s)) continue;
        ++absorbing;
        for (const auto& [t, m] : states) {
          expect(support::equal(E::F::combine(s, t), s), "s o t is not s, though s is absorbing");
          expect(E::F::absorbing(E::F::combine(t, s)), "t o s is not absorbing, though s is");
        }
      }
    }
  });
  CHECK(absorbing > 0);
}
