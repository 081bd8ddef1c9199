// log, exp and sine with the same bits on every machine.
//
// Those of the C library differ in their last bits between systems and versions. These are made of the operations that
// IEEE 754 fixes to the last bit (+ - * /) and of powers of two; they are good to about 1e-15, which is all that random
// numbers and series need.
#pragma once

namespace onefold::data {

/// The natural logarithm of a positive normal number.
double log_of(double x);

/// e^x for |x| < 700.
double exp_of(double x);

/// sin(2 pi x) for x in [0, 4): the argument in turns, so that it is reduced exactly.
double sine_of_turns(double x);

}  // namespace onefold::data
