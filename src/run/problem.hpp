// Problems from views: which axes are kept, merged to few; and walking the outputs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "onefold/array_view.hpp"
#include "onefold/detail/row_engine.hpp"
#include "onefold/problem.hpp"

namespace onefold::detail {

/// Whether the elements of each output follow each other in memory.
inline bool rows_are_contiguous(const problem& p) {
  return p.reduced_axes == 0 || (p.reduced_axes == 1 && p.reduced[0].stride == 1);
}

/// Whether two problems have the same axes, kept and reduced.
inline bool same_axes(const problem& a, const problem& b) {
  return std::equal(a.kept, a.kept + a.kept_axes, b.kept, b.kept + b.kept_axes) &&
         std::equal(a.reduced, a.reduced + a.reduced_axes, b.reduced, b.reduced + b.reduced_axes);
}

/// Whether `bytes` from `results` on have one in common with what is reached from `data`.
inline bool overlap(const void* results, std::int64_t bytes, const void* data, const element_reach& r) {
  const auto place = reinterpret_cast<std::uintptr_t>(data), to = reinterpret_cast<std::uintptr_t>(results);
  return to < place + static_cast<std::uintptr_t>(r.end) &&
         place + static_cast<std::uintptr_t>(r.first) < to + static_cast<std::uintptr_t>(bytes);
}

/// The lines of a row operation, its results, and its mask or arrays: what make_rows says of them.
void make_row_lines(const row_layout& lines, std::span<const axis> to, int along, row_problem* made);

/// A place that moves through axes in C order: how far the element is from the first, in elements.
class odometer {
 public:
  odometer(const axis* axes, std::int32_t count) : axes_(axes), count_(count) {}
  std::int64_t offset() const { return offset_; }
  void seek(std::int64_t number) {
    offset_ = 0;
    for (std::int32_t i = count_; i-- > 0;) {
      at_[i] = number % axes_[i].extent;
      number /= axes_[i].extent;
      offset_ += at_[i] * axes_[i].stride;
    }
  }
  void next() {
    for (std::int32_t i = count_; i-- > 0;) {
      offset_ += axes_[i].stride;
      if (++at_[i] < axes_[i].extent) return;
      offset_ -= axes_[i].extent * axes_[i].stride;
      at_[i] = 0;
    }
  }

 private:
  const axis* axes_;
  std::int32_t count_;
  std::int64_t at_[most_axes] = {};
  std::int64_t offset_ = 0;
};

}  // namespace onefold::detail
