// Refuses compiler flags that reorder the operations of a fold, and keeps products and sums apart.
#pragma once

#ifdef __FAST_MATH__
#error \
    "onefold: -ffast-math (or -Ofast) reorders and drops the operations that a fold is made of; compile this file without it (catalogue operations, from <onefold/onefold.hpp>, may be called from fast-math code)"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
