// What the tests of the laws share: the scalar functions of a catalog entry, its states as bits, and sample elements.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "onefold/detail/folds.hpp"
#include "onefold/detail/make_recipe.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/reference_order.hpp"
#include "support/result_bits.hpp"

namespace support {

using onefold::accuracy;

/// The entry that is being tested.
inline std::string current;

/// A check that costs one call: assertions of Catch2 in hundreds of instances take minutes to compile.
[[gnu::noinline]] inline void expect(bool holds, const char* law) {
  if (!holds) FAIL_CHECK(current << ": " << law);
}

/// The scalar functions of an entry: of its lanes, or of the tree above the page.
template <class Op, class T, accuracy A, bool Tree>
struct entry {
  using F = onefold::detail::fold_of<Op, T, A>;
  using V = onefold::detail::lane_value<F, T>;
  using S = std::conditional_t<Tree, onefold::detail::tree_state<F, T>, onefold::detail::lane_state<F, T>>;
  using R = typename Op::template result<T>;

  static S at_level(const onefold::detail::lane_state<F, T>& s) {
    if constexpr (Tree)
      return closed<F>(s);
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
      return at_level(F::lift(static_cast<V>(value_of(x))));
    }
  }
  static S push(const S& s, T x, std::int64_t index) {
    if constexpr (!Tree && onefold::detail::folds_packs<F, V> && !requires { F::template project<V>(x); })
      return F::push(s, static_cast<V>(value_of(x)));
    else
      return F::combine(s, lift(x, index));
  }
  static result_bits finish(const S& s, std::int64_t n) {
    if constexpr (Tree)
      return bits_of(F::template finish<R>(s, n));
    else
      return bits_of(F::template finish<R>(closed<F>(s), n));
  }
};

/// Calls f.operator()<Op, T, A>() for each fold of the catalog; accuracies that share one get it once.
void for_each_fold(auto&& f) {
  for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
    using fold = onefold::detail::fold_of<Op, T, A>;
    if constexpr (A == accuracy::native || !std::is_same_v<fold, onefold::detail::fold_of<Op, T, accuracy::native>>) {
      current = entry_name<Op, T>(A);
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

/// The limbs of an exact sum once its carries are done.
template <class S>
result_bits limbs_of(S s) {
  onefold::detail::carry(s);
  result_bits bits{s.special};
  for (const std::int64_t limb : s.limb) bits.push_back(static_cast<std::uint64_t>(limb));
  return bits;
}

/// The sum of |x| that a state of sum_with_bound has beside the sum's own; nothing for others.
template <class S>
result_bits magnitude_of([[maybe_unused]] const S& s) {
  if constexpr (requires { s.magnitude; })
    return bits_of(s.magnitude);
  else
    return {};
}

/// The other numbers that a state is made of, as bits: a state may have padding.
template <class S>
result_bits numbers_of(const S& s) {
  if constexpr (requires { s.index; })
    return {bits_of(s.value)[0], static_cast<std::uint64_t>(s.index)};
  else if constexpr (requires { s.limb; })
    return limbs_of(s);
  else if constexpr (requires { s.squares; }) {
    result_bits bits = limbs_of(s.sum);
    for (const std::uint64_t b : limbs_of(s.squares)) bits.push_back(b);
    return bits;
  } else if constexpr (requires { s.high; })
    return {static_cast<std::uint64_t>(s.low), static_cast<std::uint64_t>(s.high)};
  else if constexpr (requires {
                       s.hi;
                       s.lo;
                     })
    return {bits_of(s.hi)[0], bits_of(s.lo)[0]};
  else if constexpr (requires { s.m2; })
    return {bits_of(s.n)[0], bits_of(s.mean)[0], bits_of(s.m2)[0]};
  else if constexpr (requires { s.q; })
    return {bits_of(s.n)[0], bits_of(s.shift)[0], bits_of(s.s)[0], bits_of(s.q)[0]};
  else if constexpr (requires { s.c; })
    return {bits_of(s.s)[0], bits_of(s.c)[0]};
  else if constexpr (requires { s.min; })
    return {bits_of(s.min)[0], bits_of(s.max)[0]};
  else if constexpr (requires { s.s; })
    return bits_of(s.s);
  else {  // of a state without padding
    result_bits bits((sizeof(S) + 7) / 8);
    std::memcpy(bits.data(), &s, sizeof(S));
    return bits;
  }
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
/// double-double's low zero, which changes no result.
template <class S>
bool equal(const S& a, const S& b) {
  if (!std::isfinite(leading(a))) return !std::isfinite(leading(b));
  if (magnitude_of(a) != magnitude_of(b)) return false;
  if constexpr (requires { a.hi; }) return bits_of(a.hi) == bits_of(b.hi) && a.lo == b.lo;
  return numbers_of(a) == numbers_of(b);
}

/// Elements that exercise an entry, special values first; `ordinary` of them are without.
template <class T>
std::vector<T> samples(bool special) {
  std::vector<T> x;
  if constexpr (is_float<T>) {
    if (special)
      for (const double v : {0.0, -0.0, 1.0, -1.0, HUGE_VAL, -HUGE_VAL, std::nan("")}) x.push_back(nearest<T>(v));
    for (const T y : lognormal_data<T>(20, 1)) x.push_back(y);
    for (const T y : normal_data<T>(20, 2)) x.push_back(y);
    if (special)
      for (const T y : wide_data<T>(20, 3)) x.push_back(y);
  } else {
    if (special)
      for (const T v : {T{0}, T{1}, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}) x.push_back(v);
    for (const T y : integer_data<T>(40, 4)) x.push_back(y);
  }
  return x;
}

}  // namespace support
