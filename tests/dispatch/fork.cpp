// Children of fork(): they never hang, have the right results, and say how they came by them.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "onefold/element_reader.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

#if defined(__SANITIZE_THREAD__)
#define ONEFOLD_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ONEFOLD_TSAN
#endif
#endif

#if defined(ONEFOLD_TSAN)

TEST_CASE("children of fork()") { support::skip("the thread sanitizer has a thread of its own"); }

#else

namespace {

using onefold::backend;
using float_plan = onefold::plan<float, onefold::op::sum>;

const std::vector<float> data(3'000'000, 1.0f);

onefold::options two_threads() { return support::on_backend(onefold::accuracy::native, 2); }
bool sums_right(const onefold::options& how) { return onefold::sum(data, how) == 3e6f; }

constexpr const char* alone = "the calling thread works alone: this process was forked from a process";
bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

/// What f says in a child of fork(): "" for yes, else what went wrong. A child that hangs is ended.
std::string in_child(const std::function<bool()>& f) {
  const pid_t child = fork();
  if (child < 0) return "fork failed";
  if (child == 0) {
    alarm(20);
    int status = 2;
    try {
      status = f() ? 0 : 1;
    } catch (...) {
    }
    _exit(status);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGALRM ? "the child hung" : "the child died of a signal";
  return WEXITSTATUS(status) == 0 ? "" : WEXITSTATUS(status) == 1 ? "the child said no" : "the child threw";
}

/// Whether a child of a process that had threads works as it promises, on every backend.
bool works_alone() {
  for (const auto& [b, available, detail, threads, devices] : onefold::backends()) {
    if (onefold::is_accelerator(b)) continue;
    if (available && threads != 1) return false;
    try {
      onefold::options how;
      how.backend = b;
      how.threads = 2;
      const auto r = onefold::reduce_reported<float, onefold::op::sum>(data, how);
      if (r.value != 3e6f || r.ran.backend != b || r.ran.threads != 1) return false;
      if (says(r.ran.why, alone) != (b != backend::sequential)) return false;
    } catch (const onefold::error& e) {
      if (e.code() != onefold::error_code::backend_unavailable) return false;
    }
  }
  const auto r = onefold::reduce_reported<float, onefold::op::sum>(data);
  return r.value == 3e6f && r.ran.backend == backend::sequential &&
         says(r.ran.text(), "not tbb: this process was forked");
}

}  // namespace

// All below run in children: this process itself must have no threads.

TEST_CASE("a child of a process without threads has all of its own") {
  CHECK(in_child([] {
          const auto ran = onefold::reduce_reported<float, onefold::op::sum>(data, two_threads()).ran;
          const backend who = support::backend_under_test();
          return sums_right({}) && sums_right(two_threads()) && !says(ran.text(), "fork") &&
                 (who == backend::automatic || ran.threads == (who == backend::sequential ? 1 : 2));
        }) == "");
}

TEST_CASE("a plan that was made before fork() and did not run yet") {
  float_plan p(static_cast<std::int64_t>(data.size()), two_threads());
  CHECK(in_child([&] { return p(data) == 3e6f && p(data) == 3e6f && !says(p.report().why, alone); }) == "");
}

TEST_CASE("a child of a process that has used threads works alone") {
  CHECK(in_child([] {
          onefold::options threads = two_threads();
          if (threads.backend == backend::sequential) threads.backend = backend::cpu;
          float_plan made(static_cast<std::int64_t>(data.size()), threads),
              used(static_cast<std::int64_t>(data.size()), threads);
          if (used(data) != 3e6f || !sums_right(threads)) return false;
          const int before = used.report().threads;
          const auto child = [&] {
            if (made(data) != 3e6f || used(data) != 3e6f || used(data.data(), 100) != 100) return false;
            const auto ran = used.report();
            const bool had_threads = ran.backend != backend::sequential;
            if (ran.threads != 1 || says(ran.why, alone) != had_threads) return false;
            return !had_threads || works_alone();
          };
          if (in_child(child) != "") return false;
          if (in_child([&] { return in_child(child) == ""; }) != "") return false;  // and so does a child's child
          // The parent still has its own.
          return used(data) == 3e6f && used.report().threads == before && !says(used.report().why, alone);
        }) == "");
}

TEST_CASE("threads of the application count, too") {
  CHECK(in_child([] {
          std::jthread another([](const std::stop_token& stop) {
            while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          });
          return in_child(works_alone) == "";
        }) == "");
}

#if defined(ONEFOLD_TEST_OPENMP)
namespace {

/// As an application with OpenMP of its own: the threads of its team.
int team_of_two() {
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members += 1;
  return members;
}

}  // namespace

TEST_CASE("the application's own OpenMP before fork()") {
  CHECK(in_child([] {
          return team_of_two() == 2 && in_child([] { return works_alone() && sums_right(two_threads()); }) == "";
        }) == "");
}
#endif

TEST_CASE("fork() while other threads reduce") {
  CHECK(in_child([] {
          std::vector<std::jthread> busy;
          for (int i = 0; i < 3; ++i)
            busy.emplace_back([](const std::stop_token& stop) {
              while (!stop.stop_requested()) {
                sums_right(two_threads());
                float_plan(100'000, two_threads())(data.data(), 100'000);
              }
            });
          for (int i = 0; i < 10; ++i)
            if (in_child([] { return sums_right(two_threads()) && sums_right({}); }) != "") return false;
          return true;
        }) == "");
}

// With a module that stands in for CUDA; its memory is the host's.
TEST_CASE("a child of a process that has started an accelerator does without", "[.accelerator]") {
  REQUIRE(onefold::backends()[0].available);
  float_plan p(static_cast<std::int64_t>(data.size()), {.backend = backend::cuda});
  REQUIRE(p(data) == 3e6f);
  const auto refuses = [](const std::function<void()>& f) {
    try {
      f();
    } catch (const onefold::error& e) {
      return e.code() == onefold::error_code::backend_unavailable &&
             says(e.what(), "a GPU, which does not survive fork()");
    }
    return false;
  };
  CHECK(in_child([&] {
          float result = 0;
          const auto cuda = onefold::backends()[0];
          float_plan moved = std::move(p);  // and its end does no harm
          return !cuda.available && says(cuda.detail, "fork") && refuses([&] { moved(data); }) &&
                 refuses([&] { moved.enqueue(data.data(), 10, &result, nullptr); }) &&
                 refuses([] { sums_right({.backend = backend::cuda}); }) && sums_right({}) &&
                 sums_right({.backend = backend::cpu});
        }) == "");
  CHECK(p(data) == 3e6f);
}

// Last: from here on this process has had threads.
TEST_CASE("a reader whose thread is the parent's says so to a child, and ends there") {
  const support::scratch_file file(std::string(std::size_t{32} << 20, '\1'));
  for (int turn = 0; turn < 8; ++turn) {
    onefold::element_reader<float> from(file.path());
    from.next();
    CHECK(in_child([&] { return from.next().size() == 1 << 20; }) == "");  // no thread yet
  }
  for (int turn = 0; turn < 8; ++turn) {
    std::optional<onefold::element_reader<float> > from(file.path());
    from->next();
    from->next();
    std::this_thread::sleep_for(std::chrono::milliseconds(turn));
    CHECK(in_child([&] {
            bool refused = false;
            try {
              from->next();
            } catch (const onefold::error& e) {
              refused = e.code() == onefold::error_code::invalid_argument && says(e.what(), "after fork(), open it");
            }
            from.reset();
            return refused;
          }) == "");
    std::int64_t n = from->count();
    for (std::span<const float> piece = from->next(); !piece.empty(); piece = from->next())
      n += static_cast<std::int64_t>(piece.size());
    CHECK(n == 8 << 20);
  }
}

#endif
