// The arrays that the benchmarks reduce: pseudo-random numbers, with their sum and maximum as a check.
#include "data.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "contender.hpp"

namespace bench {
namespace {

struct aligned_delete {
  void operator()(void* p) const { ::operator delete (p, std::align_val_t{64}); }
};
using memory = std::unique_ptr<void, aligned_delete>;

// Marsaglia 2003, xorshift64.
std::uint64_t next(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// Random bits, but never an infinity or NaN.
template <class T>
T any_finite(std::uint64_t bits) {
  using integer = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const T x = std::bit_cast<T>(static_cast<integer>(bits));
  return std::isfinite(x) ? x : T{1};
}

template <class T>
T value(std::uint64_t bits) {
  [[maybe_unused]] const double number = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63;
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(number);
  else if constexpr (std::is_class_v<T>)  // f16, bf16
    return T(static_cast<float>(number));
  else if constexpr (sizeof(T) == 8)
    return static_cast<T>(bits) >> 31;
  else if constexpr (sizeof(T) == 4)
    return static_cast<T>(bits >> 32) >> 3;  // std::reduce adds four of them in an int
  else
    return static_cast<T>(bits >> (64 - 8 * sizeof(T)));
}

template <class T>
sample filled(void* at, std::int64_t bytes, [[maybe_unused]] values kind) {
  T* p = static_cast<T*>(at);
  sample s{at, 0, 0, -std::numeric_limits<double>::infinity()};
  std::uint64_t state = 0x9e3779b97f4a7c15;
  for (std::int64_t i = 0; i < bytes / static_cast<std::int64_t>(sizeof(T)); ++i) {
    p[i] = value<T>(next(state));
    if constexpr (std::is_floating_point_v<T>)
      p[i] = kind == values::hostile ? any_finite<T>(state) : kind == values::positive ? std::abs(p[i]) : p[i];
    double x;
    if constexpr (std::is_class_v<T>)
      x = static_cast<float>(p[i]);
    else
      x = static_cast<double>(p[i]);
    s.sum += x;
    s.magnitude += std::abs(x);
    if (x > s.max) s.max = x;
  }
  return s;
}

template <class... Ts>
sample filled_as(const std::string& type, void* at, std::int64_t bytes, values kind) {
  sample s{};
  if (!((type == type_name<Ts> && (s = filled<Ts>(at, bytes, kind), true)) || ...))
    throw std::invalid_argument("no element type " + type);
  return s;
}

}  // namespace

std::int64_t element_size(const std::string& type) {
  return std::stoi(type.substr(type.find_first_of("0123456789"))) / 8;
}

const sample& sample_of(const std::string& type, std::int64_t bytes, values kind) {
  static std::string kept_type;
  static std::int64_t kept_bytes = 0;
  static values kept_kind = values::usual;
  static memory kept;
  static sample s{};
  if (type != kept_type || bytes != kept_bytes || kind != kept_kind) {
    kept.reset();
    kept.reset(::operator new (static_cast<std::size_t>(bytes), std::align_val_t{64}));
    s = filled_as<float, double, onefold::f16, onefold::bf16, std::int8_t, std::int16_t, std::int32_t, std::int64_t>(
        type, kept.get(), bytes, kind);
    kept_type = type;
    kept_bytes = bytes;
    kept_kind = kind;
  }
  return s;
}

}  // namespace bench
