# Looks for what the optional backends stand on: ONEFOLD_<NAME> = AUTO takes what is there, ON insists, OFF leaves it out.

set(ONEFOLD_BACKENDS "" CACHE INTERNAL "Backends that are built beside sequential")
set(ONEFOLD_BACKEND_NOTES "" CACHE INTERNAL "One line of the summary for each optional backend")

# onefold_find_backend(<name> <cmake package> <Debian package> [components...]) appends the backend if it can be built.
function(onefold_find_backend name package debian)
  string(TOUPPER ${name} upper)
  if(NOT ONEFOLD_${upper} MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|1|0)$")
    message(FATAL_ERROR "ONEFOLD_${upper}=${ONEFOLD_${upper}}: it is AUTO, ON or OFF")
  endif()
  if(NOT ONEFOLD_${upper})
    set(note "${name}: left out by ONEFOLD_${upper}=${ONEFOLD_${upper}}")
  else()
    find_package(${package} QUIET ${ARGN} GLOBAL)
    if(${package}_FOUND)
      set(ONEFOLD_BACKENDS ${ONEFOLD_BACKENDS} ${name} CACHE INTERNAL "")
      set(note "${name}: ${package} ${${package}_VERSION}${${package}_CXX_VERSION}")
    elseif(ONEFOLD_${upper} STREQUAL AUTO)
      set(note "${name}: not built, ${package} was not found (Debian package ${debian})")
    else()
      message(FATAL_ERROR "ONEFOLD_${upper}=${ONEFOLD_${upper}}, but ${package} was not found: install the Debian package ${debian}, "
                          "or configure with -DONEFOLD_${upper}=OFF")
    endif()
  endif()
  set(ONEFOLD_BACKEND_NOTES ${ONEFOLD_BACKEND_NOTES} "${note}" CACHE INTERNAL "")
endfunction()

onefold_find_backend(openmp OpenMP "g++ or libomp-dev" COMPONENTS CXX)
onefold_find_backend(tbb TBB libtbb-dev)
# CUDA: the toolkit's headers and static runtime, and its compiler as a language of the project.
set(ONEFOLD_CUDA_ARCHITECTURES 90 CACHE STRING
    "Compute capabilities that the CUDA kernels are compiled for, as CMAKE_CUDA_ARCHITECTURES; 8.0 at least; a release takes 80;86;89;90;100;120")
if(ONEFOLD_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_ARCHITECTURES ${ONEFOLD_CUDA_ARCHITECTURES})
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has C++20
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    enable_language(CUDA)
    # nvcc does not bear the system's include folder as one of a package.
    list(APPEND CMAKE_CUDA_IMPLICIT_INCLUDE_DIRECTORIES ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.8)
      message(STATUS "nvcc ${CMAKE_CUDA_COMPILER_VERSION} is too old for the CUDA backend, which takes 12.8")
      set(CUDAToolkit_FOUND FALSE)
      set(CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit TRUE)
    endif()
  else()
    set(CMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit TRUE)  # without nvcc the rest does not help
  endif()
endif()
onefold_find_backend(cuda CUDAToolkit "nvidia-cuda-toolkit (12.8 or newer, or NVIDIA's own packages)")

function(onefold_summary)
  get_target_property(kind onefold TYPE)
  message(STATUS "onefold ${PROJECT_VERSION}: ${kind}, ${CMAKE_BUILD_TYPE}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  message(STATUS "  sequential: always")
  foreach(note IN LISTS ONEFOLD_BACKEND_NOTES)
    message(STATUS "  ${note}")
  endforeach()
endfunction()
