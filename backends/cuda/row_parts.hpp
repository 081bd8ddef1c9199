// How the lines of a row operation are divided where functions compute elements or take results, or a mask selects:
// into parts of neighboring lines, so that what is kept of them between launches stays in the device's cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "instances.hpp"
#include "map_chunks.hpp"
#include "onefold/row_problem.hpp"
#include "scratch.hpp"
#include "selected_places.hpp"

namespace onefold::cuda {

/// What a run of a row operation needs, for the device to read and write.
struct row_run {
  const row_kernels& rows;
  row_memory memory;      ///< without data where a function computes it, without results where one takes them
  const device_map* map;  ///< of the function that computes, where one does,
  map_launch computes;    ///< and its arrays
  row_store store;        ///< with its record, where the problem stores
  const void* mask;       ///< where one selects
  void* buffer;           ///< of buffer_bytes(),
  void* selected;         ///< and of selected_bytes()
};

/// The parts of a problem. Elements are computed into the buffer. Results that a function takes replace them there; or,
/// where there is one a line, follow them.
class row_parts {
 public:
  /// With at most as many bytes of elements in a part, but at least a line.
  row_parts(const row_problem& p, std::int64_t most_bytes)
      : p_(p),
        size_(size_of(p.what.element)),
        lines_(lines_of(most_bytes)),
        chunks_(computes() ? p.maps : mapping{1, {p.what.from}}, 1, lines_ * p.what.from.n) {}

  /// Bytes of the buffer.
  std::int64_t buffer_bytes() const { return stores_one() ? results_at() + lines_ * size_ : element_bytes(); }
  /// Bytes for the selected elements.
  std::int64_t selected_bytes() const { return selects() ? selected_lines::bytes(lines_, p_.what.from.n, size_) : 0; }
  /// The request of the first part.
  row_request first() const { return request(lines_); }

  /// Launches the work on all lines. `how` has what is the same for all parts. Returns a cudaError_t.
  int launch(const row_run& r, device_launch how) const {
    const std::int64_t all = p_.what.from.outputs;
    for (std::int64_t at = 0, count; at < all; at += count) {
      count = std::min(lines_, all - at);
      row_request part = request(count);
      row_memory memory = r.memory;
      if (computes() && part.from.n > 0) {
        if (const int failed = compute(r, how, at, count)) return failed;
        how.follows = true;
        part.from = chunks_.shape(count);
        memory.data = before(r.buffer, part.from, at);
      }
      void* const results = static_cast<char*>(r.buffer) + results_at();
      if (p_.stores) {
        part.to = gives_one() ? one_each(count) : chunks_.shape(count);
        memory.results = before(results, part.to, at);
      }
      how.first = at;
      if (const int failed = selects() ? launch_selected(r, how, part, memory) : r.rows.launch(how, part, memory))
        return failed;
      how.follows = true;
      const std::int64_t n = gives_one() ? 1 : part.from.n;
      if (!p_.stores || n == 0) continue;
      const bool in_columns = chunks_.in_columns() && !gives_one();
      if (const int failed =
              r.store.device->launch({r.store.context, results, at, count, n, in_columns, how.stream, true}))
        return failed;
    }
    return 0;
  }

 private:
  /// Elements that one launch of a function computes: parts have fewer, but for a line that has more.
  static constexpr std::int64_t most_computed = 1 << 30;

  bool computes() const { return p_.maps.arrays > 0; }
  bool selects() const { return p_.selects.kind != mask_kind::all && p_.what.from.n > 0; }
  bool gives_one() const { return p_.what.operation == row_operation::logsumexp; }
  bool stores_one() const { return p_.stores && gives_one(); }

  std::int64_t lines_of(std::int64_t most_bytes) const {
    const problem& from = p_.what.from;
    if (!computes() && !p_.stores && !selects()) return from.outputs;
    const std::int64_t fit = most_bytes / size_ / std::max<std::int64_t>(from.n, 1);
    return std::min(from.outputs, std::max<std::int64_t>(fit, 1));
  }
  std::int64_t element_bytes() const {
    return computes() || (p_.stores && !gives_one()) ? lines_ * p_.what.from.n * size_ : 0;
  }
  /// Where results begin in the buffer.
  std::int64_t results_at() const { return stores_one() ? rounded_up(element_bytes()) : 0; }

  /// Of lines from number how.first on, of which a mask selects elements: these are packed, and their results unpacked.
  int launch_selected(const row_run& r, device_launch how, const row_request& part, const row_memory& memory) const {
    const selected_lines lines(r.selected, part.from.outputs, part.from.n, size_);
    if (const int failed = pack_selected(how, part, p_.selects, memory, r.mask, lines)) return failed;
    how.follows = true;
    row_request packed = part;
    packed.from.kept_axes = packed.from.reduced_axes = 1;
    packed.from.kept[0] = {part.from.outputs, part.from.n};
    packed.from.reduced[0] = {part.from.n, 1};
    row_memory there = memory;
    there.data = before(lines.packed, packed.from, how.first);
    if (!gives_one()) {
      packed.to = packed.from;
      there.results = const_cast<void*>(there.data);
    }
    how.device_n = lines.counts;
    if (const int failed = r.rows.launch(how, packed, there)) return failed;
    return gives_one() ? 0 : unpack_results(how, part, p_.selects, memory, r.mask, lines);
  }

  row_request request(std::int64_t count) const {
    row_request part = p_.what;
    part.from.outputs = part.to.outputs = count;
    return part;
  }
  /// Results of lines that have one each.
  static problem one_each(std::int64_t count) {
    problem p{};
    p.outputs = count;
    p.n = 1;
    p.kept_axes = 1;
    p.kept[0] = {count, 1};
    return p;
  }
  /// Where the first line would be, were number `at` the first one of a buffer.
  void* before(void* buffer, const problem& lies, std::int64_t at) const {
    const std::int64_t stride = lies.kept_axes > 0 ? lies.kept[0].stride : 0;
    return static_cast<char*>(buffer) - at * stride * size_;
  }

  /// Computes the elements of lines [at, at + count).
  int compute(const row_run& r, const device_launch& on, std::int64_t at, std::int64_t count) const {
    map_launch how = r.computes;
    how.stream = on.stream;
    how.follows = on.follows;
    how.to = r.buffer;
    const std::int64_t n = p_.what.from.n;
    if (count * n <= most_computed) {
      chunks_.choose_outputs(how, at, count);
      return r.map->launch(how);
    }
    for (std::int64_t i = 0; i < n; i += most_computed) {
      chunks_.choose_piece(how, at, i, std::min(most_computed, n - i));
      how.to = static_cast<char*>(r.buffer) + i * size_;
      if (const int failed = r.map->launch(how)) return failed;
      how.follows = true;
    }
    return 0;
  }

  row_problem p_;
  std::int64_t size_, lines_;
  map_chunks chunks_;
};

}  // namespace onefold::cuda
