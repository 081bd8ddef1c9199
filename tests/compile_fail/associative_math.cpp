// Nor with a flag that is a part of -ffast-math; the catalog's operations, which are compiled already, may be called
// from there.
// flags: -fassociative-math -fno-signed-zeros -fno-trapping-math
// says: onefold: -ffast-math (or -Ofast, or a flag that is part of it) reorders and drops the operations that a fold is made of; compile this file without it
#include "onefold/onefold.hpp"
#ifdef ONEFOLD_MISTAKE
#include "onefold/custom.hpp"
#endif

float f(std::span<const float> data) { return onefold::sum(data); }
