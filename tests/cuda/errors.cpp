// What goes wrong on a device becomes an exception with CUDA's words, and the library goes on.
#include <algorithm>
#include <span>
#include <thread>
#include <vector>

#include "memory.hpp"
#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

namespace {

using onefold::backend;
using onefold::error_code;
namespace op = onefold::op;

constexpr onefold::options on_cuda{.backend = backend::cuda};

/// The error of a call, which must throw.
template <class Call>
onefold::error error_of(Call call) {
  try {
    call();
  } catch (const onefold::error& e) {
    return e;
  }
  FAIL("nothing was thrown");
  return {error_code::unsupported, ""};
}

bool has(const onefold::error& e, const char* text) { return std::string(e.what()).find(text) != std::string::npos; }

/// A sum that is compiled for CPUs only.
struct own_sum {
  using state = std::int64_t;
  static state identity() { return 0; }
  static state lift(std::int8_t x, std::int64_t) { return x; }
  static state combine(state a, state b) { return a + b; }
  static state finish(state s) { return s; }
};

/// The library still works.
void check_usable() {
  const std::vector<float> x(10'000, 1.0f);
  CHECK(onefold::sum(x, on_cuda) == 10'000);
  const support::copied<float> there(x);
  CHECK(onefold::reduce<float, op::sum>(there.data(), 10'000, on_cuda) == 10'000);
}

}  // namespace

TEST_CASE("memory of the device that was freed is refused, not read") {
  float* freed = nullptr;
  {
    const support::memory m(support::memory_kind::device, std::int64_t{64} << 20);
    freed = m.at<float>();
  }
  const auto e = error_of([&] { onefold::reduce<float, op::sum>(freed, 1000, on_cuda); });
  CHECK(e.code() == error_code::invalid_argument);
  check_usable();
}

TEST_CASE("without memory on the device there is an error that says so") {
  // All but a little of it is taken.
  std::vector<void*> taken;
  for (std::size_t size = std::size_t{1} << 36; size >= std::size_t{1} << 21;) {
    void* p = nullptr;
    if (cudaMalloc(&p, size) == cudaSuccess)
      taken.push_back(p);
    else
      size /= 2;
  }
  static_cast<void>(cudaGetLastError());
  const std::vector<double> x(40'000'000, 1.0);  // pieces of 16 MiB
  const auto e =
      error_of([&] { onefold::sum(x, {.backend = backend::cuda, .kernel = onefold::kernel::global_interleaved}); });
  CHECK(e.code() == error_code::device);
  CHECK(has(e, "cudaErrorMemoryAllocation"));
  for (void* p : taken) support::cuda(cudaFree(p));
  check_usable();
  CHECK(onefold::sum(x, on_cuda) == 40'000'000);
}

TEST_CASE("enqueue refuses pointers and streams that are not of the device") {
  const support::copied<float> there(std::span<const float>(std::vector<float>(100, 1.0f)));
  std::vector<float> host(100, 1.0f);
  const support::on_device<float> out;
  const support::stream s;
  onefold::plan<float, op::sum> p(100, on_cuda);
  CHECK(error_of([&] { p.enqueue(host.data(), 100, out.data(), s); }).code() == error_code::invalid_argument);
  CHECK(error_of([&] { p.enqueue(there.data(), 100, host.data(), s); }).code() == error_code::invalid_argument);
  CHECK(error_of([&] { p.enqueue(there.data(), 101, out.data(), s); }).code() == error_code::invalid_argument);
  CHECK(error_of([&] { p.enqueue(nullptr, 100, out.data(), s); }).code() == error_code::invalid_argument);
  onefold::plan<float, op::sum> rung(100, {.backend = backend::cuda, .kernel = onefold::kernel::shuffle});
  const support::on_device<std::int64_t> count;
  CHECK(error_of([&] { rung.enqueue(there.data(), count.data(), out.data(), s); }).code() == error_code::unsupported);
  rung.enqueue(there.data(), 0, out.data(), s);
  s.wait();
  CHECK(out.get() == 0);
  p.enqueue(there.data(), 100, out.data(), s);
  s.wait();
  CHECK(out.get() == 100);
}

TEST_CASE("elements between their sizes are refused before a device loads them") {
  const support::copied<float> there(std::vector<float>(101, 1.0f));
  const auto* const between = reinterpret_cast<const float*>(reinterpret_cast<const char*>(there.data()) + 1);
  const auto e = error_of([&] { onefold::reduce<float, op::sum>(between, 100, on_cuda); });
  CHECK(e.code() == error_code::invalid_argument);
  CHECK(has(e, "the data is not aligned to 4 bytes"));
  const onefold::array_view<float> rows(between, {10, 10});
  CHECK(has(error_of([&] { onefold::sum(rows, {1}, on_cuda); }), "the data is not aligned to 4 bytes"));
  check_usable();
}

TEST_CASE("results between their sizes are refused before a device writes them") {
  const std::vector<float> x(100, 1.0f);
  const support::copied<float> there(x);
  const std::span<const float> values(there.data(), 100);
  const onefold::array_view<float> view(there.data(), {10, 10});
  const std::vector<std::int32_t> offsets{0, 30, 100}, keys(100, 7);
  const support::copied<std::int32_t> far_keys(keys), found(std::vector<std::int32_t>(4, -1));
  const support::copied<std::uint8_t> mask(std::vector<std::uint8_t>(100, 1));
  const onefold::array_view<std::uint8_t> mask_view(mask.data(), {10, 10});
  const support::on_device<std::int64_t> count;
  const support::stream s;
  using onefold::keyed_plan, onefold::segmented_plan, onefold::selected_plan, onefold::shaped_plan;
  const auto refuses = [](const auto& call) {
    const auto e = error_of(call);
    CHECK(e.code() == error_code::invalid_argument);
    CHECK(has(e, "not aligned to 4 bytes"));
  };
  for (const auto kind : {support::memory_kind::device, support::memory_kind::managed, support::memory_kind::pinned}) {
    const support::copied<float> memory(std::vector<float>(12, -1.0f), kind);
    const std::span<float> out(reinterpret_cast<float*>(reinterpret_cast<char*>(memory.data()) + 1), 10);
    refuses([&] { onefold::reduce<float, op::sum>(view, {.axes = {1}}, out, on_cuda); });
    refuses([&] { onefold::reduce<float, op::sum>(view, {}, out, on_cuda); });
    refuses([&] { onefold::reduce<float, op::sum>(onefold::segments(values, offsets), out, on_cuda); });
    const auto selected = onefold::where(view, mask_view);
    refuses([&] { onefold::reduce<float, op::sum>(selected, {.axes = {1}}, out, on_cuda); });
    const std::span<std::int32_t> to(found.data(), 4);
    for (const auto& by : {onefold::by_key(values, keys), onefold::runs_by_key(values, keys)})
      refuses([&] { onefold::reduce<float, op::sum>(by, to, out, on_cuda); });
    refuses([&] { onefold::plan<float, op::sum>(100, on_cuda).enqueue(there.data(), 100, out.data(), s); });
    refuses([&] { onefold::dynamic_plan("sum", "f32", 100, on_cuda).run(there.data(), 100, out.data()); });
    refuses([&] { onefold::dynamic_plan("sum", "f32", 100, on_cuda).enqueue(there.data(), 100, out.data(), s); });
    refuses([&] { shaped_plan<float, op::sum>(view, {.axes = 1}, on_cuda).enqueue(there.data(), out, s); });
    refuses([&] { selected_plan<float, op::sum>(selected, {.axes = 1}, on_cuda).enqueue(selected, out, s); });
    const support::copied<std::int32_t> far_offsets(offsets);
    const auto segments = onefold::segments(values, std::span<const std::int32_t>(far_offsets.data(), 3));
    refuses([&] { segmented_plan<float, op::sum>(2, 100, on_cuda).enqueue(segments, out, s); });
    const auto runs = onefold::runs_by_key(values, std::span<const std::int32_t>(far_keys.data(), 100));
    keyed_plan<float, op::sum, std::int32_t> keyed(100, on_cuda);
    refuses([&] { keyed.enqueue(runs, to, out, count.data(), s); });
    const std::span<std::int32_t> between(reinterpret_cast<std::int32_t*>(out.data()), 4);
    const support::on_device<float> result;
    refuses([&] { keyed.enqueue(runs, between, std::span(result.data(), 1), count.data(), s); });
    CHECK(memory.get(12) == std::vector<float>(12, -1.0f));
  }
  CHECK(found.get(4) == std::vector<std::int32_t>(4, -1));
  check_usable();
}

TEST_CASE("options that do not fit are refused") {
  const std::vector<float> x(100, 1.0f);
  CHECK(error_of([&] { onefold::sum(x, {.backend = backend::cuda, .device = 4096}); }).code() ==
        error_code::invalid_argument);
  CHECK(error_of([&] { onefold::sum(x, {.backend = backend::cuda, .device = -2}); }).code() ==
        error_code::invalid_argument);
  const auto e = error_of([&] {
    onefold::sum(x,
                 {.backend = backend::cuda, .accuracy = onefold::accuracy::kahan, .kernel = onefold::kernel::shuffle});
  });
  CHECK(e.code() == error_code::unsupported);
  CHECK(has(e, "canonical"));
  CHECK(error_of([&] { onefold::sum(x, {.kernel = onefold::kernel::shuffle}); }).code() ==
        error_code::invalid_argument);
}

TEST_CASE("an error of the caller's own stays the caller's, and is not taken for the library's") {
  const support::copied<float> there(std::span<const float>(std::vector<float>(1000, 1.0f)));
  const cudaError_t mine = cudaMemcpy(nullptr, nullptr, 1, cudaMemcpyDeviceToDevice);
  CHECK(mine != cudaSuccess);
  for (const auto k : {onefold::kernel::canonical, onefold::kernel::shuffle})
    CHECK(onefold::reduce<float, op::sum>(there.data(), 1000, {.backend = backend::cuda, .kernel = k}) == 1000);
  CHECK(cudaGetLastError() == mine);
}

TEST_CASE("a launch that fails is an error with CUDA's words, and the plan goes on") {
  const support::copied<float> there(std::span<const float>(std::vector<float>(1000, 1.0f)));
  onefold::plan<float, op::sum> p(1000, on_cuda);
  CHECK(p(there.data(), 1000) == 1000);
  // While a stream that waits for the default one is captured, nothing may be launched in that.
  cudaStream_t captured = nullptr;
  support::cuda(cudaStreamCreate(&captured));
  support::cuda(cudaStreamBeginCapture(captured, cudaStreamCaptureModeRelaxed));
  const auto e = error_of([&] { p(there.data(), 1000); });
  cudaGraph_t graph = nullptr;
  static_cast<void>(cudaStreamEndCapture(captured, &graph));  // the attempt may have invalidated it
  if (graph) support::cuda(cudaGraphDestroy(graph));
  support::cuda(cudaStreamDestroy(captured));
  static_cast<void>(cudaGetLastError());
  CHECK(e.code() == error_code::device);
  CHECK(has(e, "cudaErrorStreamCaptureImplicit"));
  CHECK(p(there.data(), 1000) == 1000);
  check_usable();
}

TEST_CASE("streams and data of another device are refused") {
  int count = 0;
  support::cuda(cudaGetDeviceCount(&count));
  if (count < 2) return;  // nothing to refuse
  const std::vector<float> x(100, 1.0f);
  support::cuda(cudaSetDevice(1));
  {
    const support::copied<float> other(x);
    const support::stream others;
    support::cuda(cudaSetDevice(0));
    const support::copied<float> there(x);
    const support::on_device<float> out;
    onefold::plan<float, op::sum> p(100, {.backend = backend::cuda, .device = 0});
    const auto e = error_of([&] { p.enqueue(there.data(), 100, out.data(), others); });
    CHECK(e.code() == error_code::invalid_argument);
    CHECK(has(e, "the stream belongs to device 1"));
    const auto d = error_of([&] { p(other.data(), 100); });
    CHECK(d.code() == error_code::invalid_argument);
    CHECK(has(d, "the pointer belongs to device 1"));
    const support::stream own;
    p.enqueue(there.data(), 100, out.data(), own);
    own.wait();
    CHECK(out.get() == 100);
  }
  check_usable();
}

TEST_CASE("the caller's context is current afterwards, or none where there was none") {
  void* f = nullptr;
  cudaDriverEntryPointQueryResult found{};
  support::cuda(cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &f, 12000, cudaEnableDefault, &found));
  const auto context = [get = reinterpret_cast<int (*)(void**)>(f)] {
    void* c = nullptr;
    get(&c);
    return c;
  };
  void *before = &f, *after = &f;
  std::thread([&] {
    before = context();
    onefold::sum(std::vector<float>(100, 1.0f), on_cuda);
    after = context();
  }).join();
  CHECK(before == nullptr);
  CHECK(after == nullptr);
}

TEST_CASE("the caller's device is current afterwards") {
  int count = 0;
  support::cuda(cudaGetDeviceCount(&count));
  const std::vector<float> x(100, 1.0f);
  for (int mine = 0; mine < count; ++mine) {
    support::cuda(cudaSetDevice(mine));
    for (int used = 0; used < count; ++used) {
      const auto r = onefold::reduce_reported<float, op::sum>(x, {.backend = backend::cuda, .device = used});
      CHECK(r.value == 100);
      CHECK(r.ran.device == used);
      int now = -1;
      support::cuda(cudaGetDevice(&now));
      CHECK(now == mine);
    }
  }
  support::cuda(cudaSetDevice(0));
}

TEST_CASE("automatic takes a CPU for an operation that was compiled for CPUs only") {
  // Pinned bytes that cuda would take before one thread of a CPU, and does where it has the operation.
  constexpr std::int64_t n = 1 << 24;
  std::vector<std::int8_t> bytes(n, 1);
  std::fill(bytes.begin(), bytes.begin() + n / 2, std::int8_t{-1});
  const support::copied<std::int8_t> pinned(bytes, support::memory_kind::pinned);
  const std::span<const std::int8_t> all(pinned.data(), static_cast<std::size_t>(n));
  const auto has_it = onefold::reduce_reported<std::int8_t, op::variance>(all, {.threads = 1});
  CHECK(has_it.ran.backend == backend::cuda);
  CHECK(has_it.value == 1);
  const auto own = onefold::reduce_reported<std::int8_t, own_sum>(all, {.threads = 1});
  CHECK(own.ran.backend == backend::sequential);
  CHECK(own.ran.declined.at(0).why == "the operation was compiled for CPUs only");
  CHECK(own.value == 0);
  check_usable();
}
