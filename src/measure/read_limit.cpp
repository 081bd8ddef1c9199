// A team of threads that read between two barriers; the caller is one of them and has the clock.
#include "measure/read_limit.hpp"

#include <algorithm>
#include <barrier>
#include <system_error>
#include <thread>
#include <vector>

#include "measure/reader.hpp"

namespace onefold::measure {
namespace {

constexpr std::int64_t row = 512;

class reading_team {
 public:
  reading_team(arena& data, int threads, reading loop) : data_(data), loop_(loop), size_(threads), gate_(threads) {
    try {
      for (int i = 1; i < threads; ++i)
        workers_.emplace_back([this, i] {
          while (true) {
            gate_.arrive_and_wait();
            if (copies_.empty()) return;
            read_part(i);
            gate_.arrive_and_wait();
          }
        });
    } catch (...) {  // the workers that there are end at the gate
      for (auto missing = static_cast<std::size_t>(threads); missing > workers_.size() + 1; --missing)
        gate_.arrive_and_drop();
      gate_.arrive_and_wait();
      throw;
    }
  }
  ~reading_team() {
    copies_.clear();
    gate_.arrive_and_wait();
  }
  reading_team(const reading_team&) = delete;
  reading_team& operator=(const reading_team&) = delete;

  /// Reads as many copies as there are calls.
  void read(std::int64_t calls) {
    copies_.clear();
    for (std::int64_t i = 0; i < calls; ++i) copies_.push_back(reinterpret_cast<const char*>(data_.next()));
    gate_.arrive_and_wait();
    read_part(0);
    gate_.arrive_and_wait();
  }

 private:
  void read_part(std::int64_t part) {
    const std::int64_t rows = data_.bytes() / row;
    const std::int64_t first = rows * part / size_ * row, last = rows * (part + 1) / size_ * row;
    std::uint64_t word = 0;
    for (const char* copy : copies_) word |= loop_(copy + first, last - first);
    // The compiler must not find out that the result is unused.
    asm volatile("" : : "r"(word) : "memory");
  }

  arena& data_;
  reading loop_;
  std::int64_t size_;
  std::vector<const char*> copies_;
  std::barrier<> gate_;
  std::vector<std::jthread> workers_;  // last: they use what is above
};

}  // namespace

std::optional<double> read_limit(arena& data, int threads, const effort& how) {
  if (data.bytes() / row < threads) return std::nullopt;
  const reader loops = widest_reader();
  effort each = how;
  each.seconds /= 2;
  each.least_sample = std::max(how.least_sample, threads > 1 ? 2e-3 : 0);  // barriers take microseconds
  const std::int64_t whole = data.bytes() / row * row;
  double best = 0;
  try {
    for (const reading loop : {loops.forward, loops.side_by_side}) {
      reading_team team(data, threads, loop);
      const std::optional<summary> times = sample(each, [&](std::int64_t calls) { team.read(calls); });
      if (!times) return std::nullopt;
      best = std::max(best, static_cast<double>(whole) / times->minimum);
    }
  } catch (const std::system_error&) {
    return std::nullopt;  // the system does not start that many threads
  }
  return best;
}

}  // namespace onefold::measure
