// One number from text, correctly rounded, or the reason why it is none.
#pragma once

#include <string_view>

#include "onefold/types.hpp"

namespace onefold::cli {

/// What a token turned out to be.
enum class parsed : unsigned char {
  number,           ///< a number of the type
  not_a_number,     ///< something else
  out_of_range,     ///< a number that the type cannot hold
  rounded_integer,  ///< an integer that the type holds as another number only; parse_number does not say so
};

/// Reads all of `token` as a T: decimal, hexadecimal with 0x (floats with p exponents), and for floats inf, infinity
/// and nan in any case. A finite number that would round to infinity is out of range; one too small rounds to zero or
/// a subnormal. Integers have no fraction and no exponent.
template <class T>
parsed parse_number(std::string_view token, T& value);

/// Whether an integer that was read as `value` can have been another one.
template <class T>
bool may_be_rounded(T value);

/// Whether `token`, which parse_number reads as `value`, is an integer that T cannot hold: `value` is another number.
/// False where a fraction or an exponent says that the number may be rounded.
template <class T>
bool is_rounded_integer(std::string_view token, T value);

/// The number at the start of [first, last), if it is in its most common form and ends where `ends` says true or at
/// `last`: null if it is not, else after it. Accepts neither what parse_number refuses nor rounded integers.
template <class T, class Ends>
const char* parse_common(const char* first, const char* last, T& value, Ends ends);

}  // namespace onefold::cli

#include "input/number_common.hpp"
