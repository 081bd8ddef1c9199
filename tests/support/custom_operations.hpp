// User-defined operations, as the tests of custom operations and of dispatch use them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "onefold/operation.hpp"

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

/// The same with members of names that mean something in folds of the library's, or in functions with other arguments.
struct absolute_sum_with_names : absolute_sum {
  using value = double;
  using total = int;
  using element = std::int8_t;
  using kernel = int;
  using quick = int;
  using extreme = int;
  static constexpr bool exact = true, of_bits = true, order_free = true, flags_nan = true;
  static constexpr bool absorbing() { return true; }
  static constexpr state end_strip() { return {-1}; }
  static constexpr state with_count(state) { return {-1}; }
  static constexpr float close(state) { return -1; }
  static constexpr state start() { return {-1}; }
  static constexpr bool why_no_result(state) { return true; }
  static constexpr state with_tail(state) { return {-1}; }
  template <class V>
  static constexpr V project(V) {
    return -1;
  }
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

/// The same in f64, and how many pages there are: what traits and close say.
struct absolute_sum_of_pages {
  struct paged {
    double sum;
    std::int64_t pages;
    friend bool operator==(const paged&, const paged&) = default;
  };
  struct traits : onefold::fold_traits {
    using value = double;
    using total = paged;
  };
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
  static constexpr state<V> combine(state<V> a, state<V> b) {
    return {a.s + b.s};
  }
  static constexpr paged combine(paged a, paged b) { return {a.sum + b.sum, a.pages + b.pages}; }
  static constexpr paged close(state<double> a) { return {a.s, 1}; }
  static constexpr paged finish(paged a) { return a; }
};

/// The same without push: elements are lifted and combined.
struct absolute_sum_lifted {
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
  struct traits : onefold::fold_traits {
    static constexpr bool commutative = false;
  };
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
  struct traits : onefold::fold_traits {
    static constexpr bool commutative = false;
  };
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

/// How many strips have elements: it tells a lane that was pushed to from two that were combined.
template <int Bytes>
struct strip_count {
  struct state {
    float ended, begun;
  };
  static constexpr state identity() { return {0, 0}; }
  static constexpr state lift(const record<Bytes>&) { return {0, 1}; }
  static constexpr state combine(const state& a, const state& b) {
    return {a.ended + b.ended, std::max(a.begun, b.begun)};
  }
  static constexpr state end_strip(const state& s) { return {s.ended + s.begun, 0}; }
  static constexpr float finish(const state& s) { return s.ended; }
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

/// The same, pushed in place.
struct histogram_in_place : histogram {
  static constexpr void push(state& s, std::uint8_t x) { ++s.bins[x]; }
};

/// A state of any size whose bits are its order: floating-point sums of elements by their index, modulo the number of
/// sums. combine takes references, so that the operation itself needs no stack.
template <int Bytes>
struct large_sums {
  static constexpr std::int64_t count = Bytes / static_cast<int>(sizeof(float));
  struct state {
    std::array<float, count> sums;
  };
  static state identity() {
    state s;
    s.sums.fill(-0.0f);
    return s;
  }
  static state lift(float x, std::int64_t index) {
    state s = identity();
    s.sums[static_cast<std::size_t>(index % 7 % count)] = x;
    return s;
  }
  static state combine(const state& a, const state& b) {
    state s = a;
    for (std::size_t i = 0; i < count; ++i) s.sums[i] += b.sums[i];
    return s;
  }
  static float finish(const state& s) {
    float all = 0;
    for (std::size_t i = 0; i < count; ++i) all += s.sums[i] * static_cast<float>(i + 1);
    return all;
  }
};

/// The same, keeping the order of the elements.
template <int Bytes>
struct large_ordered_sums : large_sums<Bytes> {
  struct traits : onefold::fold_traits {
    static constexpr bool commutative = false;
  };
};

/// The same, pushed in place by the element's size.
template <int Bytes>
struct large_sums_in_place : large_sums<Bytes> {
  using state = typename large_sums<Bytes>::state;
  static state lift(float x) {
    state s = large_sums<Bytes>::identity();
    push(s, x);
    return s;
  }
  static void push(state& s, float x) { s.sums[static_cast<std::size_t>(x < 0)] += x; }
};

/// How many elements there are before the first negative one: it settles a state, whatever follows, and not what came
/// before.
struct leading_count {
  struct state {
    std::int64_t count;
    bool ended;
  };
  struct traits : onefold::fold_traits {
    static constexpr bool commutative = false;
  };
  static constexpr state identity() { return {0, false}; }
  static constexpr state lift(float x) { return x < 0 ? state{0, true} : state{1, false}; }
  static constexpr state combine(state a, state b) { return a.ended ? a : state{a.count + b.count, b.ended}; }
  static constexpr bool absorbing(state s) { return s.ended; }
  static constexpr std::int64_t finish(state s) { return s.count; }
};

/// The same with a state that is too large for the stack.
struct large_leading_count {
  struct state : leading_count::state {
    std::array<char, 300> filler;
  };
  struct traits : onefold::fold_traits {
    static constexpr bool commutative = false;
  };
  static constexpr state make(leading_count::state s) { return {s, {}}; }
  static constexpr state identity() { return make(leading_count::identity()); }
  static constexpr state lift(float x) { return make(leading_count::lift(x)); }
  static constexpr state combine(const state& a, const state& b) { return make(leading_count::combine(a, b)); }
  static constexpr bool absorbing(const state& s) { return s.ended; }
  static constexpr std::int64_t finish(const state& s) { return s.count; }
};

/// Members that have no default: a function that captures, a reference and a constant.
template <class Function>
struct mapped_sum {
  using state = double;
  Function map;
  const double& scale;
  const int shift;
  state identity() const { return -0.0; }
  state lift(float x) const { return map(x) * scale + shift; }
  state combine(state a, state b) const { return a + b; }
  double finish(state s) const { return s; }
};
template <class Function>
mapped_sum(Function, const double&, int) -> mapped_sum<Function>;

/// start(init): a caller's initial value.
struct started_sum : absolute_sum {
  static constexpr state start(float init) { return {init}; }
};

/// Elements that want more alignment than memory has by itself.
template <std::size_t Align>
struct alignas(Align) wide_element {
  std::int64_t value;
};
/// Counts elements that lie where none may.
template <class T>
struct misaligned_count {
  using state = std::int64_t;
  static state identity() { return 0; }
  static state lift(const T& x) { return reinterpret_cast<std::uintptr_t>(&x) % alignof(T) != 0; }
  static state combine(state a, state b) { return a + b; }
  static std::int64_t finish(state s) { return s; }
};

}  // namespace support
