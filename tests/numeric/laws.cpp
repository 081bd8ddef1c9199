// The laws of every fold of the catalogue: neutral identity, associativity, push = combine after lift, packs = scalars.
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "onefold/detail/make_recipe.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/plain.hpp"
#include "support/reference_order.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;

/// The entry that is being tested.
std::string current;

/// A check that costs one call: assertions of Catch2 in a thousand instances take minutes to compile.
[[gnu::noinline]] void expect(bool holds, const char* law) {
  if (!holds) FAIL_CHECK(current << ": " << law);
}

/// The scalar functions of an entry: of its lanes, or of the tree above the page.
template <class Op, class T, accuracy A, bool Tree>
struct entry {
  using F = typename Op::template fold<T, A>;
  using V = onefold::detail::lane_value<F, T>;
  using S = std::conditional_t<Tree, onefold::detail::tree_state<F, T>, onefold::detail::lane_state<F, T>>;
  using R = typename Op::template result<T>;

  static S at_level(const onefold::detail::lane_state<F, T>& s) {
    if constexpr (Tree)
      return support::closed<F>(s);
    else
      return s;
  }
  static S identity() { return at_level(onefold::detail::identity_of<F, V>(F{})); }
  static S lift(T x, std::int64_t index) {
    if constexpr (requires { F::template project<V>(x); }) {
      using stored = onefold::detail::storage_t<T>;
      return at_level(F::lift(F::template project<V>(std::bit_cast<stored>(x))));
    } else if constexpr (requires { F::lift(x, index); }) {
      return at_level(F::lift(x, index));
    } else {
      return at_level(F::lift(static_cast<V>(support::value_of(x))));
    }
  }
  static S push(const S& s, T x, std::int64_t index) {
    if constexpr (!Tree && onefold::detail::folds_packs<F, V> && !requires { F::template project<V>(x); })
      return F::push(s, static_cast<V>(support::value_of(x)));
    else
      return F::combine(s, lift(x, index));
  }
  static support::result_bits finish(const S& s, std::int64_t n) {
    if constexpr (Tree)
      return support::bits_of(F::template finish<R>(s, n));
    else
      return support::bits_of(F::template finish<R>(support::closed<F>(s), n));
  }
};

/// Calls f.operator()<Op, T, A>() for each fold of the catalogue; accuracies that share one get it once.
void for_each_fold(auto&& f) {
  support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
    using fold = typename Op::template fold<T, A>;
    if constexpr (A == accuracy::native || !std::is_same_v<fold, typename Op::template fold<T, accuracy::native>>) {
      current = support::entry_name<Op, T>(A);
      f.template operator()<Op, T, A>();
    }
  });
}

/// Calls f.operator()<Op, T, entry>() for the states of lanes and, where they differ, of the tree.
void for_each_level(auto&& f) {
  for_each_fold([&]<class Op, class T, accuracy A>() {
    using lanes = entry<Op, T, A, false>;
    using tree = entry<Op, T, A, true>;
    f.template operator()<Op, T, lanes>();
    if constexpr (!std::is_same_v<typename lanes::S, typename tree::S>) f.template operator()<Op, T, tree>();
  });
}

/// The numbers that a state is made of, as bits: a state may have padding.
template <class S>
support::result_bits numbers_of(const S& s) {
  if constexpr (requires { s.index; })
    return {support::bits_of(s.value)[0], static_cast<std::uint64_t>(s.index)};
  else if constexpr (requires {
                       s.hi;
                       s.lo;
                     })
    return {support::bits_of(s.hi)[0], support::bits_of(s.lo)[0]};
  else if constexpr (requires { s.m2; })
    return {support::bits_of(s.n)[0], support::bits_of(s.mean)[0], support::bits_of(s.m2)[0]};
  else if constexpr (requires { s.q; })
    return {support::bits_of(s.n)[0], support::bits_of(s.shift)[0], support::bits_of(s.s)[0], support::bits_of(s.q)[0]};
  else if constexpr (requires { s.c; })
    return {support::bits_of(s.s)[0], support::bits_of(s.c)[0]};
  else if constexpr (requires { s.min; })
    return {support::bits_of(s.min)[0], support::bits_of(s.max)[0]};
  else
    return support::bits_of(s.s);
}

template <class S>
double leading(const S& s) {
  if constexpr (requires { s.hi; })
    return s.hi;
  else if constexpr (requires { s.q; })
    return s.q;
  else if constexpr (requires { s.m2; })
    return s.m2;
  else if constexpr (requires { s.s; })
    return static_cast<double>(s.s);
  else
    return 1;  // selections: all their bits count, also a NaN's
}

/// Equal to the bit. Not compared: the companions of an infinite or NaN sum, which no longer count, and the sign of a
/// double-double's zero, which finish hides.
template <class S>
bool equal(const S& a, const S& b) {
  if (!std::isfinite(leading(a))) return !std::isfinite(leading(b));
  if constexpr (requires { a.hi; })
    if (a.hi == 0) return b.hi == 0 && a.lo == b.lo;
  return numbers_of(a) == numbers_of(b);
}

/// Elements that exercise an entry, special values first; `ordinary` of them are without.
template <class T>
std::vector<T> samples(bool special) {
  std::vector<T> x;
  if constexpr (support::is_float<T>) {
    if (special)
      for (const double v : {0.0, -0.0, 1.0, -1.0, HUGE_VAL, -HUGE_VAL, std::nan("")})
        x.push_back(support::nearest<T>(v));
    for (const T y : support::lognormal_data<T>(20, 1)) x.push_back(y);
    for (const T y : support::normal_data<T>(20, 2)) x.push_back(y);
    if (special)
      for (const T y : support::wide_data<T>(20, 3)) x.push_back(y);
  } else {
    if (special)
      for (const T v : {T{0}, T{1}, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}) x.push_back(v);
    for (const T y : support::integer_data<T>(40, 4)) x.push_back(y);
  }
  return x;
}

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
      states.emplace_back(s, k + 1);
      states.emplace_back(combined, k + 1);
    }
  }
  return states;
}

/// Whether results of f32 or f64 numbers are within `tolerance` of their size.
bool near(const support::result_bits& a, const support::result_bits& b, double tolerance, bool doubles) {
  const auto number = [&](std::uint64_t bits) {
    return doubles ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = number(a[i]), y = number(b[i]);
    if (!(std::fabs(x - y) <= tolerance * std::fmax(std::fabs(x), std::fabs(y)))) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("the identity is neutral to the bit") {
  for_each_level([]<class Op, class T, class E>() {
    for (const auto& [s, n] : states_of<E>(samples<T>(true))) {
      const auto left = E::F::combine(E::identity(), s), right = E::F::combine(s, E::identity());
      expect(equal(left, s), "identity o s is not s");
      expect(equal(right, s), "s o identity is not s");
      const auto result = E::finish(s, n);
      expect(E::finish(left, n) == result && E::finish(right, n) == result, "the identity changes a result");
      expect(E::finish(s, n) == result, "finish is not a function");
    }
    expect(equal(E::F::combine(E::identity(), E::identity()), E::identity()),
           "identity o identity is not the identity");
  });
  SUCCEED();
}

TEST_CASE("combine is associative: exactly where the order does not matter, else up to rounding") {
  for_each_level([]<class Op, class T, class E>() {
    constexpr bool exact = support::order_independent<Op, T>;
    auto x = samples<T>(exact);
    if constexpr (!exact)  // positive and without cancellation, so that a relative tolerance says something
      x = support::is_float<T> ? support::uniform_data<T>(40, 5) : x;
    const auto states = states_of<E>(x);
    for (std::size_t i = 0; i + 12 < states.size(); ++i) {
      const auto& [a, na] = states[i];
      const auto& [b, nb] = states[i + 5];
      const auto& [c, nc] = states[i + 12];
      const auto n = na + nb + nc;
      const auto left = E::F::combine(E::F::combine(a, b), c), right = E::F::combine(a, E::F::combine(b, c));
      if constexpr (exact)
        expect(E::finish(left, n) == E::finish(right, n), "(a o b) o c is not a o (b o c)");
      else if constexpr (support::is_float<T>)
        expect(near(E::finish(left, n), E::finish(right, n), sizeof(typename E::R) == 4 ? 0x1p-20 : 0x1p-44,
                    sizeof(typename E::R) != 4),
               "(a o b) o c is not near a o (b o c)");
    }
  });
  SUCCEED();
}

TEST_CASE("push is combine after lift") {
  for_each_fold([]<class Op, class T, accuracy A>() {
    using E = entry<Op, T, A, false>;
    if constexpr (onefold::detail::folds_packs<typename E::F, typename E::V> &&
                  !requires { E::F::template project<typename E::V>(T{}); }) {
      using V = typename E::V;
      const auto x = samples<T>(!requires(typename E::S s) { s.q; });
      for (std::size_t i = 0; i + 2 < x.size(); ++i) {
        const V a = static_cast<V>(support::value_of(x[i])), b = static_cast<V>(support::value_of(x[i + 1])),
                c = static_cast<V>(support::value_of(x[i + 2]));
        const auto s = E::F::push(E::F::lift(a), b);
        const auto pushed = E::F::push(s, c), combined = E::F::combine(s, E::F::lift(c));
        if constexpr (requires { s.q; }) {
          // Shifted sums against Chan's formula: the same moments up to rounding.
          const auto m = E::F::moments(support::closed<typename E::F>(pushed)),
                     k = E::F::moments(support::closed<typename E::F>(combined));
          expect(m.n == k.n, "push counts otherwise than combine");
          const double size = std::fabs(double(a)) + std::fabs(double(b)) + std::fabs(double(c));
          expect(std::fabs(m.mean - k.mean) <= 0x1p-48 * size, "the mean by push is not near the one by combine");
          expect(std::fabs(m.m2 - k.m2) <= 0x1p-46 * size * size, "M2 by push is not near the one by combine");
        } else if constexpr (requires { s.hi; }) {
          // Pushed errors are gathered and normalized later: the same value up to double-double's rounding.
          const double difference = (pushed.hi - combined.hi) + (pushed.lo - combined.lo);
          const double size = std::fabs(double(a)) + std::fabs(double(b)) + std::fabs(double(c));
          const double product = std::fabs(pushed.hi);
          expect(!std::isfinite(pushed.hi) || std::fabs(difference) <= 0x1p-102 * std::fmax(size, product),
                 "push is not near combine after lift");
          expect(std::isfinite(pushed.hi) == std::isfinite(combined.hi), "only one of push and combine is finite");
        } else {
          expect(equal(pushed, combined), "push is not combine after lift");
        }
      }
    }
  });
  SUCCEED();
}

TEST_CASE("the functions over packs are the scalar functions lane by lane") {
  for_each_fold([]<class Op, class T, accuracy A>() {
    using E = entry<Op, T, A, false>;
    if constexpr (onefold::detail::folds_packs<typename E::F, typename E::V>) {
      using V = typename E::V;
      constexpr int width = 16 / sizeof(V);
      using P = onefold::detail::pack<V, width>;
      using lanes = onefold::detail::members<typename E::F::template state<P>, P>;
      using one = onefold::detail::members<typename E::F::template state<V>, V>;
      const auto same = [](const lanes& packed, int lane, const one& scalar) {
        for (int m = 0; m < one::count; ++m) {
          const V got = packed.m[m][lane], wanted = scalar.m[m];
          if (std::memcmp(&got, &wanted, sizeof got) != 0 && (got == got || wanted == wanted)) return false;
        }
        return true;
      };
      std::vector<V> x;
      if constexpr (requires { E::F::template project<V>(T{}); })
        x = {0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0};
      else
        for (const T y : samples<T>(true)) x.push_back(static_cast<V>(support::value_of(y)));
      for (std::size_t i = 0; i + 3 * width <= x.size(); ++i) {
        P a, b, c;
        std::memcpy(&a, &x[i], sizeof a);
        std::memcpy(&b, &x[i + width], sizeof b);
        std::memcpy(&c, &x[i + 2 * width], sizeof c);
        const auto pushed = E::F::push(E::F::lift(a), b);
        const auto combined = E::F::combine(pushed, E::F::lift(c));
        for (int lane = 0; lane < width; ++lane) {
          const auto s = E::F::push(E::F::lift(V(a[lane])), V(b[lane]));
          expect(same(lanes::of(pushed), lane, one::of(s)), "push differs between a pack and its lanes");
          expect(same(lanes::of(combined), lane, one::of(E::F::combine(s, E::F::lift(V(c[lane]))))),
                 "combine differs between a pack and its lanes");
        }
      }
      const auto none = lanes::of(E::F::template identity<P>());
      for (int lane = 0; lane < width; ++lane)
        expect(same(none, lane, one::of(E::F::template identity<V>())), "the identities of packs and lanes differ");
    }
  });
  SUCCEED();
}
