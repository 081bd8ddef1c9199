// Counts and indices beyond 2^31 and 2^32: one-byte elements, nearly all of them in pages that the system never fills.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"

namespace {

constexpr std::int64_t two31 = std::int64_t{1} << 31, most = 2 * two31 + 2;

/// Bytes that the system could give now, as /proc/meminfo says; 0 if it does not.
std::int64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string word;
  while (info >> word)
    if (word == "MemAvailable:") {
      std::int64_t kib = 0;
      info >> kib;
      return kib * 1024;
    }
  return 0;
}

/// Zero bytes; what is only read takes no memory but page tables.
class zeros {
 public:
  zeros() {
    void* p = mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    // Huge zero pages are read at cache speed and need a handful of page faults.
    madvise(p, most, MADV_HUGEPAGE);
    data_ = static_cast<std::uint8_t*>(p);
  }
  ~zeros() { munmap(data_, most); }
  zeros(const zeros&) = delete;
  zeros& operator=(const zeros&) = delete;
  std::uint8_t& operator[](std::int64_t i) { return data_[i]; }
  std::span<const std::uint8_t> first(std::int64_t n) const { return {data_, static_cast<std::size_t>(n)}; }
  std::span<const std::int8_t> signed_first(std::int64_t n) const {
    return {reinterpret_cast<const std::int8_t*>(data_), static_cast<std::size_t>(n)};
  }

 private:
  std::uint8_t* data_;
};

template <class Results>
bool are(const Results& results, std::initializer_list<std::int64_t> expected) {
  return std::ranges::equal(results, expected, {}, [](auto r) { return static_cast<std::int64_t>(r); });
}

/// Whether there is memory for the page tables, and for what is written.
bool is_enough_memory() {
  if (available_memory() >= std::int64_t{6} << 30) return true;
  support::skip("less than 6 GiB of memory are available");
  return false;
}

}  // namespace

TEST_CASE("arrays of 2^31 - 1, 2^31, 2^31 + 1 and 2^32 + 1 elements") {
  if (!is_enough_memory()) return;
  zeros x;
  const auto how = support::on_backend();
  for (const std::int64_t n : {two31 - 1, two31, two31 + 1, 2 * two31 + 1}) {
    INFO(n << " elements");
    x[1000] = 7;
    x[n - 2] = x[n - 1] = 200;  // -56 as a signed byte
    CHECK(onefold::count(x.first(n), how) == 3);
    CHECK(onefold::sum(x.first(n), how) == 407);
    CHECK(onefold::sum(x.signed_first(n), how) == 7 - 2 * 56);
    CHECK(onefold::max(x.first(n), how) == 200);
    CHECK(onefold::argmax(x.first(n), how) == n - 2);
    CHECK(onefold::argmin(x.signed_first(n), how) == n - 2);
    CHECK(onefold::mean(x.first(n), how) == 407 / static_cast<double>(n));
    x[n - 2] = x[n - 1] = 0;
    x[n - 1] = 1;
    CHECK(onefold::any(x.first(n - 1), how) == true);
    x[1000] = 0;
    CHECK(onefold::any(x.first(n), how) == true);
    CHECK(onefold::any(x.first(n - 1), how) == false);
    x[n - 1] = 0;
  }
}

TEST_CASE("axes and segments of more than 2^31 elements") {
  if (!is_enough_memory()) return;
  zeros x;
  const auto how = support::on_backend();
  x[5] = 1;
  x[two31] = 2;  // the last of the first row, where there are two
  x[two31 + 9] = 3;
  using view = onefold::array_view<std::uint8_t>;
  const std::uint8_t* const data = x.first(most).data();
  const view rows(data, {2, two31 + 1});
  CHECK(are(onefold::sum(rows, 1, how), {3, 3}));
  CHECK(are(onefold::argmax(rows, 1, how), {two31, 8}));
  CHECK(onefold::sum(rows, how) == 6);
  const view columns(data, {two31 + 1, 2});
  CHECK(are(onefold::sum(columns, 0, how), {2, 4}));
  CHECK(are(onefold::argmax(columns, 0, how), {two31 / 2, two31 / 2 + 4}));
  const view repeated(data + 5, {two31 + 1}, {0});
  CHECK(onefold::sum(repeated, how) == static_cast<std::uint64_t>(two31 + 1));
  const std::vector<std::int64_t> offsets{0, two31 - 1, two31 + 1, most};
  const auto parts = onefold::segments(x.first(most), offsets);
  CHECK(are(onefold::sum(parts, how), {1, 2, 3}));
  CHECK(are(onefold::argmax(parts, how), {5, 1, 8}));
}
