// Operations as text, compiled and loaded.
#pragma once

#include <cstdint>
#include <string>

#include "onefold/detail/engine.hpp"
#include "onefold/source_operation.hpp"
#include "results.hpp"
#include "source/kernels.hpp"

namespace onefold::detail {

/// An operation as text that was loaded. It stays until the process ends.
struct compiled_source {
  std::string name;      ///< the operation's, for messages
  recipe fold;           ///< how to fold, with that name
  const void* op;        ///< the operation object
  bool takes_init;       ///< whether it takes an initial value
  result_member member;  ///< its result, where that is a number
  result_layout layout;  ///< of its result
};

/// The operation, compiled for what the options ask for: the level of the CPU and, where the backend is cuda, the GPUs,
/// with the kernels of a set. Compiled and loaded once a process, unless threads ask for it at the same time: each may
/// compile. Not compiled where the user's cache has it. Throws onefold::error:
/// invalid_argument for what the compiler rejects, with its messages, and for an invalid name or element type;
/// unsupported if no compiler is found or a signal ends it, backend_unavailable if none for the GPU is.
const compiled_source& compiled(const source_operation& operation, const options& how, kernel_set kernels);

/// Whether a recipe is that of an operation as text which was compiled for CPUs.
bool is_text_for_cpu(const recipe& r);

/// The request for a reduction of n elements with it.
request request_for(const compiled_source& operation, std::int64_t n, bool has_init);

}  // namespace onefold::detail
