// Reductions of computed elements by the stand-in for CUDA.
#pragma once

#include <cstdint>
#include <vector>

#include "program/fake_cuda/arrays.hpp"

namespace fake_cuda {

/// Computes element `at` of an output by the function's loop for the CPU.
inline void compute_one(const mapping& maps, const mapped_source& from, std::int64_t output, std::int64_t at,
                        void* to) {
  mapped_lines one{1, 1, 1, {}, {}, {}};
  for (int a = 0; a < maps.arrays; ++a) {
    const problem& array = maps.of[a];
    one.first[a] = offset(array.kept, array.kept_axes, output) + offset(array.reduced, array.reduced_axes, at);
  }
  from.compute(from.context, one, to);
}

inline bool run_mapped(void* handle, const void* op, const mapped_source& from, const void* init, bool finished,
                       void* out, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  const session& o = *static_cast<session*>(handle);
  const problem& p = o.maps.of[0];
  std::vector<char> elements(static_cast<std::size_t>(p.n * from.element_size + 1));
  for (std::int64_t i = 0; i < p.outputs; ++i) {
    for (std::int64_t k = 0; k < p.n; ++k) compute_one(o.maps, from, i, k, elements.data() + k * from.element_size);
    reduce_output(handle, op, elements.data(), p.n, init, finished, i, out, failed);
  }
  return true;
}

}  // namespace fake_cuda
