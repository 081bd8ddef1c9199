// Row operations of the CUDA backend on elements that a mask selects, run on the CPU: selected elements have the bits
// of the definitions over these elements alone, the others what row operations say, and nothing else is written.
#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
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

/// Rows and columns, around the borders of rows of lanes, strips, pages and parts; several axes; one long line.
const layout layouts[] = {
    {{{23, 70}}, {{70, 1}}},
    {{{40, 1}}, {{33, 40}}},
    {{{3, 500}, {10, 1}}, {{50, 10}}},
    {{}, {{300, 1}}},
    {{{70, 3}}, {{3, 1}}},
    {{{9, 1}}, {}},
    {{{5, 1025}}, {{1025, 1}}},
    {{{37, 31}}, {{31, 1}}},
    {{{3, 2049}}, {{2049, 1}}},
    {{{6, 100}}, {{4, 25}, {5, 3}}},
    {{{3, 9000}}, {{9000, 1}}},
    {{{2, 17'000}}, {{16'385, 1}}},
    {{{3, 34'000}}, {{34'000, 1}}},
    {{{70, 8}}, {{8, 1}}},
    {{{21, 160}}, {{128, 1}}},
    {{{5, 1028}}, {{1028, 1}}},
};

/// The mask of the same axes: of each element, or one line's for all, or one for each line.
enum class repeated { no, along_lines, within_lines };
problem mask_of(problem p, repeated how) {
  std::int64_t stride = 1;
  for (int i = p.reduced_axes; i-- > 0;) {
    p.reduced[i].stride = how == repeated::within_lines ? 0 : stride;
    if (how != repeated::within_lines) stride *= p.reduced[i].extent;
  }
  for (int i = p.kept_axes; i-- > 0;) {
    p.kept[i].stride = how == repeated::along_lines ? 0 : stride;
    if (how != repeated::along_lines) stride *= p.kept[i].extent;
  }
  return p;
}

/// Which elements are selected: none, few, half, most, all; or of each line another number from the beginning on.
constexpr int patterns = 6;
bool is_selected(int pattern, std::int64_t line, std::int64_t i, support::random_numbers& r) {
  switch (pattern) {
    case 0:
      return false;
    case 1:
      return r.integer(0, 60) == 0;
    case 2:
      return r.integer(0, 1) == 0;
    case 3:
      return r.integer(0, 60) != 0;
    case 4:
      return true;
    default:
      return i < 129 * line + 1;
  }
}

template <class T>
T nan() {
  return T(std::numeric_limits<float>::quiet_NaN());
}

struct given {
  mask_kind kind;
  repeated how;
  bool stores, in_place;
  std::int64_t lines_of_part;
};

template <class T>
int compare(row_operation operation, const layout& lies, int pattern, const given& g) {
  using V = value<T>;
  const bool gives_one = operation == row_operation::logsumexp, layer = operation == row_operation::layer_norm;
  row_problem p{};
  p.what = request_for(operation, dtype_of<T>, lies);
  row_request& what = p.what;
  if (g.in_place && !gives_one) what.to = what.from;
  const std::int64_t lines = what.from.outputs, n = what.from.n, offset = n % 8 == 0 ? 4 : 5;
  p.stores = g.stores;
  p.selects = {g.kind, what.element, offset, mask_of(what.from, g.how)};

  std::vector<T> x = support::normal_data<T>(110'000, 3);
  std::vector<unsigned char> bytes(110'000), bits(110'000 / 8 + 2);
  support::random_numbers r(static_cast<std::uint64_t>(pattern));
  std::vector<std::vector<bool>> selected(static_cast<std::size_t>(lines),
                                          std::vector<bool>(static_cast<std::size_t>(n)));
  for (std::int64_t l = 0; l < lines; ++l)
    for (std::int64_t i = 0; i < n; ++i) {
      const std::size_t at = place(p.selects.mask, l, i), bit = at + offset;
      if (is_selected(pattern, l, i, r)) bytes[at] = static_cast<unsigned char>(r.integer(1, 255));
      bits[bit / 8] = static_cast<unsigned char>(bits[bit / 8] | (bytes[at] != 0) << bit % 8);
    }
  for (std::int64_t l = 0; l < lines; ++l)
    for (std::int64_t i = 0; i < n; ++i) {
      const bool is = bytes[place(p.selects.mask, l, i)] != 0;
      selected[static_cast<std::size_t>(l)][static_cast<std::size_t>(i)] = is;
      if (!is) x[place(what.from, l, i)] = nan<T>();
    }
  if (lines > 1) x[place(what.from, 0, n / 2)] = T(-std::numeric_limits<float>::infinity());  // which is no NaN
  if (g.kind == mask_kind::not_nan && lines > 1) selected[0][static_cast<std::size_t>(n / 2)] = true;
  const std::vector<T> before = x;
  std::vector<T> out(220'000, T(-3.0f));
  const keep<T> store{out.data(), gives_one ? 1 : n};
  const device_store stored{sizeof(device_store), detail::launch_store<T, keep<T>>};
  const std::vector<T> weight = support::normal_data<T>(n, 5), bias = support::normal_data<T>(n, 6);
  std::vector<V> mean(static_cast<std::size_t>(lines)), rstd(mean.size());

  const cuda::row_parts parts(p, g.lines_of_part * n * static_cast<std::int64_t>(sizeof(T)));
  using functions = detail::row_functions<T>;
  const cuda::row_kernels rows{functions::slot_bytes, functions::launch};
  const auto room = [](std::int64_t bytes_needed) {
    return std::vector<uint4>(static_cast<std::size_t>((bytes_needed + 15) / 16));
  };
  std::vector<uint4> buffer = room(parts.buffer_bytes()), selected_room = room(parts.selected_bytes() + 16),
                     slots = room(functions::slot_bytes(parts.first()));
  selected_room.back() = {7, 7, 7, 7};
  cuda::row_run run{rows,
                    {},
                    nullptr,
                    {},
                    {&store, nullptr, &stored},
                    g.kind == mask_kind::bits ? bits.data() : bytes.data(),
                    buffer.data(),
                    selected_room.data()};
  run.memory.data = x.data();
  run.memory.results = g.stores ? nullptr : g.in_place && !gives_one ? x.data() : out.data();
  if (layer) run.memory = {run.memory.data, run.memory.results, weight.data(), bias.data(), mean.data(), rstd.data()};
  device_launch how{};
  how.slots = slots.data();
  how.processors = 2;
  REQUIRE(parts.launch(run, how) == 0);
  CHECK(selected_room.back().x == 7);

  std::vector<T> meant = run.memory.results == x.data() ? before : std::vector<T>(out.size(), T(-3.0f));
  const T fill = operation == row_operation::log_softmax ? T(-std::numeric_limits<float>::infinity()) : T(0.0f);
  for (std::int64_t l = 0; l < lines; ++l) {
    std::vector<T> line, own_weight, own_bias;
    const auto& is = selected[static_cast<std::size_t>(l)];
    for (std::int64_t i = 0; i < n; ++i) {
      if (!is[static_cast<std::size_t>(i)]) continue;
      line.push_back(before[place(what.from, l, i)]);
      own_weight.push_back(weight[static_cast<std::size_t>(i)]);
      own_bias.push_back(bias[static_cast<std::size_t>(i)]);
    }
    const support::row_reference<T> by_definition{operation, what.eps, layer ? own_weight.data() : nullptr,
                                                  layer ? own_bias.data() : nullptr};
    std::vector<T> results(line.size() + 1);
    V m = std::numeric_limits<V>::quiet_NaN(), s = m;
    if (line.empty())
      results[0] = T(-std::numeric_limits<float>::infinity());
    else
      by_definition.line(line.data(), static_cast<std::int64_t>(line.size()), results.data(), &m, &s);
    std::size_t next = 0;
    for (std::int64_t i = 0; i < (gives_one ? 1 : n); ++i) {
      const std::int64_t width = gives_one ? 1 : n;
      meant[g.stores ? static_cast<std::size_t>(l * width + i) : place(what.to, l, i)] =
          gives_one || is[static_cast<std::size_t>(i)] ? results[next++] : fill;
    }
    if (!layer) continue;
    CHECK(std::memcmp(&m, &mean[static_cast<std::size_t>(l)], sizeof m) == 0);
    CHECK(std::memcmp(&s, &rstd[static_cast<std::size_t>(l)], sizeof s) == 0);
  }
  INFO("operation " << static_cast<int>(operation) << " on " << lines << " lines of " << n << ", pattern " << pattern
                    << ", kind " << static_cast<int>(g.kind) << ", repeated " << static_cast<int>(g.how) << ", "
                    << g.lines_of_part << " in a part, stores " << g.stores << ", in place " << g.in_place);
  const std::vector<T>& found = run.memory.results == x.data() ? x : out;
  CHECK(std::memcmp(found.data(), meant.data(), found.size() * sizeof(T)) == 0);
  return 1;
}

template <class T>
int compare_all() {
  int compared = 0;
  for (const row_operation operation : operations_on_rows)
    for (const layout& lies : layouts)
      for (int pattern = 0; pattern < patterns; ++pattern) {
        const int number = compared / 3;
        const auto kind = static_cast<mask_kind>((number + number / patterns) % 3);  // others for each layout
        const auto how = kind == mask_kind::not_nan ? repeated::no : static_cast<repeated>(number / 5 % 3);
        compared += compare<T>(operation, lies, pattern, {kind, how, false, false, 1000});
        compared += compare<T>(operation, lies, pattern, {kind, how, false, true, 4});
        compared += compare<T>(operation, lies, pattern, {kind, repeated::no, true, false, pattern});
      }
  return compared;
}

}  // namespace

TEST_CASE("selected elements of rows of f32") { CHECK(compare_all<float>() == 9 * 16 * 6 * 3); }
TEST_CASE("selected elements of rows of f64") { CHECK(compare_all<double>() == 9 * 16 * 6 * 3); }
TEST_CASE("selected elements of rows of f16") { CHECK(compare_all<f16>() == 9 * 16 * 6 * 3); }
TEST_CASE("selected elements of rows of bf16") { CHECK(compare_all<bf16>() == 9 * 16 * 6 * 3); }
