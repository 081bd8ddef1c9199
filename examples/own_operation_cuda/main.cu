// An operation that onefold does not have, on every backend, cuda among them: the smallest box around points.
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "onefold/cuda.cuh"
#include "onefold/onefold.hpp"

namespace {

struct point {
  float x, y;
};

/// The smallest box around all points. Its functions are constexpr, so that nvcc takes them for the device too.
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

}  // namespace

int main() {
  std::vector<point> points(1'000'000);
  unsigned seed = 1;
  const auto next = [&seed] {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<float>(seed >> 8) / 16777216.0f;
  };
  for (auto& p : points) p = {next() - 0.5f, 3 * next()};

  bounding_box::state first{};
  bool have = false, same = true;
  for (const auto& b : onefold::backends()) {
    const char* name = onefold::name_of(b.backend);
    if (!b.available) {
      std::printf("%-10s cannot run: %s\n", name, b.detail.c_str());
      continue;
    }
    const auto box = onefold::reduce<point, bounding_box>(points, {.backend = b.backend});
    std::printf("%-10s x from %.8g to %.8g, y from %.8g to %.8g\n", name, box.left, box.right, box.bottom, box.top);
    if (have && std::memcmp(&box, &first, sizeof box) != 0) same = false;
    first = box;
    have = true;
  }
  std::puts(same ? "the same bits from all" : "the bits differ");
  return same ? 0 : 1;
}
