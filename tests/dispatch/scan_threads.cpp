// The reports of scans and row operations name the threads that take part, not those that were asked for.
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"
#include "onefold/row_operations.hpp"
#include "onefold/scan.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/result_bits.hpp"
#include "support/thread_recorder.hpp"

namespace {

constexpr std::int64_t page = 4096;  // of f32

onefold::options with_threads(int asked) { return support::on_backend(onefold::accuracy::native, asked); }

/// How many of the threads that are asked for the backend has.
int available(int asked) {
  const auto all = onefold::backends();
  const auto info = std::ranges::find(all, support::backend_under_test(), &onefold::backend_info::backend);
  const bool takes_any_number = info->backend == onefold::backend::openmp || info->backend == onefold::backend::threads;
  return takes_any_number ? asked : std::min(asked, info->threads);
}

/// The threads that have lifted elements.
struct recorded {
  std::mutex lock;
  std::set<std::thread::id> seen;
  support::thread_recorder operation() { return {&lock, &seen}; }
  int take() { return static_cast<int>(std::exchange(seen, {}).size()); }
};

/// Calls it, which runs a plan, and checks that the plan reports this many threads, and that no more took part.
template <class Plan, class Run>
void check_threads(const Plan& plan, recorded& by, int threads, const Run& run) {
  run();
  CHECK(plan.report().threads == threads);
  const int seen = by.take();
  CHECK(seen >= 1);
  CHECK(seen <= threads);
}

}  // namespace

TEST_CASE("a scan's report names the threads that take part") {
  recorded by;
  for (const int asked : {2, 5})
    for (const std::int64_t pages : {1, 2, 15, 16, 31, 32, 80}) {
      const std::vector<float> x(static_cast<std::size_t>(pages * page));
      std::vector<std::int64_t> out(x.size());
      onefold::scan_plan<float, support::thread_recorder> plan(pages * page, onefold::scan_kind::inclusive,
                                                               with_threads(asked), by.operation());
      INFO(pages << " pages, " << asked << " threads");
      // Two threads take four folds of four pages each at least, more than four threads units of 16 pages.
      const int most = available(asked), threads = pages < 16 ? 1 : most <= 4 ? most : static_cast<int>(pages / 16);
      CHECK(plan.report().threads == threads);
      check_threads(plan, by, threads, [&] { plan(x.data(), out.data()); });
      CHECK(out.back() == pages * page);
    }
}

TEST_CASE("a scan's report along an axis names no more threads than there are groups of lines") {
  recorded by;
  const std::vector<float> x(static_cast<std::size_t>(6 * page));
  std::vector<std::int64_t> out(x.size());
  for (const std::int64_t columns : {1, 3}) {
    const onefold::array_view<float> view(x.data(), {2 * page, columns}, {3, 1});
    onefold::scan_plan<float, support::thread_recorder> plan(view, 0, onefold::scan_kind::inclusive, with_threads(2),
                                                             by.operation());
    INFO(columns << " columns");
    const int threads = columns == 1 ? 1 : available(2);
    CHECK(plan.report().threads == threads);
    check_threads(plan, by, threads, [&] { plan(x.data(), out.data()); });
  }
}

TEST_CASE("all threads share a long line whose elements lie apart") {
  recorded by;
  const onefold::strides apart{3};
  for (const int asked : {2, 5})
    for (const std::int64_t pages : {7, 8, 9, 30}) {
      const std::int64_t n = pages * page - 5;
      const std::vector<float> x(static_cast<std::size_t>(3 * n));
      std::vector<std::int64_t> out(static_cast<std::size_t>(n));
      onefold::scan_plan<float, support::thread_recorder> plan(onefold::array_view<float>(x.data(), {n}, apart), 0,
                                                               onefold::scan_kind::inclusive, with_threads(asked),
                                                               by.operation());
      INFO(pages << " pages, " << asked << " threads");
      // In units of four pages.
      const int threads = pages < 9 ? 1 : static_cast<int>(std::min<std::int64_t>(available(asked), (pages + 3) / 4));
      CHECK(plan.report().threads == threads);
      check_threads(plan, by, threads, [&] { plan(x.data(), out.data()); });
      CHECK(out.back() == n);
    }
}

TEST_CASE("a line that threads share has the bits of one whose elements follow each other") {
  const std::int64_t n = 30 * page - 5;
  const std::vector<float> x = support::normal_data<float>(n, 11), y = support::normal_data<float>(n, 12);
  std::vector<float> columns;
  for (std::size_t i = 0; i < x.size(); ++i) columns.insert(columns.end(), {x[i], y[i]});
  const auto compare = [&]<class Op>(Op, const onefold::options& how) {
    using R = onefold::default_result<float, Op>;
    std::vector<R> of_x(x.size()), of_y(x.size()), found(columns.size());
    onefold::inclusive_scan<float, Op>(x, of_x, how);
    onefold::inclusive_scan<float, Op>(y, of_y, how);
    const onefold::array_view<float> view(columns.data(), {n, 2});
    onefold::inclusive_scan<float, Op>(view, 0, found, how);
    bool same = true;
    for (std::size_t i = 0; i < x.size(); ++i)
      same = same && support::bits_of(found[2 * i]) == support::bits_of(of_x[i]) &&
             support::bits_of(found[2 * i + 1]) == support::bits_of(of_y[i]);
    CHECK(same);
  };
  for (const int threads : {2, 5}) {
    onefold::options how = with_threads(threads);
    compare(onefold::op::argmax{}, how);
    compare(onefold::op::sum{}, how);
    how.init = 0.1F;
    compare(onefold::op::sum{}, how);
    how.accuracy = onefold::accuracy::kahan;
    compare(onefold::op::sum{}, how);
  }
  std::vector<float> expected(x.size()), in_place = columns;
  onefold::exclusive_scan<float, onefold::op::sum>(y, expected, with_threads(5));
  const onefold::array_view<float> second(in_place.data() + 1, {n}, {2});
  onefold::exclusive_scan<float, onefold::op::sum>(
      second, 0, onefold::output_view<float>(in_place.data() + 1, {n}, {2}), with_threads(5));
  bool same = true;
  for (std::size_t i = 0; i < x.size(); ++i)
    same = same && in_place[2 * i] == x[i] && support::bits_of(in_place[2 * i + 1]) == support::bits_of(expected[i]);
  CHECK(same);
}

TEST_CASE("the report of a plan for segments names the threads of the last call") {
  recorded by;
  const std::vector<float> x(static_cast<std::size_t>(40 * page));
  std::vector<std::int64_t> out(x.size());
  onefold::segmented_scan_plan<float, support::thread_recorder> plan(4, 40 * page, onefold::scan_kind::inclusive,
                                                                     with_threads(2), by.operation());
  CHECK(plan.report().threads == available(2));
  for (const std::int64_t pages : {10, 40, 7}) {
    const std::vector<std::int64_t> at{0, page / 2, page, page, pages * page};
    const auto values = onefold::segments(x, at);
    check_threads(plan, by, pages < 16 ? 1 : available(2), [&] { plan(values, out); });
  }
}

TEST_CASE("the report of a row operation names the threads that take part") {
  const auto threads_of = [](std::int64_t rows, std::int64_t columns) {
    const std::vector<float> x(static_cast<std::size_t>(rows * columns));
    onefold::row_plan<float> plan(onefold::row_operation::softmax,
                                  onefold::array_view<float>(x.data(), {rows, columns}), -1, {}, with_threads(2));
    std::vector<float> out(x.size());
    plan(x.data(), out.data());
    return plan.report().threads;
  };
  CHECK(threads_of(1, 8 * page) == 1);  // up to 16 pages a row is left to one thread
  CHECK(threads_of(1, 20 * page) == available(2));
  CHECK(threads_of(64, page) == available(2));
}
