// Runs user-defined operations on every number of threads, and by the reference order.
#pragma once

#include <cstring>
#include <vector>

#include "onefold/custom.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/reference_order.hpp"

namespace support {

/// Sizes around the edges of the order of elements of `bytes` bytes.
inline std::vector<std::int64_t> sizes(std::int64_t bytes) {
  std::int64_t lanes = 1;
  while (2 * lanes * bytes <= 512) lanes *= 2;
  const std::int64_t page = 32 * lanes;
  return {0,
          1,
          2,
          7,
          8,
          9,
          lanes,
          lanes + 1,
          8 * lanes + 3,
          9 * lanes,
          24 * lanes + 1,
          page - 1,
          page,
          page + 1,
          3 * page + 5,
          40 * page - 7};
}

/// Reduces with 1 to 8 threads and expects one answer, by bits.
template <class Op, class T>
auto run(const std::vector<T>& x, std::int64_t n, Op op = {}) {
  const auto once = [&](int threads) {
    return onefold::reduce<T, Op>(x.data(), n, on_backend(onefold::accuracy::native, threads), op);
  };
  const auto first = once(1);
  for (int threads = 2; threads <= 8; ++threads) {
    const auto again = once(threads);
    CHECK(std::memcmp(&first, &again, sizeof first) == 0);
  }
  return first;
}

/// As reference, where lift takes the index and elements may be pushed in place.
template <class Op, class T>
auto reference_indexed(const std::vector<T>& x, std::int64_t n, layout how) {
  const auto lift = [&](std::int64_t i) {
    const T& y = x[static_cast<std::size_t>(i)];
    if constexpr (requires { Op::lift(y, i); })
      return Op::lift(y, i);
    else
      return Op::lift(y);
  };
  using state = typename Op::state;
  const reference_order order(
      n, sizeof(T), how, lift,
      [&](state s, std::int64_t i) {
        if constexpr (requires { Op::push(s, x[0]); })
          Op::push(s, x[static_cast<std::size_t>(i)]);
        else
          s = Op::combine(s, lift(i));
        return s;
      },
      [](const state& a, const state& b) { return Op::combine(a, b); });
  const auto s = order.total();
  return Op::finish(s ? *s : Op::identity());
}

/// The state by the reference order.
template <class Op, class T>
auto reference(const std::vector<T>& x, std::int64_t n, layout how) {
  const auto at = [&](std::int64_t i) -> const T& { return x[static_cast<std::size_t>(i)]; };
  const reference_order order(
      n, sizeof(T), how, [&](std::int64_t i) { return Op::lift(at(i)); },
      [&](auto s, std::int64_t i) { return Op::combine(s, Op::lift(at(i))); },
      [](const auto& a, const auto& b) { return Op::combine(a, b); });
  const auto s = order.total();
  return Op::finish(s ? *s : Op::identity());
}

}  // namespace support
