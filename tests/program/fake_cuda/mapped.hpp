// Reductions of computed elements by the stand-in for CUDA.
#pragma once

#include <cstdint>
#include <vector>

#include "program/fake_cuda/arrays.hpp"

namespace fake_cuda {

/// Each element is computed by the function's loop for the CPU.
inline bool run_mapped(void* handle, const void* op, const mapped_source& from, const void* init, bool finished,
                       void* out, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  const session& o = *static_cast<session*>(handle);
  const problem& p = o.maps.of[0];
  std::vector<char> elements(static_cast<std::size_t>(p.n * from.element_size + 1));
  for (std::int64_t i = 0; i < p.outputs; ++i) {
    for (std::int64_t k = 0; k < p.n; ++k) {
      mapped_lines one{1, 1, 1, {}, {}, {}};
      for (int a = 0; a < o.maps.arrays; ++a) {
        const problem& array = o.maps.of[a];
        one.first[a] = offset(array.kept, array.kept_axes, i) + offset(array.reduced, array.reduced_axes, k);
      }
      from.compute(from.context, one, elements.data() + k * from.element_size);
    }
    reduce_output(handle, op, elements.data(), p.n, init, finished, i, out, failed);
  }
  return true;
}

}  // namespace fake_cuda
