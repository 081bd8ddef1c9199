// The OpenMP backend: a team of threads, one static chunk of pieces each.
#include <omp.h>

#include <algorithm>

#include "onefold/backend.hpp"

namespace {

const char* why_not() { return nullptr; }

// As OpenMP's own algorithm, as far as a program can see it: one thread where a team within a team is not allowed.
int threads(int wanted) {
  if (omp_get_active_level() >= omp_get_max_active_levels()) return 1;
  return std::min(wanted ? wanted : omp_get_max_threads(), omp_get_thread_limit());
}

// The team belongs to the OpenMP runtime; the handle is only its size.
void* open(int threads) { return reinterpret_cast<void*>(static_cast<std::intptr_t>(threads)); }

void close(void*) {}

void run(void* handle, int pieces, void (*work)(void*, int), void* context) {
  const int team = static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
  // Shared out by hand, one piece a thread: libomp 14 allocates memory at each worksharing loop.
#pragma omp parallel num_threads(team)
  for (int i = omp_get_thread_num(); i < pieces; i += omp_get_num_threads()) work(context, i);
}

constexpr const char* version = _OPENMP >= 202011 ? "OpenMP 5.1" : _OPENMP >= 201811 ? "OpenMP 5.0" : "OpenMP 4.5";

constinit const onefold::scheduler openmp = {
    sizeof(onefold::scheduler), "openmp", version, why_not, threads, open, close, run,
};

}  // namespace

ONEFOLD_EXPORT_BACKEND(openmp) { return &openmp; }
