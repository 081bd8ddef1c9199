// What other programs use, from recorded texts of /proc/stat, in a control group, on a large machine and on this one.
#include "measure/load.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "measure/noise.hpp"
#include "planner/machine.hpp"
#include "support/catch.hpp"

using namespace onefold::measure;

namespace {

/// While one exists, this machine has 2048 processors, of which the process may use three.
class large_machine {
 public:
  large_machine() { exists = true; }
  ~large_machine() { exists = false; }
  large_machine(const large_machine&) = delete;
  large_machine& operator=(const large_machine&) = delete;

  static inline bool exists = false;
};

/// A control group's folder, which ends with the test.
class control_group {
 public:
  control_group() {
    std::string name = (std::filesystem::temp_directory_path() / "onefold-group-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~control_group() { std::filesystem::remove_all(path_); }
  control_group(const control_group&) = delete;
  control_group& operator=(const control_group&) = delete;

  const std::string& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ + "/" + name) << content;
  }

 private:
  std::string path_;
};

}  // namespace

/// Stands before the C library's.
extern "C" int sched_getaffinity(pid_t process, std::size_t bytes, cpu_set_t* set) noexcept {
  if (!large_machine::exists) {
    const long copied = syscall(SYS_sched_getaffinity, process, bytes, set);
    if (copied < 0) return -1;
    std::memset(reinterpret_cast<char*>(set) + copied, 0, bytes - static_cast<std::size_t>(copied));
    return 0;
  }
  if (bytes < 2048 / 8) {
    errno = EINVAL;
    return -1;
  }
  CPU_ZERO_S(bytes, set);
  for (const int i : {3, 1023, 1500}) CPU_SET_S(i, bytes, set);
  return 0;
}

TEST_CASE("only the processors that count are added up") {
  constexpr const char* stat =
      "cpu  300 30 60 1000 10 3 6 50 5 0\n"
      "cpu0 100 10 20 500 5 1 2 40 5 0\n"
      "cpu1 200 20 40 500 5 2 4 10 0 0\n"
      "cpu10 700 0 0 0 0 0 0 0 0 0\n"
      "intr 12345 0 0\nctxt 1\nprocs_running 3\n";
  CHECK(std::fabs(processor_time_in(stat, {0}).busy - (1.73)) < 1e-9);
  CHECK(std::fabs(processor_time_in(stat, {0}).stolen - (0.40)) < 1e-9);
  CHECK(std::fabs(processor_time_in(stat, {0, 1}).busy - (1.73 + 2.76)) < 1e-9);
  CHECK(processor_time_in(stat, {7}).busy == 0);
  for (const char* none : {"", "cpu", "cpu 1 2 3\n", "cpu0 1 2 3\n", "cpux 1 2 3 4 5 6 7 8\n", "nothing"})
    CHECK(processor_time_in(none, {0}).busy == 0);
}

TEST_CASE("a large machine's affinity is complete") {
  {
    const large_machine here;
    CHECK(onefold::detail::affinity() == std::vector{3, 1023, 1500});
    CHECK(look_at_load(0, "").processors == 3);
  }
  CHECK(look_at_load(0, "").processors == onefold::detail::allowed_processors());
}

TEST_CASE("time that a hypervisor takes is a share of the time that processors had work") {
  const processor_time none{0, 0};
  CHECK(stolen_between(none, {128, 128 * 0.0004}, 1) < 0.001);  // a team on 128 processors
  CHECK(stolen_between(none, {128, 128 * 0.1}, 1) > most_waited);
  CHECK(stolen_between(none, {1, 0.1}, 1) > most_waited);  // one thread, on any number of processors
  CHECK(stolen_between(none, {0.02, 0.01}, 1) < most_waited);
  CHECK(stolen_between(none, none, 0) == 0);
}

TEST_CASE("where a quota limits a control group, its programs alone count") {
  const control_group group;
  CHECK_FALSE(group_time(group.path()));
  CHECK(look_at_load(0.05, group.path()).others == 0);
  group.write("cpuacct.usage", "2500000000\n");
  CHECK(group_time(group.path()) == 2.5);
  group.write("cpu.stat", "nr_periods 9\n");  // the older control groups'
  CHECK(group_time(group.path()) == 2.5);
  group.write("cpu.stat", "usage_usec 1500000\nuser_usec 7\nsystem_usec 8\n");
  CHECK(group_time(group.path()) == 1.5);

  CHECK(look_at_load(0.05, group.path()).others == 0);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    group.write("cpu.stat", "usage_usec 900000000\n");
  });
  const load now = look_at_load(1, group.path());
  later.join();
  CHECK(now.processors == onefold::detail::usable_processors());
  CHECK(now.others == now.processors);
}

TEST_CASE("a quarter of a processor is busy, on many 2 % of all") {
  CHECK_FALSE(load{0.2, 9, 2}.busy());
  CHECK(load{0.3, 0, 2}.busy());
  CHECK_FALSE(load{2, 9, 128}.busy());
  CHECK(load{3, 0, 128}.busy());
  CHECK(load{1.94, 3.41, 2}.text() == "other programs use 1.9 of 2 processors, load average 3.41");
  CHECK(load{0.3, 1, 1}.text() == "other programs use 0.3 of 1 processor, load average 1.00");
}

TEST_CASE("this machine's load is plausible") {
  const load now = look_at_load(0.05);
  CHECK((now.processors >= 1 && now.others >= 0 && now.others <= now.processors && now.average >= 0));
  CHECK(processor_time_now().busy > 0);
}
