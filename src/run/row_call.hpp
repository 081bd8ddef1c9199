// One run of a row_executor: how a thread works on a block of lines.
#pragma once

#include <atomic>
#include <cstdint>

#include "run/row_executor.hpp"

namespace onefold::detail {

/// What a piece of work needs to know. Threads take one block after the other.
struct row_executor::call {
  const row_executor& e;
  const row_memory& m;
  const row_extras& extras;
  int threads;  ///< that take part
  std::atomic<std::int64_t> next{0};
  std::atomic<const char*> why{nullptr};  ///< a line has no result

  void fold_piece(int piece);

 private:
  /// Some of a block's lines, as the executor's axes number them, and where their results go.
  struct line_range {
    std::int64_t first, count;
    const char* data;
    char* results;  ///< null where a function takes them
  };
  line_range lines_of(std::int64_t block) const;

  /// From the lines of a block to those that a thread works on afterwards, in bytes; 0 where nothing is known of them.
  std::int64_t ahead_of(std::int64_t block, const line_range& of) const;

  void work_on(const scratch& own, const line_range& of, std::int64_t ahead);
  void work_on_selected(const scratch& own, const line_range& of);
  /// Hands a line's results to the function that takes them.
  void store(const void* results, std::int64_t line) const;
  /// Lines of which nothing is selected: what they have beside results at each place.
  void finish_unselected(const row_block& b, std::int64_t first_line) const;

  /// Lines without gaps, from number first_line on. `selects`, if not null, is the room of their block's mask, which
  /// has them from number `in_room` on.
  void fold_and_map(const scratch& own, const row_block& b, std::int64_t first_line,
                    const selected_lines::room* selects = nullptr, std::int64_t in_room = 0);

  void exponentials(const scratch& own, const row_block& b) const;
  /// The state of a line by row_recipe, with those of its pages and, if they are kept, its exponentials.
  row_state line_state(const scratch& own, const row_block& line) const;
  /// The map of each line.
  void make_maps(const scratch& own, const row_block& b);
  void fold_by_catalog(const scratch& own, const row_block& b);
};

}  // namespace onefold::detail
