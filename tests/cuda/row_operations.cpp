// Row operations on the device: data, results and parameters in memory of every kind, on streams and in graphs, have
// the bits of the sequential backend.
#include <cstdint>
#include <cstring>
#include <limits>

#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "onefold/row_operations.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

namespace {

using onefold::array_view;
using onefold::backend;
using onefold::output_view;
using onefold::row_operation;
using onefold::row_parameters;
using onefold::row_value;

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

constexpr row_operation all_operations[] = {
    row_operation::softmax,      row_operation::log_softmax,   row_operation::logsumexp,
    row_operation::layer_norm,   row_operation::rms_norm,      row_operation::normalize_l1,
    row_operation::normalize_l2, row_operation::normalize_max, row_operation::standardize};

/// What an operation takes on lines of n elements, of which there are `lines`.
template <class T>
struct given {
  std::vector<T> weight, bias;
  std::vector<row_value<T>> mean, rstd;

  given(row_operation operation, std::int64_t lines, std::int64_t n) {
    const bool layer = operation == row_operation::layer_norm;
    if (layer || operation == row_operation::rms_norm) weight = support::normal_data<T>(n, 7);
    if (!layer) return;
    bias = support::normal_data<T>(n, 8);
    mean.resize(static_cast<std::size_t>(lines));
    rstd.resize(static_cast<std::size_t>(lines));
  }
  row_parameters<T> parameters() { return {weight, bias, {}, mean, rstd}; }
};

template <class T>
struct lines {
  row_operation operation;
  std::int64_t count, n;
  std::vector<T> x = support::normal_data<T>(count * n, 5);

  array_view<T> view(const T* data) const { return {data, {count, n}}; }
  std::size_t results() const {
    return static_cast<std::size_t>(operation == row_operation::logsumexp ? count : count * n);
  }
  onefold::row_plan<T> plan(backend where, const row_parameters<T>& with) const {
    return {operation, view(x.data()), -1, with, {.backend = where}};
  }
  /// What the CPU makes of them; its statistics go to `with`.
  std::vector<T> expected(given<T>& with) const {
    std::vector<T> y(results());
    plan(backend::sequential, with.parameters())(x.data(), y.data(), with.parameters());
    return y;
  }
};

template <class T>
void compare_memories(row_operation operation, std::int64_t count, std::int64_t n) {
  INFO("operation " << static_cast<int>(operation) << " on " << count << " lines of " << n);
  const lines<T> all{operation, count, n};
  given<T> wanted(operation, count, n);
  const std::vector<T> y = all.expected(wanted);
  {  // everything in host memory
    given<T> found(operation, count, n);
    std::vector<T> out(y.size());
    auto plan = all.plan(backend::cuda, found.parameters());
    plan(all.x.data(), out.data(), found.parameters());
    CHECK(plan.report().backend == backend::cuda);
    CHECK(same_bits(out, y));
    CHECK(same_bits(found.mean, wanted.mean));
    CHECK(same_bits(found.rstd, wanted.rstd));
    if (operation != row_operation::logsumexp) {
      std::vector<T> in_place = all.x;
      plan(in_place.data(), in_place.data(), found.parameters());
      CHECK(same_bits(in_place, y));
    }
  }
  for (const auto kind : {support::memory_kind::device, support::memory_kind::managed, support::memory_kind::pinned}) {
    given<T> host(operation, count, n);
    const support::copied<T> x(all.x, kind), weight(host.weight, kind), bias(host.bias, kind);
    const support::copied<T> out(std::vector<T>(y.size()), kind);
    const support::copied<row_value<T>> mean(host.mean, kind), rstd(host.rstd, kind);
    const row_parameters<T> with{{weight.data(), host.weight.size()},
                                 {bias.data(), host.bias.size()},
                                 {},
                                 {mean.data(), host.mean.size()},
                                 {rstd.data(), host.rstd.size()}};
    all.plan(backend::cuda, with)(x.data(), out.data(), with);
    CHECK(same_bits(out.get(y.size()), y));
    CHECK(same_bits(mean.get(host.mean.size()), wanted.mean));
    CHECK(same_bits(rstd.get(host.rstd.size()), wanted.rstd));
    if (operation == row_operation::logsumexp) continue;
    all.plan(backend::cuda, with)(x.data(), x.data(), with);
    CHECK(same_bits(x.get(y.size()), y));
  }
}

/// The same on a stream and in a graph that is replayed.
template <class T>
void compare_streams(row_operation operation, std::int64_t count, std::int64_t n) {
  INFO("operation " << static_cast<int>(operation) << " on " << count << " lines of " << n);
  const lines<T> all{operation, count, n};
  given<T> none(row_operation::softmax, count, n);
  const std::vector<T> y = all.expected(none);
  const support::copied<T> x(all.x), out(std::vector<T>(y.size()));
  const support::stream s;
  auto plan = all.plan(backend::cuda, {});
  plan.enqueue(x.data(), out.data(), s);
  s.wait();
  CHECK(same_bits(out.get(y.size()), y));

  const support::graph graph(s, [&] { plan.enqueue(x.data(), out.data(), s); });
  for (int i = 0; i < 2; ++i) {
    support::cuda(cudaMemsetAsync(out.data(), 0xa5, y.size() * sizeof(T), s));
    graph.launch(s);
    s.wait();
    CHECK(same_bits(out.get(y.size()), y));
  }
}

/// More lines than clusters of blocks run at a time, and an odd number of them.
template <class T>
void compare_many_long() {
  for (const row_operation operation : {row_operation::softmax, row_operation::layer_norm, row_operation::rms_norm})
    for (const std::int64_t n : {17000, 65536}) compare_streams<T>(operation, 201, n);
}

/// Many lines with gaps between them, in the places of the elements.
template <class T>
void compare_in_place(row_operation operation, std::int64_t count, std::int64_t n, std::int64_t pitch) {
  INFO("operation " << static_cast<int>(operation) << " on " << count << " lines of " << n << " in place");
  std::vector<T> x = support::normal_data<T>(count * pitch, 6);
  const support::copied<T> there(x);
  const auto run = [&](T* data, backend where) {
    const onefold::extents e{count, n};
    const onefold::strides s{pitch, 1};
    onefold::row_plan<T>(operation, {data, e, s}, output_view<T>(data, e, s), -1, {}, {.backend = where})(data, data);
  };
  run(x.data(), backend::sequential);
  run(there.data(), backend::cuda);
  CHECK(same_bits(there.get(x.size()), x));
}

template <class T>
void compare_all() {
  for (const row_operation operation : all_operations) {
    for (const std::int64_t n :
         {1, 3, 16, 20, 32, 48, 64, 100, 128, 129, 1000, 1024, 4096, 4097, 16384, 40000, 65552, 131071, 131072, 131073})
      compare_memories<T>(operation, n > 4096 ? 3 : 37, n);
    for (const std::int64_t n : {17, 1024, 40000, 300000}) compare_streams<T>(operation, 5, n);
  }
}

}  // namespace

TEST_CASE("row operations on f32") { compare_all<float>(); }
TEST_CASE("row operations on f64") { compare_all<double>(); }
TEST_CASE("row operations on f16") { compare_all<onefold::f16>(); }
TEST_CASE("row operations on bf16") { compare_all<onefold::bf16>(); }

TEST_CASE("many long rows") {
  compare_many_long<float>();
  compare_many_long<onefold::bf16>();
}

TEST_CASE("many rows in place") {
  for (const row_operation operation :
       {row_operation::softmax, row_operation::layer_norm, row_operation::normalize_l1}) {
    compare_in_place<float>(operation, 3000, 100, 103);
    compare_in_place<float>(operation, 700'001, 20, 24);  // more lines than warps are launched for
    compare_in_place<float>(operation, 400, 12001, 12004);
    compare_in_place<float>(operation, 12, 200001, 200004);
    compare_in_place<onefold::bf16>(operation, 3000, 1024, 1024);
    compare_in_place<onefold::bf16>(operation, 201, 65536, 65536);
  }
}

TEST_CASE("rows along the first axis, and with gaps") {
  const std::vector<float> x = support::normal_data<float>(300 * 70, 9);
  const support::copied<float> there(x), out(std::vector<float>(x.size(), 1.5f));
  for (const row_operation operation : all_operations) {
    if (operation == row_operation::logsumexp) continue;
    for (const int along : {0, 1}) {
      std::vector<float> wanted(x.size(), 1.5f);
      const onefold::extents e{300, 60};
      const onefold::strides pitch{70, 1};
      const auto run = [&](const float* from, float* to, backend where) {
        const onefold::output_view<float> results(to, e, pitch);
        onefold::row_plan<float>(operation, {from, e, pitch}, results, along, {}, {.backend = where})(from, to);
      };
      run(x.data(), wanted.data(), backend::sequential);
      std::vector<float> blank(x.size(), 1.5f);
      support::cuda(cudaMemcpy(out.data(), blank.data(), x.size() * sizeof(float), cudaMemcpyDefault));
      run(there.data(), out.data(), backend::cuda);
      CHECK(same_bits(out.get(x.size()), wanted));
      std::vector<float> here(x.size(), 1.5f);
      run(x.data(), here.data(), backend::cuda);
      CHECK(same_bits(here, wanted));
    }
  }
}

TEST_CASE("lines of no elements have statistics, in host and device memory") {
  const std::vector<float> blank(5, 7), none(5, std::numeric_limits<float>::quiet_NaN());
  const array_view<float> no_elements(nullptr, {5, 0});
  std::vector<float> mean = blank, rstd = blank;
  onefold::layer_norm(no_elements, {.mean = mean, .rstd = rstd}, {.backend = backend::cuda});
  CHECK(same_bits(mean, none));
  CHECK(same_bits(rstd, none));
  const support::copied<float> mean_there(blank), rstd_there(blank);
  const row_parameters<float> there{.mean = {mean_there.data(), 5}, .rstd = {rstd_there.data(), 5}};
  onefold::layer_norm(no_elements, there);
  CHECK(same_bits(mean_there.get(5), none));
  CHECK(same_bits(rstd_there.get(5), none));
  const support::copied<float> mean_on_stream(blank), rstd_on_stream(blank);
  const row_parameters<float> on_stream{.mean = {mean_on_stream.data(), 5}, .rstd = {rstd_on_stream.data(), 5}};
  onefold::row_plan<float> plan(row_operation::layer_norm, no_elements, -1, on_stream, {.backend = backend::cuda});
  const support::stream s;
  plan.enqueue(nullptr, nullptr, s, on_stream);
  support::cuda(cudaStreamSynchronize(s));
  CHECK(same_bits(mean_on_stream.get(5), none));
  CHECK(same_bits(rstd_on_stream.get(5), none));
}

TEST_CASE("streams take rows in device memory alone") {
  const std::vector<float> x(100, 1);
  std::vector<float> y(100);
  onefold::row_plan<float> plan(row_operation::softmax, {x.data(), {10, 10}}, -1, {}, {.backend = backend::cuda});
  const support::stream s;
  CHECK_THROWS_AS(plan.enqueue(x.data(), y.data(), s), onefold::error);
}
