// The pool of the backend threads, by itself: every piece once, a team for each caller, threads that cannot be started.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

#include "dispatch/startable.hpp"
#include "onefold/backend.hpp"
#include "support/catch.hpp"
#include "support/instrumented.hpp"

extern "C" const onefold::scheduler* ONEFOLD_BACKEND_FUNCTION(threads)();

namespace {

const onefold::scheduler& pool = *ONEFOLD_BACKEND_FUNCTION(threads)();

/// Runs the pieces; f(piece) is called for each.
template <class F>
void run(int threads, int pieces, F f) {
  void* const handle = pool.open(threads);
  pool.run(
      handle, pieces, [](void* context, int piece) { (*static_cast<F*>(context))(piece); }, &f);
  pool.close(handle);
}

/// Whether a call does every piece once.
bool each_once(int threads, int pieces) {
  std::vector<int> done(static_cast<std::size_t>(pieces));  // one piece is one thread's: no atomics
  run(threads, pieces, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
  return done == std::vector<int>(done.size(), 1);
}

/// Whether as many threads as `wanted` are inside pieces at once, before some seconds have passed.
bool meet(std::atomic<int>& inside, int wanted) {
  ++inside;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (inside < wanted && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  return inside >= wanted;
}

/// How many threads of a call of `threads` meet.
bool all_take_part(int threads) {
  std::atomic<int> inside = 0, missed = 0;
  run(threads, threads, [&](int) { missed += meet(inside, threads) ? 0 : 1; });
  return missed == 0;
}

long threads_of_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

}  // namespace

#if !ONEFOLD_TEST_SANITIZED
// The first: the pool has no threads yet.
TEST_CASE("threads that cannot be started are done without") {
  dispatch::startable = 0;
  CHECK(each_once(4, 9));
  dispatch::startable = 1;
  CHECK(each_once(4, 9));
  CHECK(all_take_part(2));  // the one that could be started is there
  dispatch::startable = 1 << 20;
  CHECK(all_take_part(4));  // and so are the others, now that they can be
}
#endif

TEST_CASE("as many threads take part as are asked for, and no more are started") {
  CHECK(pool.threads(7) == 7);
  CHECK(pool.threads(0) >= 1);
  CHECK(all_take_part(5));
  const long before = threads_of_process();
  for (int i = 0; i < 200; ++i) CHECK(each_once(1 + i % 5, 1 + i % 11));
  CHECK(threads_of_process() == before);
}

TEST_CASE("callers at once have a team each") {
  std::atomic<int> inside = 0, missed = 0;
  std::vector<std::jthread> callers;
  for (int i = 0; i < 3; ++i) callers.emplace_back([&] { run(2, 2, [&](int) { missed += meet(inside, 6) ? 0 : 1; }); });
  callers.clear();
  CHECK(missed == 0);
}

TEST_CASE("calls from many threads, and from pieces, do every piece once") {
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> callers;
  for (int caller = 0; caller < 6; ++caller)
    callers.emplace_back([&, caller] {
      for (int i = 0; i < 500; ++i) {
        wrong += each_once(1 + (caller + i) % 9, 1 + (7 * i + caller) % 23) ? 0 : 1;
        if (i % 25 == 0)
          run(3, 5, [&](int piece) {
            if (piece % 2 == 0) wrong += each_once(3, 7) ? 0 : 1;
          });
        // So that some find the pool asleep.
        if (i % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  callers.clear();
  CHECK(wrong == 0);
}
