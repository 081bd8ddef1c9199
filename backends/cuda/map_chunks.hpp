// How the outputs of a mapping are computed and folded: in chunks of several outputs, or, where one is longer than a
// chunk, in pieces of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "onefold/device.hpp"
#include "onefold/map_request.hpp"

namespace onefold::cuda {

/// The chunks of a mapping. In the buffer the elements of an output lie one after the other; or, in columns, those of
/// one number of all outputs, so that threads read neighbors where neighboring outputs are nearer in memory.
class map_chunks {
 public:
  map_chunks() = default;
  /// With at most as many bytes in a chunk.
  map_chunks(const mapping& m, std::int64_t element_size, std::int64_t most_bytes)
      : m_(m),
        outputs_(outputs_of(m.of[0], element_size, most_bytes)),
        in_columns_(outputs_ > 1 && prefers_columns(m)) {}

  const problem& first() const { return m_.of[0]; }
  const mapping& arrays() const { return m_; }

  /// Outputs of a chunk; 0 where one of them is more than a chunk, or all.
  std::int64_t outputs() const { return outputs_; }

  /// A chunk of so many outputs as it lies in the buffer.
  problem shape(std::int64_t count) const {
    const std::int64_t n = first().n;
    problem p{};
    p.size = sizeof(problem);
    p.outputs = count;
    p.n = n;
    if (count != 1) p.kept[p.kept_axes++] = {count, in_columns_ ? 1 : n};
    if (n != 1) p.reduced[p.reduced_axes++] = {n, in_columns_ ? count : 1};
    return p;
  }

  /// Whether the elements of one number of all outputs of a chunk lie one after the other.
  bool in_columns() const { return in_columns_; }

  /// Has `how` compute outputs [at, at + count), at most a chunk, which have elements.
  void choose_outputs(map_launch& how, std::int64_t at, std::int64_t count) const {
    how.outer = numbers(true, at, count);
    how.inner = numbers(false, 0, first().n);
    if (in_columns_) std::swap(how.outer, how.inner);
  }
  /// Has `how` compute the elements [at, at + n) of an output.
  void choose_piece(map_launch& how, std::int64_t output, std::int64_t at, std::int64_t n) const {
    how.outer = numbers(true, output, 1);
    how.inner = numbers(false, at, n);
  }

  /// Whether the elements of an output are next to each other in every array.
  bool are_contiguous() const {
    return std::all_of(m_.of, m_.of + m_.arrays, [](const problem& p) {
      return p.reduced_axes == 0 || (p.reduced_axes == 1 && p.reduced[0].stride == 1);
    });
  }

  /// Whether, besides, each output begins at a multiple of 16 bytes in every array, which `how` has; `from` says how
  /// large their elements are.
  bool are_rows_of_words(const map_launch& how, const mapped_source& from) const {
    if (!are_contiguous()) return false;
    for (int k = 0; k < m_.arrays; ++k) {
      const problem& p = m_.of[k];
      bool aligned = reinterpret_cast<std::uintptr_t>(how.arrays[k]) % 16 == 0;
      for (int i = 0; i < p.kept_axes; ++i)
        aligned = aligned && p.kept[i].stride * from.arrays[k].element_size % 16 == 0;
      if (!aligned) return false;
    }
    return true;
  }

  /// Has `how` compute all outputs.
  void choose_all(map_launch& how) const {
    how.outer = numbers(true, 0, first().outputs);
    how.inner = numbers(false, 0, first().n);
  }

  /// Launches the computation and the fold of all chunks. `fold` has everything but the elements. Returns a
  /// cudaError_t.
  int launch(const device_map& map, map_launch how, const device_fold& with, device_launch fold,
             std::int32_t distance) const {
    fold.data = how.to;
    for (std::int64_t at = 0, count; at < first().outputs; at += count) {
      count = std::min(outputs_, first().outputs - at);
      if (first().n > 0) {
        choose_outputs(how, at, count);
        if (const int failed = map.launch(how)) return failed;
        how.follows = true;
      }
      if (const int failed = with.launch_shape(with, fold, shape(count), distance)) return failed;
      fold.out = static_cast<char*>(fold.out) + count * distance;
    }
    return 0;
  }

 private:
  // Fewer neighbors are not worth a stride from an element of an output to its next.
  static constexpr std::int64_t least_columns = 8;

  static std::int64_t outputs_of(const problem& p, std::int64_t element_size, std::int64_t most_bytes) {
    if (p.n == 0) return p.outputs;
    return p.outputs == 1 ? 0 : std::min(p.outputs, most_bytes / element_size / p.n);
  }

  /// Whether neighboring outputs are nearer to each other in memory than neighboring elements of an output.
  static bool prefers_columns(const mapping& m) {
    bool nearer = false;
    for (int k = 0; k < m.arrays; ++k) {
      const problem& p = m.of[k];
      if (p.kept_axes == 0 || p.reduced_axes == 0 || p.kept[p.kept_axes - 1].extent < least_columns) return false;
      const std::int64_t across = std::abs(p.kept[p.kept_axes - 1].stride),
                         along = std::abs(p.reduced[p.reduced_axes - 1].stride);
      if (across > along) return false;
      nearer = nearer || across < along;
    }
    return nearer;
  }

  /// Numbers [begin, begin + count) of outputs (`kept`), or of the elements of one.
  mapped_range numbers(bool kept, std::int64_t begin, std::int64_t count) const {
    mapped_range r{};
    r.first = begin;
    r.count = count;
    r.axes = kept ? first().kept_axes : first().reduced_axes;
    for (int k = 0; k < m_.arrays; ++k)
      for (int i = 0; i < r.axes; ++i) {
        const axis& a = (kept ? m_.of[k].kept : m_.of[k].reduced)[i];
        r.extent[i] = a.extent;
        r.stride[k][i] = a.stride;
      }
    return r;
  }

  mapping m_;
  std::int64_t outputs_ = 0;
  bool in_columns_ = false;
};

}  // namespace onefold::cuda
