// Who ran, and why: forced means forced, automatic declines with reasons.
#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "onefold/custom.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/thread_recorder.hpp"

using onefold::backend;
using support::backend_under_test;

namespace {

std::vector<float> halves(std::size_t n) { return std::vector<float>(n, 0.5f); }

const onefold::decline* declined(const onefold::run_report& r, backend b) {
  const auto found = std::ranges::find(r.declined, b, &onefold::decline::backend);
  return found == r.declined.end() ? nullptr : &*found;
}

const onefold::backend_info& info_of(const std::vector<onefold::backend_info>& list, backend b) {
  return *std::ranges::find(list, b, &onefold::backend_info::backend);
}

/// Whether the backend has as many threads as are asked for, more than processors, too.
bool takes_any_number() { return backend_under_test() == backend::openmp || backend_under_test() == backend::threads; }

}  // namespace

TEST_CASE("a backend that is asked for runs, whatever the size") {
  for (const std::size_t n : {0u, 1u, 100u, 4096u, 4097u, 100000u, 3000000u}) {
    const auto data = halves(n);
    const auto r = onefold::reduce_reported<float, onefold::op::sum>(data, support::on_backend());
    CHECK(r.value == static_cast<float>(n) / 2);
    CHECK(r.ran.backend == backend_under_test());
    CHECK(r.ran.why == "requested by the caller");
    CHECK(r.ran.declined.empty());
    CHECK(r.ran.accuracy == onefold::accuracy::native);
    CHECK(r.ran.isa == onefold::isas().back());
  }
}

TEST_CASE("the report names the threads that the caller asked for, but for pages that are not there") {
  const auto data = halves(1 << 20);
  for (const int threads : {1, 2}) {
    const auto r = onefold::reduce_reported<float, onefold::op::sum>(
        data, support::on_backend(onefold::accuracy::native, threads));
    const int can = info_of(onefold::backends(), backend_under_test()).threads;
    CHECK(r.ran.threads == (takes_any_number() ? threads : std::min(threads, can)));
  }
  const auto few = onefold::reduce_reported<float, onefold::op::sum>(
      halves(2 * 4096), support::on_backend(onefold::accuracy::native, 16));
  CHECK(few.ran.threads <= 2);
}

TEST_CASE("the report names no more threads than took part") {
  if (onefold::is_accelerator(backend_under_test()))
    return;  // it has no threads, and the operation is compiled for CPUs
  // Each thread that folds a page leaves its number; there are more pages than threads.
  const auto data = halves(std::size_t{1} << 22);
  for (const int threads : {2, 16, 40}) {
    // How many of the threads get a piece is up to the runtime: never more than the report says.
    std::mutex lock;
    std::set<std::thread::id> seen;
    const auto r = onefold::reduce_reported<float, support::thread_recorder>(
        data, support::on_backend(onefold::accuracy::native, threads), support::thread_recorder{&lock, &seen});
    CHECK(r.value == 1 << 22);
    CHECK(static_cast<int>(seen.size()) <= r.ran.threads);
    if (!takes_any_number()) CHECK(r.ran.threads <= info_of(onefold::backends(), backend_under_test()).threads);
  }
}

TEST_CASE("the report names accuracy and instruction set") {
  for (const auto level : onefold::isas())
    for (const auto mode : {onefold::accuracy::native, onefold::accuracy::wide, onefold::accuracy::kahan}) {
      auto how = support::on_backend(mode);
      how.isa = level;
      const auto r = onefold::reduce_reported<float, onefold::op::sum>(halves(100000), how);
      CHECK(r.ran.isa == level);
      CHECK(r.ran.accuracy == mode);
      const std::string text = r.ran.text();
      CHECK(text.find(std::string("backend ") + onefold::name_of(backend_under_test()) +
                      ": requested by the caller\n") == 0);
      CHECK(text.find(std::string("instruction set ") + onefold::name_of(level) + "\n") != std::string::npos);
      CHECK(text.find(std::string("accuracy ") + onefold::name_of(mode) + "\n") != std::string::npos);
    }
}

TEST_CASE("automatic leaves a reason for each backend before the one that ran") {
  std::vector<backend> preference;
  for (const auto& b : onefold::backends()) preference.push_back(b.backend);
  for (const std::size_t n : {0u, 10u, 100000u, 10000000u})
    for (const int threads : {0, 1, 2}) {
      const auto r =
          onefold::reduce_reported<std::int8_t, onefold::op::sum>(std::vector<std::int8_t>(n, 1), {.threads = threads});
      CHECK(r.value == static_cast<std::int64_t>(n));
      const auto place = static_cast<std::size_t>(std::ranges::find(preference, r.ran.backend) - preference.begin());
      REQUIRE(place < preference.size());
      CHECK(r.ran.declined.size() == place);
      for (std::size_t i = 0; i < place; ++i) {
        CHECK(r.ran.declined[i].backend == preference[i]);
        CHECK_FALSE(r.ran.declined[i].why.empty());
        CHECK(r.ran.text().find(std::string("not ") + onefold::name_of(preference[i]) + ": ") != std::string::npos);
      }
    }
}

TEST_CASE("automatic knows why it passes a backend over") {
  const auto small = onefold::reduce_reported<float, onefold::op::sum>(halves(10));
  CHECK(small.ran.backend == backend::sequential);
  CHECK(declined(small.ran, backend::openmp)->why == "the input is too small to gain from threads");
  const auto alone = onefold::reduce_reported<float, onefold::op::sum>(halves(1 << 22), {.threads = 1});
  CHECK(alone.ran.backend == backend::sequential);
  CHECK(declined(alone.ran, backend::tbb)->why == "one thread was requested");
  const auto cpu =
      onefold::reduce_reported<float, onefold::op::sum>(halves(1 << 22), {.backend = backend::cpu, .threads = 2});
  CHECK(declined(cpu.ran, backend::cuda)->why == "a CPU backend was requested");
  // With two threads asked for, a parallel backend that is there takes 16 MB, oneTBB before OpenMP.
  if (std::thread::hardware_concurrency() < 2) return;
  const auto list = onefold::backends();
  for (const auto b : {backend::tbb, backend::openmp, backend::threads, backend::sequential})
    if (info_of(list, b).available) {
      CHECK(cpu.ran.backend == b);
      break;
    }
}

TEST_CASE("a custom accuracy, result type or operation does not change who runs") {
  const auto data = halves(100000);
  const auto r =
      onefold::reduce_reported<float, onefold::op::sum, double>(data, support::on_backend(onefold::accuracy::wide));
  CHECK(r.value == 50000.0);
  CHECK(r.ran.backend == backend_under_test());
  const auto m = onefold::reduce_reported<float, onefold::op::minmax>(data, support::on_backend());
  CHECK(m.ran.backend == backend_under_test());
}

TEST_CASE("backends() lists all, in order of preference") {
  const auto list = onefold::backends();
  REQUIRE(list.size() == 5);
  CHECK(list[0].backend == backend::cuda);
  CHECK(list[1].backend == backend::tbb);
  CHECK(list[2].backend == backend::openmp);
  CHECK(list[3].backend == backend::threads);
  CHECK(list[4].backend == backend::sequential);
  CHECK(list[4].available);
  for (const auto& b : list) {
    CHECK_FALSE(b.detail.empty());
    CHECK((b.threads > 0) == (b.available && !onefold::is_accelerator(b.backend)));
  }
  CHECK(info_of(list, backend_under_test()).available);
}
