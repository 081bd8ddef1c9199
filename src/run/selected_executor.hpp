// Runs a reduction of selected elements on the CPU: they are copied to neighboring places page by page, and folded.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "choose.hpp"
#include "run/piece_scratch.hpp"
#include "run/selection_reader.hpp"

namespace onefold::detail {

/// A CPU backend with the memory that all threads need. Where there are outputs for all threads, each is folded by one
/// of them, in one pass. Long outputs that are fewer take two: threads count the selected elements of blocks, then each
/// folds some pages of the elements that are left, and leaves nodes that are joined at the end. The caller guards the
/// floating-point environment, and has checked the arguments.
class selected_executor {
 public:
  explicit selected_executor(const choice& c);
  ~selected_executor() { c_.scheduler->close(handle_); }
  selected_executor(const selected_executor&) = delete;
  selected_executor& operator=(const selected_executor&) = delete;

  /// Reduces all outputs, which lie one after the other at `results`. Throws empty_input where nothing of an output is
  /// selected, for an operation that needs something.
  void run(const void* op, const selected_data& from, const void* init, void* results);

 private:
  struct call;
  struct counting;
  struct output;

  /// How many outputs a thread folds at once, each with a tile, a room and nodes of its own.
  int slots() const { return static_cast<int>(is_cut_ ? 1 : reader_.width()); }
  std::int64_t blocks() const { return (n_ + block_ - 1) / block_; }

  /// The block of output `number` that its selected element `index` is in.
  std::int64_t block_of(std::int64_t number, std::int64_t index) const;

  const choice& c_;
  std::int64_t outputs_, n_;  ///< of the shape: n elements each, selected or not
  selection_reader reader_;
  int pieces_;
  bool is_cut_;         ///< whether several threads may fold an output
  std::int64_t block_;  ///< elements that are counted together
  piece_scratch scratch_;
  std::unique_ptr<char[]> rooms_;           ///< where each piece reads
  std::vector<std::int64_t> before_;        ///< of each block: selected elements of its output before it
  std::vector<std::int64_t> selected_;      ///< of each output
  std::vector<std::int64_t> pages_before_;  ///< of each output: pages of all outputs before it; and of all
  std::vector<std::int64_t> first_empty_;   ///< of each piece: the first output without elements, or `outputs_`
  void* handle_;
};

}  // namespace onefold::detail
