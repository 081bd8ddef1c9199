// Names of g++ and clang++ that NVRTC does not have.
#pragma once

namespace std {

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;

}  // namespace std

#define __is_same(...) ::std::is_same_v<__VA_ARGS__>
#define __builtin_inff() __builtin_bit_cast(float, 0x7f800000u)
#define __builtin_inf() __builtin_bit_cast(double, 0x7ff0000000000000ull)
#define __builtin_huge_valf() __builtin_inff()
#define __builtin_huge_val() __builtin_inf()
#define __builtin_nanf(text) __builtin_bit_cast(float, 0x7fc00000u)
#define __builtin_nan(text) __builtin_bit_cast(double, 0x7ff8000000000000ull)
#define __builtin_memcpy(to, from, bytes) memcpy(to, from, bytes)
