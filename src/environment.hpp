// The environment variables that the library obeys, read once.
#pragma once

#include <string>
#include <string_view>

#include "onefold/error.hpp"

namespace onefold::detail {

/// What the environment said when the library first asked. An empty text: not set.
struct environment {
  std::string backend;               ///< ONEFOLD_BACKEND: the backend where the caller's is automatic
  std::string isa;                   ///< ONEFOLD_ISA: the instruction-set level where the caller's is automatic
  std::string threads;               ///< ONEFOLD_NUM_THREADS: the threads where the caller gives none
  std::string backend_path;          ///< ONEFOLD_BACKEND_PATH: folders to look for modules in, separated by colons
  std::string profile;               ///< ONEFOLD_PROFILE: the file of the machine's profile, or "none"
  std::string xdg_cache_home, home;  ///< XDG_CACHE_HOME and HOME: where the profile and compiled text are otherwise
  std::string cache;                 ///< ONEFOLD_CACHE: the folder of compiled text, or "none"
  std::string include;               ///< ONEFOLD_INCLUDE: the folder of the headers that text is compiled with
  std::string cxx;                   ///< CXX: the C++ compiler, and its first options
  std::string nvrtc;                 ///< ONEFOLD_NVRTC: the file of NVRTC, the compiler for GPUs
  std::string cuda_home;             ///< CUDA_HOME: the folder of a CUDA toolkit
  std::string path, tmpdir;          ///< PATH and TMPDIR: where compilers are, and where they write
};

/// The environment; the first call reads it. A program that runs with more privileges than its caller (set-uid) has
/// none of these variables: they would choose what it loads and reads.
const environment& the_environment();

/// The choice that a variable names, by the function that knows the names (backend_named, ...); its error says where
/// the name stood.
template <class Choice>
Choice from_variable(const char* variable, std::string_view name, Choice (*named)(std::string_view)) {
  try {
    return named(name);
  } catch (const error& e) {
    throw error(e.code(), std::string(variable) + ": " + e.what());
  }
}

}  // namespace onefold::detail
