// Copies of an array: their number, their places and their content.
#include "measure/arena.hpp"

#include <cstring>
#include <set>
#include <vector>

#include "measure/machine.hpp"
#include "onefold/backend.hpp"
#include "support/catch.hpp"

using namespace onefold::measure;

TEST_CASE("copies are twice the cache, as far as there is room, and never none") {
  constexpr std::int64_t mega = 1 << 20;
  CHECK(copies_beyond(32 * mega, mega, 1024 * mega) == 64);
  CHECK(copies_beyond(32 * mega, 4, 1024 * mega) == 64 * mega / 4096);
  CHECK(copies_beyond(32 * mega, 30 * mega, 1024 * mega) == 3);
  CHECK(copies_beyond(32 * mega, 64 * mega, 1024 * mega) == 1);
  CHECK(copies_beyond(32 * mega, mega, 10 * mega) == 10);
  CHECK(copies_beyond(32 * mega, 30 * mega, mega) == 1);
}

TEST_CASE("an arena hands out its copies in turn, and each is the array") {
  std::vector<unsigned char> array(5000);
  for (std::size_t i = 0; i < array.size(); ++i) array[i] = static_cast<unsigned char>(i * 7);
  arena made(location::host, 5000, 3);
  made.fill(array.data());
  std::set<const void*> seen;
  const void* first = made.next();
  for (const std::byte* p : {static_cast<std::byte*>(const_cast<void*>(first)), made.next(), made.next()}) {
    CHECK(std::memcmp(p, array.data(), array.size()) == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(p) % 4096 == 0);
    seen.insert(p);
  }
  CHECK(seen.size() == 3);
  CHECK(made.next() == first);
}

TEST_CASE("an arena is filled from its own first copy") {
  arena made(location::host, 8, 2);
  std::memcpy(made.first(), "onefold", 8);
  made.fill(made.first());
  for (int i = 0; i < 2; ++i) CHECK(std::memcmp(made.next(), "onefold", 8) == 0);
}

TEST_CASE("without an accelerator its memory is refused with a reason") {
  if (measurable_accelerator()) return;
  for (const location where : {location::pinned, location::device}) try {
      const arena none(where, 8, 1);
      FAIL("there is such memory");
    } catch (const onefold::error& e) {
      CHECK(e.code() == onefold::error_code::backend_unavailable);
    }
}

TEST_CASE("the machine has memory") { CHECK(available_memory() > 1 << 20); }
