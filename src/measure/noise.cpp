// A team waits for its slowest thread, and while it spins its processor time says nothing: only the kernel knows that a
// thread was ready and did not run.
#include "measure/noise.hpp"

#include <dirent.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>

namespace onefold::measure {
namespace {

/// Seconds that waking a thread takes at most where a processor is idle: an EPYC's virtual machine needs 2 to 60 us.
constexpr double wake_up = 100e-6;

/// Seconds that another thread runs in its place where one is preempted, for kernels that do not count delays: Linux's
/// usual slice.
constexpr double slice = 3e-3;

double clock_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string noise_text(double waited, double spread) {
  const auto percent = [](double share) { return std::to_string(std::lround(100 * share)) + " %"; };
  switch (disturbance_of(waited, spread)) {
    case disturbance::waiting:
      return "threads waited for a processor " + percent(waited) + " of the time";
    case disturbance::spread:
      return "the middle half of the samples spans " + percent(spread) + " of the median";
    case disturbance::none:
      break;
  }
  return "";
}

schedule_record schedule_now() {
  schedule_record now{clock_now(), {}, 0, 0};
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0) now.preemptions = used.ru_nivcsw;
  constexpr const char* folder = "/proc/self/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir(folder), closedir);
  if (!tasks) return now;
  while (const dirent* entry = readdir(tasks.get())) {
    if (entry->d_name[0] == '.') continue;
    ++now.tasks;
    double ran = 0, delay = 0;  // nanoseconds
    std::int64_t turns = 0;
    if (std::ifstream(std::string(folder) + "/" + entry->d_name + "/schedstat") >> ran >> delay >> turns && turns > 0)
      now.threads.push_back({std::atoll(entry->d_name), delay * 1e-9, turns});
  }
  return now;
}

double waited_between(const schedule_record& before, const schedule_record& after) {
  double waited = 0;
  if (after.threads.empty()) {
    waited = slice * static_cast<double>(after.preemptions - before.preemptions) / std::max(1, after.tasks);
  } else {
    for (const schedule_record::thread& t : after.threads) {
      const auto was = std::ranges::find(before.threads, t.id, &schedule_record::thread::id);
      const bool is_new = was == before.threads.end();
      const double delay = t.delay - (is_new ? 0 : was->delay);
      const std::int64_t turns = t.turns - (is_new ? 0 : was->turns);
      waited = std::max(waited, delay - wake_up * static_cast<double>(turns));
    }
  }
  const double seconds = after.clock - before.clock;
  return seconds > 0 ? std::clamp(waited / seconds, 0.0, 1.0) : 0;
}

}  // namespace onefold::measure
