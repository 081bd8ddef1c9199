// The bytes of an exact sum, format version 2. docs/accuracy.md describes them.
//
//   0   4  the letters 1fxs
//   4   1  the version, 2
//   5   1  what was not finite: 1 +inf, 2 -inf, 4 NaN, or a sum of them
//   6   1  the element type: 0 f32, 1 f64, 2 f16, 3 bf16
//   7   1  zero
//   8   8  the number of elements
//   16 280 the sum of the finite elements in units of 2^-1074: an integer in two's complement
//   296 4  the CRC-32C of all bytes before
//
// All integers with their lowest byte first. Equal sums of equally many elements of a type have equal bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "onefold/detail/exact/crc32c.hpp"
#include "onefold/detail/exact/superaccumulator.hpp"
#include "onefold/detail/format.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

inline constexpr std::size_t serialized_header = 16;
inline constexpr std::size_t serialized_check = serialized_header + 4 * superaccumulator::limbs;
inline constexpr std::size_t serialized_size = serialized_check + 4;
inline constexpr int serialized_version = 2;

/// What the bytes hold.
struct stored_sum {
  superaccumulator sum{};
  std::int64_t count = 0;
  dtype element = dtype::f64;
};

inline namespace ONEFOLD_LEVEL {

inline constexpr unsigned char serialized_start[] = {'1', 'f', 'x', 's'};

/// Writes `bytes` bytes of x, the lowest first.
constexpr void write_bytes(std::byte* p, std::uint64_t x, int bytes) {
  for (int i = 0; i < bytes; ++i) p[i] = static_cast<std::byte>(x >> (8 * i));
}
constexpr std::uint64_t read_bytes(const std::byte* p, int bytes) {
  std::uint64_t x = 0;
  for (int i = 0; i < bytes; ++i) x |= static_cast<std::uint64_t>(p[i]) << (8 * i);
  return x;
}

/// Writes the check sum of what comes before it.
constexpr void seal(std::array<std::byte, serialized_size>& bytes) {
  write_bytes(&bytes[serialized_check], crc32c(bytes.data(), serialized_check), 4);
}

constexpr std::array<std::byte, serialized_size> serialize(stored_sum s) {
  carry(s.sum);
  std::array<std::byte, serialized_size> bytes{};
  for (std::size_t i = 0; i < sizeof serialized_start; ++i) bytes[i] = static_cast<std::byte>(serialized_start[i]);
  bytes[4] = static_cast<std::byte>(serialized_version);
  bytes[5] = static_cast<std::byte>(s.sum.special);
  bytes[6] = static_cast<std::byte>(s.element);
  write_bytes(&bytes[8], static_cast<std::uint64_t>(s.count), 8);
  for (std::size_t i = 0; i < superaccumulator::limbs; ++i)
    write_bytes(&bytes[serialized_header + 4 * i], static_cast<std::uint64_t>(s.sum.limb[i]), 4);
  seal(bytes);
  return bytes;
}

/// The bits that a finite element can set: bit 0 is 2^superaccumulator::low_bit.
struct element_bits {
  int lowest, end;

  template <class T>
  static constexpr element_bits of() {
    return {format_of<T>::lowest - superaccumulator::low_bit, format_of<T>::bias + 1 - superaccumulator::low_bit};
  }
  static constexpr element_bits of(dtype element) {
    return element == dtype::f32   ? of<float>()
           : element == dtype::f64 ? of<double>()
           : element == dtype::f16 ? of<f16>()
                                   : of<bf16>();
  }
};

/// Whether `count` elements of the type can have the sum, whose limbs are carried: it is a multiple of the smallest
/// element, and less than as many of the power of two above the largest as there are finite elements.
constexpr bool is_plausible(const stored_sum& s) {
  int not_finite = 0;
  for (std::uint32_t bit = 1; bit <= not_a_number; bit *= 2) not_finite += (s.sum.special & bit) != 0;
  if (s.count < not_finite) return false;

  constexpr int limbs = superaccumulator::limbs;
  const bool negative = s.sum.limb[limbs - 1] < 0;
  std::uint64_t magnitude[limbs]{}, over = 1;
  for (int i = 0; i < limbs; ++i) {
    const std::uint64_t digit = static_cast<std::uint64_t>(s.sum.limb[i]) & low_word;
    const std::uint64_t inverse = (digit ^ low_word) + over;
    magnitude[i] = negative ? inverse & low_word : digit;
    over = inverse >> 32;
  }

  const element_bits bits = element_bits::of(s.element);
  bool has_lower = magnitude[bits.lowest / 32] & ((std::uint64_t{1} << bits.lowest % 32) - 1);
  for (int i = 0; i < bits.lowest / 32; ++i) has_lower = has_lower || magnitude[i] != 0;
  if (has_lower) return false;

  // The quotient by 2^bits.end, which must stay below 2^63.
  std::uint64_t quotient = 0;
  for (int i = limbs - 1; i > bits.end / 32; --i) {
    if (quotient >> 31) return false;
    quotient = quotient << 32 | magnitude[i];
  }
  if (quotient >> (31 + bits.end % 32)) return false;
  quotient = quotient << (32 - bits.end % 32) | magnitude[bits.end / 32] >> bits.end % 32;

  const auto finite = static_cast<std::uint64_t>(s.count - not_finite);
  bool is_zero = true;
  for (const std::uint64_t digit : magnitude) is_zero = is_zero && digit == 0;
  return is_zero || quotient < finite;
}

/// Reads the bytes into s. Returns what is wrong with them, or an empty text; then serialize(s) writes the same bytes.
inline std::string deserialize(const std::byte* p, std::size_t size, stored_sum& s) {
  constexpr std::size_t start = sizeof serialized_start;
  for (std::size_t i = 0; i < start && i < size; ++i)
    if (p[i] != static_cast<std::byte>(serialized_start[i])) return "they do not begin with 1fxs";
  if (size > start && p[start] != static_cast<std::byte>(serialized_version))
    return "their format is version " + std::to_string(static_cast<int>(p[start])) + "; this library reads version " +
           std::to_string(serialized_version);
  if (size != serialized_size)
    return "they are " + std::to_string(size) + " bytes, expected " + std::to_string(serialized_size);
  if (read_bytes(p + serialized_check, 4) != crc32c(p, serialized_check))
    return "their checksum does not match: a byte has changed since they were written";
  const auto special = static_cast<std::uint32_t>(p[5]);
  const auto element = static_cast<dtype>(p[6]);
  const std::uint64_t count = read_bytes(p + 8, 8);
  if (special > 7 || element > dtype::bf16 || p[7] != std::byte{} || count >> 63)
    return "their header holds a value that is never written";
  s = {};
  s.sum.special = special;
  s.count = static_cast<std::int64_t>(count);
  s.element = element;
  for (std::size_t i = 0; i < superaccumulator::limbs; ++i)
    s.sum.limb[i] = static_cast<std::int64_t>(read_bytes(p + serialized_header + 4 * i, 4));
  std::int64_t& highest = s.sum.limb[superaccumulator::limbs - 1];
  highest = static_cast<std::int32_t>(static_cast<std::uint32_t>(highest));
  if (!is_plausible(s))
    return "no " + std::to_string(count) + " elements of " + name_of(element) + " have the sum that they hold";
  return {};
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
