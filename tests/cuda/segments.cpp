// Reductions of segments of data on the device: every schedule and entry has the bits of the sequential backend, with
// offsets on the host and on the device; streams, graphs, bad offsets, and more elements than 32 bits count.
#include "onefold/segments.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "offsets.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
using onefold::error_code;
using onefold::options;
using support::check_error;
using support::offsets;
using support::repeated;
namespace op = onefold::op;

/// Offsets that take each way: a thread, a warp with several segments and with one, a block, pages that are joined by a
/// warp and by a block, and the borders between them; none are empty unless `with_empty`.
template <class T>
std::vector<offsets> patterns(bool with_empty) {
  constexpr std::int64_t lanes = 512 / sizeof(T), page = 32 * lanes;
  std::vector<offsets> all{repeated(0, 5000, {1}),
                           repeated(1, 3000, {3, 4, 2}),
                           repeated(3, 2000, {8, 5, 7}),
                           repeated(0, 700, {16, 9, 13, 1}),
                           repeated(2, 500, {31, 32, 33, 17}),
                           repeated(1, 300, {64, 5, 100, 65}),
                           repeated(0, 200, {64}),
                           repeated(3, 400, {32}),
                           repeated(1, 200, {48}),
                           repeated(2, 300, {49, 63, 64, 48, 100, 127, 129}),
                           repeated(0, 90, {300, 5, 299, 301, 70, 1}),
                           repeated(0, 60, {lanes - 1, lanes, lanes + 1, 2}),
                           repeated(5, 12, {8 * lanes - 1, 8 * lanes, 8 * lanes + 1, 7}),
                           repeated(0, 9, {page - 1, page, page + 1}),
                           repeated(1, 40, {page, 1, 1, 3}),
                           repeated(0, 5, {2 * page, 3 * page + 5, 9}),
                           repeated(7, 3, {2, 140 * page + 9, 30}),
                           repeated(0, 1, {page + 7})};
  if (with_empty) {
    all.push_back(repeated(4, 9000, {0}));
    all.push_back(repeated(0, 3000, {0, 0, 0, 0, 0, 0, 0, 5}));
    all.push_back(repeated(0, 400, {0, 40, 0, 0, 300}));
    all.push_back(
        repeated(0, 2000, {page + 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  }
  return all;
}

template <class Op, class T, accuracy A>
void compare(const std::vector<T>& x, const T* there, const offsets& at, const options& more = {}) {
  options here = more, on_device = more;
  here.accuracy = on_device.accuracy = A;
  here.backend = backend::sequential;
  on_device.backend = backend::cuda;
  const auto wanted = onefold::reduce<T, Op>(onefold::segments(x, at), here);
  const std::span<const T> far(there, x.size());
  const support::copied<std::int64_t> wide(at);
  const std::vector<std::uint32_t> narrow_here(at.begin(), at.end());
  const support::copied<std::uint32_t> narrow(narrow_here);
  const auto check = [&](const char* which, const auto& found) {
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (support::bits_of(found[i]) != support::bits_of(wanted[i])) {
        FAIL_CHECK(support::entry_name<Op, T>(A)
                   << ", " << which << " offsets, segment " << i << " of " << wanted.size() << ", " << at[i + 1] - at[i]
                   << " elements from " << at[i] << ": the result is not the CPU's");
        return;
      }
  };
  check("wide", onefold::reduce<T, Op>(onefold::segments(far, std::span(wide.data(), at.size())), on_device));
  check("narrow", onefold::reduce<T, Op>(onefold::segments(far, std::span(narrow.data(), at.size())), on_device));
  check("host", onefold::reduce<T, Op>(onefold::segments(far, at), on_device));
}

}  // namespace

TEST_CASE("segments of every schedule once", "[small]") {
  const auto over_all = [&]<class Op, class T, accuracy A>() {
    for (const offsets& at : patterns<T>(std::is_same_v<Op, op::sum>)) {
      const auto x = support::summable_data<T>(at.back() + 3, 60);
      const support::copied<T> there(x, support::memory_kind::device, sizeof(T));
      compare<Op, T, A>(x, there.data(), at);
    }
  };
  over_all.template operator()<op::sum, float, accuracy::native>();
  over_all.template operator()<op::moments, float, accuracy::native>();
  over_all.template operator()<op::argmax, double, accuracy::native>();
  over_all.template operator()<op::sum, std::int8_t, accuracy::native>();
  over_all.template operator()<op::sum, double, accuracy::exact>();
}

TEST_CASE("segments of every entry have the bits of the sequential backend") {
  int compared = 0;
  support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
    const std::vector<offsets> all = patterns<T>(false);
    std::int64_t most = 0;
    for (const offsets& at : all) most = std::max(most, at.back());
    const auto x = support::summable_data<T>(most, 61);
    const support::copied<T> there(x, support::memory_kind::device, sizeof(T));
    for (const offsets& at : all) {
      compare<Op, T, A>(x, there.data(), at);
      ++compared;
    }
  });
  CHECK(compared > 3000);
}

TEST_CASE("segments with initial values, rounded results and no elements") {
  const auto x = support::normal_data<float>(9000, 62);
  const support::copied<float> there(x);
  options with_init;
  with_init.init = 1.5;
  for (const offsets& at :
       {repeated(0, 90, {100}), repeated(3, 700, {0, 5, 20, 0}), repeated(9, 50, {0}), offsets{4}}) {
    compare<op::sum, float, accuracy::native>(x, there.data(), at, with_init);
    compare<op::sum, float, accuracy::exact>(x, there.data(), at, with_init);
    compare<op::max, float, accuracy::native>(x, there.data(), at, with_init);
    options here = with_init, on_device = with_init;
    here.backend = backend::sequential;
    on_device.backend = backend::cuda;
    const support::copied<std::int64_t> far(at);
    const auto wanted = onefold::reduce<float, op::sum, double>(onefold::segments(x, at), here);
    for (const std::int64_t* where : {at.data(), static_cast<const std::int64_t*>(far.data())}) {
      const auto found = onefold::reduce<float, op::sum, double>(
          onefold::segments(std::span(there.data(), x.size()), std::span(where, at.size())), on_device);
      REQUIRE(found.size() == wanted.size());
      CHECK(std::memcmp(found.data(), wanted.data(), found.size() * sizeof(double)) == 0);
    }
  }
}

TEST_CASE("results of segments go to the device, by calls, streams and graphs") {
  const auto x = support::normal_data<float>(60'000, 63);
  const support::copied<float> there(x);
  const std::span<const float> values(there.data(), x.size());
  const support::stream stream;
  for (const auto mode : {accuracy::native, accuracy::exact})
    for (const offsets& at : {repeated(0, 1000, {50}), repeated(2, 3, {20'000, 10'000, 7})}) {
      const support::copied<std::int64_t> far(at);
      const auto segments = onefold::segments(values, std::span<const std::int64_t>(far.data(), at.size()));
      const auto wanted = onefold::sum(onefold::segments(x, at), {.accuracy = mode});
      const std::size_t count = wanted.size();
      onefold::segmented_plan<float, op::sum> plan(static_cast<std::int64_t>(count) + 1,
                                                   static_cast<std::int64_t>(x.size()),
                                                   {.backend = backend::cuda, .accuracy = mode});
      const support::copied<float> out(std::vector<float>(count + 1, -7));
      const auto same = [&] {
        std::vector<float> all(count + 1);
        support::cuda(cudaMemcpy(all.data(), out.data(), all.size() * sizeof(float), cudaMemcpyDefault));
        return std::memcmp(all.data(), wanted.data(), count * sizeof(float)) == 0 && all[count] == -7;
      };
      const auto clear = [&] { support::cuda(cudaMemset(out.data(), 0xa5, count * sizeof(float))); };
      const std::span<float> to(out.data(), count);
      plan(segments, to);
      CHECK(same());
      CHECK(plan.report().backend == backend::cuda);
      clear();
      plan(onefold::segments(values, at), to);
      CHECK(same());
      clear();
      plan.enqueue(segments, to, stream);
      stream.wait();
      CHECK(same());
      clear();
      const support::graph graph(stream, [&] {
        plan.enqueue(segments, to, stream);
        plan.enqueue(segments, to, stream);
      });
      for (int i = 0; i < 3; ++i) graph.launch(stream);
      stream.wait();
      CHECK(same());
      check_error(error_code::invalid_argument, "enqueue takes offsets in device memory",
                  [&] { plan.enqueue(onefold::segments(values, at), to, stream); });
      check_error(error_code::invalid_argument, "enqueue takes data in device memory",
                  [&] { plan.enqueue(onefold::segments(x, segments.offsets), to, stream); });
      check_error(error_code::invalid_argument, "but there is room for",
                  [&] { plan.enqueue(segments, to.first(count - 1), stream); });
    }
  // An empty segment has the identity in a stream.
  const offsets at{0, 2, 2};
  const support::copied<std::int64_t> far(at);
  onefold::segmented_plan<float, op::max> plan(2, static_cast<std::int64_t>(x.size()), {.backend = backend::cuda});
  const support::copied<float> out(std::vector<float>(2));
  plan.enqueue(onefold::segments(values, std::span<const std::int64_t>(far.data(), 3)), std::span(out.data(), 2),
               stream);
  stream.wait();
  float found[2];
  support::cuda(cudaMemcpy(found, out.data(), sizeof found, cudaMemcpyDefault));
  CHECK(found[0] == std::max(x[0], x[1]));
  CHECK(found[1] == -std::numeric_limits<float>::infinity());
}

TEST_CASE("offsets on the device that are no segments; nothing is written") {
  const auto x = support::normal_data<float>(100, 64);
  const support::copied<float> there(x);
  const support::copied<float> out(std::vector<float>(3, -7));
  const auto sum_of = [&](const auto& at) {
    const support::copied<std::remove_cvref_t<decltype(at[0])>> far(at);
    onefold::reduce<float, op::sum>(
        onefold::segments(std::span<const float>(there.data(), x.size()), std::span(far.data(), at.size())),
        std::span<float>(out.data(), 3));
  };
  using wide = std::vector<std::int64_t>;
  using narrow = std::vector<std::int32_t>;
  const std::string bad = " is less than the one before it, or beyond the end of the array; offsets must not decrease";
  check_error(error_code::invalid_argument, "offset 2" + bad, [&] { sum_of(wide{0, 50, 49, 100}); });
  check_error(error_code::invalid_argument, "offset 3" + bad, [&] { sum_of(wide{0, 50, 60, 101}); });
  check_error(error_code::invalid_argument, "offset 0" + bad, [&] { sum_of(wide{-1, 50, 60, 100}); });
  check_error(error_code::invalid_argument, "offset 0" + bad, [&] { sum_of(narrow{-1, 50, 60, 100}); });
  check_error(error_code::invalid_argument, "offset 1" + bad, [&] { sum_of(narrow{7, 6, 5, 4}); });
  check_error(error_code::empty_input, "max of no elements has no value: segment 1 is empty", [&] {
    const support::copied<std::int64_t> far(wide{0, 50, 50, 100});
    onefold::max(onefold::segments(std::span<const float>(there.data(), x.size()), std::span(far.data(), 4)));
  });
  std::vector<float> same(3);
  support::cuda(cudaMemcpy(same.data(), out.data(), 3 * sizeof(float), cudaMemcpyDefault));
  CHECK(same == std::vector<float>(3, -7));
}

TEST_CASE("who reduces segments follows their data") {
  const auto x = support::normal_data<float>(1000, 65);
  const offsets at = repeated(0, 10, {100});
  const support::copied<float> there(x), managed(x, support::memory_kind::managed),
      pinned(x, support::memory_kind::pinned);
  const support::copied<std::int64_t> far(at);
  const auto wanted = onefold::sum(onefold::segments(x, at));
  for (const float* data : {static_cast<const float*>(there.data()), static_cast<const float*>(managed.data()),
                            static_cast<const float*>(pinned.data()), x.data()}) {
    const auto found = onefold::sum(onefold::segments(std::span(data, x.size()), at));
    CHECK(std::memcmp(found.data(), wanted.data(), 10 * sizeof(float)) == 0);
  }
  onefold::segmented_plan<float, op::sum> plan(10, 1000);
  std::vector<float> out(10);
  plan(onefold::segments(std::span<const float>(there.data(), x.size()), at), out);
  CHECK(plan.report().backend == backend::cuda);
  plan(onefold::segments(x, at), out);
  CHECK(plan.report().backend != backend::cuda);
  check_error(error_code::unsupported, "the offsets are in device memory, which backend sequential cannot read",
              [&] { onefold::sum(onefold::segments(x, std::span(far.data(), 11)), {.backend = backend::sequential}); });
  check_error(error_code::invalid_argument, "the data is in device memory, which backend sequential cannot read", [&] {
    onefold::sum(onefold::segments(std::span<const float>(there.data(), x.size()), at),
                 {.backend = backend::sequential});
  });
  check_error(error_code::unsupported, "only kernel canonical reduces segments", [&] {
    onefold::sum(onefold::segments(x, at), {.backend = backend::cuda, .kernel = onefold::kernel::shuffle});
  });
}

TEST_CASE("segments of more elements than 32 bits count") {
  const std::int64_t n = (std::int64_t{1} << 32) + 4096;
  const support::memory there(support::memory_kind::device, n);
  support::cuda(cudaMemset(there.at(), 1, static_cast<std::size_t>(n)));
  const std::span<const std::int8_t> x(there.at<std::int8_t>(), static_cast<std::size_t>(n));
  for (const std::int64_t longest : {std::int64_t{1} << 30, std::int64_t{1} << 14, (std::int64_t{1} << 32) + 7}) {
    offsets at{1};
    for (std::int64_t i = 0; at.back() < n; ++i)
      at.push_back(std::min(n, at.back() + (i % 3 == 0 ? longest : i % 3 == 1 ? 40 : 0)));
    const support::copied<std::int64_t> far(at);
    const auto sums = onefold::sum(onefold::segments(x, std::span<const std::int64_t>(far.data(), at.size())),
                                   {.backend = backend::cuda});
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i + 1 < at.size(); ++i) wrong += sums[i] != at[i + 1] - at[i];
    CHECK(wrong == 0);
  }
}
