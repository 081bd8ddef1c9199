// Two operations that onefold does not have, on every CPU backend: a bounding box and a logsumexp.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/math.hpp"
#include "onefold/onefold.hpp"

namespace {

struct point {
  float x, y;
};

/// The smallest box around all points. Plain members over an element type of one's own: no more is needed.
struct bounding_box {
  struct state {
    float left, bottom, right, top;
  };
  static constexpr float inf = std::numeric_limits<float>::infinity();

  static constexpr state identity() { return {inf, inf, -inf, -inf}; }
  static constexpr state lift(const point& p) { return {p.x, p.y, p.x, p.y}; }
  static constexpr state combine(const state& a, const state& b) {
    return {a.left < b.left ? a.left : b.left, a.bottom < b.bottom ? a.bottom : b.bottom,
            a.right > b.right ? a.right : b.right, a.top > b.top ? a.top : b.top};
  }
  static constexpr state finish(const state& s) { return s; }
};

/// log(sum(exp(x))) without overflow: each state is a maximum and a sum of exp(x - maximum). With the library's
/// functions, whose bits are the same on every machine; those of std::exp are not.
struct logsumexp {
  struct state {
    double maximum, sum;
  };

  static constexpr state identity() { return {-std::numeric_limits<double>::infinity(), 0}; }
  static constexpr state lift(double x) { return {x, 1}; }
  static state combine(const state& a, const state& b) {
    if (a.maximum < b.maximum) return combine(b, a);
    if (a.maximum == b.maximum) return {a.maximum, a.sum + b.sum};  // infinities, too: inf - inf would be NaN
    return {a.maximum, a.sum + b.sum * onefold::exp(b.maximum - a.maximum)};
  }
  // An element is one exp cheaper than a state; it must give what combine(s, lift(x)) gives, to the bit.
  static state push(const state& s, double x) {
    return x < s.maximum ? state{s.maximum, s.sum + onefold::exp(x - s.maximum)} : combine(s, lift(x));
  }
  static double finish(const state& s) { return s.maximum + onefold::log(s.sum); }
};

/// The largest |x|, with a state over a number type V: the fold then runs over SIMD packs as those of the catalog do.
struct largest_magnitude {
  template <class V>
  struct state {
    V largest;
  };

  template <class V>
  static constexpr state<V> identity() {
    return {V{}};
  }
  template <class V>
  static constexpr state<V> lift(V x) {
    return {x < V{} ? -x : x};
  }
  template <class V>
  static constexpr state<V> push(state<V> s, V x) {
    return combine(s, lift(x));
  }
  template <class V>
  static constexpr state<V> combine(state<V> a, state<V> b) {
    return {a.largest < b.largest ? b.largest : a.largest};
  }
  static constexpr float finish(state<float> s) { return s.largest; }
};

}  // namespace

int main() try {
  std::vector<point> points(1'000'000);
  std::vector<double> logs(points.size());
  std::vector<float> values(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto t = static_cast<float>(i);
    points[i] = {std::cos(t) * t, std::sin(t) * t};
    logs[i] = 1000.0 + std::sin(static_cast<double>(i));
    values[i] = points[i].x;
  }

  double first = 0;
  for (const onefold::backend_info& who : onefold::backends()) {
    if (!who.available) {
      std::printf("%-10s cannot run: %s\n", onefold::name_of(who.backend), who.detail.c_str());
      continue;
    }
    if (who.backend == onefold::backend::cuda) continue;  // the operations of examples/own_operation_cuda run there
    const onefold::options how{.backend = who.backend};
    const auto box = onefold::reduce<point, bounding_box>(points, how);
    const double total = onefold::reduce<double, logsumexp>(logs, how);
    const float largest = onefold::reduce<float, largest_magnitude>(values, how);
    std::printf("%-10s box %.9g %.9g %.9g %.9g  logsumexp %.17g  largest %.9g\n", onefold::name_of(who.backend),
                static_cast<double>(box.left), static_cast<double>(box.bottom), static_cast<double>(box.right),
                static_cast<double>(box.top), total, static_cast<double>(largest));
    if (first == 0) first = total;
    if (std::bit_cast<std::uint64_t>(first) != std::bit_cast<std::uint64_t>(total)) {
      std::fprintf(stderr, "own_operation: the backends differ\n");
      return 1;
    }
  }
} catch (const std::exception& e) {
  std::fprintf(stderr, "own_operation: %s\n", e.what());
  return 1;
}
