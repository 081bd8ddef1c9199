// The inline namespace of everything that folds: one per instruction-set level.
//
// The same headers are compiled once per level into one library. The level is part of every symbol's name, so
// that the linker never merges a function of one level with the same function of another.
#pragma once

#ifndef ONEFOLD_LEVEL
#ifdef __CUDACC__
#define ONEFOLD_LEVEL gpu  // not "cuda": a using-directive would hide the namespace of libcu++
#else
#define ONEFOLD_LEVEL portable
#endif
#endif
