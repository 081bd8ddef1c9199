// The benchmark program: one process measures with one number of threads, made by one kind of runtime.
//
//   onefold_bench [--threads=N] [--runtime=openmp|tbb] [--max-bytes=N] [--in-turn] [Google Benchmark's own options]
//   onefold_bench --answers=RUNS [--threads=N] [--runtime=openmp|tbb] --benchmark_filter=REGEX
//   onefold_bench --write-data=FILE --data=TYPE/BYTES
//   onefold_bench --thresholds --threads=2 --runtime=tbb
//   onefold_bench --record-latencies=FILE
//
// bench/run.py runs it once for each row, so that the contenders of a row are measured in turns. With --in-turn each
// call reduces another copy of the array, so that no cache has it; bench/compare_peers.py measures like this, asks for
// the answers, and writes the elements to a file for the peers that are no C++.
#include <benchmark/benchmark.h>
#include <omp.h>
#include <tbb/global_control.h>

#include <charconv>
#include <fstream>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "answers.hpp"
#include "contender.hpp"
#include "data.hpp"
#include "latencies.hpp"
#include "rows.hpp"

namespace {

struct arguments {
  int threads = 1;
  bench::runtime used = bench::runtime::openmp;
  std::int64_t max_bytes = std::int64_t{1} << 30;
  bool in_turn = false;
  int answers = 0;
  bool thresholds = false;
  std::string record, write_data, data;
};

template <class Int>
Int number(std::string_view text) {
  Int value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || value < 1)
    throw std::invalid_argument("not a positive number: " + std::string(text));
  return value;
}

bench::runtime runtime_named(std::string_view name) {
  if (name == "openmp") return bench::runtime::openmp;
  if (name == "tbb") return bench::runtime::tbb;
  throw std::invalid_argument("no runtime " + std::string(name) + ": it is openmp or tbb");
}

// Takes the program's own options out of argv; the others are Google Benchmark's.
arguments parse(int& argc, char** argv) {
  arguments a;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    const auto is = [&](std::string_view name) { return option.substr(0, name.size()) == name; };
    const std::string_view value = option.substr(std::min(option.size(), option.find('=') + 1));
    if (is("--threads="))
      a.threads = number<int>(value);
    else if (is("--runtime="))
      a.used = runtime_named(value);
    else if (is("--max-bytes="))
      a.max_bytes = number<std::int64_t>(value);
    else if (option == "--in-turn")
      a.in_turn = true;
    else if (is("--answers="))
      a.answers = number<int>(value);
    else if (is("--write-data="))
      a.write_data = value;
    else if (is("--data="))
      a.data = value;
    else if (option == "--thresholds")
      a.thresholds = true;
    else if (is("--record-latencies="))
      a.record = value;
    else
      argv[kept++] = argv[i];
  }
  argc = kept;
  return a;
}

}  // namespace

int main(int argc, char** argv) try {
  const arguments a = parse(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  if (!a.record.empty()) {
    bench::record_latencies(a.record);
    return 0;
  }
  if (!a.write_data.empty()) {
    const std::size_t slash = std::min(a.data.find('/'), a.data.size() - 1);
    const auto bytes = number<std::int64_t>(std::string_view(a.data).substr(slash + 1));
    std::ofstream file(a.write_data, std::ios::binary);
    file.write(static_cast<const char*>(bench::sample_of(a.data.substr(0, slash), bytes).data), bytes);
    if (!file.flush()) throw std::runtime_error("cannot write " + a.write_data);
    return 0;
  }
  omp_set_num_threads(a.threads);
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(a.threads));
  benchmark::AddCustomContext("compiler", ONEFOLD_BENCH_COMPILER);
  benchmark::AddCustomContext("flags", ONEFOLD_BENCH_OPTIONS);
  const std::vector<bench::row> rows = bench::rows_of(a.used, a.threads, a.max_bytes);
  if (a.answers > 0) {
    const std::regex wanted(benchmark::GetBenchmarkFilter());
    bench::write_answers(std::cout, rows, wanted, a.threads, a.answers);
    return 0;
  }
  if (a.thresholds)
    bench::register_thresholds(a.used, a.threads);
  else
    bench::register_rows(rows, a.threads, a.in_turn);
  if (a.threads == 1 && !a.thresholds) bench::register_calls();
  benchmark::RunSpecifiedBenchmarks();
} catch (const std::exception& e) {
  std::cerr << "onefold_bench: " << e.what() << '\n';
  return 2;
}
