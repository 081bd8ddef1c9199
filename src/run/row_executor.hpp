// Works on rows on the CPU.
#pragma once

#include <array>
#include <cstdint>
#include <new>
#include <optional>

#include "choose.hpp"
#include "onefold/detail/row_engine.hpp"
#include "row_recipe.hpp"
#include "run/cpu_executor.hpp"
#include "run/mapped_reader.hpp"
#include "run/selected_lines.hpp"

namespace onefold::detail {

/// A CPU backend that works on the lines of an array, with the memory for it. In its functions the caller guards the
/// floating-point environment, and has checked the arguments.
class row_executor {
 public:
  /// All must live as long.
  row_executor(const choice& c, const row_problem& problem, const row_recipe& rows);
  ~row_executor();
  row_executor(const row_executor&) = delete;
  row_executor& operator=(const row_executor&) = delete;

  void run(const row_memory& m, const row_extras& extras);

  /// The threads that take part in a call.
  int threads() const;

 private:
  struct call;
  struct long_line;
  /// The memory of one piece of work.
  struct scratch {
    char* fold_room;   ///< a state of the catalog's recipe, and what that works in
    char* values;      ///< a room of row_recipe, for all pages of a line if they are kept
    char* statistics;  ///< the result of the catalog's recipe for each line of a block
    row_map* maps;     ///< of each line of a block
    row_state* pages;  ///< of a line
    char* tile;        ///< the elements of a block, where they or their results lie apart, or a room of selected_
  };
  scratch scratch_of(int piece) const;

  /// All threads on one line after the other (row_long_lines.cpp).
  void run_long(const row_memory& m);
  void finish_empty(const row_memory& m, const row_store& store) const;
  /// A line of a block, a page of a line.
  row_block line_of(const row_block& b, std::int64_t i) const;
  row_block page_of(const row_block& line, std::int64_t page) const;
  /// V's pages of a line of n elements.
  std::int64_t pages_in(std::int64_t n) const { return (n + rows_.page - 1) / rows_.page; }

  const choice& c_;
  const row_request& what_;
  std::optional<mapped_reader> computed_;  ///< where a function computes the elements, into a tile
  bool stores_;                            ///< whether a function takes the results, from a tile
  const row_recipe& rows_;
  const recipe& fold_;                      ///< of the catalog, for operations that it folds
  std::int64_t size_;                       ///< bytes of an element
  std::int64_t n_, pages_;                  ///< elements of a line, and V's pages
  std::int64_t kept_pages_;                 ///< a line of up to so many keeps its exponentials until they are scaled
  dtype statistics_type_;                   ///< of the catalog's result, as for recipe::finish
  std::int64_t statistics_size_ = 0;        ///< its bytes
  std::int64_t state_size_ = 0;             ///< bytes of a state in fold_room
  problem outer_from_, outer_to_;           ///< the kept axes but the last one
  axis inner_from_{1, 0}, inner_to_{1, 0};  ///< that axis
  bool tiled_ = false;                      ///< whether elements of a line, or their results, lie apart or are computed
  std::int64_t pitch_ = 0;                  ///< elements from one line of a tile to the next
  bool prefetches_ = false;                 ///< whether elements are brought to a core's cache a block ahead
  std::int64_t width_ = 1;                  ///< lines of a block
  std::int64_t blocks_in_line_ = 0, blocks_ = 0;
  std::array<std::int64_t, 7> offsets_{};  ///< where the parts of a scratch begin, and the last one ends
  std::int64_t piece_bytes_ = 0;
  std::align_val_t align_{64};
  char* memory_ = nullptr;
  std::optional<selected_lines> selected_;  ///< where there is a mask
  std::optional<cpu_executor> whole_line_;  ///< folds a line by all threads, where there are few
  void* handle_ = nullptr;
};

}  // namespace onefold::detail
