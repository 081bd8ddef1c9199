// An operation over packs, which nvcc does not take: compiled with the tests, and from this very text when they run.
namespace mine {

/// The sum of squares.
struct squares {
  template <class V>
  struct state {
    V sum;
  };
  template <class V>
  static constexpr state<V> identity() {
    return {V{}};
  }
  template <class V>
  static constexpr state<V> lift(V x) {
    return {x * x};
  }
  template <class V>
  static constexpr state<V> push(state<V> s, V x) {
    return {s.sum + x * x};
  }
  template <class V>
  static constexpr state<V> combine(state<V> a, state<V> b) {
    return {a.sum + b.sum};
  }
  static constexpr float finish(state<float> s) { return s.sum; }
};

}  // namespace mine
