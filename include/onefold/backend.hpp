// For those who write a CPU backend: the record that a backend module exports. backends/README.md shows how.
#pragma once

#include <cstdint>

/// The version of the records that cross the border between the library and its modules. It is part of the
/// exported symbol's name, so that a module of another version is not found rather than misread.
#define ONEFOLD_BACKEND_ABI 1

#define ONEFOLD_CONCAT_(a, b) a##b
#define ONEFOLD_CONCAT(a, b) ONEFOLD_CONCAT_(a, b)

/// The name of the function that backend NAME exports, for example onefold_openmp_backend_abi1.
#define ONEFOLD_BACKEND_FUNCTION(name) ONEFOLD_CONCAT(onefold_##name##_backend_abi, ONEFOLD_BACKEND_ABI)

/// Declares that function: in a module its only exported symbol.
#define ONEFOLD_EXPORT_BACKEND(name) \
  extern "C" __attribute__((visibility("default"))) const onefold::scheduler* ONEFOLD_BACKEND_FUNCTION(name)()

namespace onefold {

/// A CPU backend: a scheduler of numbered pieces of work. It knows no type and no operation. Plain C functions;
/// no exception and no standard-library object crosses.
struct scheduler {
  std::uint32_t size;  ///< sizeof(scheduler)
  const char* name;
  const char* version;  ///< what it stands on, for people: "oneTBB 2021.8"

  /// Null if it can run here, else the reason.
  const char* (*why_not)();

  /// How many threads take part where the caller wants this many; 0: by its own rule.
  int (*threads)(int wanted);

  /// From this many bytes of input on it beats one thread; measured, see docs/performance.md.
  std::int64_t worthwhile_bytes;

  /// Makes what runs with this many threads can share (may be null); `close` frees it.
  void* (*open)(int threads);
  void (*close)(void* handle);

  /// Calls work(context, i) once for each i in [0, pieces), spread statically over the threads, and returns
  /// when all are done. `work` does not throw.
  void (*run)(void* handle, int pieces, void (*work)(void* context, int piece), void* context);
};

}  // namespace onefold
