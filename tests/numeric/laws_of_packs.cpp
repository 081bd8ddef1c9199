// The laws of the faster functions: push is combine after lift, and the functions over packs are the scalar ones.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "support/fold_entry.hpp"
#include "support/plain.hpp"

namespace {

using onefold::accuracy;
using support::expect;

/// Operands, a multiple of 16 of each: all triples of the first seven values, then neighbors.
template <class V>
struct triples {
  std::vector<V> a, b, c;
  explicit triples(const std::vector<V>& x) {
    const std::size_t few = std::min<std::size_t>(7, x.size());
    for (std::size_t i = 0; i < few * few * few; ++i) add(x[i % few], x[i / few % few], x[i / few / few]);
    for (std::size_t i = 0; i + 2 < x.size(); ++i) add(x[i], x[i + 1], x[i + 2]);
    while (a.size() % 16) add(x[0], x[0], x[0]);
  }

 private:
  void add(V x, V y, V z) {
    a.push_back(x);
    b.push_back(y);
    c.push_back(z);
  }
};

/// What lanes of an entry fold: its samples as numbers, or 0 and 1.
template <class E, class T>
triples<typename E::V> operands(bool special) {
  using V = typename E::V;
  std::vector<V> x;
  if constexpr (requires { E::F::template project<V>(T{}); })
    x = {0, 1};
  else
    for (const T y : support::samples<T>(special)) x.push_back(static_cast<V>(support::value_of(y)));
  return triples<V>(x);
}

}  // namespace

TEST_CASE("push is combine after lift") {
  support::for_each_fold([]<class Op, class T, accuracy A>() {
    using E = support::entry<Op, T, A, false>;
    if constexpr (onefold::detail::folds_packs<typename E::F, typename E::V> &&
                  !requires { E::F::template project<typename E::V>(T{}); }) {
      using V = typename E::V;
      const auto x = operands<E, T>(!requires(typename E::S s) { s.q; });
      for (std::size_t i = 0; i < x.a.size(); ++i) {
        const V a = x.a[i], b = x.b[i], c = x.c[i];
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
          expect(support::equal(pushed, combined), "push is not combine after lift");
        }
      }
    }
  });
  SUCCEED();
}

TEST_CASE("the functions over packs are the scalar functions lane by lane") {
  support::for_each_fold([]<class Op, class T, accuracy A>() {
    using E = support::entry<Op, T, A, false>;
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
      const auto x = operands<E, T>(true);
      for (std::size_t i = 0; i < x.a.size(); i += width) {
        P a, b, c;
        std::memcpy(&a, &x.a[i], sizeof a);
        std::memcpy(&b, &x.b[i], sizeof b);
        std::memcpy(&c, &x.c[i], sizeof c);
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
