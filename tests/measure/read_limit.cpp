// The read limit is a positive rate, needs a row for each thread, and the loops read every byte.
#include "measure/read_limit.hpp"

#include <cstring>
#include <vector>

#include "measure/reader.hpp"
#include "support/catch.hpp"

using namespace onefold::measure;

TEST_CASE("the read limit of one and of more threads") {
  arena data(location::host, 1 << 20, 2);
  std::memset(data.first(), 1, 1 << 20);
  data.fill(data.first());
  effort how;
  how.seconds = 0.02;
  for (const int threads : {1, 2, 3}) {
    const auto limit = read_limit(data, threads, how);
    REQUIRE(limit);
    CHECK(*limit > 1e8);
    CHECK(*limit < 1e13);
  }
}

TEST_CASE("threads without a row have no limit, nor has what was stopped") {
  arena data(location::host, 1024, 1);
  std::memset(data.first(), 1, 1024);
  CHECK_FALSE(read_limit(data, 3, {}));
  const std::atomic<bool> stop = true;
  effort how;
  how.stop = &stop;
  CHECK_FALSE(read_limit(data, 2, how));
}

TEST_CASE("the loops read every part of the array") {
  const reader loops = widest_reader();
  constexpr std::size_t bytes = (5 << 16) + 1024;
  std::vector<char> array(bytes);
  for (const reading loop : {loops.forward, loops.side_by_side}) {
    CHECK(loop(array.data(), bytes) == 0);
    // The word is the OR of one word in each vector: of vectors of 16, 32 or 64 bytes, the first.
    for (std::size_t at = 0; at < bytes; at += 64) {
      array[at] = 1;
      CHECK(loop(array.data(), bytes) != 0);
      array[at] = 0;
    }
  }
}
