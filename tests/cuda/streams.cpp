// Work enqueued on streams: results in device memory, graphs, a number of elements on the device, several at once.
#include <bit>
#include <cmath>
#include <thread>

#include "graph.hpp"
#include "memory.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/result_bits.hpp"
#include "support/special.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
using onefold::kernel;
namespace op = onefold::op;

constexpr onefold::options on_cuda{.backend = backend::cuda};

}  // namespace

TEST_CASE("a result on the device has the bits of the result on the host, for every entry") {
  const support::stream s;
  support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
    const std::int64_t n = 3 * 16384 / static_cast<std::int64_t>(sizeof(T)) + 5;
    const auto x = support::summable_data<T>(n, 31);
    const support::copied<T> there(x);
    onefold::plan<T, Op> p(n, {.backend = backend::cuda, .accuracy = A});
    const support::on_device<onefold::default_result<T, Op>> out;
    if constexpr (support::refused_by_streams<Op, T, A>) {
      CHECK_THROWS_AS(p.enqueue(there.data(), n, out.data(), s), onefold::error);
      return;
    }
    p.enqueue(there.data(), n, out.data(), s);
    s.wait();
    const auto wanted = onefold::reduce<T, Op>(x, {.backend = backend::sequential, .accuracy = A});
    if (support::bits_of(out.get()) != support::bits_of(wanted)) FAIL_CHECK(support::entry_name<Op, T>(A));
  });
  SUCCEED();
}

TEST_CASE("exact sums on a stream: elements of every size, an initial value, a number of elements on the device") {
  const std::int64_t most = 300'000;
  auto x = support::normal_data<double>(most, 35);
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] = std::ldexp(x[i], static_cast<int>(i * 7 % 2000) - 1000);
  const support::copied<double> there(x);
  onefold::plan<double, op::sum> sum(most, {.backend = backend::cuda, .accuracy = accuracy::exact, .init = -0.5});
  onefold::plan<double, op::mean> mean(most, {.backend = backend::cuda, .accuracy = accuracy::exact});
  const support::on_device<double> out;
  support::on_device<std::int64_t> count;
  const support::stream s;
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{513}, std::int64_t{70'000}, most}) {
    const auto first = std::span(x).first(static_cast<std::size_t>(n));
    count.set(n);
    sum.enqueue(there.data(), count.data(), out.data(), s);
    s.wait();
    CHECK(out.get() ==
          onefold::sum(first, {.backend = backend::sequential, .accuracy = accuracy::exact, .init = -0.5}));
    if (n == 0) continue;
    mean.enqueue(there.data(), count.data(), out.data(), s);
    s.wait();
    CHECK(out.get() == onefold::mean(first, {.backend = backend::sequential, .accuracy = accuracy::exact}));
  }
}

TEST_CASE("exact powers on a stream: elements of every size, a number of elements on the device") {
  const std::int64_t most = 300'000;
  auto x = support::normal_data<double>(most, 38);
  for (std::size_t i = 0; i < x.size(); i += 3) x[i] = std::ldexp(x[i], static_cast<int>(i * 7 % 2000) - 1000);
  const support::copied<double> there(x);
  support::on_device<std::int64_t> count;
  const support::stream s;
  const auto check = [&]<class Op>(Op) {
    onefold::plan<double, Op> p(most, {.backend = backend::cuda, .accuracy = accuracy::exact});
    const support::on_device<onefold::default_result<double, Op>> out;
    for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{513}, std::int64_t{70'000}, most}) {
      count.set(n);
      p.enqueue(there.data(), count.data(), out.data(), s);
      s.wait();
      if (n == 0 && !Op::empty_allowed) continue;  // no number
      INFO(Op::name << ' ' << n);
      CHECK(support::bits_of(out.get()) ==
            support::run<Op>(x.data(), n, {.backend = backend::sequential, .accuracy = accuracy::exact}));
    }
  };
  check(op::moments{});
  check(op::sample_variance{});
  check(op::stddev{});
  check(op::sum_squares{});
  check(op::norm2{});
}

TEST_CASE("exact sums of many elements of every size, and of alike ones between") {
  const std::int64_t n = 40'000'000;
  std::vector<double> x(static_cast<std::size_t>(n));
  std::uint64_t bits = 37;
  for (std::size_t i = 0; i < x.size(); ++i) {
    bits = bits * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
    // Every exponent but that of infinities and NaN; every third five million between -1 and 1.
    const std::uint64_t finite = (bits >> 52 & 0x7ff) == 0x7ff ? bits ^ std::uint64_t{1} << 60 : bits;
    x[i] = i / 5'000'000 % 3 == 1 ? static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63
                                  : std::bit_cast<double>(finite);
  }
  const support::copied<double> there(x);
  CHECK(onefold::reduce<double, op::sum>(there.data(), n, {.backend = backend::cuda, .accuracy = accuracy::exact}) ==
        onefold::sum(x, {.backend = backend::openmp, .accuracy = accuracy::exact}));
  for (double& y : x) y = std::ldexp(y, -700);  // of all sizes still, but their squares are finite
  const support::copied<double> smaller(x);
  CHECK(support::run<op::moments>(smaller.data(), n, {.backend = backend::cuda, .accuracy = accuracy::exact}) ==
        support::run<op::moments>(x.data(), n, {.backend = backend::openmp, .accuracy = accuracy::exact}));
}

TEST_CASE("a plan that was not called yet opens its device while a graph is captured") {
  const std::int64_t n = 70'000;
  const auto x = support::normal_data<float>(n, 37);
  const support::copied<float> there(x);
  const support::on_device<float> out;
  const support::stream s;
  onefold::plan<float, op::sum> p(n);
  const support::graph graph(
      s, [&] { p.enqueue(there.data(), n, out.data(), s); }, cudaStreamCaptureModeGlobal);
  graph.launch(s);
  s.wait();
  CHECK(out.get() == onefold::sum(x, {.backend = backend::sequential}));
}

TEST_CASE("a captured graph replays on new data") {
  for (const std::int64_t n : {1000, 100'000, 10'000'000}) {
    auto x = support::normal_data<float>(n, 32);
    support::copied<float> there(x);
    onefold::plan<float, op::sum> p(n, {.backend = backend::cuda, .accuracy = accuracy::kahan, .init = 0.5f});
    const support::on_device<float> out;
    const support::stream s;
    const support::graph graph(
        s, [&] { p.enqueue(there.data(), n, out.data(), s); }, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < 3; ++i) {
      x[7] = static_cast<float>(i);
      there.put(x);
      graph.launch(s);
      s.wait();
      CHECK(out.get() == onefold::sum(x, {.backend = backend::sequential, .accuracy = accuracy::kahan, .init = 0.5f}));
    }
  }
}

namespace {

/// How many edges of a graph let the work at their end begin early.
int early_edges(cudaGraph_t graph) {
  std::vector<cudaGraphNode_t> from(100), to(100);
  std::vector<cudaGraphEdgeData> edges(100);
  std::size_t count = edges.size();
#if CUDART_VERSION >= 13000
  support::cuda(cudaGraphGetEdges(graph, from.data(), to.data(), edges.data(), &count));
#else
  support::cuda(cudaGraphGetEdges_v2(graph, from.data(), to.data(), edges.data(), &count));
#endif
  int early = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (edges[i].type == cudaGraphDependencyTypeProgrammatic) ++early;
  return early;
}

/// Each reduction of a chain reads what the one before has written: the result is the first element.
template <class Op, accuracy A>
void check_chain(std::int64_t n, int links) {
  auto x = support::normal_data<float>(n, 36);
  const support::copied<float> there(x);
  const support::on_device<int> other;
  onefold::plan<float, Op> p(n, {.backend = backend::cuda, .accuracy = A});
  const support::stream s;
  const support::graph graph(
      s,
      [&] {
        for (int i = 0; i < links; ++i) p.enqueue(there.data(), n, there.data(), s);
        support::cuda(cudaMemsetAsync(other.data(), 0, sizeof(int), s));
        p.enqueue(there.data(), n, there.data(), s);
      },
      cudaStreamCaptureModeGlobal);
  int major = 0;
  support::cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK(early_edges(graph) == (major >= 9 ? links - 1 : 0));  // not after the other work
  for (int i = 0; i < 2; ++i) graph.launch(s);
  s.wait();
  for (int i = 0; i < 2 * (links + 1); ++i)
    x[0] = onefold::reduce<float, Op>(x, {.backend = backend::sequential, .accuracy = A});
  float got = 0;
  support::cuda(cudaMemcpy(&got, there.data(), sizeof got, cudaMemcpyDefault));
  CHECK(support::bits_of(got) == support::bits_of(x[0]));
}

}  // namespace

TEST_CASE("in a graph a reduction begins early after another one, and still waits for it") {
  for (const std::int64_t n : {1000, 10'000, 100'000, 3'000'000}) {
    INFO(n);
    check_chain<op::sum, accuracy::native>(n, 9);
    check_chain<op::sum, accuracy::exact>(n, 9);
    check_chain<op::max, accuracy::native>(n, 9);
    check_chain<op::variance, accuracy::native>(n, 9);
    check_chain<op::variance, accuracy::exact>(n, 9);
  }
}

TEST_CASE("the number of elements may be on the device") {
  const std::int64_t most = 3'000'000;
  const auto x = support::normal_data<double>(most, 33);
  const support::copied<double> there(x);
  onefold::plan<double, op::sum> p(most, on_cuda);
  const support::on_device<double> out;
  support::on_device<std::int64_t> count;
  const support::stream s;
  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{2048}, std::int64_t{2049}, std::int64_t{1'000'000}, most}) {
    count.set(n);
    p.enqueue(there.data(), count.data(), out.data(), s);
    s.wait();
    CHECK(out.get() == onefold::sum(std::span(x).first(static_cast<std::size_t>(n)), {.backend = backend::sequential}));
  }
  count.set(-3);
  p.enqueue(there.data(), count.data(), out.data(), s);
  s.wait();
  CHECK(out.get() == 0);
  count.set(most + 9);
  p.enqueue(there.data(), count.data(), out.data(), s);
  s.wait();
  CHECK(out.get() == onefold::sum(x, {.backend = backend::sequential}));
}

TEST_CASE("eight threads share one device") {
  const std::int64_t n = 1'234'567;
  const auto x = support::normal_data<float>(n, 34);
  const support::copied<float> there(x);
  const float wanted = onefold::sum(x, {.backend = backend::sequential});
  std::vector<int> wrong(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      onefold::plan<float, op::sum> p(n, on_cuda);
      for (int i = 0; i < 50; ++i) {
        if (p(there.data(), n) != wanted) ++wrong[t];
        if (i % 10 == 0 && onefold::sum(x, on_cuda) != wanted) ++wrong[t];
        if (onefold::reduce<float, op::sum>(there.data(), n, on_cuda) != wanted) ++wrong[t];
      }
    });
  for (auto& t : threads) t.join();
  for (const int w : wrong) CHECK(w == 0);
}

TEST_CASE("every kernel of the ladder reduces every size") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    for (const std::int64_t n : {1, 2, 255, 256, 257, 511, 512, 513, 16384, 65536, 65537, 200'001}) {
      const auto x = [&] {
        std::vector<T> v(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < v.size(); ++i)
          v[i] = support::nearest<T>(i % 7 == 3 ? 1 : 0);  // exact in any order
        return v;
      }();
      const auto ones = support::filled<T>(n, 1);
      const support::copied<T> there(x), all_ones(ones);
      for (int k = static_cast<int>(kernel::canonical); k <= static_cast<int>(kernel::coarsened); ++k) {
        const onefold::options how{.backend = backend::cuda, .kernel = static_cast<kernel>(k)};
        INFO(onefold::name_of(how.kernel) << ' ' << onefold::name_of(onefold::dtype_of<T>) << ' ' << n);
        CHECK(support::run<op::sum>(there.data(), n, how) == support::run<op::sum>(x.data(), n, {}));
        CHECK(support::run<op::min>(there.data(), n, how) == support::run<op::min>(x.data(), n, {}));
        CHECK(support::run<op::max>(there.data(), n, how) == support::run<op::max>(x.data(), n, {}));
        CHECK(support::run<op::product>(all_ones.data(), n, how) == support::run<op::product>(ones.data(), n, {}));
      }
    }
  });
}
