// Input is only read, and only where it is: read-only pages with unmapped pages on both sides.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/entries.hpp"
#include "support/instrumented.hpp"
#include "support/result_bits.hpp"

namespace {

/// Memory between two pages that must not be touched.
class guarded_memory {
 public:
  guarded_memory(std::size_t bytes, int byte) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    size_ = (bytes + page_ - 1) / page_ * page_;
    void* p = mmap(nullptr, size_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    all_ = static_cast<char*>(p);
    protect(PROT_READ | PROT_WRITE);
    std::memset(begin(), byte, size_);
    protect(PROT_READ);
  }
  ~guarded_memory() { munmap(all_, size_ + 2 * page_); }
  guarded_memory(const guarded_memory&) = delete;
  guarded_memory& operator=(const guarded_memory&) = delete;
  char* begin() const { return all_ + page_; }
  char* end() const { return begin() + size_; }

 private:
  void protect(int how) const {
    if (mprotect(begin(), size_, how) != 0) throw std::bad_alloc();
  }
  std::size_t page_, size_;
  char* all_;
};

/// Reduces n elements at both ends of the memory: a read beyond them, or a write, ends the program.
template <class Op, class T>
void touch(const guarded_memory& m, std::int64_t n, const onefold::options& how) {
  const T* first = reinterpret_cast<const T*>(m.begin());
  const T* last = reinterpret_cast<const T*>(m.end()) - n;
  CHECK(support::run<Op>(first, n, how) == support::run<Op>(last, n, how));
}

}  // namespace

TEST_CASE("no byte before or behind the input is read, and none of it is written") {
  // Large: such arrays are walked in another way. Zeros: of them exact sums of 64-bit integers have a result.
  // A sanitizer is slow and looks for the same: every size up to a few rows is for the others.
  constexpr std::int64_t dense = support::sanitized ? 10 : 70;
  const guarded_memory small(5 * 16384, 1), large(20 << 20, 1), small_zeros(5 * 16384, 0), large_zeros(20 << 20, 0);
  support::for_each_entry_and_accuracy([&]<class Op, class T, onefold::accuracy A>() {
    INFO((support::entry_name<Op, T>(A)));
    constexpr bool of_zeros = A == onefold::accuracy::exact && std::is_integral_v<T> && sizeof(T) == 8;
    const guarded_memory &few = of_zeros ? small_zeros : small, &many = of_zeros ? large_zeros : large;
    constexpr std::int64_t lanes = 512 / sizeof(T), page = 32 * lanes;
    for (const auto level : support::levels_under_test()) {
      auto how = support::on_backend(A, 2);
      how.isa = level;
      for (std::int64_t n = 1; n <= lanes + 2; n += n < dense ? 1 : 7) touch<Op, T>(few, n, how);
      for (const auto n : {8 * lanes - 1, 9 * lanes + lanes / 2, page - 1, page, page + 1, 4 * page + 3, 5 * page})
        touch<Op, T>(few, n, how);
    }
    if constexpr (sizeof(T) >= 4)
      touch<Op, T>(many, (20 << 20) / static_cast<std::int64_t>(sizeof(T)) - 1, support::on_backend(A, 2));
  });
}
