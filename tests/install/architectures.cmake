# Prints what ONEFOLD_CUDA_ARCHITECTURES chooses: cmake -DSOURCE=<tree> [-DONEFOLD_CUDA_ARCHITECTURES=...] -P architectures.cmake
include(${SOURCE}/cmake/cuda_architectures.cmake)
onefold_choose_architectures(architectures note)
string(JOIN " " architectures ${architectures})
message("${architectures}: ${note}")
