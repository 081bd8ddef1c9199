// The noise detector: records of quiet and of busy machines, and a team that has to share its processors.
#include "measure/noise.hpp"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "measure/sampling.hpp"
#include "support/catch.hpp"

using namespace onefold::measure;

namespace {

/// Records with these threads, `seconds` apart.
double waited(double seconds, const std::vector<schedule_record::thread>& before,
              const std::vector<schedule_record::thread>& after) {
  return waited_between({10, before, 0}, {10 + seconds, after, 0});
}

/// A child that keeps this thread's processor busy, and its end.
class rival {
 public:
  rival() : child_(fork()) {
    if (child_ == 0) {
      alarm(20);  // whatever becomes of the test
      while (true) asm volatile("");
    }
  }
  ~rival() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  rival(const rival&) = delete;
  rival& operator=(const rival&) = delete;

 private:
  pid_t child_;
};

}  // namespace

// An EPYC's virtual machine with two processors, sums of f32 for 0.2 s: {thread, delay, turns}.
TEST_CASE("records of a quiet machine are not noise") {
  CHECK(waited(0.2, {{1, 0.5, 100}}, {{1, 0.50002, 101}}) == 0);                                 // one thread
  CHECK(waited(0.2, {{1, 0.5, 100}, {2, 0.1, 9}}, {{1, 0.5004, 107}, {2, 0.1007, 15}}) < 0.01);  // OpenMP
  // oneTBB, whose worker sleeps and is woken again and again: that takes its time without any other program.
  CHECK(waited(0.2, {{1, 0, 1}, {2, 0, 1}}, {{1, 0.0005, 37}, {2, 0.07, 1001}}) == 0);
  CHECK_FALSE(is_noisy(0.01, 0.26));
  CHECK(noise_text(0.01, 0.26).empty());
}

TEST_CASE("records of a busy machine are noise") {
  CHECK(waited(0.203, {{1, 0, 1}}, {{1, 0.1024, 27}}) > 0.4);                                      // one thread
  CHECK(waited(0.289, {{1, 0, 1}, {2, 0, 1}}, {{1, 0.145, 36}, {2, 0.17, 36}}) > 0.5);             // both of a team
  CHECK(waited(0.212, {{1, 0.5, 100}, {2, 0.5, 100}}, {{1, 0.501, 106}, {2, 0.666, 161}}) > 0.7);  // one of a team
  CHECK(is_noisy(0.4, 0));
  CHECK(noise_text(0.43, 0) == "threads waited for a processor 43 % of the time");
}

TEST_CASE("many threads that each wait a little are not noise, and one that waits long is") {
  std::vector<schedule_record::thread> before, after;
  for (std::int64_t i = 0; i < 128; ++i) {
    before.push_back({i, 0.5, 100});
    after.push_back({i, 0.5004, 100});
  }
  CHECK(std::fabs(waited(1, before, after) - 0.0004) < 1e-9);
  after[77].delay = 0.6;
  CHECK(waited(1, before, after) > most_waited);
}

TEST_CASE("threads that came and went count for what is known of them") {
  CHECK(waited(1, {{1, 0, 1}}, {{1, 0, 1}, {2, 0.5, 10}}) > 0.4);
  CHECK(waited(1, {{1, 0, 1}, {2, 5, 10}}, {{1, 0, 1}}) == 0);
  CHECK(waited(0, {{1, 0, 1}}, {{1, 1, 1}}) == 0);
}

TEST_CASE("a kernel that does not count delays counts preemptions") {
  CHECK(waited_between({0, {}, 7}, {1, {}, 8}) < most_waited);
  CHECK(waited_between({0, {}, 7}, {1, {}, 107}) > most_waited);
  CHECK(waited_between({0, {}, 7, 128}, {1, {}, 107, 128}) < most_waited);
  CHECK(waited_between({0, {}, 7, 128}, {1, {}, 9007, 128}) > most_waited);
  CHECK(schedule_now().tasks >= 1);
}

TEST_CASE("samples that disagree are noise") {
  // OpenMP beside a compiler: calls of 6 us and calls that wait 8 ms.
  const summary s = summary_of({6e-6, 6e-6, 6e-6, 6e-6, 6e-6, 8e-3, 8e-3, 8e-3, 8e-3});
  CHECK(s.noisy());
  CHECK(s.noise().starts_with("the middle half of the samples spans "));
  CHECK_FALSE(summary_of({1, 1, 1, 1, 1000}).noisy());
  CHECK_FALSE(summary_of({1.0, 1.2, 1.4, 1.6, 1.8}).noisy());
}

TEST_CASE("rounds are as noisy as their samples together") {
  summary quiet = summary_of({1, 1, 1}), busy = summary_of({1});
  busy.waited = 0.4;
  CHECK(joined(quiet, busy).waited == 0.1);
}

TEST_CASE("a thread that shares its processor is noticed") {
  cpu_set_t allowed, one;
  REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);  // the rival inherits it
  std::optional<summary> s;
  {
    const rival other;
    for (int tries = 0; tries < 5 && !(s && s->waited > 0.2);
         ++tries)  // on a busy machine the rival's turn may come late
      s = sample({}, [](std::int64_t calls) {
        for (std::int64_t i = 0; i < 1000 * calls; ++i) asm volatile("");
      });
  }
  sched_setaffinity(0, sizeof allowed, &allowed);
  REQUIRE(s);
  CHECK(s->waited > 0.2);
  CHECK(s->noisy());
}
