// Runs the reduction of segments on the CPU: shared out by their elements, and cut at any page.
#pragma once

#include <cstdint>

#include "choose.hpp"
#include "fork.hpp"
#include "run/packed_segments.hpp"
#include "run/partition.hpp"
#include "run/piece_scratch.hpp"
#include "run/segments.hpp"

namespace onefold::detail {

/// A CPU backend with the memory that all threads need. One piece folds a segment of up to a page; several may
/// fold a longer one, of which each leaves nodes that are joined at the end. The caller guards the floating-point
/// environment, and has checked the arguments.
class segment_executor {
 public:
  explicit segment_executor(const choice& c);
  ~segment_executor() { c_.scheduler->close(handle_); }
  segment_executor(const segment_executor&) = delete;
  segment_executor& operator=(const segment_executor&) = delete;

  /// Reduces the selected elements of all segments, the results of which lie one after the other at `results`. Throws
  /// empty_input, before anything is written, where nothing of a segment is selected, for an operation that needs
  /// something.
  void run(const void* op, const segment_list& segments, const void* init, void* results);

  /// The threads, for what has to be done before.
  team threads() const { return {*c_.scheduler, handle_, threads_lost() ? 1 : c_.threads}; }

 private:
  struct call;

  void run_all(const void* op, const segment_list& segments, const void* init, void* results);

  const choice& c_;
  piece_scratch scratch_;
  packed_segments packed_;
  void* handle_;
};

}  // namespace onefold::detail
