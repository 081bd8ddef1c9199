// Rows that are long and few: all threads work on one line after the other.
#include "run/partition.hpp"
#include "run/problem.hpp"
#include "run/row_executor.hpp"

namespace onefold::detail {

/// A line that all threads work on: its pages are folded, and then mapped.
struct row_executor::long_line {
  const row_executor& e;
  const row_memory& m;
  row_block line;
  int pieces;
  bool folds;     ///< else it maps:
  row_state all;  ///< by this
  row_map map;

  void fold_piece(int piece) {
    const row_recipe& rows = e.rows_;
    const row_operation what = e.what_.operation;
    const scratch own = e.scratch_of(piece);
    row_state* const states = e.scratch_of(0).pages;
    const std::int64_t first = share(e.pages_, piece, pieces), last = share(e.pages_, piece + 1, pieces);
    for (std::int64_t p = first; p < last; ++p) {
      const row_block page = e.page_of(line, p);
      if (folds) {
        states[p] = rows.page_state(what, page.data, page.n, own.values);
        continue;
      }
      const row_map by = what == row_operation::softmax ? rows.map_of(what, states[p], all, 0) : map;
      const auto from_page = [&](const void* of_line) -> const void* {
        return of_line ? static_cast<const char*>(of_line) + p * rows.page * e.size_ : nullptr;
      };
      rows.map(what, page, &by, from_page(m.weight), from_page(m.bias));
    }
  }
};

void row_executor::run_long(const row_memory& m) {
  const row_operation what = what_.operation;
  odometer from(what_.from.kept, what_.from.kept_axes), to(what_.to.kept, what_.to.kept_axes);
  long_line work{*this, m, {}, threads(), true, {}, {}};
  const scratch own = scratch_of(0);
  for (std::int64_t i = 0; i < what_.from.outputs; ++i, from.next(), to.next()) {
    work.line = {static_cast<const char*>(m.data) + from.offset() * size_,
                 0,
                 static_cast<char*>(m.results) + to.offset() * size_,
                 0,
                 1,
                 n_};
    if (is_folded_by_catalog(what)) {
      const void* const state = whole_line_->fold(nullptr, work.line.data, n_);
      check_result(fold_, fold_.finish(nullptr, state, n_, nullptr, statistics_type_, own.statistics, own.fold_room));
      rows_.maps_of_statistics(what, own.statistics, 1, n_, what_.eps, &work.map);
    } else {
      work.folds = true;
      run_pieces(*c_.scheduler, handle_, work.pieces, work);
      work.all = rows_.line_state(what, own.pages, pages_);
      if (what == row_operation::logsumexp) {
        rows_.finish(work.all, work.line.results);
        continue;
      }
      work.map = rows_.map_of(what, work.all, work.all, what_.eps);
    }
    if (m.mean) rows_.store_statistics(work.map, i, m);
    work.folds = false;
    run_pieces(*c_.scheduler, handle_, work.pieces, work);
  }
}

}  // namespace onefold::detail
