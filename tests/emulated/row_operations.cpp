// The kernels of row operations, run on the CPU: lines of every length at which they change, of every alignment and at
// any place, have the bits of the definitions, and nothing is written beside their results.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "emulation.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/folds.hpp"
#include "row_layouts.hpp"
#include "rows/launch.cuh"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/line_reference.hpp"

namespace {

using namespace onefold;

/// How lines lie: results lie like elements, but one a line of logsumexp.
struct layout {
  std::int64_t lines, n, offset, pitch, along = 1;
  std::int64_t split = 1;  ///< elements of the inner one of two axes of a line
};

template <class T>
class rows {
  using reference = support::row_reference<T>;
  using V = typename reference::V;

 public:
  explicit rows(row_operation operation) : operation_(operation) {}

  void compare(const layout& l, bool in_place, bool weighted) {
    INFO("operation " << static_cast<int>(operation_) << " on " << l.lines << " lines of " << l.n << " every "
                      << l.pitch << " from element " << l.offset << ", elements every " << l.along);
    const bool gives_one = operation_ == row_operation::logsumexp;
    const auto all = static_cast<std::size_t>(l.offset + (l.lines - 1) * l.pitch + (l.n - 1) * l.along + 1);
    const auto place = [&](std::int64_t line, std::int64_t i) {
      return static_cast<std::size_t>(l.offset + line * l.pitch + i * l.along);
    };
    std::vector<T> x = support::normal_data<T>(static_cast<std::int64_t>(all), ++seed_);
    for (std::int64_t line = 0; line < l.lines; ++line)
      make_hostile(line, l.n, [&](std::int64_t i) -> T& { return x[place(line, i)]; });
    const std::vector<T> before = x;
    std::vector<T> y(gives_one ? static_cast<std::size_t>(l.lines) : all, T(7.25f));
    const std::vector<T> weight = support::normal_data<T>(l.n + 1, 1000 + seed_),
                         bias = support::normal_data<T>(l.n + 1, 2000 + seed_);
    std::vector<V> mean(static_cast<std::size_t>(l.lines)), rstd(mean.size());

    row_request what{};
    what.operation = operation_;
    what.eps = operation_ == row_operation::layer_norm || operation_ == row_operation::rms_norm ? 1e-5 : 1e-12;
    what.from.outputs = l.lines;
    what.from.n = l.n;
    what.from.kept_axes = what.from.reduced_axes = 1;
    what.from.kept[0] = {l.lines, l.pitch};
    what.from.reduced[0] = {l.n, l.along};
    if (l.split > 1) {
      what.from.reduced_axes = 2;
      what.from.reduced[0] = {l.n / l.split, l.along * l.split};
      what.from.reduced[1] = {l.split, l.along};
    }
    what.to = what.from;
    if (gives_one) {
      what.to.kept[0].stride = 1;
      for (axis& a : what.to.reduced) a.stride = 0;
    }
    row_memory memory{};
    memory.data = x.data() + l.offset;
    memory.results = gives_one ? y.data() : (in_place ? x.data() : y.data()) + l.offset;
    const bool has_weight =
        weighted && (operation_ == row_operation::layer_norm || operation_ == row_operation::rms_norm);
    const bool has_bias = weighted && operation_ == row_operation::layer_norm;
    if (has_weight) memory.weight = weight.data() + seed_ % 2;
    if (has_bias) {
      memory.bias = bias.data() + seed_ % 2;
      memory.mean = mean.data();
      memory.rstd = rstd.data();
    }
    std::vector<uint4> slots(static_cast<std::size_t>(detail::row_functions<T>::slot_bytes(what) / 16 + 1));
    device_launch how{};
    how.slots = slots.data();
    how.processors = 2;
    REQUIRE(detail::row_functions<T>::launch(how, what, memory) == 0);

    const reference by_definition{operation_, what.eps, static_cast<const T*>(memory.weight),
                                  static_cast<const T*>(memory.bias)};
    std::vector<T> expected = in_place && !gives_one ? before : std::vector<T>(y.size(), T(7.25f));
    std::vector<T> line(static_cast<std::size_t>(l.n)), results(line.size());
    for (std::int64_t r = 0; r < l.lines; ++r) {
      for (std::int64_t i = 0; i < l.n; ++i) line[static_cast<std::size_t>(i)] = before[place(r, i)];
      V m{}, s{};
      by_definition.line(line.data(), l.n, results.data(), &m, &s);
      for (std::int64_t i = 0; i < (gives_one ? 1 : l.n); ++i)
        expected[gives_one ? static_cast<std::size_t>(r) : place(r, i)] = results[static_cast<std::size_t>(i)];
      if (has_bias) {
        CHECK(std::memcmp(&m, &mean[static_cast<std::size_t>(r)], sizeof m) == 0);
        CHECK(std::memcmp(&s, &rstd[static_cast<std::size_t>(r)], sizeof s) == 0);
      }
    }
    const std::vector<T>& found = in_place && !gives_one ? x : y;
    CHECK(std::memcmp(found.data(), expected.data(), found.size() * sizeof(T)) == 0);
  }

 private:
  /// Infinities, NaN, equal elements, and those far below the largest.
  template <class At>
  void make_hostile(std::int64_t line, std::int64_t n, const At& at) const {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::int64_t some = (7 * line + static_cast<std::int64_t>(seed_)) % n;
    const auto fill = [&](std::int64_t count, float x) {
      for (std::int64_t i = 0; i < count; ++i) at(i) = T(x);
    };
    switch (line % 12) {
      case 2:
        at(some) = T(infinity);
        break;
      case 3:
        at(some) = T(-infinity);
        break;
      case 4:
        at(some) = T(std::numeric_limits<float>::quiet_NaN());
        break;
      case 5:
        fill(n, -infinity);
        break;
      case 6:
        fill(n, 0.5f);
        break;
      case 7:
        fill(n / 2, -infinity);
        break;
      case 8:
        fill(n, -0.0f);
        break;
      case 9:
        for (std::int64_t i = 0; i < n; ++i) at(i) = T(30 * static_cast<float>(at(i)));
        break;
      case 10:
        fill(n, 200);
        at(some) = T(infinity);
        break;
      case 11:  // zeros of both signs, the first one of either
        for (std::int64_t i = 0; i < n; ++i) at(i) = T((i + static_cast<std::int64_t>(seed_)) % 2 ? -0.0f : 0.0f);
        break;
      default:
        break;
    }
  }

  row_operation operation_;
  std::uint64_t seed_ = 0;
};

template <class T>
void compare_all() {
  constexpr std::int64_t lanes = 512 / sizeof(T);
  for (const row_operation operation : emulation::operations_on_rows) {
    rows<T> all(operation);
    for (const std::int64_t n :
         {1,   2,   3,    31,   32,   33,   48,   64,   100,  127,  128,  129,  255,  256,  257,   333,   511,  512,
          513, 768, 1000, 1023, 1024, 1025, 2048, 2049, 3000, 4096, 4097, 8191, 8193, 9000, 16384, 16385, 33001}) {
      all.compare({13, n, 0, n}, false, true);
      all.compare({5, n, 1, n + 1}, true, true);
      all.compare({5, n, 0, (n + 15) / 16 * 16 + 16}, true, false);
      if (n < 100 || n % 10 == 0) all.compare({6, n, 2, 1, 8}, false, true);
      if (n % 3 == 0) all.compare({3, n, 3, 2 * n + 1, 2, 3}, true, true);
    }
    all.compare({1000, 3, 0, 3}, false, false);
    all.compare({1, 20 * lanes, 0, 20 * lanes}, false, true);
    // Pages for more threads than a warp joins, and for more than a block has.
    constexpr std::int64_t page = 32 * lanes;
    all.compare({6, 41 * page - 5, 0, 41 * page + 3}, false, true);
    all.compare({1, 520 * page + 7, 0, 520 * page + 7}, false, true);
  }
}

}  // namespace

TEST_CASE("lines of no elements have statistics") {
  row_request what{};
  what.operation = row_operation::layer_norm;
  what.eps = 1e-5;
  what.from.outputs = 5;
  what.from.kept_axes = what.from.reduced_axes = 1;
  what.from.kept[0] = {5, 0};
  what.from.reduced[0] = {0, 1};
  what.to = what.from;
  std::vector<float> mean(5, 7), rstd(5, 7);
  const std::vector<float> none(5, std::numeric_limits<float>::quiet_NaN());
  row_memory memory{};
  memory.mean = mean.data();
  memory.rstd = rstd.data();
  device_launch how{};
  how.processors = 2;
  REQUIRE(detail::row_functions<float>::launch(how, what, memory) == 0);
  CHECK(std::memcmp(mean.data(), none.data(), sizeof(float) * 5) == 0);
  CHECK(std::memcmp(rstd.data(), none.data(), sizeof(float) * 5) == 0);
}

TEST_CASE("rows of f32") { compare_all<float>(); }
TEST_CASE("rows of f64") { compare_all<double>(); }
TEST_CASE("rows of f16") { compare_all<f16>(); }
TEST_CASE("rows of bf16") { compare_all<bf16>(); }
