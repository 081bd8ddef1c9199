// The caller's floating-point environment: it never changes a result's bits, and everybody gets his own back.
#include <cfenv>
#include <cmath>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include "onefold/custom.hpp"
#include "support/control.hpp"
#include "support/data.hpp"
#include "support/special.hpp"

#if defined(ONEFOLD_TEST_OPENMP)
#include <omp.h>
#endif
#if defined(ONEFOLD_TEST_TBB)
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace {

using onefold::accuracy;
using support::control;
using support::set_control;
using support::standard;
using support::strange;
using support::with_control;
namespace op = onefold::op;

/// Data whose sums meet subnormals and round in every addition.
template <class T>
std::vector<T> delicate_data(std::int64_t n) {
  if constexpr (support::is_float<T>) {
    auto x = support::subnormal_data<T>(n, 1);
    const auto y = support::normal_data<T>(n, 2);
    for (std::size_t i = x.size() / 2; i < x.size(); ++i) x[i] = y[i];
    return x;
  } else {
    auto x = support::integer_data<T>(n, 3);
    if constexpr (sizeof(T) == 8)
      for (T& y : x) y >>= 18;  // an exact sum must have a result
    return x;
  }
}

/// Counts the elements at which the fold ran in another environment than the standard one.
struct strangers {
  using state = std::int64_t;
  std::int64_t identity() const { return 0; }
  std::int64_t lift(float) const { return control() != standard; }
  std::int64_t combine(std::int64_t a, std::int64_t b) const { return a + b + (control() != standard); }
  std::int64_t finish(std::int64_t s) const { return s + (control() != standard); }
};

constexpr int all_flags = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT;

/// Runs f with one exception flag raised at a time, and with all: whether they are raised still.
bool keeps_flags(auto&& f) {
  bool kept = true;
  for (const int flags : {FE_INVALID, FE_DIVBYZERO, FE_OVERFLOW, FE_UNDERFLOW, FE_INEXACT, all_flags}) {
    std::feclearexcept(all_flags);
    std::feraiseexcept(flags);
    f();
    kept = kept && std::fetestexcept(flags) == flags;
  }
  std::feclearexcept(all_flags);
  return kept;
}

/// Every operation at every accuracy over n elements, in every environment.
void check_environments(onefold::dtype type, const void* x, std::int64_t n) {
  for (int operation = 0; operation < onefold::operations::size; ++operation)
    for (int a = 0; a < onefold::accuracy_count; ++a) {
      const auto mode = static_cast<accuracy>(a);
      if (onefold::why_not(operation, type, mode)) continue;
      INFO(onefold::operation_infos()[static_cast<std::size_t>(operation)].name << ' ' << onefold::name_of(type) << ' '
                                                                                << onefold::name_of(mode));
      const auto how = support::on_backend(mode, 4);
      const auto wanted = support::run(operation, type, x, n, how);
      CHECK(keeps_flags([&] { support::run(operation, type, x, n, how); }));
      for (const std::uint64_t c : strange) {
        support::result_bits got;
        std::uint64_t after;
        {
          const with_control set(c);
          got = support::run(operation, type, x, n, how);
          after = control();
        }
        CHECK(got == wanted);
        CHECK(after == c);
      }
    }
}

}  // namespace

TEST_CASE("rounding mode, FTZ and DAZ of the caller change no bit and are restored") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    for (const std::int64_t n : {std::int64_t{37}, static_cast<std::int64_t>(5 * 16384 / sizeof(T) + 3)})
      check_environments(onefold::dtype_of<T>, delicate_data<T>(n).data(), n);
  });
}

TEST_CASE("exception flags that the caller has raised stay") {
  std::vector<double> x(3'000'000, 0.1);
  x[7] = 1e-310;
  x[8] = std::nan("");
  onefold::plan<double, op::max> planned(static_cast<std::int64_t>(x.size()), support::on_backend(accuracy::native, 4));
  for (const auto& elements : {std::span<const double>(x), std::span<const double>(x).first(9)}) {
    CHECK(keeps_flags([&] { planned(elements); }));
    CHECK(keeps_flags([&] { onefold::sum(elements, {.init = 0.1f}); }));
    CHECK(keeps_flags([&] { onefold::sum(elements, {.accuracy = accuracy::exact}); }));
    CHECK(keeps_flags(
        [&] { onefold::plan<double, op::variance>(static_cast<std::int64_t>(elements.size()))(elements); }));
  }
}

TEST_CASE("subnormals are kept") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    const T tiny = T(support::from_bits<T>(1)), twice = T(support::from_bits<T>(2));
    for (const std::int64_t n : support::path_sizes<T>()) {
      auto x = support::filled<T>(n, 0);
      x.back() = tiny;
      for (const std::uint64_t c : {standard, strange[0]}) {
        support::result_bits max, count;
        double sum;
        {
          const with_control set(c);
          max = support::run<op::max>(x.data(), n, support::on_backend());
          count = support::run<op::count>(x.data(), n, support::on_backend());
          sum = onefold::reduce<T, op::sum, double>(std::span<const T>(x), support::on_backend(accuracy::wide));
        }
        CHECK(max == support::bits_of(tiny));
        CHECK(count == support::bits_of(std::int64_t{1}));
        CHECK(sum == support::value_of(tiny));
      }
    }
    const std::vector<T> pair{tiny, tiny};
    CHECK(onefold::reduce<T, op::sum, double>(std::span<const T>(pair), support::on_backend()) ==
          support::value_of(twice));
  });
}

TEST_CASE("folds run in the standard environment on every thread") {
  const std::vector<float> x(3'000'000, 1.0f);
  for (const std::uint64_t c : strange) {
    const with_control set(c);
    for (const int threads : {1, 2, 4})
      CHECK(onefold::reduce<float, strangers>(std::span<const float>(x),
                                              support::on_backend(accuracy::native, threads)) == 0);
  }
}

#if defined(ONEFOLD_TEST_OPENMP)
TEST_CASE("OpenMP threads of the application get their environment back") {
  const std::vector<float> x(3'000'000, 1.0f);
  onefold::plan<float, op::sum> sum(static_cast<std::int64_t>(x.size()), support::on_backend(accuracy::native, 4));
  std::vector<std::uint64_t> before(4), after(4);
  const auto ask = [](std::vector<std::uint64_t>& controls) {
#pragma omp parallel num_threads(4)
    controls[static_cast<std::size_t>(omp_get_thread_num())] = control();
  };
#pragma omp parallel num_threads(4)
  set_control(strange[omp_get_thread_num() % 3]);
  ask(before);  // libgomp: what was set; libomp begins each region with its first thread's environment
  CHECK(sum(x) == 3e6f);
  ask(after);
#pragma omp parallel num_threads(4)
  set_control(standard);
  CHECK(after == before);
#if !defined(__clang__)
  for (std::size_t i = 0; i < 4; ++i) CHECK(before[i] == strange[i % 3]);
#endif
}

TEST_CASE("within a team that may have no team of its own OpenMP reports one thread") {
  if (support::backend_under_test() != onefold::backend::openmp) return;
  const std::vector<float> x(100'000, 1.0f);
  omp_set_max_active_levels(1);
  int reported = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  reported = onefold::reduce_reported<float, op::sum>(x, support::on_backend(accuracy::native, 4)).ran.threads;
  CHECK(reported == 1);
}
#endif

#if defined(ONEFOLD_TEST_TBB)
TEST_CASE("oneTBB tasks of the application get their environment back") {
  const tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
  const std::vector<float> x(3'000'000, 1.0f);
  const with_control set(strange[0]);
  tbb::task_arena arena(4);  // its tasks inherit the environment of the thread that makes it
  std::mutex lock;
  std::multiset<std::uint64_t> before, after;
  std::multiset<float> sums;
  arena.execute([&] {
    tbb::parallel_for(0, 16, [&](int) {
      const auto first = control();
      const float s = onefold::sum(x, support::on_backend(accuracy::native, 4));
      const auto then = control();
      const std::lock_guard hold(lock);
      before.insert(first);
      after.insert(then);
      sums.insert(s);
    });
  });
  CHECK(before.count(strange[0]) == 16);
  CHECK(after.count(strange[0]) == 16);
  CHECK(sums.count(3e6f) == 16);
  CHECK(control() == strange[0]);
}
#endif
