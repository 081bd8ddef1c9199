// ONEFOLD_UNROLL: the host compiler's word on unrolling a loop, which nvcc does not know.
#pragma once

#ifdef __CUDACC__
#define ONEFOLD_UNROLL(n)
#else
#define ONEFOLD_UNROLL_TEXT(x) _Pragma(#x)
#define ONEFOLD_UNROLL(n) ONEFOLD_UNROLL_TEXT(GCC unroll n)
#endif
