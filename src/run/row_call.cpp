#include "run/row_call.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "run/block.hpp"
#include "run/gather.hpp"
#include "run/partition.hpp"
#include "run/problem.hpp"

namespace onefold::detail {

void row_executor::call::fold_piece(int piece) {
  const scratch own = e.scratch_of(piece);
  for (std::int64_t b; (b = next.fetch_add(1, std::memory_order_relaxed)) < e.blocks_;) {
    const line_range of = lines_of(b);
    if (e.selected_)
      work_on_selected(own, of);
    else
      work_on(own, of, ahead_of(b, of));
  }
}

std::int64_t row_executor::call::ahead_of(std::int64_t block, const line_range& of) const {
  const std::int64_t later = block + threads;  // a thread's next block, if all are equally fast
  return e.prefetches_ && later < e.blocks_ ? lines_of(later).data - of.data : 0;
}

row_executor::call::line_range row_executor::call::lines_of(std::int64_t block) const {
  odometer from(e.outer_from_.kept, e.outer_from_.kept_axes), to(e.outer_to_.kept, e.outer_to_.kept_axes);
  const std::int64_t outer = block / e.blocks_in_line_, first = block % e.blocks_in_line_ * e.width_;
  from.seek(outer);
  to.seek(outer);
  return {outer * e.inner_from_.extent + first, std::min(e.width_, e.inner_from_.extent - first),
          e.computed_ ? nullptr
                      : static_cast<const char*>(m.data) + (from.offset() + first * e.inner_from_.stride) * e.size_,
          e.stores_ ? nullptr : static_cast<char*>(m.results) + (to.offset() + first * e.inner_to_.stride) * e.size_};
}

void row_executor::call::store(const void* results, std::int64_t line) const {
  const row_store& to = extras.store;
  to.take(to.context, results, line, e.what_.operation == row_operation::logsumexp ? 1 : e.n_);
}

void row_executor::call::work_on(const scratch& own, const line_range& of, std::int64_t ahead) {
  row_block block{of.data, e.inner_from_.stride, of.results, e.inner_to_.stride, of.count, e.n_, ahead};
  if (e.tiled_) {
    if (e.computed_)
      e.computed_->read(extras.from, {of.first, of.count, 0, e.n_}, false, own.tile);
    else
      gather(of.data, {of.count, e.inner_from_.stride, &e.what_.from, 0, e.n_, e.pitch_}, e.size_, own.tile);
    block.data = own.tile;
    block.across = e.pitch_;
  }
  if (e.stores_ || (e.tiled_ && e.what_.operation != row_operation::logsumexp)) {
    block.results = own.tile;
    block.to_across = e.pitch_;
  }
  fold_and_map(own, block, of.first);
  if (e.stores_)
    for (std::int64_t i = 0; i < of.count; ++i) store(e.line_of(block, i).results, of.first + i);
  else if (block.results == own.tile)
    scatter(own.tile, {of.count, e.inner_to_.stride, &e.what_.to, 0, e.n_, e.pitch_}, e.size_, of.results);
}

void row_executor::call::work_on_selected(const scratch& own, const line_range& of) {
  const selected_lines& s = *e.selected_;
  const selected_lines::room r = s.room_at(own.tile);
  const bool is_one_a_line = e.what_.operation == row_operation::logsumexp;
  s.compress_lines({m.data, extras.mask}, of.first, of.count, r);
  // Neighbors with equally many selected elements are worked on at once.
  for (std::int64_t i = 0, alike; i < of.count; i += alike) {
    const std::int64_t n = r.counts[i];
    for (alike = 1; i + alike < of.count && r.counts[i + alike] == n;) ++alike;
    char* const tile = r.tile + i * s.across() * e.size_;
    row_block block{tile, s.across(), tile, s.across(), alike, n};
    if (is_one_a_line && !e.stores_) {
      block.results = of.results + i * e.inner_to_.stride * e.size_;
      block.to_across = e.inner_to_.stride;
    }
    if (n == 0)
      finish_unselected(block, of.first + i);
    else
      fold_and_map(own, block, of.first + i, &r, i);
  }
  if (e.stores_)
    for (std::int64_t i = 0; i < of.count; ++i)
      store(is_one_a_line ? r.tile + i * s.across() * e.size_ : s.expand_line(i, r), of.first + i);
  else if (!is_one_a_line)
    s.expand_lines(of.count, r, of.results);
}

void row_executor::call::finish_unselected(const row_block& b, std::int64_t first_line) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::int64_t i = 0; i < b.lines; ++i) {
    if (e.what_.operation == row_operation::logsumexp) e.rows_.finish({0, 0}, e.line_of(b, i).results);
    if (m.mean) e.rows_.store_statistics({nan, nan}, first_line + i, m);
  }
}

void row_executor::call::fold_and_map(const scratch& own, const row_block& b, std::int64_t first_line,
                                      const selected_lines::room* selects, std::int64_t in_room) {
  const row_operation what = e.what_.operation;
  if (is_exponential(what)) return exponentials(own, b);
  make_maps(own, b);
  if (m.mean)
    for (std::int64_t i = 0; i < b.lines; ++i) e.rows_.store_statistics(own.maps[i], first_line + i, m);
  if (!selects || (!m.weight && !m.bias)) return e.rows_.map(what, b, own.maps, m.weight, m.bias);
  for (std::int64_t i = 0; i < b.lines; ++i)
    e.rows_.map(what, e.line_of(b, i), own.maps + i,
                e.selected_->compress_parameter(m.weight, in_room + i, *selects, selects->weight),
                e.selected_->compress_parameter(m.bias, in_room + i, *selects, selects->bias));
}

void row_executor::call::exponentials(const scratch& own, const row_block& b) const {
  const row_recipe& rows = e.rows_;
  const row_operation what = e.what_.operation;
  const std::int64_t pages = e.pages_in(b.n);
  if (pages == 1) return rows.exponentials(what, b, own.values);
  for (std::int64_t i = 0; i < b.lines; ++i) {
    const row_block line = e.line_of(b, i);
    const row_state all = line_state(own, line);
    if (what == row_operation::logsumexp) {
      rows.finish(all, line.results);
    } else if (what == row_operation::log_softmax) {
      const row_map map = rows.map_of(what, all, all, 0);
      rows.map(what, line, &map, nullptr, nullptr);
    } else {
      for (std::int64_t p = 0; p < pages; ++p) {
        const row_block page = e.page_of(line, p);
        const row_map map = rows.map_of(what, own.pages[p], all, 0);
        if (pages <= e.kept_pages_)
          rows.scale(own.values + p * rows.page * rows.value_size, page.n, map.factor, page.results);
        else
          rows.map(what, page, &map, nullptr, nullptr);
      }
    }
  }
}

row_state row_executor::call::line_state(const scratch& own, const row_block& line) const {
  const row_recipe& rows = e.rows_;
  const std::int64_t pages = e.pages_in(line.n);
  const bool keeps = pages <= e.kept_pages_;
  for (std::int64_t p = 0; p < pages; ++p) {
    const row_block page = e.page_of(line, p);
    own.pages[p] = rows.page_state(e.what_.operation, page.data, page.n,
                                   own.values + (keeps ? p * rows.page * rows.value_size : 0));
  }
  return rows.line_state(e.what_.operation, own.pages, pages);
}

void row_executor::call::make_maps(const scratch& own, const row_block& b) {
  const row_operation what = e.what_.operation;
  if (is_folded_by_catalog(what)) return fold_by_catalog(own, b);
  for (std::int64_t i = 0; i < b.lines; ++i) {
    const row_state all = line_state(own, e.line_of(b, i));
    own.maps[i] = e.rows_.map_of(what, all, all, e.what_.eps);
  }
}

void row_executor::call::fold_by_catalog(const scratch& own, const row_block& b) {
  const recipe& r = e.fold_;
  const char* no = nullptr;
  if (b.n <= r.page) {
    const block whole{b.data, b.lines, b.n, 1, b.across, 0, b.n, own.statistics, e.statistics_size_, true};
    no = reduce_block(r, nullptr, whole, nullptr, e.statistics_type_, own.fold_room);
  } else {
    // A line's pages are one run.
    const int log2 = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(pages_of(r, b.n) - 1)));
    for (std::int64_t i = 0; i < b.lines; ++i) {
      char* const room = own.fold_room + e.state_size_;
      r.fold(nullptr, {e.line_of(b, i).data, b.n, 0}, 0, 1, log2, own.fold_room, room);
      if (const char* none = r.finish(nullptr, own.fold_room, b.n, nullptr, e.statistics_type_,
                                      own.statistics + i * e.statistics_size_, room))
        no = none;
    }
  }
  if (no) why.store(no, std::memory_order_relaxed);
  e.rows_.maps_of_statistics(e.what_.operation, own.statistics, b.lines, b.n, e.what_.eps, own.maps);
}

}  // namespace onefold::detail
