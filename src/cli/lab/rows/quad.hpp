// Numbers of 113 bits with the exponents of f128: the arithmetic of the reference of row operations.
//
// The C library has their functions (x86-64: expf128 and its kin; AArch64: long double is this type), so nothing is
// added for them. glibc documents errors of at most 2 ulps; + - * / and sqrt are correctly rounded.
#pragma once

#include <cmath>
#include <limits>

namespace onefold::cli {

#if __LDBL_MANT_DIG__ == 113
using quad = long double;
inline quad quad_exp(quad x) { return std::exp(x); }
inline quad quad_log1p(quad x) { return std::log1p(x); }
inline quad quad_sqrt(quad x) { return std::sqrt(x); }
#else
__extension__ using quad = __float128;
// By other names: headers declare these for some compilers only, and for a type that others lack.
extern "C" {
quad quad_exp(quad x) __asm__("expf128");
quad quad_log1p(quad x) __asm__("log1pf128");
quad quad_sqrt(quad x) __asm__("sqrtf128");
}
#endif

/// |x|.
inline quad size_of_quad(quad x) { return x < 0 ? -x : x; }

inline bool is_nan(quad x) { return x != x; }
inline bool is_finite(quad x) { return x - x == 0; }

inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace onefold::cli
