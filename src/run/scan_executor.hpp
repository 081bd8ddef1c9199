// Scans lines on the CPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "choose.hpp"
#include "onefold/scan_recipe.hpp"
#include "run/scan_scratch.hpp"
#include "run/segments.hpp"

namespace onefold::detail {

/// A CPU backend that scans the lines of an array, or segments, with the memory for it. In its functions the caller
/// guards the floating-point environment, and has checked the arguments.
class scan_executor {
 public:
  /// For the lines of `from`, whose results lie as `to` says. All must live as long.
  scan_executor(const choice& c, const problem& from, const problem& to);
  /// For segments with as many elements as the choice is for.
  explicit scan_executor(const choice& c);
  ~scan_executor() { c_.scheduler->close(handle_); }
  scan_executor(const scan_executor&) = delete;
  scan_executor& operator=(const scan_executor&) = delete;

  /// Scans the lines.
  void run(const void* op, const void* data, const void* init, void* results);
  /// Scans segments.
  void run_segments(const void* op, const segment_list& segments, const void* init, void* results);

  /// The threads that took part in the last call; before the first one, those that would take part in one for all that
  /// the choice is for.
  int threads() const { return threads_; }

 private:
  template <class Lines>
  struct call;
  struct strided_call;
  struct strided_line;
  /// How contiguous lines are shared out: in two passes, the first of which folds and the second scans a part for each
  /// thread, or in units, each of which is folded and scanned.
  struct division {
    int threads;
    bool in_passes;
    std::int64_t units;
  };
  /// That of lines which take as long as `work` elements.
  division division_of(std::int64_t work) const;
  /// The most strided lines that are scanned together, and the pages that a thread scans of one that several share.
  static constexpr int most_strided_lines = 64;
  static constexpr std::int64_t strided_unit_pages = 4;
  /// How many groups of strided lines there are along the inner axis, and in all.
  std::int64_t groups_in_line() const { return (inner_from_.extent + width_ - 1) / width_; }
  std::int64_t groups() const { return from_->outputs / inner_from_.extent * groups_in_line(); }
  /// How many units a strided line has.
  std::int64_t units_of_line() const;
  /// The threads for strided lines.
  int threads_for_strided() const;
  /// What all parts of a call have in common.
  scan_part common_part(const void* init) const;
  template <class Lines>
  void run_lines(const void* op, const Lines& lines, const void* init);
  /// Where they lie apart (scan_strided.cpp).
  void run_strided(const void* op, const void* data, const void* init, void* results);

  const choice& c_;
  const problem *from_ = nullptr, *to_ = nullptr;
  problem outer_from_, outer_to_;           ///< where lines are strided: the kept axes but the last one
  axis inner_from_{1, 0}, inner_to_{1, 0};  ///< that axis
  bool contiguous_ = true;                  ///< whether the elements of each line follow each other, and its results
  int width_ = 1;                           ///< lines that are scanned together where they are strided
  bool shares_lines_ = false;               ///< whether all threads work on each strided line
  std::unique_ptr<scan_scratch> scratch_;
  void* handle_;
  int threads_ = 1;
};

}  // namespace onefold::detail
