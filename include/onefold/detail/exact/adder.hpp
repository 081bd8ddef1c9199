// Adds an array to a superaccumulator: by f64 lanes as long as they are exact, then f64 by windows, then by bins.
#pragma once

#include "onefold/detail/exact/bins.hpp"
#include "onefold/detail/exact/lanes.hpp"
#include "onefold/detail/exact/superaccumulator.hpp"
#include "onefold/detail/exact/windows.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Pages that are added up in the same lanes, before one look at the flag and one deposit.
inline constexpr int exact_batch = 4;

/// When to try a fast way that may fail: where it failed in several blocks in turn, more and more rarely.
class attempts {
 public:
  bool has_failed() const { return failures_ > 0; }
  /// Whether to try it for this block.
  bool take_turn() {
    if (skipped_ == 0) return true;
    --skipped_;
    return false;
  }
  /// Notes whether it succeeded, and returns that.
  bool note(bool success) {
    skipped_ = success ? 0 : (1 << failures_) - 1;
    failures_ = success ? 0 : failures_ < 6 ? failures_ + 1 : failures_;
    return success;
  }

 private:
  int failures_ = 0, skipped_ = 0;
};

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
      if (in_lanes_.has_failed() || !exact_lanes<T>::add(total_, p, batch))
        for (std::int64_t i = 0; i < batch; i += page) add_page(p + i, batch - i < page ? batch - i : page);
      p += batch;
      n -= batch;
    }
  }
  void finish() { bins_.drain(total_); }

 private:
  void add_page(const T* p, std::int64_t n) {
    if (in_lanes_.take_turn() && in_lanes_.note(exact_lanes<T>::add(total_, p, n))) return;
    if constexpr (__is_same(T, double)) {
      constexpr int most = windows::most;
      for (std::int64_t i = 0; i < n; i += most) add_block(p + i, n - i < most ? static_cast<int>(n - i) : most);
    } else {
      bins_.add(total_, p, n);
    }
  }
  void add_block(const double* p, int n) {
    if (!in_windows_.take_turn() || !in_windows_.note(windows::add(total_, p, n))) bins_.add(total_, p, n);
  }

  using windows = exact_windows<3>;
  superaccumulator& total_;
  exponent_bins<T> bins_;
  attempts in_lanes_, in_windows_;
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
