# What the CUDA backend stands on: the toolkit's headers and static runtime, and its compiler as a language of the project.
set(package_cuda CUDAToolkit)
set(debian_cuda "nvidia-cuda-toolkit (12.8 or newer, or NVIDIA's own packages)")
set(uses_cuda CUDA::cudart_static)
set(linked_cuda "\${CUDA_cudart_static_LIBRARY} -lpthread -lrt")

include(cmake/cuda_architectures.cmake)
if(ONEFOLD_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    onefold_choose_architectures(CMAKE_CUDA_ARCHITECTURES onefold_architectures_note)
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
