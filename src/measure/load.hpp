// What else a machine does: how much of its processors other programs use.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace onefold::measure {

/// Seconds of processors that /proc/stat has counted since the system's start.
struct processor_time {
  double busy = 0;    ///< for any program, in the kernel, and by a hypervisor for other machines
  double stolen = 0;  ///< of these by a hypervisor
};

/// Adds up the lines of these processors; nothing of them in `stat`: zeros.
processor_time processor_time_in(std::string_view stat, const std::vector<int>& processors);

/// Of the processors that this process may use, until now.
processor_time processor_time_now();

/// The share, 0 to 1, that a hypervisor took of the time for which processors had work between two moments `seconds`
/// apart; of one processor's time where they had less work than that.
double stolen_between(const processor_time& before, const processor_time& after, double seconds);

/// Seconds of processors that a control group's programs have used; nothing where its folder does not tell.
std::optional<double> group_time(const std::string& group);

/// The work of others.
struct load {
  double others = 0;   ///< processors' worth of time that they use, of those that this process may use
  double average = 0;  ///< the system's load average over a minute
  int processors = 1;  ///< that this process may use

  /// Whether a measurement of all processors would suffer: a quarter of one is in use, or 2 % of all if that is more.
  bool busy() const;
  /// "other programs use 1.9 of 2 processors, load average 3.41"
  std::string text() const;
};

/// Sleeps for that long, and says what others did meanwhile: by /proc/stat, else by /proc/pressure/cpu, else by the
/// load average. Where a control group's quota is less than the affinity (a container's `--cpus`), the affinity covers
/// processors that serve other groups: then only the group's own programs count, and none where its folder does not
/// tell.
load look_at_load(double seconds);

/// The same where that group's quota limits this process; empty: none does.
load look_at_load(double seconds, const std::string& group);

}  // namespace onefold::measure
