// A plan's run allocates nothing, and neither does a one-shot reduction of up to a page: counted at malloc itself.
#include <atomic>
#include <cstdlib>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/instrumented.hpp"

#if defined(__GLIBC__) && !ONEFOLD_TEST_SANITIZED

namespace {

std::atomic<long> allocations = 0;  // of all threads

/// The allocations of the program while f runs.
template <class F>
long allocations_of(F f) {
  const long before = allocations;
  f();
  return allocations - before;
}

}  // namespace

// glibc lets a program replace these for itself and all its libraries, if they see them; operator new ends here, too.
#pragma GCC visibility push(default)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) { return ++allocations, __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return ++allocations, __libc_calloc(count, size); }
void* realloc(void* p, std::size_t size) { return ++allocations, __libc_realloc(p, size); }
void* memalign(std::size_t align, std::size_t size) { return ++allocations, __libc_memalign(align, size); }
void* aligned_alloc(std::size_t align, std::size_t size) { return ++allocations, __libc_memalign(align, size); }
int posix_memalign(void** p, std::size_t align, std::size_t size) {
  ++allocations;
  *p = __libc_memalign(align, size);
  return *p ? 0 : 12;  // ENOMEM
}
}
#pragma GCC visibility pop

TEST_CASE("the counter counts") {
  // Compilers may leave out an allocation that is not used.
  const auto looked_at = [](const void* p) { __asm__ volatile("" : : "r"(p) : "memory"); };
  CHECK(allocations_of([&] { looked_at(std::vector<int>(100).data()); }) == 1);
  struct alignas(128) wide {
    char bytes[128];
  };
  CHECK(allocations_of([&] { looked_at(std::vector<wide>(3).data()); }) == 1);
  const std::vector<float> data(300000, 1.0f);
  // A one-shot reduction of many pages has scratch of its own: the hook sees into the library.
  CHECK(allocations_of([&] { onefold::sum(data, support::on_backend()); }) > 0);
}

TEST_CASE("running a plan of a shape does not allocate") {
  const std::vector<float> data(300000, 1.0f);
  for (const auto mode : {onefold::accuracy::native, onefold::accuracy::exact}) {
    const auto how = support::on_backend(mode, 2);
    // Rows and columns of up to a page and of several, and elements that are gathered.
    onefold::shaped_plan<float, onefold::op::sum> rows({data.data(), {300, 1000}}, {.axes = 1}, how),
        columns({data.data(), {300, 1000}}, {.axes = 0}, how), long_rows({data.data(), {6, 50000}}, {.axes = 1}, how),
        long_columns({data.data(), {50000, 6}}, {.axes = 0}, how),
        apart({data.data(), {10, 300, 100}}, {.axes = {0, 2}}, how),
        long_apart({data.data(), {60, 5, 1000}}, {.axes = {0, 2}}, how);
    std::vector<float> out(1000);
    const auto run_all = [&] {
      for (auto* p : {&rows, &columns, &long_rows, &long_columns, &apart, &long_apart}) {
        (*p)(data.data(), out);
        REQUIRE(out[0] == 300000.0f / static_cast<float>(p->size()));
      }
    };
    for (int i = 0; i < 20; ++i) run_all();
    CHECK(allocations_of([&] {
            for (int i = 0; i < 50; ++i) run_all();
          }) == 0);
  }
}

TEST_CASE("running a plan of a scan does not allocate") {
  const std::vector<float> data(300000, 1.0f);
  const auto how = support::on_backend(onefold::accuracy::native, 2);
  const onefold::array_view<float> matrix(data.data(), {300, 1000});
  onefold::scan_plan<float, onefold::op::sum> whole(300000, onefold::scan_kind::inclusive, how),
      rows(matrix, 1, onefold::scan_kind::inclusive, how), columns(matrix, 0, onefold::scan_kind::inclusive, how);
  const std::vector<std::int64_t> offsets{0, 10, 200000, 300000};
  onefold::segmented_scan_plan<float, onefold::op::sum> segments(3, 300000, onefold::scan_kind::inclusive, how);
  std::vector<float> out(300000);
  const auto run_all = [&] {
    for (auto* p : {&whole, &rows, &columns}) {
      (*p)(data.data(), out.data());
      REQUIRE(out[299999] == (p == &whole ? 300000.0f : p == &rows ? 1000.0f : 300.0f));
    }
    segments(onefold::segments(data, offsets), out);
    REQUIRE(out[299999] == 100000.0f);
  };
  for (int i = 0; i < 20; ++i) run_all();
  CHECK(allocations_of([&] {
          for (int i = 0; i < 50; ++i) run_all();
        }) == 0);
}

TEST_CASE("running a plan of a row operation does not allocate") {
  const std::vector<float> data(300000, 1.0f);
  const auto how = support::on_backend(onefold::accuracy::native, 2);
  const onefold::array_view<float> whole(data.data(), {1, 300000}), matrix(data.data(), {300, 1000});
  std::vector<float> out(300000);
  for (const auto operation : {onefold::row_operation::softmax, onefold::row_operation::rms_norm}) {
    const bool is_softmax = operation == onefold::row_operation::softmax;
    onefold::row_plan<float> line(operation, whole, -1, {}, how), rows(operation, matrix, -1, {}, how),
        columns(operation, matrix, 0, {}, how);
    const std::vector<std::uint8_t> selects(1000, 1);
    const onefold::array_view<std::uint8_t> mask(selects.data(), {300, 1000}, {0, 1});
    const auto selected = onefold::where(matrix, mask);
    const auto halves = onefold::mapped([](float x) { return x / 2; }, matrix);
    const auto take = [&](float y, onefold::row_position at) {
      out[static_cast<std::size_t>(at.line * 1000 + at.position)] = y;
    };
    onefold::row_plan<float> of_selected(operation, selected, -1, {}, how),
        computed(operation, halves, take, -1, {}, how);
    const auto run_all = [&] {
      of_selected(selected, out.data());
      computed(halves, take);
      for (auto* p : {&line, &rows, &columns}) {
        (*p)(data.data(), out.data());
        REQUIRE(out[299999] < (is_softmax ? 0.01f : 1.0f));
      }
    };
    for (int i = 0; i < 20; ++i) run_all();
    CHECK(allocations_of([&] {
            for (int i = 0; i < 50; ++i) run_all();
          }) == 0);
  }
}

TEST_CASE("running a plan of segments does not allocate") {
  const std::vector<float> data(300000, 1.0f);
  // Short ones, and one that several threads fold.
  std::vector<std::int32_t> short_ones, with_long{0, 3, 250'000};
  for (std::int32_t at = 0; at <= 300000; at += 10) short_ones.push_back(at);
  for (std::int32_t at = 250'007; at <= 300000; at += 7) with_long.push_back(at);
  std::vector<float> out(30000);
  for (const auto mode : {onefold::accuracy::native, onefold::accuracy::exact}) {
    onefold::segmented_plan<float, onefold::op::sum> plan(30000, 300000, support::on_backend(mode, 2));
    const auto run_all = [&] {
      plan(onefold::segments(data, short_ones), out);
      REQUIRE(out[29999] == 10);
      plan(onefold::segments(data, with_long), out);
      REQUIRE(out[1] == 249'997);
    };
    for (int i = 0; i < 20; ++i) run_all();
    CHECK(allocations_of([&] {
            for (int i = 0; i < 50; ++i) run_all();
          }) == 0);
  }
}

TEST_CASE("running a plan by key does not allocate once it has run") {
  const std::size_t n = 100'000;
  const std::vector<float> data(n, 1.0f);
  std::vector<std::int32_t> ascending(n), mixed(n), found(n);
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    ascending[i] = static_cast<std::int32_t>(i / 4);
    mixed[i] = static_cast<std::int32_t>(i * 7919 % (n / 4));
  }
  for (const auto mode : {onefold::accuracy::native, onefold::accuracy::exact}) {
    onefold::keyed_plan<float, onefold::op::sum, std::int32_t> plan(static_cast<std::int64_t>(n),
                                                                    support::on_backend(mode, 2));
    const auto run_all = [&] {
      for (const auto* keys : {&mixed, &ascending})
        for (const auto& what : {onefold::by_key(data, *keys), onefold::runs_by_key(data, *keys)}) {
          const std::int64_t count = plan(what, found, out);
          REQUIRE(count == (what.runs && keys == &mixed ? 100'000 : 25'000));
        }
      REQUIRE(out[0] == 4);
    };
    for (int i = 0; i < 20; ++i) run_all();
    CHECK(allocations_of([&] {
            for (int i = 0; i < 20; ++i) run_all();
          }) == 0);
  }
}

TEST_CASE("running a plan of selected elements does not allocate") {
  const std::vector<float> data(300000, 1.0f);
  std::vector<std::uint8_t> mask(300000);
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 3 != 0;
  const auto masked = [&](const onefold::extents& e) {
    return onefold::where(onefold::array_view<float>(data.data(), e),
                          onefold::array_view<std::uint8_t>(mask.data(), e));
  };
  for (const auto mode : {onefold::accuracy::native, onefold::accuracy::exact}) {
    // Rows and columns of up to a page and of several, and one output for all threads.
    const auto how = support::on_backend(mode, 2);
    onefold::selected_plan<float, onefold::op::sum> rows(masked({300, 1000}), {.axes = 1}, how),
        columns(masked({300, 1000}), {.axes = 0}, how), long_columns(masked({30000, 10}), {.axes = 0}, how),
        all(masked({300000}), {}, how);
    std::vector<float> out(1000);
    const auto run_all = [&] {
      rows(masked({300, 1000}), out);
      columns(masked({300, 1000}), out);
      long_columns(masked({30000, 10}), out);
      all(masked({300000}), out);
      REQUIRE(out[0] == 200000);
    };
    for (int i = 0; i < 20; ++i) run_all();
    CHECK(allocations_of([&] {
            for (int i = 0; i < 50; ++i) run_all();
          }) == 0);
  }
}

TEST_CASE("running a plan of selected elements of segments and groups does not allocate once it has run") {
  const std::size_t n = 100'000;
  const std::vector<float> data(n, 1.0f);
  std::vector<std::int32_t> keys(n), found(n), offsets{0, 70'000};
  for (std::int32_t at = 70'000; at <= 100'000; at += 10) offsets.push_back(at);
  std::vector<std::uint8_t> mask(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = static_cast<std::int32_t>(i * 7919 % 20'000);
    mask[i] = i % 2 == 0;
  }
  std::vector<float> out(n);
  for (const auto mode : {onefold::accuracy::native, onefold::accuracy::exact}) {
    const auto how = support::on_backend(mode, 2);
    onefold::segmented_plan<float, onefold::op::sum> segmented(10'000, static_cast<std::int64_t>(n), how);
    onefold::keyed_plan<float, onefold::op::sum, std::int32_t> keyed(static_cast<std::int64_t>(n), how);
    const auto run_all = [&] {
      segmented(onefold::where(onefold::segments(data, offsets), mask), out);
      REQUIRE(out[0] == 35'000);
      segmented(onefold::where(onefold::segments(data, offsets), onefold::not_nan), out);
      REQUIRE(out[0] == 70'000);
      keyed(onefold::where(onefold::by_key(data, keys), mask), found, out);
      REQUIRE(out[2] + out[3] == 5);
    };
    for (int i = 0; i < 20; ++i) run_all();
    CHECK(allocations_of([&] {
            for (int i = 0; i < 20; ++i) run_all();
          }) == 0);
  }
}

TEST_CASE("running a plan of computed elements does not allocate") {
  const std::vector<float> data(300000, 1.0f);
  const auto twice = [](float a, float b) { return a + b; };
  const auto both = [&](const onefold::extents& e) {
    const onefold::array_view<float> view(data.data(), e);
    return onefold::mapped(twice, view, view);
  };
  for (const auto mode : {onefold::accuracy::native, onefold::accuracy::exact}) {
    // Rows and columns of up to a page and of several, and one output for all threads.
    const auto how = support::on_backend(mode, 2);
    onefold::mapped_plan<float, onefold::op::sum> rows(both({300, 1000}), {.axes = 1}, how),
        columns(both({300, 1000}), {.axes = 0}, how), long_columns(both({30000, 10}), {.axes = 0}, how),
        apart(both({10, 300, 100}), {.axes = {0, 2}}, how), all(both({300000}), {}, how);
    std::vector<float> out(1000);
    const auto run_all = [&] {
      rows(both({300, 1000}), out);
      columns(both({300, 1000}), out);
      long_columns(both({30000, 10}), out);
      apart(both({10, 300, 100}), out);
      all(both({300000}), out);
      REQUIRE(out[0] == 600000);
    };
    for (int i = 0; i < 20; ++i) run_all();
    CHECK(allocations_of([&] {
            for (int i = 0; i < 50; ++i) run_all();
          }) == 0);
  }
}

TEST_CASE("running a plan does not allocate") {
  const std::vector<float> data(300000, 1.0f);
  const auto n = static_cast<std::int64_t>(data.size());
  for (const auto mode :
       {onefold::accuracy::native, onefold::accuracy::wide, onefold::accuracy::kahan, onefold::accuracy::exact}) {
    onefold::plan<float, onefold::op::sum> sum(n, support::on_backend(mode, 2));
    onefold::plan<float, onefold::op::argmax> arg(n, support::on_backend(mode, 2));
    onefold::plan<float, onefold::op::mean> mean(n, support::on_backend(mode, 2));
    onefold::dynamic_plan chosen("sum", "f32", n, support::on_backend(mode, 2));
    float result = 0;
    const auto run_all = [&] {
      for (const std::int64_t size : {std::int64_t{1}, std::int64_t{64}, std::int64_t{4096}, std::int64_t{4097}, n}) {
        sum(data.data(), size);
        arg(data.data(), size);
        mean(data.data(), size);
        chosen.run(data.data(), size, &result);
      }
    };
    // The threads of OpenMP and TBB begin with the first runs.
    for (int i = 0; i < 20; ++i) run_all();
    CHECK(allocations_of([&] {
            for (int i = 0; i < 100; ++i) run_all();
          }) == 0);
  }
}

TEST_CASE("the first run of a plan on the calling thread does not allocate") {
  if (support::backend_under_test() != onefold::backend::sequential) return;
  const std::vector<double> data(300000, 1.0);
  onefold::plan<double, onefold::op::sum> p(300000, support::on_backend());
  CHECK(allocations_of([&] { p(data); }) == 0);
}

TEST_CASE("a one-shot reduction of up to a page does not allocate") {
  const std::vector<float> data(4096, 1.0f);
  onefold::sum(data, support::on_backend());  // reads the environment and finds the backend
  onefold::sum(data);
  for (const std::size_t n : {1u, 100u, 4096u}) {
    const std::span<const float> part(data.data(), n);
    CHECK(allocations_of([&] { onefold::sum(part, support::on_backend()); }) == 0);
    CHECK(allocations_of([&] { onefold::sum(part); }) == 0);
    CHECK(allocations_of([&] { onefold::argmin(part, support::on_backend()); }) == 0);
    CHECK(allocations_of([&] { onefold::stddev(part, support::on_backend(onefold::accuracy::wide)); }) == 0);
  }
}

#else

TEST_CASE("allocations") {
  support::skip("malloc cannot be counted here: another C library than glibc, or a sanitizer's malloc");
}

#endif
