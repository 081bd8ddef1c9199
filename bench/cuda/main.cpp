// The GPU benchmark: this library, its peers and a kernel that only reads, in one run. Writes JSON to
// standard output or FILE, and each row to standard error as it comes.
//
//   onefold_bench_cuda [--out=FILE] [--max-log2=30] [--groups=sizes,modes,exact,...]
//
// The groups: sizes, lengths, modes, exact, types, calls, host, ladder, shapes, segments, keys, scans, rows, masked,
// histograms, mapped, own, peers.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "compare.hpp"
#include "device_time.hpp"
#include "found.hpp"
#include "measure/ladder.hpp"
#include "measure/machine.hpp"
#include "measure/occupancy.hpp"
#include "onefold/onefold.hpp"
#include "peers.hpp"
#include "shapes.hpp"

namespace {

using nlohmann::ordered_json;
using namespace onefold;
using bench::add, bench::numbers, bench::any_exponents, bench::elements, bench::on_device, bench::cub_memory;

/// What else a measured call of a plan is.
struct variant {
  kernel rung = kernel::automatic;
  std::int64_t first = 0;      ///< number of the first element
  bool after_another = false;  ///< a short kernel runs before each call, and counts
};

void run_another(const void* data, cudaStream_t s) { bench::read_only(data, 4096, s); }

/// Device time of a plan's enqueue of n elements; the result must have the bits of a CPU's.
template <class T, class Op>
double enqueue_time(const elements<T>& d, std::int64_t n, accuracy mode, const variant& v = {}) {
  plan<T, Op> p(n, {.backend = backend::cuda, .accuracy = mode, .kernel = v.rung});
  on_device<default_result<T, Op>> out;
  const double us = bench::device_microseconds(n * static_cast<std::int64_t>(sizeof(T)), [&](cudaStream_t s, int i) {
    if (v.after_another) run_another(d.at(i), s);
    p.enqueue(d.at(i) + v.first, n, out.p, s);
  });
  if (v.rung == kernel::automatic) {
    const auto wanted =
        reduce<T, Op>(std::span(d.x).subspan(static_cast<std::size_t>(v.first), static_cast<std::size_t>(n)),
                      {.backend = backend::openmp, .accuracy = mode});
    const auto got = out.get();
    if (std::memcmp(&wanted, &got, sizeof got) != 0) throw std::runtime_error(std::string(Op::name) + ": wrong bits");
  }
  return us;
}

template <class T>
void sizes(const char* type, int max_log2) {
  const int shift = sizeof(T) == 8 ? 1 : 0;
  elements<T> d(std::int64_t{1} << (max_log2 - shift));
  for (int log2 = 10; log2 <= max_log2 - shift; log2 += log2 == 20 ? 1 : log2 == 21 ? 1 : 2) {
    const std::int64_t n = std::int64_t{1} << log2, bytes = n * static_cast<std::int64_t>(sizeof(T));
    d.fill(n);
    on_device<T> out;
    const cub_memory temporary(d, n, out.p);
    void* const t = temporary.data();
    std::size_t room = temporary.bytes();
    add("sizes", "read", type, n, sizeof(T), "ceiling",
        bench::device_microseconds(bytes, [&](cudaStream_t s, int i) { bench::read_only(d.at(i), bytes, s); }));
    for (int turn = 0; turn < 2; ++turn) {  // twice, one after the other
      add("sizes", "sum", type, n, sizeof(T), "CUB", bench::device_microseconds(bytes, [&](cudaStream_t s, int i) {
            bench::cub_sum<T>(t, room, d.at(i), out.p, n, s);
          }));
      add("sizes", "sum", type, n, sizeof(T), "onefold", enqueue_time<T, op::sum>(d, n, accuracy::native));
      add("sizes", "max", type, n, sizeof(T), "CUB", bench::device_microseconds(bytes, [&](cudaStream_t s, int i) {
            bench::cub_max<T>(t, room, d.at(i), out.p, n, s);
          }));
      add("sizes", "max", type, n, sizeof(T), "onefold", enqueue_time<T, op::max>(d, n, accuracy::native));
    }
  }
}

/// Arrays of f32 whose lengths are no powers of two, in a row and each call after another kernel, and from other
/// elements on than their first.
void lengths(int max_log2) {
  for (const std::int64_t n : {100'000, 1'000'000, 3'000'000, 10'000'000, 30'000'000, 100'000'000, 300'000'000}) {
    if (n >> max_log2 > 0) continue;
    elements<float> d(n + 3);
    d.fill(n + 3);
    on_device<float> out;
    const cub_memory temporary(d, n, out.p);
    void* const t = temporary.data();
    std::size_t room = temporary.bytes();
    const auto cub = [&](std::int64_t first, bool after_another) {
      return bench::device_microseconds(4 * n, [&](cudaStream_t s, int i) {
        if (after_another) run_another(d.at(i), s);
        bench::cub_sum<float>(t, room, d.at(i) + first, out.p, n, s);
      });
    };
    const auto own = [&]<class Op>(Op, const variant& v) { return enqueue_time<float, Op>(d, n, accuracy::native, v); };
    add("lengths", "read", "f32", n, 4, "ceiling",
        bench::device_microseconds(4 * n, [&](cudaStream_t s, int i) { bench::read_only(d.at(i), 4 * n, s); }));
    for (int turn = 0; turn < 3; ++turn) {
      add("lengths", "sum", "f32", n, 4, "CUB", cub(0, false));
      add("lengths", "sum", "f32", n, 4, "onefold", own(op::sum{}, {}));
      add("lengths", "sum", "f32", n, 4, "CUB, after another", cub(0, true));
      add("lengths", "sum", "f32", n, 4, "onefold, after another", own(op::sum{}, {.after_another = true}));
      add("lengths", "sum", "f32", n, 4, "CUB, not aligned", cub(1, false));
      for (const int first : {1, 2, 3})
        add("lengths", "sum", "f32", n, 4, ("onefold, from element " + std::to_string(first)).c_str(),
            own(op::sum{}, {.first = first}));
    }
    if (n != 100'000'000) continue;
    add("lengths", "argmax", "f32", n, 4, "onefold", own(op::argmax{}, {}));
    add("lengths", "moments", "f32", n, 4, "onefold", own(op::moments{}, {}));
  }
}

/// The same of f16, which has no peer here.
void short_elements(int max_log2) {
  for (const std::int64_t n : {100'000, 3'000'000, 100'000'000, 300'000'000}) {
    if (n >> max_log2 > 0) continue;
    elements<f16> d(n + 7);
    d.fill(n + 7);
    for (int turn = 0; turn < 3; ++turn) {
      add("lengths", "sum", "f16", n, 2, "onefold", enqueue_time<f16, op::sum>(d, n, accuracy::native));
      for (const int first : {1, 3, 4, 7})
        add("lengths", "sum", "f16", n, 2, ("onefold, from element " + std::to_string(first)).c_str(),
            enqueue_time<f16, op::sum>(d, n, accuracy::native, {.first = first}));
    }
  }
}

void modes(int max_log2) {
  const std::int64_t n = std::int64_t{1} << std::min(28, max_log2);
  {
    elements<float> d(n);
    d.fill(n);
    for (const accuracy a : {accuracy::native, accuracy::wide, accuracy::kahan})
      add("modes", "sum", "f32", n, 4, name_of(a), enqueue_time<float, op::sum>(d, n, a));
    add("modes", "max", "f32", n, 4, "native", enqueue_time<float, op::max>(d, n, accuracy::native));
    add("modes", "argmax", "f32", n, 4, "native", enqueue_time<float, op::argmax>(d, n, accuracy::native));
    add("modes", "minmax", "f32", n, 4, "native", enqueue_time<float, op::minmax>(d, n, accuracy::native));
    add("modes", "moments", "f32", n, 4, "native", enqueue_time<float, op::moments>(d, n, accuracy::native));
    add("modes", "count", "f32", n, 4, "native", enqueue_time<float, op::count>(d, n, accuracy::native));
  }
  elements<double> d(n / 2);
  d.fill(n / 2);
  for (const accuracy a : {accuracy::native, accuracy::wide, accuracy::kahan})
    add("modes", "sum", "f64", n / 2, 8, name_of(a), enqueue_time<double, op::sum>(d, n / 2, a));
  add("modes", "moments", "f64", n / 2, 8, "native", enqueue_time<double, op::moments>(d, n / 2, accuracy::native));
}

/// Exact sums beside CUB's plain ones, of 2^20 elements up to max_log2 (f64: max_log2 - 1).
template <class T>
void exact(const char* type, int max_log2) {
  const int most = sizeof(T) == 8 ? max_log2 - 1 : max_log2;
  for (const char* kind : {"uniform", "any exponent"}) {
    const std::int64_t all = std::int64_t{1} << most;
    elements<T> d(std::string_view(kind) == "uniform" ? numbers<T>(all) : any_exponents<T>(all));
    for (const int log2 : {20, 24, most - 2, most}) {
      const std::int64_t n = std::int64_t{1} << log2, bytes = n * static_cast<std::int64_t>(sizeof(T));
      if (log2 > most) continue;
      d.fill(n);
      on_device<T> out;
      const cub_memory temporary(d, n, out.p);
      void* const t = temporary.data();
      std::size_t room = temporary.bytes();
      for (int turn = 0; turn < 2; ++turn) {
        add("exact", kind, type, n, sizeof(T), "CUB, plain",
            bench::device_microseconds(
                bytes, [&](cudaStream_t s, int i) { bench::cub_sum<T>(t, room, d.at(i), out.p, n, s); }));
        for (const bench::guarantee g : bench::cub_guarantees())
          if (g == bench::guarantee::gpu_to_gpu)
            add("exact", kind, type, n, sizeof(T), "CUB, gpu_to_gpu",
                bench::device_microseconds(bytes,
                                           [&](cudaStream_t s, int i) { bench::cub_sum<T>(g, d.at(i), out.p, n, s); }));
        add("exact", kind, type, n, sizeof(T), "onefold, exact", enqueue_time<T, op::sum>(d, n, accuracy::exact));
      }
    }
  }
}

template <class T>
void narrow(const char* type, int max_log2) {
  const std::int64_t bytes = std::int64_t{1} << std::min(30, max_log2 + 2),
                     n = bytes / static_cast<std::int64_t>(sizeof(T));
  elements<T> d(n);
  d.fill(n);
  add("types", "read", type, n, sizeof(T), "ceiling",
      bench::device_microseconds(bytes, [&](cudaStream_t s, int i) { bench::read_only(d.at(i), bytes, s); }));
  add("types", "sum", type, n, sizeof(T), "onefold", enqueue_time<T, op::sum>(d, n, accuracy::native));
}

void calls() {
  for (const int log2 : {10, 12, 14, 16, 18, 20, 24}) {
    const std::int64_t n = std::int64_t{1} << log2;
    elements<float> d(n);
    d.fill(n);
    on_device<float> out;
    const cub_memory temporary(d, n, out.p);
    void* const t = temporary.data();
    std::size_t room = temporary.bytes();
    plan<float, op::sum> p(n, {.backend = backend::cuda});
    for (int turn = 0; turn < 2; ++turn) {
      add("calls", "sum", "f32", n, 4, "thrust::reduce",
          bench::host_microseconds(300, [&](int i) { bench::thrust_sum(d.at(i), n); }));
      add("calls", "sum", "f32", n, 4, "CUB + copy + sync", bench::host_microseconds(300, [&](int i) {
            float host = 0;
            bench::cub_sum<float>(t, room, d.at(i), out.p, n, nullptr);
            bench::check(cudaMemcpyAsync(&host, out.p, sizeof host, cudaMemcpyDeviceToHost, nullptr));
            bench::check(cudaStreamSynchronize(nullptr));
          }));
      add("calls", "sum", "f32", n, 4, "onefold plan", bench::host_microseconds(300, [&](int i) { p(d.at(i), n); }));
      add("calls", "sum", "f32", n, 4, "onefold reduce", bench::host_microseconds(300, [&](int i) {
            reduce<float, op::sum>(d.at(i), n, {.backend = backend::cuda});
          }));
    }
  }
}

void host_data(int max_log2) {
  const std::int64_t n = std::int64_t{1} << std::min(28, max_log2), bytes = n * 4;
  std::vector<float> x = numbers<float>(n);
  float* pinned = nullptr;
  float* device = nullptr;
  bench::check(cudaHostAlloc(reinterpret_cast<void**>(&pinned), static_cast<std::size_t>(bytes), cudaHostAllocDefault));
  bench::check(cudaMalloc(reinterpret_cast<void**>(&device), static_cast<std::size_t>(bytes)));
  std::memcpy(pinned, x.data(), static_cast<std::size_t>(bytes));
  plan<float, op::sum> p(n, {.backend = backend::cuda});
  const auto copy = [&](const float* from) {
    bench::check(cudaMemcpy(device, from, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice));
  };
  for (int turn = 0; turn < 2; ++turn) {
    add("host", "copy", "f32", n, 4, "pinned, cudaMemcpy", bench::host_microseconds(10, [&](int) { copy(pinned); }));
    add("host", "sum", "f32", n, 4, "pinned, onefold", bench::host_microseconds(10, [&](int) { p(pinned, n); }));
    add("host", "sum", "f32", n, 4, "pageable, cudaMemcpy + onefold", bench::host_microseconds(5, [&](int) {
          copy(x.data());
          p(device, n);
        }));
    add("host", "sum", "f32", n, 4, "pageable, onefold", bench::host_microseconds(5, [&](int) { p(x.data(), n); }));
  }
  bench::check(cudaFree(device));
  bench::check(cudaFreeHost(pinned));
}

void ladder(int max_log2) {
  for (const int log2 : {20, 22, 28}) {
    if (log2 > max_log2) continue;
    const std::int64_t n = std::int64_t{1} << log2;
    elements<float> d(n);
    d.fill(n);
    add("ladder", "read", "f32", n, 4, "ceiling",
        bench::device_microseconds(4 * n, [&](cudaStream_t s, int i) { bench::read_only(d.at(i), 4 * n, s); }));
    measure::arena room(measure::location::device, 4 * n, 1);
    for (const kernel k : measure::ladder) {
      add("ladder", "sum", "f32", n, 4, name_of(k), enqueue_time<float, op::sum>(d, n, accuracy::native, {.rung = k}));
      measure::prepared reduction(operation_index<op::sum>, dtype::f32, n, {.backend = backend::cuda, .kernel = k});
      if (const auto share = measure::theoretical_occupancy(reduction, room, n))
        bench::found().rows.back()["occupancy"] = *share;
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  int max_log2 = 30;
  std::string out, groups =
                       "sizes,lengths,modes,exact,types,calls,host,ladder,shapes,segments,keys,scans,rows,masked,"
                       "histograms,mapped,own,peers";
  for (int i = 1; i < argc; ++i) {
    const std::string_view a = argv[i];
    if (a.starts_with("--max-log2="))
      max_log2 = std::stoi(std::string(a.substr(11)));
    else if (a.starts_with("--out="))
      out = a.substr(6);
    else if (a.starts_with("--groups="))
      groups = a.substr(9);
    else
      throw std::invalid_argument("unknown option " + std::string(a));
  }
  const auto wanted = [&](const char* g) { return groups.find(g) != std::string::npos; };
  if (wanted("sizes")) {
    sizes<float>("f32", max_log2);
    sizes<double>("f64", max_log2);
    sizes<std::int32_t>("i32", max_log2);
  }
  if (wanted("lengths")) {
    lengths(max_log2);
    short_elements(max_log2);
  }
  if (wanted("modes")) modes(max_log2);
  if (wanted("exact")) {
    exact<float>("f32", max_log2);
    exact<double>("f64", max_log2);
  }
  if (wanted("types")) {
    narrow<f16>("f16", max_log2);
    narrow<bf16>("bf16", max_log2);
    narrow<std::int8_t>("i8", max_log2);
    narrow<std::uint8_t>("u8", max_log2);
  }
  if (wanted("calls")) calls();
  if (wanted("host")) host_data(max_log2);
  if (wanted("ladder")) ladder(max_log2);
  if (wanted("shapes")) bench::measure_shapes(max_log2);
  if (wanted("segments")) bench::measure_segments(max_log2);
  if (wanted("keys")) bench::measure_keys(max_log2);
  if (wanted("scans")) bench::measure_scans(max_log2);
  if (wanted("rows")) bench::measure_row_operations(max_log2, false);
  if (wanted("masked")) bench::measure_row_operations(max_log2, true);
  if (wanted("histograms")) bench::measure_histograms(max_log2);
  if (wanted("mapped")) bench::measure_mapped(max_log2);
  if (wanted("own")) bench::measure_own_operations(max_log2);
  if (wanted("peers")) bench::compare_peers(max_log2);

  cudaDeviceProp device{};
  bench::check(cudaGetDeviceProperties(&device, 0));
  int driver = 0, runtime = 0;
  bench::check(cudaDriverGetVersion(&driver));
  bench::check(cudaRuntimeGetVersion(&runtime));
  char date[16] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  const char* commit = std::getenv("ONEFOLD_COMMIT");
  const ordered_json all{{"context",
                          {{"gpu", device.name},
                           {"compute_capability", std::to_string(device.major) + "." + std::to_string(device.minor)},
                           {"multiprocessors", device.multiProcessorCount},
                           {"driver_module", onefold::measure::nvidia_driver()},
                           {"driver_cuda", driver},
                           {"runtime_cuda", runtime},
                           {"cub", bench::cub_version()},
                           {"date", date},
                           {"calls", "calls in a row (onefold's overlap, docs/cuda.md)"},
                           {"commit", commit ? commit : "unknown"}}},
                         {"rows", bench::found().rows},
                         {"answers", bench::found().answers},
                         {"exact", bench::found().exact}};
  std::ofstream file;
  if (!out.empty()) file.open(out);
  std::ostream& to = out.empty() ? std::cout : file;
  to << all.dump(1) << '\n';
  if (!to.flush()) throw std::runtime_error("cannot write " + out);
} catch (const std::exception& e) {
  std::cerr << "onefold_bench_cuda: " << e.what() << '\n';
  return 1;
}
