// Adds an array to a superaccumulator: by f64 lanes as long as they are exact, then by bins.
#pragma once

#include "onefold/detail/exact/bins.hpp"
#include "onefold/detail/exact/lanes.hpp"
#include "onefold/detail/exact/superaccumulator.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Pages that are added up in the same lanes, before one look at the flag and one deposit.
inline constexpr int exact_batch = 4;

/// Adds arrays of T to one superaccumulator, which has them all after finish().
template <class T>
class exact_adder {
 public:
  explicit exact_adder(superaccumulator& total) : total_(total) {}
  exact_adder(const exact_adder&) = delete;
  exact_adder& operator=(const exact_adder&) = delete;

  /// Adds n elements.
  void add(const T* p, std::int64_t n) {
    constexpr std::int64_t page = page_elements(sizeof(T));
    while (n > 0) {
      const std::int64_t batch = n < exact_batch * page ? n : exact_batch * page;
      if (failures_ || !exact_lanes<T>::add(total_, p, batch))
        for (std::int64_t i = 0; i < batch; i += page) add_page(p + i, batch - i < page ? batch - i : page);
      p += batch;
      n -= batch;
    }
  }
  void finish() { bins_.drain(total_); }

 private:
  /// Where lanes failed in one page after the other, they are tried more and more rarely.
  void add_page(const T* p, std::int64_t n) {
    if (skipped_ == 0) {
      if (exact_lanes<T>::add(total_, p, n)) {
        failures_ = 0;
        return;
      }
      skipped_ = 1 << failures_;
      if (failures_ < 6) ++failures_;
    }
    --skipped_;
    bins_.add(total_, p, n);
  }

  superaccumulator& total_;
  exponent_bins<T> bins_;
  int failures_ = 0, skipped_ = 0;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
