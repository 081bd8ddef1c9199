// Scans of segments on the device: every prefix has the bits of the sequential backend, with data, offsets and results
// in memory of every kind, long segments among short ones, streams, graphs, and offsets that are wrong.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "offsets.hpp"
#include "onefold/scan.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
using onefold::error_code;
using onefold::options;
using onefold::scan_kind;
using support::check_error;
using support::offsets;
using support::repeated;
namespace op = onefold::op;

/// Short ones, pages and their borders, few long ones, and long ones among many short ones.
template <class T>
std::vector<offsets> patterns() {
  constexpr std::int64_t page = onefold::page_elements(sizeof(T));
  offsets mixed = repeated(2, 900, {3, 0, 90});
  for (const std::int64_t n : {70 * page + 5, std::int64_t{4}, 200 * page, 64 * page})
    mixed.push_back(mixed.back() + n);
  return {repeated(0, 160'000, {1, 3, 0, 9}),
          repeated(1, 140, {0, 1, 31, page - 1, page, page + 1, 5 * page + 3}),
          repeated(7, 3, {300 * page + 9, 2, 65 * page}),
          mixed,
          repeated(0, 100, {65 * page}),
          repeated(5, 9, {0})};
}

template <class T, class Op, class R, class Offset>
void scan(const onefold::segmented<T, Offset>& what, std::span<R> out, scan_kind kind, const options& how) {
  if (kind == scan_kind::inclusive)
    onefold::inclusive_scan<T, Op, R>(what, out, how);
  else
    onefold::exclusive_scan<T, Op, R>(what, out, how);
}

template <class Op, class T>
void compare(const offsets& at, scan_kind kind, options how = {}) {
  using R = onefold::default_result<T, Op>;
  const auto n = static_cast<std::size_t>(at.back() + 3);
  INFO(Op::name << " of " << at.size() - 1 << " segments of " << n << " elements of " << sizeof(T) << " bytes");
  const auto x = support::summable_data<T>(static_cast<std::int64_t>(n), 70);
  std::vector<R> meant(n, R(-7));
  how.backend = backend::sequential;
  scan<T, Op, R>(onefold::segments(x, at), std::span(meant), kind, how);
  how.backend = backend::cuda;
  const auto is_meant = [&](const R* found) {
    std::vector<R> here(n);
    support::cuda(cudaMemcpy(here.data(), found, n * sizeof(R), cudaMemcpyDefault));
    return std::memcmp(here.data(), meant.data(), n * sizeof(R)) == 0;
  };
  const std::vector<std::uint32_t> narrow(at.begin(), at.end());
  const support::copied<T> device(x, support::memory_kind::device, sizeof(T)), pinned(x, support::memory_kind::pinned);
  const support::copied<std::int64_t> far(at);
  const support::copied<std::uint32_t> far_narrow(narrow);
  const std::span<const T> there(device.data(), n);
  const auto check = [&](const char* which, const auto& what) {
    const support::copied<R> out(std::vector<R>(n, R(-7)));
    std::vector<R> out_here(n, R(-7));
    scan<T, Op, R>(what, std::span(out.data(), n), kind, how);
    scan<T, Op, R>(what, std::span(out_here), kind, how);
    INFO(which);
    CHECK(is_meant(out.data()));
    CHECK(is_meant(out_here.data()));
  };
  check("data in host memory", onefold::segments(x, at));
  check("in pinned memory", onefold::segments(std::span<const T>(pinned.data(), n), narrow));
  check("on the device", onefold::segments(there, at));
  check("offsets there, too", onefold::segments(there, std::span<const std::int64_t>(far.data(), at.size())));
  check("of 32 bits", onefold::segments(there, std::span<const std::uint32_t>(far_narrow.data(), at.size())));
  check("offsets only", onefold::segments(x, std::span<const std::int64_t>(far.data(), at.size())));
  if constexpr (std::is_same_v<R, T>) {  // in place; what is in no segment stays
    std::copy(x.begin(), x.begin() + at.front(), meant.begin());
    std::copy(x.begin() + at.back(), x.end(), meant.begin() + at.back());
    std::vector<T> here = x;
    scan<T, Op, R>(onefold::segments(here, at), std::span(here), kind, how);
    CHECK(is_meant(here.data()));
    scan<T, Op, R>(onefold::segments(there, at), std::span(device.data(), n), kind, how);
    CHECK(is_meant(device.data()));
  }
}

}  // namespace

TEST_CASE("scans of segments have the bits of the sequential backend") {
  for (const offsets& at : patterns<float>()) {
    compare<op::sum, float>(at, scan_kind::inclusive);
    compare<op::sum, float>(at, scan_kind::exclusive, {.accuracy = accuracy::kahan});
    compare<op::max, float>(at, scan_kind::exclusive, {.init = 0.5});
  }
  for (const offsets& at : patterns<double>()) {
    compare<op::sum, double>(at, scan_kind::exclusive, {.init = 2.5});
    compare<op::sum, double>(at, scan_kind::inclusive, {.accuracy = accuracy::wide});
    compare<op::min, double>(at, scan_kind::inclusive);
  }
  for (const offsets& at : patterns<std::int32_t>()) compare<op::sum, std::int32_t>(at, scan_kind::exclusive);
  for (const offsets& at : patterns<std::int8_t>()) compare<op::max, std::int8_t>(at, scan_kind::inclusive);
}

TEST_CASE("scans of segments in streams and graphs") {
  const auto x = support::normal_data<float>(300'000, 71);
  const auto at = repeated(2, 5, {5, 100'000, 0, 4096, 90'001});
  const support::copied<float> device(x);
  const support::copied<std::int64_t> far(at);
  const auto there = onefold::segments(std::span<const float>(device.data(), x.size()),
                                       std::span<const std::int64_t>(far.data(), at.size()));
  std::vector<float> meant(x.size(), -7);
  onefold::inclusive_scan<float, op::sum>(onefold::segments(x, at), meant, {.backend = backend::sequential});
  support::copied<float> out(std::vector<float>(x.size(), -7));
  const std::span<float> to(out.data(), x.size());
  const support::stream stream;
  onefold::segmented_scan_plan<float, op::sum> plan(static_cast<std::int64_t>(at.size()) - 1, std::ssize(x),
                                                    scan_kind::inclusive, {.backend = backend::cuda});
  const auto same = [&] { return out.get(x.size()) == meant; };
  plan.enqueue(there, to, stream);
  stream.wait();
  CHECK(same());
  out.put(std::vector<float>(x.size(), -7));
  const support::graph graph(stream, [&] {
    plan.enqueue(there, to, stream);
    plan.enqueue(there, to, stream);
  });
  graph.launch(stream);
  stream.wait();
  CHECK(same());
  check_error(error_code::invalid_argument, "enqueue takes offsets in device memory",
              [&] { plan.enqueue(onefold::segments(there.values, at), to, stream); });
  check_error(error_code::invalid_argument, "enqueue takes data in device memory",
              [&] { plan.enqueue(onefold::segments(x, there.offsets), to, stream); });
  check_error(error_code::invalid_argument, "but there is room for",
              [&] { plan.enqueue(there, to.first(x.size() - 1), stream); });
}

TEST_CASE("offsets on the device that are no segments: nothing is scanned") {
  const auto x = support::normal_data<float>(100, 72);
  const support::copied<float> device(x), out(std::vector<float>(100, -7));
  const auto scan_of = [&](const offsets& at) {
    const support::copied<std::int64_t> far(at);
    onefold::inclusive_scan<float, op::max>(onefold::segments(std::span<const float>(device.data(), 100),
                                                              std::span<const std::int64_t>(far.data(), at.size())),
                                            std::span<float>(out.data(), 100));
  };
  const std::string bad = " is less than the one before it, or beyond the end of the array; offsets must not decrease";
  check_error(error_code::invalid_argument, "offset 2" + bad, [&] { scan_of({0, 50, 49, 100}); });
  check_error(error_code::invalid_argument, "offset 3" + bad, [&] { scan_of({0, 50, 60, 101}); });
  CHECK(out.get(100) == std::vector<float>(100, -7));
  scan_of({50, 50, 50});  // an empty segment is no error
  CHECK(out.get(100) == std::vector<float>(100, -7));
}
