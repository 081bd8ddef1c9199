// An operation that uses the functions, compiled for one instruction-set level: the sum of softplus(x) = log(1 + e^x).
#include "operation.hpp"

#include "onefold/custom.hpp"
#include "onefold/math.hpp"

namespace {

struct softplus_sum {
  template <class V>
  struct state {
    V sum;
  };
  template <class V>
  static constexpr state<V> identity() {
    return {-V{}};
  }
  template <class V>
  static constexpr state<V> lift(V x) {
    const V magnitude = x < V{} ? -x : x;
    return {(x > V{} ? x : V{}) + onefold::log1p(onefold::exp(-magnitude))};
  }
  template <class V>
  static constexpr state<V> combine(state<V> a, state<V> b) {
    return {a.sum + b.sum};
  }
  static constexpr float finish(state<float> s) { return s.sum; }
};

}  // namespace

float ONEFOLD_MATH_OPERATION_OF_LEVEL(const std::vector<float>& x, const onefold::options& how) {
  return onefold::reduce<float, softplus_sum>(x, how);
}
