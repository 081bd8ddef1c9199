// Where threads begin to gain: a backend against sequential over a range of sizes, hot and cold.
//
// What the planner's estimates (docs/planner.md) should say, and what a pause costs.
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "contender.hpp"
#include "data.hpp"
#include "onefold/onefold.hpp"

namespace bench {
namespace {

using clock = std::chrono::steady_clock;
constexpr auto idle = std::chrono::milliseconds(10);

// The calling thread is busy with other things, its helpers have nothing to do.
void stay_busy(clock::duration time) {
  const auto end = clock::now() + time;
  while (clock::now() < end) {
  }
}

void run(benchmark::State& state, onefold::backend who, std::int64_t bytes, int threads, bool cold) {
  const float* data = static_cast<const float*>(sample_of("f32", bytes).data);
  const std::int64_t n = bytes / 4;
  onefold::options how;
  how.backend = who;
  how.threads = who == onefold::backend::sequential ? 1 : threads;
  onefold::plan<float, onefold::op::sum> sum(n, how);
  benchmark::DoNotOptimize(sum(data, n));
  for (auto _ : state) {
    if (cold) stay_busy(idle);
    const auto begin = clock::now();
    benchmark::DoNotOptimize(sum(data, n));
    state.SetIterationTime(std::chrono::duration<double>(clock::now() - begin).count());
  }
}

}  // namespace

void register_thresholds(runtime used, int threads) {
  const onefold::backend parallel = used == runtime::openmp ? onefold::backend::openmp : onefold::backend::tbb;
  // Two pages is the least that two threads can share.
  for (std::int64_t bytes = 32 << 10; bytes <= 16 << 20; bytes *= 2) {
    for (const onefold::backend who : {onefold::backend::sequential, parallel}) {
      for (const bool cold : {false, true}) {
        const std::string name = "thresholds/f32/" + std::to_string(bytes) + "/" + std::to_string(threads) + "/" +
                                 onefold::name_of(who) + "/" + (cold ? "cold" : "hot");
        auto* b = benchmark::RegisterBenchmark(name.c_str(), run, who, bytes, threads, cold);
        b->UseManualTime()->Unit(benchmark::kNanosecond);
        if (cold) b->Iterations(1);  // one repetition a call: the median is not moved by a call that was interrupted
      }
    }
  }
}

}  // namespace bench
