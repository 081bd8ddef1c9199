// An operation of its own on each backend that its arguments name.
#include <cstdio>
#include <string>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"

namespace {

/// The length of the longest run of equal elements: its order matters.
struct longest_run {
  struct traits : onefold::fold_traits {
    static constexpr bool commutative = false;
  };
  struct state {
    int first, last;          // the first and the last element
    long head, tail, length;  // the runs at both ends, and all elements
    long longest;
  };
  static constexpr state identity() { return {}; }
  static constexpr state lift(int x) { return {x, x, 1, 1, 1, 1}; }
  static constexpr state combine(const state& a, const state& b) {
    if (a.length == 0) return b;
    if (b.length == 0) return a;
    const bool joined = a.last == b.first;
    const long across = joined ? a.tail + b.head : 0;
    long longest = a.longest > b.longest ? a.longest : b.longest;
    if (across > longest) longest = across;
    return {a.first,
            b.last,
            joined && a.head == a.length ? a.length + b.head : a.head,
            joined && b.tail == b.length ? b.length + a.tail : b.tail,
            a.length + b.length,
            longest};
  }
  static constexpr long finish(const state& s) { return s.longest; }
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> data(200000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i % 7);
  for (std::size_t i = 70001; i < 90002; ++i) data[i] = 9;
  int wrong = argc < 2;
  for (int i = 1; i < argc; ++i) {
    const auto r =
        onefold::try_reduce<int, longest_run>(data, {.backend = onefold::parse_backend(argv[i]).value(), .threads = 2});
    std::printf("%s: %s\n", argv[i], r ? std::to_string(*r).c_str() : r.error().what());
    wrong += !r || *r != 20001;
  }
  return wrong ? 1 : 0;
}
