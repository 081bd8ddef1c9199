// Calls without end: the memory of the process and the time of a call stay what they were at the beginning.
//
// ONEFOLD_TEST_SOAK is the number of one-shot calls; without it as many as half a minute has room for.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/instrumented.hpp"

namespace {

using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point from) {
  return std::chrono::duration<double>(clock_type::now() - from).count();
}

/// Bytes of the process that are in memory.
std::int64_t resident() {
  std::int64_t all = 0, here = 0;
  std::ifstream("/proc/self/statm") >> all >> here;
  return here * sysconf(_SC_PAGESIZE);
}

constexpr std::int64_t a_megabyte = 1 << 20;

void check_memory(std::int64_t before) {
  const std::int64_t growth = resident() - before;
  std::cout << "growth " << growth / 1024 << " KiB\n";
  if (!support::sanitized) CHECK(growth <= a_megabyte);
}

struct soak_size {
  long calls;
  double seconds;  ///< after which no more calls are made
};

soak_size wanted() {
  const char* text = std::getenv("ONEFOLD_TEST_SOAK");
  return text && *text ? soak_size{std::atol(text), 1e9} : soak_size{200'000, support::sanitized ? 5.0 : 30.0};
}

constexpr int batch = 20;

/// The least time of one call in batches of calls: what others take from the machine only adds to it.
template <class Call>
double least_of(long calls, double seconds, Call call) {
  double least = 1e9;
  const auto begin = clock_type::now();
  for (long i = 0; i < calls && seconds_since(begin) < seconds; i += batch) {
    const auto from = clock_type::now();
    for (int k = 0; k < batch; ++k) call();
    least = std::min(least, seconds_since(from) / batch);
  }
  return least;
}

/// Set in a process that this one starts: it says how long a call takes when the process is new, and ends.
constexpr const char* new_process = "ONEFOLD_TEST_SOAK_NEW";

/// Seconds of one call in a new process that runs this test case as it began here.
double in_a_new_process() {
  std::string self(4096, '\0');
  self.resize(static_cast<std::size_t>(std::max<ssize_t>(0, readlink("/proc/self/exe", self.data(), self.size()))));
  const std::string name = Catch::getResultCapture().getCurrentTestName();
  const std::string command = std::string(new_process) + "=1 '" + self + "' '" + name + "'";
  std::FILE* output = popen(command.c_str(), "r");
  REQUIRE(output);
  std::string said(1 << 16, '\0');
  said.resize(std::fread(said.data(), 1, said.size(), output));
  pclose(output);
  INFO(said);
  const std::size_t at = said.find(new_process);  // behind what the test runner says first
  REQUIRE(at != said.npos);
  return std::stod(said.substr(at + std::strlen(new_process)));
}

/// Ten tenths of all calls; memory is compared from the end of the first, time with the first. A neighbor on the
/// machine that takes a core slows down a new process just as much, what calls leave behind does not: where the last
/// tenth is slow, up to ten more are compared with a new process's first tenth, one after the other.
template <class Call>
void soak(Call call) {
  const soak_size size = wanted();
  const auto tenth = [&] { return least_of(size.calls / 10, size.seconds / 10, call); };
  for (int i = 0; i < 100; ++i) call();  // threads start, caches fill
  const double first = tenth();
  if (std::getenv(new_process)) {
    std::cout << new_process << ' ' << first << std::endl;
    return;
  }
  const std::int64_t memory = resident();
  double last = 0;
  for (int i = 1; i < 10; ++i) last = tenth();
  double allowed = 1.1 * first;
  int more = 0;
  for (; more < 10 && last > allowed; ++more) {
    allowed = std::max(allowed, 1.1 * in_a_new_process());
    last = tenth();
  }
  std::cout << size.calls << " calls, a call at first " << first * 1e6 << " us, at last " << last * 1e6
            << " us, allowed " << allowed * 1e6 << " us (" << more << " tenths more), ";
  CHECK(last <= allowed);
  check_memory(memory);
}

}  // namespace

TEST_CASE("one-shot calls without end") {
  const std::vector<float> data(200'000, 1.0f);
  soak([&, how = support::on_backend()] { onefold::sum(data, how); });
}

TEST_CASE("one-shot calls of two threads without end") {
  const std::vector<float> data(20'000, 1.0f);
  auto how = support::on_backend();
  how.threads = 2;
  soak([&] { onefold::sum(data, how); });
}

TEST_CASE("plans that come and go") {
  auto how = support::on_backend();
  how.threads = 2;
  const std::vector<float> data(20'000, 1.0f);
  soak([&] { onefold::plan<float, onefold::op::max>(20'000, how)(data); });
}

TEST_CASE("every number of threads, and callers that come and go") {
  const std::vector<float> data(100'000, 1.0f);
  const auto round = [&] {
    for (int threads = 1; threads <= 8; ++threads) {
      auto how = support::on_backend();
      how.threads = threads;
      std::jthread([&] { onefold::sum(data, how); }).join();
    }
  };
  const auto begin = clock_type::now();
  for (int i = 0; i < 20; ++i) round();
  const std::int64_t memory = resident();
  for (int i = 0; i < 200 && seconds_since(begin) < 10; ++i) round();
  check_memory(memory);
}
