// One of two files of a program, compiled for different instruction sets: operations of the catalog and of the user's
// own. The operations have internal linkage, as docs/operations.md says.
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"

namespace {

struct absolute_sum {
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

}  // namespace

/// A function of the user's that both files define under the same name would be the user's own mistake; these differ.
float ONEFOLD_TEST_FUNCTION(const std::vector<float>& x) {
  onefold::options how;
  how.init = 0.0;
  onefold::plan<float, onefold::op::sum> planned(static_cast<std::int64_t>(x.size()), how);
  onefold::exact_sum<float> exact;
  exact.push(x);
  exact.push(1.0f);
  const auto most = onefold::try_reduce<float, onefold::op::max>(x);
  const auto m = onefold::reduce_reported<float, onefold::op::moments>(x);
  return onefold::reduce<float, absolute_sum>(x) + planned(x) + onefold::sum(x) + exact.value() +
         (most ? *most : 0.0f) + static_cast<float>(m.value.mean);
}
