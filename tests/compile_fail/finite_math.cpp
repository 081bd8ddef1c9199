// Nor with -ffinite-math-only; the catalog's operations, which are compiled already, may be called from
// there.
// flags: -ffinite-math-only
// says: onefold: -ffast-math (or -Ofast, or a flag that is part of it) reorders and drops the operations that a fold is made of; compile this file without it
#include "onefold/onefold.hpp"
#ifdef ONEFOLD_MISTAKE
#include "onefold/custom.hpp"
#endif

float f(std::span<const float> data) { return onefold::sum(data); }
