// Reductions that are measured: plans over copies of their data in turn, which keep their last results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "measure/arena.hpp"
#include "onefold/dynamic.hpp"

namespace onefold::measure {

/// One operation of the catalog over at most n elements, chosen once.
class prepared {
 public:
  /// Throws as dynamic_plan's constructor does.
  prepared(int operation, dtype element, std::int64_t n, const options& how) : plan_(operation, element, n, how) {}

  /// Reduces n elements of as many copies as there are calls, one after the other; result() is the last one's.
  void repeat(arena& data, std::int64_t n, std::int64_t calls) {
    for (std::int64_t i = 0; i < calls; ++i) run(data.next(), n);
  }

  /// Reduces n elements anywhere.
  void run(const void* data, std::int64_t n) { plan_.run(data, n, last_); }

  /// Enqueues one reduction of n elements, as dynamic_plan::enqueue; `result` has room for most_result_size bytes.
  void enqueue(const void* data, std::int64_t n, void* result, CUstream_st* stream) {
    plan_.enqueue(data, n, result, stream);
  }

  /// The numbers of the last result.
  std::vector<scalar> result() const { return plan_.scalars(last_); }
  run_report report() const { return plan_.report(); }

 private:
  dynamic_plan plan_;
  alignas(result_alignment) std::byte last_[most_result_size]{};
};

/// One operation of the catalog over some axes of arrays with the same extents and strides, chosen once.
class prepared_shape {
 public:
  /// Throws as dynamic_shaped_plan's constructor does.
  prepared_shape(int operation, dtype element, std::span<const axis> axes, const over& along, const options& how)
      : plan_(operation, element, axes, along, how),
        last_(static_cast<std::size_t>(plan_.size() * plan_.result_size())) {}

  /// Reduces as many copies as there are calls, one after the other; bits() are those of the last one's results.
  void repeat(arena& data, std::int64_t calls) {
    for (std::int64_t i = 0; i < calls; ++i) run(data.next());
  }

  /// Reduces an array anywhere.
  void run(const void* data) { plan_.run(data, last_.data(), plan_.size()); }

  /// How many results there are.
  std::int64_t size() const { return plan_.size(); }
  /// The numbers of all results, one after the other.
  std::vector<std::byte> bits() const;
  /// FNV-1a, of 64 bits, of bits().
  std::uint64_t bits_hash() const;
  run_report report() const { return plan_.report(); }

 private:
  dynamic_shaped_plan plan_;
  std::vector<std::byte> last_;
};

/// Whether two results have the same bits.
bool same_bits(const std::vector<scalar>& a, const std::vector<scalar>& b);

}  // namespace onefold::measure
