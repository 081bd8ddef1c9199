// Works on rows on the CPU where they go along columns: neighboring lines are worked on row by row, and nothing is
// transposed.
#pragma once

#include <array>
#include <cstdint>
#include <new>

#include "choose.hpp"
#include "onefold/detail/row_engine.hpp"
#include "row_recipe.hpp"

namespace onefold::detail {

/// A CPU backend that works on panels of neighboring columns, with the memory for it. As row_executor.
class column_executor {
 public:
  /// Whether it works on these lines: elements of neighbors are contiguous, and there are enough of them for packs.
  static bool takes(const choice& c, const row_problem& problem, const row_recipe& rows);

  /// All must live as long.
  column_executor(const choice& c, const row_problem& problem, const row_recipe& rows);
  ~column_executor();
  column_executor(const column_executor&) = delete;
  column_executor& operator=(const column_executor&) = delete;

  void run(const row_memory& m);

  /// The threads that take part in a call.
  int threads() const;

 private:
  struct call;
  /// The memory of one piece of work, each part for all columns of a panel.
  struct scratch {
    char* fold_room;  ///< what the folds work in
    char* nodes;      ///< of an operation that the catalog folds, where lines have several pages
    char* folded;     ///< the results of a fold
    double* shifts;   ///< of a page
    row_map* maps;
    row_state* states;  ///< of each page of a column, then of the next column's; and of whole columns
    char* maps_room;    ///< of row_recipe
    char* values;       ///< of a page, as row_recipe::column_values leaves them
  };
  scratch scratch_of(int piece) const;

  const choice& c_;
  const row_request& what_;
  const row_recipe& rows_;
  const recipe* fold_;               ///< of the catalog: the operation's own, or what column_values is folded by
  const recipe* largest_ = nullptr;  ///< for softmax and its kin: the largest elements
  std::int64_t size_;                ///< bytes of an element
  std::int64_t n_, page_, pages_;    ///< elements of a line and of a page, and how many pages
  dtype folded_type_;                ///< of fold_'s results, as for recipe::finish
  std::int64_t folded_size_;         ///< their bytes
  problem outer_from_, outer_to_;    ///< the kept axes but the last one
  axis inner_from_, inner_to_;       ///< that axis
  std::int64_t width_;               ///< columns of a panel
  std::int64_t panels_in_line_, panels_;
  std::array<std::int64_t, 9> offsets_{};  ///< where the parts of a scratch begin, and the last one ends
  std::int64_t piece_bytes_ = 0;
  std::align_val_t align_{64};
  char* memory_ = nullptr;
  void* handle_ = nullptr;
};

}  // namespace onefold::detail
