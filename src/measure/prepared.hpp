// A plan whose operation and types are known at run time only, to be run many times.
#pragma once

#include <memory>
#include <vector>

#include "measure/arena.hpp"
#include "onefold/dynamic.hpp"

struct CUstream_st;

namespace onefold::measure {

/// One operation of the catalogue over at most n elements, chosen once.
class prepared {
 public:
  /// Throws as plan's constructor does, and unsupported where the catalogue does not have the reduction.
  prepared(int operation, dtype element, std::int64_t n, const options& how);
  prepared(prepared&&) noexcept;
  ~prepared();

  /// Reduces n elements of as many copies as there are calls, one after the other; result() is the last one's.
  void repeat(arena& data, std::int64_t n, std::int64_t calls);

  /// Reduces n elements anywhere.
  void run(const void* data, std::int64_t n);

  /// Enqueues one reduction of n elements, as plan::enqueue; `result` has room for 64 bytes.
  void enqueue(const void* data, std::int64_t n, void* result, CUstream_st* stream);

  /// The numbers of the last result.
  std::vector<scalar> result() const;
  run_report report() const;

  class reduction;  ///< the plan and its types

 private:
  std::unique_ptr<reduction> plan_;
};

/// Whether two results have the same bits.
bool same_bits(const std::vector<scalar>& a, const std::vector<scalar>& b);

}  // namespace onefold::measure
