// The tests of user-defined operations, compiled by nvcc: the same operations on the device.
#include "onefold/onefold.hpp"  // first: its verbs must not hide what device code calls

#include "onefold/cuda.cuh"

#include "../numeric/custom.cpp"
#include "../numeric/keys_custom.cpp"
#include "../numeric/segment_scans_custom.cpp"
#include "../numeric/segments_custom.cpp"
#include "../numeric/shapes_custom.cpp"
