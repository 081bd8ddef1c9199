// The noise detector: were threads kept from running while something was measured, or do its samples disagree?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace onefold::measure {

/// More than this share of the time in which threads waited for a processor, or a spread of more than this, is noise.
inline constexpr double most_waited = 0.05, most_spread = 1;

/// What disturbs a measurement. Where both do, waiting is the cause of the spread.
enum class disturbance : unsigned char { none, waiting, spread };

/// The one definition of noise, which every command goes by.
constexpr disturbance disturbance_of(double waited, double spread) {
  return waited > most_waited ? disturbance::waiting : spread > most_spread ? disturbance::spread : disturbance::none;
}
constexpr bool is_noisy(double waited, double spread) { return disturbance_of(waited, spread) != disturbance::none; }

/// What disturbed a measurement, in words; empty where nothing did.
std::string noise_text(double waited, double spread);

/// What the kernel has counted at a moment.
struct schedule_record {
  /// One thread of this process.
  struct thread {
    std::int64_t id;
    double delay;        ///< seconds for which it was ready to run and did not
    std::int64_t turns;  ///< how often it was given a processor
  };
  double clock;                 ///< seconds from some point in time
  std::vector<thread> threads;  ///< empty where the kernel does not count (CONFIG_SCHED_INFO)
  std::int64_t preemptions;     ///< of all threads: how often one was taken off its processor while it ran
  int tasks = 1;                ///< threads of this process, whether or not the kernel counts their delays
};

/// The records of this moment: /proc/self/task/*/schedstat, and getrusage.
schedule_record schedule_now();

/// The share of the time between two records, 0 to 1, for which the thread that waited longest was ready to run and had
/// no processor: a team waits for its slowest thread, and short delays of many threads are not one long one. The delays
/// that waking up takes on an idle machine do not count. Where the kernel does not count delays: the mean of all
/// threads.
double waited_between(const schedule_record& before, const schedule_record& after);

/// Watches this process from its construction on.
class watch {
 public:
  watch() : begin_(schedule_now()) {}
  /// The share of the time since then for which threads waited for a processor.
  double waited() const { return waited_between(begin_, schedule_now()); }

 private:
  schedule_record begin_;
};

}  // namespace onefold::measure
