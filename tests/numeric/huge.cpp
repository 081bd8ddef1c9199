// Counts and indices beyond 2^31 and 2^32: one-byte elements, nearly all of them in pages that the system never fills.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <new>
#include <span>
#include <string>

#include "support/backend.hpp"
#include "support/catch.hpp"

namespace {

constexpr std::int64_t most = (std::int64_t{1} << 32) + 1;

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

}  // namespace

TEST_CASE("arrays of 2^31 - 1, 2^31, 2^31 + 1 and 2^32 + 1 elements") {
  constexpr std::int64_t enough = std::int64_t{6} << 30;
  if (available_memory() < enough) {
    support::skip("less than 6 GiB of memory are available");
    return;
  }
  zeros x;
  const auto how = support::on_backend();
  constexpr std::int64_t two31 = std::int64_t{1} << 31;
  for (const std::int64_t n : {two31 - 1, two31, two31 + 1, most}) {
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
