// A system that has no more threads, for a test program's only file that includes this; not in instrumented builds.
#pragma once

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>

#include "support/instrumented.hpp"

namespace dispatch {

inline std::atomic<int> startable = 1 << 20;  ///< how many threads the system still has

}  // namespace dispatch

#if !ONEFOLD_TEST_SANITIZED
/// Stands before the C library's, for libraries too: refuses threads as a system does that has no more.
extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread, const pthread_attr_t* how,
                                                                     void* (*start)(void*), void* argument) {
  using function = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = reinterpret_cast<function>(dlsym(RTLD_NEXT, "pthread_create"));
  if (dispatch::startable-- <= 0) return EAGAIN;
  return next(thread, how, start, argument);
}
#endif
