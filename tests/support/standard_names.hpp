// What the headers for operations as text on GPUs have of the standard library: a file that every compiler takes, and
// that says the same there. The C++ compiler compiles it with its own headers, NVRTC with onefold's.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace standard_names {

template <class T>
constexpr bool has_limits(T least, T most, int digits) {
  using of = std::numeric_limits<T>;
  return of::is_specialized && of::min() == least && of::lowest() == least && of::max() == most &&
         of::digits == digits && of::is_integer && !of::has_infinity && of::is_signed == (least < 0);
}
static_assert(has_limits<std::int8_t>(-128, 127, 7) && has_limits<std::uint8_t>(0, 255, 8));
static_assert(has_limits<std::int16_t>(-32768, 32767, 15) && has_limits<std::uint16_t>(0, 65535, 16));
static_assert(has_limits<std::int32_t>(INT32_MIN, INT32_MAX, 31) && has_limits<std::uint32_t>(0, UINT32_MAX, 32));
static_assert(has_limits<std::int64_t>(INT64_MIN, INT64_MAX, 63) && has_limits<std::uint64_t>(0, UINT64_MAX, 64));
static_assert(has_limits<char>(-128, 127, 7) && has_limits<long long>(INT64_MIN, INT64_MAX, 63));

using f32 = std::numeric_limits<float>;
static_assert(f32::max() == 0x1.fffffep127f && f32::lowest() == -f32::max() && f32::min() == 0x1p-126f);
static_assert(f32::epsilon() == 0x1p-23f && f32::denorm_min() == 0x1p-149f && f32::digits == 24);
static_assert(std::bit_cast<std::uint32_t>(f32::infinity()) == 0x7f800000u);
static_assert(std::bit_cast<std::uint32_t>(f32::quiet_NaN()) == 0x7fc00000u);
using f64 = std::numeric_limits<double>;
static_assert(f64::max() == 0x1.fffffffffffffp1023 && f64::lowest() == -f64::max() && f64::min() == 0x1p-1022);
static_assert(f64::epsilon() == 0x1p-52 && f64::denorm_min() == 0x1p-1074 && f64::digits == 53);
static_assert(std::bit_cast<std::uint64_t>(f64::infinity()) == 0x7ff0000000000000u);
static_assert(std::bit_cast<std::uint64_t>(f64::quiet_NaN()) == 0x7ff8000000000000u);
static_assert(std::bit_cast<std::uint32_t>(INFINITY) == 0x7f800000u);

static_assert(std::is_same_v<decltype(std::abs(std::int8_t{1})), int>);
static_assert(std::is_same_v<decltype(std::abs(std::int16_t{1})), int>);
static_assert(std::is_same_v<decltype(std::abs(1.0f)), float> && std::is_same_v<decltype(std::abs(1.0)), double>);
static_assert(std::is_same_v<decltype(std::sqrt(1.0f)), float> && std::is_same_v<decltype(std::floor(1.0)), double>);
static_assert(std::is_same_v<decltype(std::fma(1.0f, 1.0f, 1.0f)), float>);

enum plain { one };
enum class scoped : unsigned char { two };
struct counted {
  int operator%(counted) const { return 0; }
};
static_assert(std::is_integral_v<const int> && std::is_integral_v<bool> && std::is_integral_v<char>);
static_assert(!std::is_integral_v<plain> && !std::is_integral_v<counted> && !std::is_integral_v<float>);
static_assert(!std::is_integral_v<int&> && std::is_enum_v<plain> && std::is_class_v<counted>);
static_assert(std::is_floating_point_v<const double> && !std::is_floating_point_v<int>);
static_assert(std::is_arithmetic_v<float> && std::is_signed_v<float> && std::is_unsigned_v<bool>);
static_assert(std::is_same_v<std::underlying_type_t<scoped>, unsigned char>);
static_assert(std::is_same_v<std::make_unsigned_t<std::int16_t>, std::uint16_t>);
static_assert(std::is_same_v<std::remove_cvref_t<const int&>, int> && std::is_same_v<std::remove_cv_t<const int>, int>);
static_assert(std::is_same_v<std::conditional_t<true, int, char>, int> && std::is_same<int, int>::value);

static_assert(std::popcount(0xf0u) == 4 && std::countl_zero(1u) == 31 && std::countr_zero(8u) == 3);
static_assert(std::countl_zero(std::uint8_t{0}) == 8 && std::countr_zero(std::uint16_t{0}) == 16);
static_assert(std::bit_width(9u) == 4 && std::bit_floor(9u) == 8 && std::bit_ceil(9u) == 16);
static_assert(std::bit_ceil(0u) == 1 && std::bit_floor(0u) == 0 && std::has_single_bit(64u));

static_assert(std::min(2, 1) == 1 && std::max(2, 1) == 2 && std::clamp(5, 1, 3) == 3);
static_assert(std::min({3, 1, 2}) == 1 && std::max({3, 1, 2}) == 3);
static_assert(std::bit_cast<std::uint32_t>(std::max(-0.0f, 0.0f)) == 0x80000000u);

constexpr int changed() {
  std::pair<int, int> p;
  const bool zero = p.first == 0 && p.second == 0;
  std::pair q{1, 2};
  std::swap(q.first, q.second);
  const int before = std::exchange(q.first, std::move(std::forward<int>(7)));
  std::array<int, 3> a{1, 2, 3};
  int sum = 0;
  for (const int x : a) sum += x;
  return zero && before == 2 && q.first == 7 && q.second == 1 && sum == 6 && a.size() == 3 ? 1 : 0;
}
static_assert(changed() == 1);
static_assert(sizeof(std::size_t) == 8 && sizeof(std::ptrdiff_t) == 8 && sizeof(uint16_t) == 2);
static_assert(static_cast<int>(std::byte{3}) == 3);

}  // namespace standard_names
