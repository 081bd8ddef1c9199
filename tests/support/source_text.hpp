// Operations that are compiled with the tests, and again, from this very text, when the tests run.
#include <cstddef>
#include <cstdint>

#include "onefold/math.hpp"

namespace mine {

/// One number, rounded at each step, that is not associative.
struct cubes {
  struct state {
    float sum;
  };
  static constexpr state identity() { return {0}; }
  static constexpr state lift(float x) { return {x * x * x + x}; }
  static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
  static constexpr float finish(state s) { return s.sum; }
};

/// The same with an initial value, a member, and elements of another type than its state.
struct scaled {
  double factor = 0.1;
  struct state {
    double sum;
  };
  static constexpr state identity() { return {0}; }
  constexpr state lift(std::int16_t x) const { return {factor * x}; }
  static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
  static constexpr state start(double init) { return {init}; }
  static constexpr double finish(state s) { return s.sum; }
};

/// A state and a result of several numbers, with functions of the library's.
struct logsumexp {
  struct state {
    double maximum, sum;
  };
  static constexpr state identity() { return {-__builtin_inf(), 0}; }
  static constexpr state lift(double x) { return {x, 1}; }
  static constexpr state combine(const state& a, const state& b) {
    if (a.maximum < b.maximum) return {b.maximum, b.sum + a.sum * onefold::exp(a.maximum - b.maximum)};
    if (a.maximum == b.maximum) return {a.maximum, a.sum + b.sum};
    return {a.maximum, a.sum + b.sum * onefold::exp(b.maximum - a.maximum)};
  }
  static constexpr state finish(const state& s) { return s; }
};

/// Keeps the elements in sequence.
struct polynomial {
  struct traits : onefold::fold_traits {
    static constexpr bool commutative = false;
  };
  struct state {
    float value, power;
  };
  static constexpr state identity() { return {0, 1}; }
  static constexpr state lift(float x) { return {x, 0.875f}; }
  static constexpr state combine(state a, state b) { return {a.value * b.power + b.value, a.power * b.power}; }
  static constexpr float finish(state s) { return s.value; }
};

/// A state of more than a thread has several of.
struct powers {
  struct state {
    double sums[9];
  };
  static constexpr state identity() { return {}; }
  static constexpr state lift(float x) {
    state s{};
    double power = 1;
    for (double& sum : s.sums) sum = power *= static_cast<double>(x);
    return s;
  }
  static constexpr state combine(const state& a, const state& b) {
    state s = a;
    for (int i = 0; i < 9; ++i) s.sums[i] += b.sums[i];
    return s;
  }
  static constexpr state finish(const state& s) { return s; }
};

/// A large state, in place, and a large result.
struct histogram {
  struct state {
    std::uint64_t bins[256];
  };
  static constexpr state identity() { return {}; }
  static constexpr state lift(std::uint8_t x) {
    state s{};
    s.bins[x] = 1;
    return s;
  }
  static constexpr void push(state& s, std::uint8_t x) { ++s.bins[x]; }
  static constexpr state combine(const state& a, const state& b) {
    state s = a;
    for (std::size_t i = 0; i < 256; ++i) s.bins[i] += b.bins[i];
    return s;
  }
  static constexpr state finish(const state& s) { return s; }
};

}  // namespace mine
