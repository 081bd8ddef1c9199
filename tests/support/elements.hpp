// Elements of any type for random reductions, and the code of an error that a call gives.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "onefold/error.hpp"
#include "support/data.hpp"
#include "support/number.hpp"

namespace support {

/// n elements: few different ones, ones with a few that are no finite numbers, or any.
template <class T>
void fill(void* to, std::int64_t n, random_numbers& r) {
  T* x = static_cast<T*>(to);
  const int kind = r.integer(0, 3);
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (is_float<T>)
      x[i] = nearest<T>(kind == 0 ? r.integer(-2, 2) : r.sign() * std::ldexp(r.uniform(1, 2), r.integer(-9, 9)));
    else
      x[i] = static_cast<T>(kind == 0 ? r.bits() % 3 : sizeof(T) == 8 ? r.bits() >> 20 : r.bits());
  }
  if constexpr (is_float<T>)
    if (kind == 1 && n > 0) {
      const double special[] = {-0.0, HUGE_VAL, -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()};
      for (int i = 0; i < 3; ++i)
        x[static_cast<std::int64_t>(r.bits() % static_cast<std::uint64_t>(n))] = nearest<T>(special[r.integer(0, 3)]);
    }
}

/// The code of the error that a call throws, if it throws one.
template <class Call>
std::optional<onefold::error_code> error_of(Call call) {
  try {
    call();
    return std::nullopt;
  } catch (const onefold::error& e) {
    return e.code();
  }
}

}  // namespace support
