// Row operations of the CUDA backend whose elements functions compute, or whose results they take, run on the CPU: in
// parts of any number of lines, along every kind of axes, they have the bits of the definitions.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "emulation.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/cuda/store.cuh"
#include "onefold/detail/folds.hpp"
#include "row_layouts.hpp"
#include "row_parts.hpp"
#include "rows/launch.cuh"
#include "selected_places.cu"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/line_reference.hpp"

namespace {

using namespace emulation;

/// Rows, columns, lines in the middle of three axes, one line, and lines of one element.
const layout layouts[] = {
    {{{23, 70}}, {{70, 1}}},    {{{40, 1}}, {{33, 40}}},         {{{3, 500}, {10, 1}}, {{50, 10}}},
    {{}, {{300, 1}}},           {{{5, 1}, {4, 100}}, {{20, 5}}}, {{{9, 1}}, {}},
    {{{4, 1025}}, {{1025, 1}}}, {{{7, 31}}, {{31, 1}}},          {{{6, 100}}, {{4, 25}, {5, 3}}},
};

template <class T>
struct residual {
  value<T> factor;
  T operator()(T x, T y) const {
    return T(static_cast<value<T>>(static_cast<value<T>>(x) * factor) + static_cast<value<T>>(y));
  }
};

/// What functions do: compute the elements, take the results, or both.
enum class role { computes, stores, both };

template <class T>
int compare(row_operation operation, const layout& lies, role by, std::int64_t lines_of_part) {
  using V = value<T>;
  const bool computes = by != role::stores, stores = by != role::computes,
             gives_one = operation == row_operation::logsumexp;
  row_problem p{};
  p.what = request_for(operation, dtype_of<T>, lies);
  const row_request& what = p.what;
  const std::int64_t lines = what.from.outputs, n = what.from.n;
  p.stores = stores;
  p.selects.kind = mask_kind::all;
  const std::vector<T> x = support::normal_data<T>(8000, 3), y = support::normal_data<T>(16'000, 4);
  const residual<T> f{V(0.75f)};
  const device_map map{sizeof(device_map), detail::launch_map<residual<T>, T, T, T>, nullptr};
  std::vector<T> out(20'000, T(-3.0f));
  const keep<T> store{out.data(), gives_one ? 1 : n};
  const device_store stored{sizeof(device_store), detail::launch_store<T, keep<T>>};
  if (computes) {
    p.maps.arrays = 2;
    p.maps.of[0] = what.from;
    p.maps.of[1] = spread(what.from);
  }
  const std::vector<T> weight = support::normal_data<T>(n, 5), bias = support::normal_data<T>(n, 6);
  std::vector<V> mean(static_cast<std::size_t>(lines)), rstd(mean.size());
  const bool layer = operation == row_operation::layer_norm;

  const cuda::row_parts parts(p, lines_of_part * n * static_cast<std::int64_t>(sizeof(T)));
  using functions = detail::row_functions<T>;
  const cuda::row_kernels rows{functions::slot_bytes, functions::launch};
  std::vector<uint4> buffer(static_cast<std::size_t>(parts.buffer_bytes() / 16 + 1)),
      slots(static_cast<std::size_t>(functions::slot_bytes(parts.first()) / 16 + 1));
  cuda::row_run run{rows, {}, &map, {}, {&store, nullptr, &stored}, nullptr, buffer.data(), nullptr};
  run.memory.data = computes ? nullptr : x.data();
  run.memory.results = stores ? nullptr : out.data();
  if (layer) run.memory = {run.memory.data, run.memory.results, weight.data(), bias.data(), mean.data(), rstd.data()};
  run.computes.function = &f;
  run.computes.arrays[0] = x.data();
  run.computes.arrays[1] = y.data();
  device_launch how{};
  how.slots = slots.data();
  how.processors = 2;
  REQUIRE(parts.launch(run, how) == 0);

  const support::row_reference<T> by_definition{operation, what.eps, layer ? weight.data() : nullptr,
                                                layer ? bias.data() : nullptr};
  std::vector<T> meant(out.size(), T(-3.0f)), line(static_cast<std::size_t>(n)), results(line.size());
  for (std::int64_t l = 0; l < lines; ++l) {
    for (std::int64_t i = 0; i < n; ++i) {
      const T a = x[place(what.from, l, i)];
      line[static_cast<std::size_t>(i)] = computes ? f(a, y[place(spread(what.from), l, i)]) : a;
    }
    V m{}, s{};
    by_definition.line(line.data(), n, results.data(), &m, &s);
    for (std::int64_t i = 0; i < (gives_one ? 1 : n); ++i)
      meant[stores ? static_cast<std::size_t>(l * (gives_one ? 1 : n) + i) : place(what.to, l, i)] =
          results[static_cast<std::size_t>(i)];
    if (!layer) continue;
    CHECK(std::memcmp(&m, &mean[static_cast<std::size_t>(l)], sizeof m) == 0);
    CHECK(std::memcmp(&s, &rstd[static_cast<std::size_t>(l)], sizeof s) == 0);
  }
  INFO("operation " << static_cast<int>(operation) << " on " << lines << " lines of " << n << ", " << lines_of_part
                    << " in a part, functions " << static_cast<int>(by));
  CHECK(std::memcmp(out.data(), meant.data(), out.size() * sizeof(T)) == 0);
  return 1;
}

template <class T>
int compare_all() {
  int compared = 0;
  for (const row_operation operation : operations_on_rows)
    for (const layout& lies : layouts)
      for (const role by : {role::computes, role::stores, role::both})
        for (const std::int64_t lines : {0, 1, 4, 1000}) compared += compare<T>(operation, lies, by, lines);
  return compared;
}

}  // namespace

TEST_CASE("functions with rows of f32") { CHECK(compare_all<float>() == 9 * 9 * 3 * 4); }
TEST_CASE("functions with rows of f64") { CHECK(compare_all<double>() == 9 * 9 * 3 * 4); }
TEST_CASE("functions with rows of f16") { CHECK(compare_all<f16>() == 9 * 9 * 3 * 4); }
TEST_CASE("functions with rows of bf16") { CHECK(compare_all<bf16>() == 9 * 9 * 3 * 4); }
