// Operations of a user's own, as the tests of custom operations and of dispatch use them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace support {

/// One scalar state: the sum of absolute values.
struct absolute_sum {
  struct state {
    float s;
  };
  static constexpr state identity() { return {-0.0f}; }
  static constexpr state lift(float x) { return {x < 0 ? -x : x}; }
  static constexpr state combine(state a, state b) { return {a.s + b.s}; }
  static constexpr float finish(state a) { return a.s; }
};

/// The same as a template over packs.
struct absolute_sum_packs {
  template <class V>
  struct state {
    V s;
  };
  template <class V>
  static constexpr state<V> identity() {
    return {-V{}};
  }
  template <class V>
  static constexpr state<V> lift(V x) {
    return {x < 0 ? -x : x};
  }
  template <class V>
  static constexpr state<V> push(state<V> a, V x) {
    return {a.s + (x < 0 ? -x : x)};
  }
  template <class V>
  static constexpr state<V> combine(state<V> a, state<V> b) {
    return {a.s + b.s};
  }
  static constexpr float finish(state<float> a) { return a.s; }
};

/// Members: how many elements lie between two thresholds, counted with a weight.
struct weighted_count {
  using state = std::int64_t;
  float low, high;
  state weight;
  constexpr std::int64_t identity() const { return 0; }
  constexpr std::int64_t lift(float x) const { return x >= low && x < high ? weight : 0; }
  constexpr std::int64_t combine(std::int64_t a, std::int64_t b) const { return a + b; }
  constexpr std::int64_t finish(std::int64_t s) const { return s; }
};

/// lift(element, index): the sum of element times index, modulo 2^64, with finish(state, n).
struct index_sum {
  using state = std::uint64_t;
  static constexpr std::uint64_t identity() { return 0; }
  static constexpr std::uint64_t lift(std::int32_t x, std::int64_t i) {
    return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(i);
  }
  static constexpr std::uint64_t combine(std::uint64_t a, std::uint64_t b) { return a + b; }
  static constexpr std::uint64_t finish(std::uint64_t s, std::int64_t n) { return s ^ static_cast<std::uint64_t>(n); }
};

/// Does not commute: the maps x -> m x + a modulo 2^32, one after the other.
struct affine_maps {
  struct state {
    std::uint32_t m, a;
    friend bool operator==(const state&, const state&) = default;
  };
  static constexpr bool commutative = false;
  static constexpr state identity() { return {1, 0}; }
  static constexpr state lift(std::uint32_t x) { return {2 * x + 1, x >> 3}; }
  static constexpr state combine(state first, state then) { return {first.m * then.m, first.a * then.m + then.a}; }
  static constexpr state finish(state s) { return s; }
};

/// The same function in floating point: neither commutative nor associative, so its bits are its order.
struct affine_floats {
  struct state {
    float m, a;
  };
  static constexpr bool commutative = false;
  static constexpr state identity() { return {1, -0.0f}; }
  static constexpr state lift(float x) { return {1 - x * 0x1p-10f, x}; }
  static constexpr state combine(state first, state then) { return {first.m * then.m, first.a * then.m + then.a}; }
  static constexpr float finish(state s) { return s.m + s.a; }
};

/// Elements of any size, with a value at both ends.
template <int Bytes>
struct record {
  float first;
  std::array<unsigned char, Bytes - 8> between;
  float last;
};

/// A bounding box over records, and a floating-point sum whose bits are its order.
template <int Bytes>
struct record_box {
  struct state {
    float low, high, sum;
  };
  static constexpr state identity() { return {__builtin_huge_valf(), -__builtin_huge_valf(), -0.0f}; }
  static constexpr state lift(const record<Bytes>& x) {
    return {std::min(x.first, x.last), std::max(x.first, x.last), x.first + x.last};
  }
  static constexpr state combine(const state& a, const state& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high), a.sum + b.sum};
  }
  static constexpr state finish(const state& s) { return s; }
};

/// A large state: a histogram of bytes, 2 KiB.
struct histogram {
  struct state {
    std::array<std::uint64_t, 256> bins;
  };
  static constexpr state identity() { return {}; }
  static constexpr state lift(std::uint8_t x) {
    state s{};
    s.bins[x] = 1;
    return s;
  }
  static constexpr state push(state s, std::uint8_t x) {
    ++s.bins[x];
    return s;
  }
  static constexpr state combine(state a, const state& b) {
    for (std::size_t i = 0; i < 256; ++i) a.bins[i] += b.bins[i];
    return a;
  }
  static constexpr state finish(const state& s) { return s; }
};

/// start(init): a caller's initial value.
struct started_sum : absolute_sum {
  static constexpr state start(float init) { return {init}; }
};

}  // namespace support
