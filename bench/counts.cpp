// Fixed small reductions whose instructions are counted: the regression guard that needs no clock.
//
//   valgrind --tool=callgrind --collect-atstart=no --callgrind-out-file=FILE onefold_counts [--planted]
//
// Callgrind writes FILE.1, FILE.2, ..., one for each reduction, which it names. --planted walks every array twice: a
// slow-down that the guard must see. bench/counts.py runs it and compares.
#include <valgrind/callgrind.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <string_view>

#include "contender.hpp"
#include "data.hpp"
#include "onefold/onefold.hpp"

namespace {

namespace op = onefold::op;
using onefold::accuracy;

// The same on every CPU that can run it; Valgrind does not know AVX-512.
constexpr onefold::isa level = onefold::isa::x86_64_v3;

/// Counts one reduction of n elements, `calls` times; the first, which may set things up, does not count.
template <class T, class Op>
void count(const char* name, bool planted, std::int64_t n, accuracy mode = accuracy::native, int calls = 1) {
  const T* const data =
      static_cast<const T*>(bench::sample_of(bench::type_name<T>, n * static_cast<std::int64_t>(sizeof(T))).data);
  onefold::plan<T, Op> reduction(n, {.backend = onefold::backend::sequential, .accuracy = mode, .isa = level});
  reduction(data, n);
  CALLGRIND_TOGGLE_COLLECT;
  for (int i = 0; i < calls; ++i) {
    reduction(data, n);
    if (planted) reduction(data, n);
  }
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(name);
}

}  // namespace

int main(int argc, char** argv) try {
  const bool planted = argc == 2 && std::string_view(argv[1]) == "--planted";
  if (argc != 1 && !planted) {
    std::cerr << "onefold_counts: the only option is --planted\n";
    return 2;
  }
  constexpr std::int64_t n = 1 << 16;
  count<float, op::sum>("sum f32", planted, n);
  count<double, op::sum>("sum f64", planted, n);
  count<std::int8_t, op::sum>("sum i8", planted, n);
  count<std::int32_t, op::sum>("sum i32", planted, n);
  count<float, op::sum>("sum f32, wide", planted, n, accuracy::wide);
  count<double, op::sum>("sum f64, kahan", planted, n, accuracy::kahan);
  count<double, op::sum>("sum f64, exact", planted, n, accuracy::exact);
  count<float, op::sum>("sum f32, a ragged edge", planted, 12345);
  count<float, op::sum>("sum f32, rows of 8 MiB", planted, 1 << 21);
  count<float, op::sum>("sum f32, 100 calls of 16", planted, 16, accuracy::native, 100);
  count<float, op::max>("max f32", planted, n);
  count<float, op::argmax>("argmax f32", planted, n);
  count<double, op::moments>("moments f64", planted, n);
  std::cout << ONEFOLD_BENCH_COMPILER << '\n' << onefold::name_of(level) << '\n';
} catch (const std::exception& e) {
  std::cerr << "onefold_counts: " << e.what() << '\n';
  return 2;
}
