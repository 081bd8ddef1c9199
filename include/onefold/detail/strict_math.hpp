// Refuses compiler flags that reorder the operations of a fold, and keeps products and sums apart.
#pragma once

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error \
    "onefold: -ffast-math (or -Ofast, or a flag that is part of it) reorders and drops the operations that a fold is made of; compile this file without it (catalog operations, from <onefold/onefold.hpp>, may be called from fast-math code)"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
