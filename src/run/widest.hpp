// Loops of the library itself, which is compiled for any CPU of its architecture, compiled for this CPU's vectors.
#pragma once

#include "cpu.hpp"

namespace onefold::detail {

template <class Work>
void run_plain(const Work& work) {
  work();
}
#if defined(__x86_64__)
template <class Work>
[[gnu::target("avx2")]] void run_avx2(const Work& work) {
  work();
}
template <class Work>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void run_avx512(const Work& work) {
  work();
}

/// Calls work(), which must be always_inline, as must be what it calls.
template <class Work>
void run_widest(const Work& work) {
  switch (cpu_levels().back()) {
    case isa::x86_64_v4:
      return run_avx512(work);
    case isa::x86_64_v3:
      return run_avx2(work);
    default:
      return run_plain(work);
  }
}
#else
template <class Work>
void run_widest(const Work& work) {
  run_plain(work);
}
#endif

}  // namespace onefold::detail
