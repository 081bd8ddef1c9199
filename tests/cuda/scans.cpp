// Scans of arrays in device memory: in one pass where elements and results are aligned, in graphs, on several streams.
#include "onefold/scan.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"

namespace {

using onefold::backend;
using onefold::scan_kind;
namespace op = onefold::op;

/// What the CPU makes of the elements.
template <class Op, class T>
std::vector<T> wanted(const std::vector<T>& x, scan_kind kind, onefold::options how) {
  how.backend = backend::sequential;
  std::vector<T> out(x.size());
  if (kind == scan_kind::inclusive)
    onefold::inclusive_scan<T, Op>(x, out, how);
  else
    onefold::exclusive_scan<T, Op>(x, out, how);
  return out;
}

template <class T>
bool are_equal(const support::copied<T>& found, const std::vector<T>& meant) {
  const auto x = found.get(meant.size());
  return std::memcmp(x.data(), meant.data(), meant.size() * sizeof(T)) == 0;
}

/// Compares scans of arrays of pages and a few elements with the CPU's.
template <class Op, class T>
void check(std::int64_t pages, scan_kind kind, onefold::options how = {}) {
  const std::int64_t n = pages * onefold::page_elements(sizeof(T)) + pages % 7 - 3;
  INFO(Op::name << " of " << n << " elements of " << sizeof(T) << " bytes");
  const auto x = support::normal_data<T>(n, static_cast<std::uint64_t>(pages));
  const auto meant = wanted<Op>(x, kind, how);
  how.backend = backend::cuda;
  onefold::scan_plan<T, Op> plan(n, kind, how);
  const support::stream s;
  for (const std::int64_t offset : {std::int64_t{0}, static_cast<std::int64_t>(sizeof(T))}) {
    const support::copied<T> from(x, support::memory_kind::device, offset), to(x, support::memory_kind::device, offset);
    plan.enqueue(from.data(), to.data(), s);
    s.wait();
    CHECK(are_equal(to, meant));
    plan.enqueue(from.data(), from.data(), s);
    s.wait();
    CHECK(are_equal(from, meant));
  }
}

}  // namespace

TEST_CASE("scans of few and of many pages, at every alignment, in place") {
  for (const std::int64_t pages : {1, 2, 31, 33, 70, 790, 1025, 3000}) {
    const scan_kind kind = pages % 2 == 0 ? scan_kind::exclusive : scan_kind::inclusive;
    check<op::sum, float>(pages, kind);
    check<op::sum, double>(pages, kind, {.init = 2.5});
    check<op::max, float>(pages, kind, {.init = -3});
    check<op::min, double>(pages, scan_kind::inclusive);
  }
}

TEST_CASE("sums of integers at accuracy exact, which may have no result, are left to the CPU") {
  const std::vector<std::int64_t> x{std::numeric_limits<std::int64_t>::max(), 1};
  std::vector<std::int64_t> y(2);
  support::check_error(onefold::error_code::unsupported,
                       "backend cuda does not scan with sum of i64 elements at accuracy exact", [&] {
                         onefold::inclusive_scan<std::int64_t, op::sum>(
                             x, y, {.backend = backend::cuda, .accuracy = onefold::accuracy::exact});
                       });
}

TEST_CASE("plans of scans to another result type than the operation's are refused") {
  support::check_error(
      onefold::error_code::unsupported,
      "backend cuda scans with sum to its own result type only, not to f64; copy the data",
      [] { onefold::scan_plan<float, op::sum, double>(10, scan_kind::inclusive, {.backend = backend::cuda}); });
}

TEST_CASE("scans in graphs and on two streams at once") {
  constexpr std::int64_t n = 2'000'003;
  const auto x = support::normal_data<float>(n, 5);
  const auto meant = wanted<op::sum>(x, scan_kind::inclusive, {});
  const support::copied<float> from(x);
  const support::stream streams[2];
  const support::copied<float> to[2]{support::copied<float>(x), support::copied<float>(x)};
  onefold::scan_plan<float, op::sum> first(n, scan_kind::inclusive, {.backend = backend::cuda}),
      second(n, scan_kind::inclusive, {.backend = backend::cuda});
  for (int i = 0; i < 50; ++i) {
    first.enqueue(from.data(), to[0].data(), streams[0]);
    second.enqueue(from.data(), to[1].data(), streams[1]);
  }
  for (int i = 0; i < 2; ++i) {
    streams[i].wait();
    CHECK(are_equal(to[i], meant));
  }
  const support::graph graph(
      streams[0],
      [&] {
        for (int i = 0; i < 3; ++i) first.enqueue(from.data(), to[0].data(), streams[0]);
      },
      cudaStreamCaptureModeGlobal);
  for (int i = 0; i < 10; ++i) {
    support::cuda(cudaMemsetAsync(to[0].data(), 0, sizeof(float) * n, streams[0]));
    graph.launch(streams[0]);
  }
  streams[0].wait();
  CHECK(are_equal(to[0], meant));
}
