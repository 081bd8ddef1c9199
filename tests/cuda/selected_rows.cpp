// Row operations on the device of elements that a mask selects: masks of every kind, in memory of every kind, along
// every axis, in place, for functions, in plans, streams and graphs, give the bits of the sequential backend.
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/row_operations.hpp"
#include "onefold/where.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"

namespace {

using onefold::array_view;
using onefold::backend;
using onefold::error_code;
using onefold::row_operation;
using onefold::row_parameters;
using onefold::row_plan;
using onefold::row_value;
using onefold::where;
using support::check_error;
using support::memory_kind;

constexpr row_operation all_operations[] = {
    row_operation::softmax,      row_operation::log_softmax,   row_operation::logsumexp,
    row_operation::layer_norm,   row_operation::rms_norm,      row_operation::normalize_l1,
    row_operation::normalize_l2, row_operation::normalize_max, row_operation::standardize};

/// How the mask lies, and what it selects.
enum class way { bytes, bits, strided_bytes, one_for_all_lines, one_for_a_line, not_nan, none, all };
constexpr way all_ways[] = {way::bytes,          way::bits,    way::strided_bytes, way::one_for_all_lines,
                            way::one_for_a_line, way::not_nan, way::none,          way::all};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// A matrix of three axes whose elements beside the mask are NaN, or not where it repeats, and what operations take.
template <class T>
struct case_of {
  row_operation operation;
  way by;
  onefold::extents extents;
  int along;
  std::int64_t lines, n;
  std::vector<T> x, weight, bias;
  std::vector<std::uint8_t> mask, bits;

  case_of(row_operation o, way w, std::int64_t count, std::int64_t elements, int axis)
      : operation(o), by(w), along(axis), lines(2 * count), n(elements) {
    extents = axis == 0   ? onefold::extents{n, 2, count}
              : axis == 1 ? onefold::extents{2, n, count}
                          : onefold::extents{2, count, n};
    const std::int64_t size = lines * n;
    x = support::normal_data<T>(size, 41);
    support::random_numbers r(static_cast<std::uint64_t>(size + static_cast<int>(w)));
    const int rate = r.integer(1, 9);
    mask.resize(static_cast<std::size_t>(2 * size));
    bits.resize(static_cast<std::size_t>(size / 8 + 2));
    for (std::size_t i = 0; i < mask.size(); ++i)
      mask[i] = static_cast<std::uint8_t>(w == way::none ? 0 : w == way::all || r.integer(0, 9) < rate ? i % 3 + 1 : 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
      const std::size_t bit = i + 3;
      if (mask[i]) bits[bit / 8] = static_cast<std::uint8_t>(bits[bit / 8] | 1 << bit % 8);
      const bool is_plain = w != way::strided_bytes && w != way::one_for_all_lines && w != way::one_for_a_line;
      if (is_plain && !mask[i]) x[i] = T(std::numeric_limits<float>::quiet_NaN());
    }
    if (has_bias() || o == row_operation::rms_norm) weight = support::normal_data<T>(n, 43);
    if (has_bias()) bias = support::normal_data<T>(n, 44);
  }
  bool has_bias() const { return operation == row_operation::layer_norm; }
  std::size_t results() const {
    return static_cast<std::size_t>(operation == row_operation::logsumexp ? lines : lines * n);
  }
  std::size_t statistics() const { return has_bias() ? static_cast<std::size_t>(lines) : 0; }

  /// what(selected elements) of data and mask at these places.
  template <class What>
  void select(const T* data, const std::uint8_t* mask_there, const What& what) const {
    const array_view<T> view(data, extents);
    const onefold::strides all_lines = along == 0   ? onefold::strides{1, 0, 0}
                                       : along == 1 ? onefold::strides{0, 1, 0}
                                                    : onefold::strides{0, 0, 1};
    const std::int64_t count = lines / 2;
    const onefold::strides a_line = along == 0   ? onefold::strides{0, count, 1}
                                    : along == 1 ? onefold::strides{count, 0, 1}
                                                 : onefold::strides{count, 1, 0};
    const onefold::strides doubled = along == 0   ? onefold::strides{4 * count, 2 * count, 2}
                                     : along == 1 ? onefold::strides{2 * n * count, 2 * count, 2}
                                                  : onefold::strides{2 * n * count, 2 * n, 2};
    switch (by) {
      case way::bits:
        return what(where(view, onefold::bitmap(mask_there, 3, extents)));
      case way::not_nan:
        return what(where(view, onefold::not_nan));
      case way::strided_bytes:
        return what(where(view, array_view<std::uint8_t>(mask_there, extents, doubled)));
      case way::one_for_all_lines:
        return what(where(view, array_view<std::uint8_t>(mask_there, extents, all_lines)));
      case way::one_for_a_line:
        return what(where(view, array_view<std::uint8_t>(mask_there, extents, a_line)));
      default:
        return what(where(view, array_view<std::uint8_t>(mask_there, extents)));
    }
  }
  const std::vector<std::uint8_t>& mask_bytes() const { return by == way::bits ? bits : mask; }

  /// Runs a plan.
  void run(const T* data, const std::uint8_t* mask_there, T* out, const row_parameters<T>& with, backend where) const {
    select(data, mask_there, [&](const auto& selected) {
      row_plan<T> plan(operation, selected, along, with, {.backend = where});
      plan(selected, out, with);
      if (where != backend::automatic) CHECK(plan.report().backend == where);
    });
  }
};

/// Results and statistics in host memory.
template <class T>
struct host_results {
  std::vector<T> out;
  std::vector<row_value<T>> mean, rstd;
  row_parameters<T> with;
  explicit host_results(const case_of<T>& c) : out(c.results()), mean(c.statistics()), rstd(c.statistics()) {
    with = {c.weight, c.bias, {}, mean, rstd};
  }
};

template <class T>
int compare(const case_of<T>& c, bool streams) {
  INFO("operation " << static_cast<int>(c.operation) << " on " << c.lines << " lines of " << c.n << " along axis "
                    << c.along << ", mask " << static_cast<int>(c.by));
  host_results<T> meant(c);
  c.run(c.x.data(), c.mask_bytes().data(), meant.out.data(), meant.with, backend::sequential);
  const bool gives_one = c.operation == row_operation::logsumexp;
  for (const memory_kind kind : {memory_kind::device, memory_kind::managed, memory_kind::pinned}) {
    const support::copied<T> x(c.x, kind), weight(c.weight, kind), bias(c.bias, kind),
        out(std::vector<T>(c.results()), kind);
    const support::copied<std::uint8_t> mask(c.mask_bytes(), kind);
    const support::copied<row_value<T>> mean(meant.mean, kind), rstd(meant.rstd, kind);
    const row_parameters<T> with{{weight.data(), c.weight.size()},
                                 {bias.data(), c.bias.size()},
                                 {},
                                 {mean.data(), meant.mean.size()},
                                 {rstd.data(), meant.rstd.size()}};
    c.run(x.data(), mask.data(), out.data(), with, kind == memory_kind::device ? backend::automatic : backend::cuda);
    CHECK(same_bits(out.get(c.results()), meant.out));
    CHECK(same_bits(mean.get(meant.mean.size()), meant.mean));
    CHECK(same_bits(rstd.get(meant.rstd.size()), meant.rstd));
    if (streams && kind == memory_kind::device) {
      const support::stream s;
      c.select(x.data(), mask.data(), [&](const auto& selected) {
        row_plan<T> plan(c.operation, selected, c.along, with, {.backend = backend::cuda});
        const auto enqueue = [&] { plan.enqueue(selected, out.data(), s, with); };
        const auto check = [&] {
          s.wait();
          CHECK(same_bits(out.get(c.results()), meant.out));
          support::cuda(cudaMemset(out.data(), 0xa5, c.results() * sizeof(T)));
          support::cuda(cudaStreamSynchronize(cudaStreamLegacy));
        };
        enqueue();
        check();
        const support::graph graph(s, enqueue);
        for (int i = 0; i < 2; ++i) {
          graph.launch(s);
          check();
        }
      });
    }
    if (gives_one) continue;
    c.run(x.data(), mask.data(), x.data(), with, backend::cuda);
    CHECK(same_bits(x.get(c.results()), meant.out));
  }
  host_results<T> found(c);
  c.run(c.x.data(), c.mask_bytes().data(), found.out.data(), found.with, backend::cuda);
  CHECK(same_bits(found.out, meant.out));
  CHECK(same_bits(found.mean, meant.mean));
  CHECK(same_bits(found.rstd, meant.rstd));
  if (gives_one) return 1;
  std::vector<T> x = c.x;
  c.run(x.data(), c.mask_bytes().data(), x.data(), found.with, backend::cuda);
  CHECK(same_bits(x, meant.out));
  return 1;
}

template <class T>
void compare_all() {
  int compared = 0;
  for (const row_operation operation : all_operations) {
    for (const way by : all_ways) {
      for (const std::int64_t n : {1, 31, 32, 33, 1000, 16'384, 16'385})
        compared += compare(case_of<T>(operation, by, n > 1000 ? 2 : 19, n, 2), n == 33 || n == 16'385);
      for (const int along : {0, 1}) compared += compare(case_of<T>(operation, by, 37, 300, along), false);
    }
    compared += compare(case_of<T>(operation, way::bytes, 1, 100'000, 2), true);
    compared += compare(case_of<T>(operation, way::not_nan, 1, 100'000, 0), false);
    compared += compare(case_of<T>(operation, way::bits, 5001, 1000, 2), true);  // several parts
  }
  CHECK(compared == 9 * (8 * 9 + 3));
}

}  // namespace

TEST_CASE("selected elements of rows of f32") { compare_all<float>(); }
TEST_CASE("selected elements of rows of f64") { compare_all<double>(); }
TEST_CASE("selected elements of rows of f16") { compare_all<onefold::f16>(); }
TEST_CASE("selected elements of rows of bf16") { compare_all<onefold::bf16>(); }

TEST_CASE("masks and data in different places, and plans known at run time") {
  const case_of<float> c(row_operation::softmax, way::bytes, 20, 50, 2);
  host_results<float> meant(c);
  c.run(c.x.data(), c.mask.data(), meant.out.data(), {}, backend::sequential);
  const support::copied<float> x(c.x), out(std::vector<float>(c.results()));
  const support::copied<std::uint8_t> mask(c.mask);
  c.run(x.data(), c.mask.data(), out.data(), {}, backend::automatic);
  CHECK(same_bits(out.get(c.results()), meant.out));
  c.run(c.x.data(), mask.data(), out.data(), {}, backend::cuda);
  CHECK(same_bits(out.get(c.results()), meant.out));
  check_error(error_code::invalid_argument, "the mask is in device memory, and the data is reduced on the CPU",
              [&] { c.run(c.x.data(), mask.data(), meant.out.data(), {}, backend::automatic); });

  const array_view<float> view(c.x.data(), c.extents);
  const array_view<std::uint8_t> of_mask(c.mask.data(), c.extents);
  onefold::dynamic_row_plan dynamic("softmax", "f32", view.axes(), -1,
                                    {.mask = onefold::mask_layout{onefold::mask_kind::bytes, of_mask.axes()}},
                                    {.backend = backend::cuda});
  std::vector<float> found(c.results());
  dynamic.run({c.x.data(), found.data(), nullptr, nullptr, nullptr, nullptr}, c.lines * c.n, c.mask.data());
  CHECK(same_bits(found, meant.out));

  row_plan<float> plan(row_operation::softmax, where(view, of_mask), -1, {}, {.backend = backend::cuda});
  const support::stream s;
  check_error(error_code::invalid_argument, "enqueue works on rows in device memory, with weights, masks and results",
              [&] { plan.enqueue(where(array_view<float>(x.data(), c.extents), of_mask), out.data(), s); });
}
