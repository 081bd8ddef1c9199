// An operation, as text alone, that counts what onefold's headers compute wrongly by the CPU's instructions.
#include "onefold/math.hpp"

namespace mine {

template <class T, int W>
using pack = onefold::detail::pack<T, W>;

/// The number i as the compiler cannot know it: a few of both signs, and large ones.
template <class T>
T element(int i) {
  volatile int x = i % 2 == 0 ? 3 * i : -7 * i;
  return static_cast<T>(x);
}

template <class V, class T, int W>
V elements() {
  V x{};
  for (int i = 0; i < W; ++i) x[i] = element<T>(i);
  return x;
}

/// Calls check with the bytes of each of the level's registers.
template <class Check>
void for_registers(Check check) {
  constexpr int most = onefold::detail::vector_bytes;
  check.template operator()<16>();
  if constexpr (most >= 32) check.template operator()<32>();
  if constexpr (most >= 64) check.template operator()<64>();
}

/// How many lanes of a conversion, in a register of any size, differ from static_cast.
template <class From, class To>
int wrong_conversions() {
  int wrong = 0;
  const auto check = [&wrong]<int Bytes>() {
    constexpr int W = Bytes / sizeof(To);
    if constexpr (W >= 2) {
      const auto x = elements<pack<From, W>, From, W>();
      const auto y = onefold::detail::convert<pack<To, W>>(x);
      for (int i = 0; i < W; ++i) wrong += y[i] != static_cast<To>(x[i]);
    }
  };
  for_registers(check);
  return wrong;
}

/// The same of partly loaded packs, of roots, sums and differences.
template <class T>
int wrong_arithmetic() {
  int wrong = 0;
  const auto check = [&wrong]<int Bytes>() {
    constexpr int W = Bytes / sizeof(T);
    using V = pack<T, W>;
    const V x = elements<V, T, W>();
    T stored[W];
    __builtin_memcpy(stored, &x, sizeof x);
    for (int count = 1; count < W; ++count) {
      const V y = onefold::detail::load_first<V>(stored, count);
      for (int i = 0; i < W; ++i) wrong += y[i] != (i < count ? stored[i] : T{0});
    }
    if constexpr (onefold::detail::is_float<T>) {
      const V root = onefold::detail::math::square_root(x * x), sum = onefold::detail::plus(x, root),
              difference = onefold::detail::minus(x, root);
      for (int i = 0; i < W; ++i) {
        wrong += root[i] != (x[i] < 0 ? -x[i] : x[i]);
        wrong += sum[i] != x[i] + root[i];
        wrong += difference[i] != x[i] - root[i];
      }
    }
  };
  for_registers(check);
  return wrong;
}

/// The same of halves, whose bits are those of small integers.
inline int wrong_halves() {
  int wrong = 0;
  const auto check = [&wrong]<int Bytes>() {
    constexpr int W = Bytes / sizeof(float);
    pack<std::uint16_t, W> bits{};
    for (int i = 0; i < W; ++i) bits[i] = static_cast<std::uint16_t>(0x3c00 + (element<int>(i) & 255));
    const auto x = onefold::detail::widen<pack<float, W>, onefold::f16>(bits);
    for (int i = 0; i < W; ++i) wrong += x[i] != 1 + static_cast<float>(bits[i] & 255) / 1024;
  };
  for_registers(check);
  return wrong;
}

/// The number of wrong values.
struct intrinsics {
  struct state {
    std::int32_t wrong;
  };
  static constexpr state identity() { return {0}; }
  static state lift(float) {
    using namespace std;
    return {wrong_conversions<int8_t, int16_t>() + wrong_conversions<uint8_t, uint16_t>() +
            wrong_conversions<int8_t, int32_t>() + wrong_conversions<uint8_t, uint32_t>() +
            wrong_conversions<int8_t, int64_t>() + wrong_conversions<uint8_t, uint64_t>() +
            wrong_conversions<int16_t, int32_t>() + wrong_conversions<uint16_t, uint32_t>() +
            wrong_conversions<int16_t, int64_t>() + wrong_conversions<uint16_t, uint64_t>() +
            wrong_conversions<int32_t, int64_t>() + wrong_conversions<uint32_t, uint64_t>() +
            wrong_conversions<float, double>() + wrong_conversions<int32_t, double>() + wrong_arithmetic<float>() +
            wrong_arithmetic<double>() + wrong_arithmetic<int8_t>() + wrong_arithmetic<int64_t>() + wrong_halves()};
  }
  static constexpr state combine(state a, state b) { return {a.wrong + b.wrong}; }
  static constexpr std::int32_t finish(state s) { return s.wrong; }
};

}  // namespace mine
