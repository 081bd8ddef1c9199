// A reduction that is measured: a plan over copies of its data in turn, which keeps its last result.
#pragma once

#include <vector>

#include "measure/arena.hpp"
#include "onefold/dynamic.hpp"

namespace onefold::measure {

/// One operation of the catalogue over at most n elements, chosen once.
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

/// Whether two results have the same bits.
bool same_bits(const std::vector<scalar>& a, const std::vector<scalar>& b);

}  // namespace onefold::measure
