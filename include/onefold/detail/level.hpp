// The inline namespace of everything that folds: one per instruction-set level.
//
// The same headers are compiled once per level into one library, and in users' files with whatever -march they chose.
// What the compiler may use is part of every symbol's name, so that the linker never merges a function of one level
// with the same function of another.
#pragma once

#ifndef ONEFOLD_LEVEL

// ONEFOLD_ENABLED(macro): 1 where the compiler defines the macro as 1, else 0. A defined one turns into the name of
// ONEFOLD_COMMA_1, whose comma moves the 1 to the second place.
#define ONEFOLD_COMMA_1 0,
#define ONEFOLD_SECOND(first, second, ...) second
#define ONEFOLD_SECOND_OF(maybe_comma) ONEFOLD_SECOND(maybe_comma 1, 0, 0)
#define ONEFOLD_ENABLED_AS(value) ONEFOLD_SECOND_OF(ONEFOLD_COMMA_##value)
#define ONEFOLD_ENABLED(macro) ONEFOLD_ENABLED_AS(macro)

// Four macros as one hexadecimal digit.
#define ONEFOLD_HEX_0000 0
#define ONEFOLD_HEX_0001 1
#define ONEFOLD_HEX_0010 2
#define ONEFOLD_HEX_0011 3
#define ONEFOLD_HEX_0100 4
#define ONEFOLD_HEX_0101 5
#define ONEFOLD_HEX_0110 6
#define ONEFOLD_HEX_0111 7
#define ONEFOLD_HEX_1000 8
#define ONEFOLD_HEX_1001 9
#define ONEFOLD_HEX_1010 a
#define ONEFOLD_HEX_1011 b
#define ONEFOLD_HEX_1100 c
#define ONEFOLD_HEX_1101 d
#define ONEFOLD_HEX_1110 e
#define ONEFOLD_HEX_1111 f
#define ONEFOLD_HEX_OF(a, b, c, d) ONEFOLD_HEX_##a##b##c##d
#define ONEFOLD_HEX(a, b, c, d) ONEFOLD_HEX_OF(a, b, c, d)
#define ONEFOLD_DIGIT(a, b, c, d) \
  ONEFOLD_HEX(ONEFOLD_ENABLED(a), ONEFOLD_ENABLED(b), ONEFOLD_ENABLED(c), ONEFOLD_ENABLED(d))

#define ONEFOLD_JOINED_AS(a, b, c, d, e, f, g, h, i, j, k, l) a##b##c##d##e##f##g##h##i##j##k##l
#define ONEFOLD_JOINED(a, b, c, d, e, f, g, h, i, j, k, l) ONEFOLD_JOINED_AS(a, b, c, d, e, f, g, h, i, j, k, l)

#ifdef __CUDACC__
#define ONEFOLD_TARGET gpu_  // not "cuda": a using-directive would hide the namespace of libcu++
#else
#define ONEFOLD_TARGET portable_
#endif

// All that g++ and clang++ may use without being asked in the code. -ffast-math has its bit, because it changes
// results; -O has none, because files of any -O may share a function.
#define ONEFOLD_LEVEL                                                                                               \
  ONEFOLD_JOINED(ONEFOLD_TARGET, ONEFOLD_DIGIT(__SSE3__, __SSSE3__, __SSE4_1__, __SSE4_2__),                        \
                 ONEFOLD_DIGIT(__POPCNT__, __AVX__, __AVX2__, __FMA__),                                             \
                 ONEFOLD_DIGIT(__F16C__, __BMI__, __BMI2__, __LZCNT__),                                             \
                 ONEFOLD_DIGIT(__AVX512F__, __AVX512CD__, __AVX512BW__, __AVX512DQ__),                              \
                 ONEFOLD_DIGIT(__AVX512VL__, __AVX512IFMA__, __AVX512VBMI__, __AVX512VBMI2__),                      \
                 ONEFOLD_DIGIT(__AVX512VNNI__, __AVX512BITALG__, __AVX512VPOPCNTDQ__, __AVX512BF16__),              \
                 ONEFOLD_DIGIT(__AVX512FP16__, __AVXVNNI__, __AVXIFMA__, __AVXNECONVERT__),                         \
                 ONEFOLD_DIGIT(__MOVBE__, __GFNI__, __AVX10_1__, __APX_F__),                                        \
                 ONEFOLD_DIGIT(__SSE4A__, __FMA4__, __XOP__, __FAST_MATH__),                                        \
                 ONEFOLD_DIGIT(__ARM_FEATURE_SVE, __ARM_FEATURE_SVE2, __ARM_FEATURE_DOTPROD, __ARM_NEON),           \
                 ONEFOLD_DIGIT(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC, __ARM_FEATURE_BF16, __ARM_FEATURE_MATMUL_INT8, \
                               __ARM_FEATURE_ATOMICS))
#endif
