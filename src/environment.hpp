// The environment variables that the library obeys, read once.
#pragma once

#include <string>

namespace onefold::detail {

/// What the environment said when the library first asked. An empty text: not set.
struct environment {
  std::string backend;               ///< ONEFOLD_BACKEND: the backend where the caller's is automatic
  std::string isa;                   ///< ONEFOLD_ISA: the instruction-set level where the caller's is automatic
  std::string threads;               ///< ONEFOLD_NUM_THREADS: the threads where the caller gives none
  std::string backend_path;          ///< ONEFOLD_BACKEND_PATH: folders to look for modules in, separated by colons
  std::string profile;               ///< ONEFOLD_PROFILE: the file of the machine's profile, or "none"
  std::string xdg_cache_home, home;  ///< XDG_CACHE_HOME and HOME: where the profile is otherwise
};

/// The environment; the first call reads it.
const environment& the_environment();

}  // namespace onefold::detail
