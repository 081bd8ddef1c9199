// Fuzzes exact sums of arrays of many pages: lanes, windows, bins and single elements have the sums, to the bit, of one
// element after the other, wherever an array is cut.
//
// The input is a small program: its first byte is the element type, each twelve bytes more are a run of elements whose
// bit patterns go up by a stride: equal ones, ramps of exponents, alternating signs, anything.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "onefold/detail/exact/power_adder.hpp"

namespace {

using namespace onefold::detail;

/// With so many elements no run begins any more: 16 pages of f64, in which lanes are tried and left several times.
constexpr std::size_t enough = std::size_t{1} << 15;

/// One run of the program.
struct run {
  static constexpr std::size_t size = 12;
  std::size_t count, period;
  bool cuts;  ///< whether the array that is added at once ends behind it
  std::uint64_t first, stride;

  explicit run(const std::uint8_t* p)
      : count(std::max(std::size_t{1} << (p[0] & 15), std::size_t{4}) + (p[1] & 7) - 3),
        period(std::size_t{1} << (p[0] >> 4)),
        cuts((p[1] & 8) != 0),
        first(0),
        stride(static_cast<std::uint64_t>(static_cast<std::int8_t>(p[3])) << (p[2] & 63)) {
    std::memcpy(&first, p + 4, sizeof first);
  }
  /// The bits of element i, of which a type takes the highest.
  std::uint64_t bits(std::size_t i) const { return first + i % period * stride; }
};

template <class T>
T element_of(std::uint64_t bits) {
  bits >>= 64 - 8 * sizeof(T);
  T x;
  std::memcpy(static_cast<void*>(&x), &bits, sizeof x);
  return x;
}

/// Equal sums have equal limbs once their carries are done.
template <int Limbs, int LowBit>
void require_same(long_integer<Limbs, LowBit> a, long_integer<Limbs, LowBit> b) {
  carry(a);
  carry(b);
  if (a.special != b.special) std::abort();
  // Beside an infinity or NaN the rest does not matter.
  if (a.special == 0 && std::memcmp(a.limb, b.limb, sizeof a.limb) != 0) std::abort();
}

template <class T>
void check(const std::uint8_t* data, std::size_t size) {
  power_sums one_by_one{}, arrays{};
  superaccumulator sum{};
  exact_adder<T> adder(sum);
  power_adder<T> powers(arrays);
  std::vector<T> x;
  std::size_t elements = 0;
  const auto add_array = [&] {
    // Of its own size, so that the sanitizer sees a byte that is read behind it.
    const std::vector<T> exactly(x.begin(), x.end());
    adder.add(exactly.data(), static_cast<std::int64_t>(exactly.size()));
    powers.add(exactly.data(), static_cast<std::int64_t>(exactly.size()));
    x.clear();
  };
  for (; size >= run::size && elements < enough; data += run::size, size -= run::size) {
    const run r(data);
    elements += r.count;
    for (std::size_t i = 0; i < r.count; ++i) {
      x.push_back(element_of<T>(r.bits(i)));
      add_powers(one_by_one, x.back());
    }
    if (r.cuts) add_array();
  }
  add_array();
  adder.finish();
  powers.finish();
  require_same(sum, one_by_one.sum);
  require_same(arrays.sum, one_by_one.sum);
  require_same(arrays.squares, one_by_one.squares);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  switch (data[0] % 4) {
    case 0:
      check<float>(data + 1, size - 1);
      break;
    case 1:
      check<double>(data + 1, size - 1);
      break;
    case 2:
      check<onefold::f16>(data + 1, size - 1);
      break;
    default:
      check<onefold::bf16>(data + 1, size - 1);
  }
  return 0;
}
