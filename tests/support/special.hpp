// What tests of special values share: sizes, NaNs of every kind, and a run on every instruction set.
#pragma once

#include <cstring>
#include <limits>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/number.hpp"
#include "support/result_bits.hpp"

namespace support {

using float_types = onefold::type_list<float, double, onefold::f16, onefold::bf16>;

/// Arrays of these sizes take every way through a page, and several threads.
template <class T>
std::vector<std::int64_t> path_sizes() {
  const std::int64_t lanes = 512 / sizeof(T), page = 32 * lanes;
  return {1, 2, 5, lanes + 1, 9 * lanes + 3, page, 7 * page + 11};
}

/// Reduces on every instruction set with three threads and expects one answer.
template <class Op, class T>
result_bits run_on_all(const std::vector<T>& x, onefold::accuracy a = onefold::accuracy::native,
                       onefold::initial init = {}) {
  result_bits first;
  for (const auto level : levels_under_test()) {
    auto how = on_backend(a, 3);
    how.isa = level;
    how.init = init;
    const auto r = run<Op>(x.data(), static_cast<std::int64_t>(x.size()), how);
    if (first.empty()) first = r;
    CHECK(r == first);
  }
  return first;
}

template <class T>
T from_bits(std::uint64_t bits) {
  T y;
  std::memcpy(static_cast<void*>(&y), &bits, sizeof y);
  return y;
}

/// NaNs of both signs, quiet and signalling, with payloads.
template <class T>
std::vector<T> all_kinds_of_nan() {
  constexpr format f = format_of<T>;
  const std::uint64_t exponent = ((std::uint64_t{1} << f.exponent_bits) - 1) << f.fraction_bits;
  const std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1), quiet = std::uint64_t{1} << (f.fraction_bits - 1);
  return {from_bits<T>(exponent | quiet), from_bits<T>(sign | exponent | quiet | 5), from_bits<T>(exponent | 1),
          from_bits<T>(sign | exponent | 3)};
}

/// n elements of value v.
template <class T>
std::vector<T> filled(std::int64_t n, double v) {
  return std::vector<T>(static_cast<std::size_t>(n), nearest<T>(v));
}

inline constexpr double inf = std::numeric_limits<double>::infinity();

}  // namespace support
