# The sources of the CUDA backend (sources_cuda): host code, and the catalog's kernels compiled once per element type.

# The bits of the CPU: multiplications and additions stay apart.
set(cuda_flags -fmad=false --expt-relaxed-constexpr -Xcompiler=-ffp-contract=off)
# Compressed for size: the kernels are many and alike, and take two thirds of what the default leaves. That takes two fifths
# of the time where nvcc compiles fast, without optimizing.
if(NOT CMAKE_CUDA_FLAGS MATCHES "Ofast-compile")
  list(APPEND cuda_flags -Xfatbin=-compress-all --compress-mode=size)
endif()

set(sources_cuda cuda/cuda.cpp cuda/devices.cpp cuda/host_data.cpp cuda/measuring.cpp cuda/memory_kind.cpp cuda/pieces.cpp cuda/scratch.cpp
    cuda/histogram.cu cuda/image.cu cuda/keys.cu cuda/map.cu cuda/offsets.cu cuda/select.cu cuda/selected_places.cu cuda/text_fold.cu)
set_source_files_properties(cuda/histogram.cu cuda/image.cu cuda/keys.cu cuda/map.cu cuda/offsets.cu cuda/select.cu cuda/selected_places.cu cuda/text_fold.cu PROPERTIES COMPILE_OPTIONS "${cuda_flags}")
set_source_files_properties(cuda/map.cu PROPERTIES INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR}/cuda)  # folds of its own
set(cuda_types "")
foreach(element IN LISTS onefold_elements)
  add_library(onefold_cuda_${element} OBJECT cuda/fold.cu cuda/scan.cu)
  string(REGEX REPLACE "^i" "u" of_unsigned ${element})
  if(of_unsigned IN_LIST onefold_elements)
    set(unsigned_built 1)
  else()
    set(unsigned_built 0)
  endif()
  target_compile_definitions(onefold_cuda_${element} PRIVATE ONEFOLD_ELEMENT=${onefold_type_${element}}
                                                             ONEFOLD_UNSIGNED_BUILT=${unsigned_built})
  target_include_directories(onefold_cuda_${element} PRIVATE ${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR}/cuda)
  target_compile_options(onefold_cuda_${element} PRIVATE ${cuda_flags})
  onefold_optimize(onefold_cuda_${element})
  if(element MATCHES "^b?f")
    target_sources(onefold_cuda_${element} PRIVATE cuda/rows.cu)
  endif()
  list(APPEND sources_cuda $<TARGET_OBJECTS:onefold_cuda_${element}>)
  list(APPEND cuda_types ${onefold_type_${element}})
endforeach()
list(JOIN cuda_types "," cuda_types)
set_source_files_properties(cuda/cuda.cpp PROPERTIES COMPILE_DEFINITIONS "ONEFOLD_BUILT_ELEMENTS=${cuda_types}")
