// On which machine a report was made, and by which build.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace onefold::cli {

/// Groups of names and values: machine, build, and backends with what each stands on or why it cannot run.
nlohmann::ordered_json all_facts();

/// The time, UTC, as ISO 8601 writes it.
std::string now();

/// How this program was built; report/build.cpp.in.
struct build_facts {
  const char* compiler;
  const char* flags;          ///< of every file; the folds' instruction sets come on top
  const char* cuda_compiler;  ///< empty without CUDA
  const char* cuda_flags;
};
extern const build_facts this_build;

}  // namespace onefold::cli
