// What a call costs: a plan over 1 to 64 elements, and how often it allocates.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <numeric>
#include <string>

#include "contender.hpp"
#include "data.hpp"
#include "onefold/onefold.hpp"

namespace {
std::atomic<std::int64_t> allocations{0};

void* counted(std::size_t bytes, std::size_t align) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* p = std::aligned_alloc(align, (bytes + align - 1) / align * align);
  if (!p) throw std::bad_alloc();
  return p;
}
}  // namespace

// Every allocation of the process, the library's too, is counted.
void* operator new(std::size_t bytes) { return counted(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t align) {
  return counted(bytes, static_cast<std::size_t>(align));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace bench {
namespace {

// Times `call`, and reports the allocations of one call.
template <class Call>
void time_calls(benchmark::State& state, const Call& call) {
  const std::int64_t before = allocations.load();
  benchmark::DoNotOptimize(call());
  state.counters["allocations"] = static_cast<double>(allocations.load() - before);
  for (auto _ : state) benchmark::DoNotOptimize(call());
}

template <class T>
void register_type() {
  for (std::int64_t n = 1; n <= 64; n *= 2) {
    const std::int64_t bytes = n * static_cast<std::int64_t>(sizeof(T));
    const auto add = [&](const char* name, auto measure) {
      const std::string row = std::string("calls/") + type_name<T> + "/" + std::to_string(bytes) + "/1/" + name;
      benchmark::RegisterBenchmark(row.c_str(), measure)->UseRealTime()->Unit(benchmark::kNanosecond);
    };
    add("plan/sum", [=](benchmark::State& state) {
      const T* p = static_cast<const T*>(sample_of(type_name<T>, bytes).data);
      onefold::plan<T, onefold::op::sum> sum(n);
      time_calls(state, [&] { return sum(p, n); });
    });
    add("plan/max", [=](benchmark::State& state) {
      const T* p = static_cast<const T*>(sample_of(type_name<T>, bytes).data);
      onefold::plan<T, onefold::op::max> max(n);
      time_calls(state, [&] { return max(p, n); });
    });
    add("reduce/sum", [=](benchmark::State& state) {
      const T* p = static_cast<const T*>(sample_of(type_name<T>, bytes).data);
      time_calls(state, [&] { return onefold::reduce<T, onefold::op::sum>(p, n); });
    });
    add("std::accumulate/sum", [=](benchmark::State& state) {
      const T* p = static_cast<const T*>(sample_of(type_name<T>, bytes).data);
      time_calls(state, [&] {
        std::int64_t count = n;
        benchmark::DoNotOptimize(count);  // a caller does not know n when it is compiled
        return std::accumulate(p, p + count, T{});
      });
    });
  }
}

}  // namespace

void register_calls() {
  register_type<float>();
  register_type<double>();
}

}  // namespace bench
