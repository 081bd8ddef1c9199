# The sources of the CUDA backend (sources_cuda): host code, and the catalogue's kernels compiled once per element type.

# The bits of the CPU: multiplications and additions stay apart. Compressed: the kernels are many and alike.
set(cuda_flags -fmad=false --expt-relaxed-constexpr -Xfatbin=-compress-all -Xcompiler=-ffp-contract=off)

set(sources_cuda cuda/cuda.cpp cuda/devices.cpp cuda/host_data.cpp cuda/measuring.cpp cuda/places.cpp cuda/scratch.cpp
    cuda/image.cu)
set_source_files_properties(cuda/image.cu PROPERTIES COMPILE_OPTIONS "${cuda_flags}")
foreach(element IN LISTS ONEFOLD_ELEMENTS)
  string(REGEX REPLACE "^.*::" "" short ${element})
  add_library(onefold_cuda_${short} OBJECT cuda/fold.cu)
  target_compile_definitions(onefold_cuda_${short} PRIVATE ONEFOLD_ELEMENT=${element})
  target_include_directories(onefold_cuda_${short} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_compile_options(onefold_cuda_${short} PRIVATE ${cuda_flags})
  list(APPEND sources_cuda $<TARGET_OBJECTS:onefold_cuda_${short}>)
endforeach()
