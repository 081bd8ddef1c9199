// Row operations on the device whose elements functions compute, or whose results they take: compiled by a .cu file, of
// arrays in memory of every kind, along every axis, in parts and not, in plans, streams and graphs, they have the bits
// of the sequential backend.
#include "onefold/onefold.hpp"  // first: its verbs must not hide what device code calls

#include "onefold/cuda.cuh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/row_operations.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"

namespace {

using onefold::array_view;
using onefold::backend;
using onefold::error_code;
using onefold::mapped;
using onefold::output_view;
using onefold::row_operation;
using onefold::row_parameters;
using onefold::row_plan;
using onefold::row_position;
using onefold::row_value;
using support::check_error;
using support::memory_kind;

constexpr row_operation all_operations[] = {
    row_operation::softmax,      row_operation::log_softmax,   row_operation::logsumexp,
    row_operation::layer_norm,   row_operation::rms_norm,      row_operation::normalize_l1,
    row_operation::normalize_l2, row_operation::normalize_max, row_operation::standardize};

/// x + y, or scaled x, rounded to T.
template <class T>
struct residual {
  __host__ __device__ T operator()(T x, T y) const {
    return T(static_cast<row_value<T>>(x) + static_cast<row_value<T>>(y));
  }
};
template <class T>
struct scaled {
  row_value<T> factor;
  __host__ __device__ T operator()(T x) const { return T(static_cast<row_value<T>>(x) * factor); }
};
/// Of a type of its own.
template <class T>
struct particle {
  float other;
  T charge;
};

/// Writes what it is given, once more, where line and position say.
template <class T>
struct doubled {
  T* out;
  std::int64_t n;
  __host__ __device__ void operator()(T y, row_position at) const {
    out[at.line * n + at.position] = T(2 * static_cast<row_value<T>>(y));
  }
};

/// Whether all have the same bits; but for NaN, of which the functions' own arithmetic makes other ones on a device.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  const auto is_nan = [](T x) { return std::isnan(static_cast<double>(static_cast<row_value<T>>(x))); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const T& x, const T& y) {
    return std::memcmp(&x, &y, sizeof x) == 0 || (is_nan(x) && is_nan(y));
  });
}

/// A matrix, lines of it along an axis, and what operations take beside it.
template <class T>
struct matrix {
  row_operation operation;
  onefold::extents extents;
  int along;
  std::int64_t lines, n;
  std::vector<T> x, y, weight, bias;

  matrix(row_operation o, std::int64_t rows, std::int64_t columns, int axis)
      : operation(o),
        extents{rows, columns},
        along(axis),
        lines(axis == 0 ? columns : rows),
        n(axis == 0 ? rows : columns) {
    x = support::normal_data<T>(lines * n, 21);
    y = support::normal_data<T>(lines * n, 22);
    if (has_bias() || o == row_operation::rms_norm) weight = support::normal_data<T>(n, 23);
    if (has_bias()) bias = support::normal_data<T>(n, 24);
  }
  bool has_bias() const { return operation == row_operation::layer_norm; }
  bool gives_one() const { return operation == row_operation::logsumexp; }
  std::size_t results() const { return static_cast<std::size_t>(gives_one() ? lines : lines * n); }
  array_view<T> view(const T* data) const { return {data, extents}; }
};

/// Arrays of a matrix in memory of a kind.
template <class T>
struct arrays {
  support::copied<T> x, y, weight, bias, out;
  support::copied<row_value<T>> mean, rstd;
  row_parameters<T> with;

  arrays(const matrix<T>& m, memory_kind kind)
      : x(m.x, kind),
        y(m.y, kind),
        weight(m.weight, kind),
        bias(m.bias, kind),
        out(std::vector<T>(m.results()), kind),
        mean(std::vector<row_value<T>>(m.lines), kind),
        rstd(std::vector<row_value<T>>(m.lines), kind) {
    with.weight = {weight.data(), m.weight.size()};
    if (!m.has_bias()) return;
    with.bias = {bias.data(), m.bias.size()};
    with.mean = {mean.data(), static_cast<std::size_t>(m.lines)};
    with.rstd = {rstd.data(), static_cast<std::size_t>(m.lines)};
  }
};
/// The same in host memory.
template <class T>
struct host_arrays {
  std::vector<T> out;
  std::vector<row_value<T>> mean, rstd;
  row_parameters<T> with;

  explicit host_arrays(const matrix<T>& m) : out(m.results()), mean(m.lines), rstd(m.lines) {
    with.weight = m.weight;
    if (!m.has_bias()) return;
    with.bias = m.bias;
    with.mean = mean;
    with.rstd = rstd;
  }
};

/// Computed elements of two arrays, or of one, into memory.
template <class T>
int compare_computed(const matrix<T>& m) {
  const auto sums = [&](const T* x, const T* y) { return mapped(residual<T>{}, m.view(x), m.view(y)); };
  const auto run = [&](const T* x, const T* y, T* out, const row_parameters<T>& with, backend where) {
    row_plan<T> plan(m.operation, sums(x, y), m.along, with, {.backend = where});
    plan(sums(x, y), out, with);
    return plan.report().backend;
  };
  host_arrays<T> meant(m);
  run(m.x.data(), m.y.data(), meant.out.data(), meant.with, backend::sequential);
  const auto is_as_meant = [&](const auto& out, const auto& mean, const auto& rstd) {
    return same_bits(out, meant.out) && same_bits(mean, meant.mean) && same_bits(rstd, meant.rstd);
  };
  for (const memory_kind kind : {memory_kind::device, memory_kind::managed, memory_kind::pinned}) {
    const arrays<T> there(m, kind);
    CHECK(run(there.x.data(), there.y.data(), there.out.data(), there.with, backend::cuda) == backend::cuda);
    CHECK(
        is_as_meant(there.out.get(m.results()), there.mean.get(meant.mean.size()), there.rstd.get(meant.rstd.size())));
    if (m.gives_one()) continue;
    run(there.x.data(), there.y.data(), there.y.data(), there.with, backend::cuda);  // in place of one of the arrays
    CHECK(same_bits(there.y.get(m.results()), meant.out));
  }
  {
    host_arrays<T> found(m);
    run(m.x.data(), m.y.data(), found.out.data(), found.with, backend::cuda);
    CHECK(is_as_meant(found.out, found.mean, found.rstd));
    if (!m.gives_one()) {
      std::vector<T> x = m.x;
      run(x.data(), m.y.data(), x.data(), found.with, backend::cuda);
      CHECK(same_bits(x, meant.out));
    }
  }
  // Automatic goes where the arrays are.
  const arrays<T> there(m, memory_kind::device);
  CHECK(run(there.x.data(), there.y.data(), there.out.data(), there.with, backend::automatic) == backend::cuda);
  CHECK(same_bits(there.out.get(m.results()), meant.out));
  return 1;
}

/// Results that a function takes, of elements in memory or computed.
template <class T>
int compare_stored(const matrix<T>& m) {
  const std::int64_t width = m.gives_one() ? 1 : m.n;
  const auto halves = [&](const T* x) { return mapped(scaled<T>{row_value<T>(0.5)}, m.view(x)); };
  const auto run = [&](const T* x, T* out, const row_parameters<T>& with, backend where, bool computes) {
    const doubled<T> store{out, width};
    if (computes) {
      row_plan<T>(m.operation, halves(x), store, m.along, with, {.backend = where})(halves(x), store, with);
    } else {
      row_plan<T>(m.operation, m.view(x), store, m.along, with, {.backend = where})(x, store, with);
    }
  };
  for (const bool computes : {false, true}) {
    host_arrays<T> meant(m);
    run(m.x.data(), meant.out.data(), meant.with, backend::sequential, computes);
    const arrays<T> there(m, memory_kind::device);
    for (const T* const x : {static_cast<const T*>(there.x.data()), m.x.data()}) {
      support::cuda(cudaMemset(there.out.data(), 0xa5, m.results() * sizeof(T)));
      run(x, there.out.data(), there.with, backend::cuda, computes);
      CHECK(same_bits(there.out.get(m.results()), meant.out));
      CHECK(same_bits(there.mean.get(meant.mean.size()), meant.mean));
      CHECK(same_bits(there.rstd.get(meant.rstd.size()), meant.rstd));
    }
    if (m.gives_one() || m.along == 0) continue;
    run(there.x.data(), there.x.data(), there.with, backend::cuda, computes);  // over the elements of the line
    CHECK(same_bits(there.x.get(m.results()), meant.out));
  }
  return 1;
}

/// On a stream and in a graph that is replayed.
template <class T>
int compare_streams(const matrix<T>& m) {
  const std::int64_t width = m.gives_one() ? 1 : m.n;
  const auto halves = [&](const T* x) { return mapped(scaled<T>{row_value<T>(0.5)}, m.view(x)); };
  host_arrays<T> meant(m), taken(m);
  row_plan<T>(m.operation, halves(m.x.data()), m.along, meant.with, {.backend = backend::sequential})(
      halves(m.x.data()), meant.out.data(), meant.with);
  const doubled<T> here{taken.out.data(), width};
  row_plan<T>(m.operation, m.view(m.x.data()), here, m.along, taken.with, {.backend = backend::sequential})(
      m.x.data(), here, taken.with);

  const arrays<T> there(m, memory_kind::device);
  const doubled<T> store{there.out.data(), width};
  row_plan<T> computes(m.operation, halves(there.x.data()), m.along, there.with, {.backend = backend::cuda});
  row_plan<T> stores(m.operation, m.view(there.x.data()), store, m.along, there.with, {.backend = backend::cuda});
  const support::stream s;
  const auto compare = [&](const auto& enqueue, const std::vector<T>& wanted) {
    const auto check = [&] {
      s.wait();
      CHECK(same_bits(there.out.get(m.results()), wanted));
      support::cuda(cudaMemset(there.out.data(), 0xa5, m.results() * sizeof(T)));
      support::cuda(cudaStreamSynchronize(cudaStreamLegacy));
    };
    enqueue();
    check();
    const support::graph graph(s, enqueue);
    for (int i = 0; i < 2; ++i) {
      graph.launch(s);
      check();
    }
  };
  compare([&] { computes.enqueue(halves(there.x.data()), there.out.data(), s, there.with); }, meant.out);
  compare([&] { stores.enqueue(there.x.data(), store, s, there.with); }, taken.out);
  return 1;
}

/// Lines of every length at which something changes, and along the first axis.
template <class T>
void compare_all() {
  int compared = 0;
  for (const row_operation operation : all_operations) {
    INFO("operation " << static_cast<int>(operation));
    for (const std::int64_t n : {1, 31, 32, 33, 1000, 16'384, 16'385, 100'000})
      for (const int along : {0, 1}) {
        const std::int64_t lines = n > 1000 ? 3 : 37;
        INFO(lines << " lines of " << n << " along axis " << along);
        const matrix<T> m(operation, along == 0 ? n : lines, along == 0 ? lines : n, along);
        compared += compare_computed(m) + compare_stored(m);
        if (n == 33 || n == 16'385) compared += compare_streams(m);
      }
    // Several parts, the last of which is shorter.
    compared +=
        compare_computed(matrix<T>(operation, 9001, 1000, 1)) + compare_stored(matrix<T>(operation, 9001, 1000, 1));
    compared +=
        compare_computed(matrix<T>(operation, 1000, 9001, 0)) + compare_streams(matrix<T>(operation, 9001, 1000, 1));
  }
  CHECK(compared == 9 * (8 * 2 * 2 + 2 * 2 + 4));
}

}  // namespace

TEST_CASE("functions with rows of f32") { compare_all<float>(); }
TEST_CASE("functions with rows of f64") { compare_all<double>(); }
TEST_CASE("functions with rows of f16") { compare_all<onefold::f16>(); }
TEST_CASE("functions with rows of bf16") { compare_all<onefold::bf16>(); }

TEST_CASE("lambdas, members and operations of one's own type of element") {
  const auto charges = support::normal_data<float>(40 * 50, 31);
  std::vector<particle<float>> x;
  for (const float c : charges) x.push_back({1.0f, c});
  const support::copied<particle<float>> there(x);
  const support::copied<float> plain(charges), out(charges), gate(support::normal_data<float>(40 * 50, 32));
  const auto meant = onefold::softmax(array_view<float>(charges.data(), {40, 50}), {.backend = backend::sequential});
  const std::vector<float> wanted(meant.begin(), meant.end());

  onefold::softmax(mapped(&particle<float>::charge, array_view<particle<float>>(there.data(), {40, 50})), -1,
                   output_view<float>(out.data(), {40, 50}));
  CHECK(same_bits(out.get(wanted.size()), wanted));

  const float s = 0.125f;
  const auto times = [s] __host__ __device__(float a) { return a * s; };
  float* const to = out.data();
  const float* const by = gate.data();
  const auto gated = [to, by] __host__ __device__(float a, row_position at) {
    const std::int64_t i = at.line * 50 + at.position;
    to[i] = a * by[i];
  };
  onefold::layer_norm(mapped(times, array_view<float>(plain.data(), {40, 50})), -1, gated);
  std::vector<float> numbers(charges), product(charges.size());
  for (float& a : numbers) a *= s;
  const auto normed =
      onefold::layer_norm(array_view<float>(numbers.data(), {40, 50}), {}, {.backend = backend::sequential});
  const std::vector<float> gates = gate.get(charges.size());
  for (std::size_t i = 0; i < product.size(); ++i) product[i] = normed[i] * gates[i];
  CHECK(same_bits(out.get(product.size()), product));

  onefold::rms_norm(mapped(std::plus<>{}, array_view<float>(plain.data(), {40, 50}),
                           array_view<float>(plain.data(), {40, 50}, {0, 1})),
                    0, output_view<float>(out.data(), {40, 50}));
  std::vector<float> sums(charges);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += charges[i % 50];
  const auto down =
      onefold::rms_norm(array_view<float>(sums.data(), {40, 50}), 0, {}, {.backend = backend::sequential});
  CHECK(same_bits(out.get(sums.size()), std::vector<float>(down.begin(), down.end())));
}

TEST_CASE("lines of no elements that functions compute") {
  const support::copied<float> x(std::vector<float>{1.0f}), out(std::vector<float>(3));
  const doubled<float> store{out.data(), 1};
  onefold::logsumexp(mapped(scaled<float>{2}, array_view<float>(x.data(), {3, 0})), -1, store,
                     {.backend = backend::cuda});
  for (const float y : out.get(3)) CHECK(y == -std::numeric_limits<float>::infinity());
}

TEST_CASE("functions that run on CPUs only are refused") {
  const std::vector<float> x(100, 1);
  std::vector<float> y(100);
  const support::copied<float> there(x), out(y);
  const array_view<float> here(x.data(), {10, 10}), far(there.data(), {10, 10});
  const auto on_host = [](float a) { return a + 1; };
  const auto take = [&y](float a, row_position at) { y[static_cast<std::size_t>(at.line * 10 + at.position)] = a; };
  check_error(error_code::unsupported, "runs on CPUs only, not on backend cuda",
              [&] { onefold::softmax(mapped(on_host, here), {.backend = backend::cuda}); });
  check_error(error_code::invalid_argument, "where the function that computes the elements cannot run",
              [&] { onefold::softmax(mapped(on_host, far)); });
  check_error(error_code::unsupported, "backend cuda does not hand results of rows to a function",
              [&] { onefold::softmax(here, -1, take, {.backend = backend::cuda}); });
  check_error(error_code::unsupported, "backend cuda does not hand results of rows to a function",
              [&] { onefold::softmax(far, -1, take); });
  check_error(error_code::invalid_argument, "the data of array 1 is in device memory, and that of array 2 is in host",
              [&] { onefold::softmax(mapped(std::plus<>{}, far, here)); });

  // A plan that a device was chosen for takes no other function, and writes nothing then.
  const scaled<float> twice{2};
  row_plan<float> plan(row_operation::softmax, mapped(twice, here), -1, {}, {.backend = backend::cuda});
  check_error(error_code::unsupported, "runs on CPUs only, not on backend cuda",
              [&] { plan(mapped(on_host, here), y.data()); });
  const support::stream s;
  check_error(error_code::invalid_argument, "enqueue works on rows in device memory",
              [&] { plan.enqueue(mapped(twice, here), out.data(), s); });
  check_error(error_code::unsupported, "runs on CPUs only, not on backend cuda",
              [&] { plan.enqueue(mapped(on_host, far), out.data(), s); });
  CHECK(y == std::vector<float>(100));
}
