// Scans of lines whose elements or results lie apart: through tiles.
#include <algorithm>
#include <atomic>

#include "run/cpu_executor.hpp"
#include "run/gather.hpp"
#include "run/partition.hpp"
#include "run/problem.hpp"
#include "run/scan_executor.hpp"
#include "run/turn.hpp"

namespace onefold::detail {

/// Some neighboring lines at a time, page by page.
struct scan_executor::strided_call {
  scan_executor& e;
  scan_scratch& scratch;
  const recipe& r;
  const void* op;
  const char* data;
  char* results;
  scan_part common;              ///< what all parts have in common
  std::int64_t groups, in_line;  ///< groups of lines, and how many there are along the inner axis
  std::atomic<std::int64_t> next{0};
  std::atomic<const char*> why{nullptr};

  void fold_piece(int piece) {
    for (std::int64_t g; (g = next.fetch_add(1, std::memory_order_relaxed)) < groups;) scan_group(piece, g);
  }

  void scan_group(int piece, std::int64_t g) {
    odometer from(e.outer_from_.kept, e.outer_from_.kept_axes), to(e.outer_to_.kept, e.outer_to_.kept_axes);
    from.seek(g / in_line);
    to.seek(g / in_line);
    const std::int64_t first_line = g % in_line * e.width_, n = e.from_->n;
    const int count = static_cast<int>(std::min<std::int64_t>(e.width_, e.inner_from_.extent - first_line));
    const char* const elements = data + (from.offset() + first_line * e.inner_from_.stride) * r.element_size;
    char* const written = results + (to.offset() + first_line * e.inner_to_.stride) * e.c_.result_size;
    std::int32_t node_counts[most_strided_lines] = {};
    for (std::int64_t index = 0; index < n; index += r.page) {
      const std::int64_t present = std::min(n - index, r.page), size = r.element_size, result_size = e.c_.result_size;
      const std::int64_t pitch = pitch_of(present, size), result_pitch = pitch_of(present, result_size);
      gather(elements, {count, e.inner_from_.stride, e.from_, index, present, pitch}, size, scratch.tile(piece));
      for (int i = 0; i < count; ++i) {
        scan_part part = common;
        part.data = scratch.tile(piece) + i * pitch * size;
        part.n = present;
        part.index = index;
        part.nodes = scratch.nodes(piece, i);
        part.node_count = node_counts[i];
        part.results = scratch.result_tile(piece) + i * result_pitch * result_size;
        if (const char* no = e.c_.scan->scan(op, part, e.c_.scan->write, scratch.scan_room(piece)))
          why.store(no, std::memory_order_relaxed);
        node_counts[i] = part.node_count;
      }
      scatter(scratch.result_tile(piece), {count, e.inner_to_.stride, e.to_, index, present, result_pitch}, result_size,
              written);
    }
  }
};

/// Where there are few lines: all threads on one after the other, in units of pages, which they take one after another.
/// A thread folds its unit, waits for the nodes before it, leaves those before the next unit, and scans.
struct scan_executor::strided_line {
  scan_executor& e;
  scan_scratch& scratch;
  const recipe& r;
  const void* op;
  const char* data;
  char* results;
  scan_part common;  ///< what all parts have in common
  std::int64_t units;
  std::atomic<std::int64_t> next{0}, turn{0};
  std::atomic<const char*> why{nullptr};

  void fold_piece(int piece) {
    for (std::int64_t u; (u = next.fetch_add(1, std::memory_order_relaxed)) < units;) scan_unit(piece, u);
  }

  void scan_unit(int piece, std::int64_t u) {
    const std::int64_t full = strided_unit_pages * r.page, index = u * full, n = std::min(e.from_->n - index, full);
    const bool is_last = u + 1 == units;
    char* const elements = scratch.tile(piece);
    gather(data, {1, 0, e.from_, index, n}, r.element_size, elements);
    if (!is_last)
      fold_pages(r, op, {elements, n, index}, 0, strided_unit_pages, scratch.list(piece), scratch.fold_room(piece),
                 true);
    wait_for(turn, u);
    if (u == 0) scratch.before().begin(1);
    scan_part part = common;
    part.node_count = scratch.copy_nodes_before(piece);
    if (!is_last) scratch.before().push(op, scratch.list(piece), scratch.fold_room(piece));
    turn.store(u + 1, std::memory_order_release);
    part.data = elements;
    part.n = n;
    part.index = index;
    part.nodes = scratch.nodes(piece, 0);
    part.results = scratch.result_tile(piece);
    if (const char* no = e.c_.scan->scan(op, part, e.c_.scan->write, scratch.scan_room(piece)))
      why.store(no, std::memory_order_relaxed);
    scatter(scratch.result_tile(piece), {1, 0, e.to_, index, n}, e.c_.result_size, results);
  }
};

void scan_executor::run_strided(const void* op, const void* data, const void* init, void* results) {
  const recipe& r = *c_.recipe;
  const auto* const elements = static_cast<const char*>(data);
  auto* const written = static_cast<char*>(results);
  threads_ = threads_for_strided();
  if (!shares_lines_ || threads_ == 1) {
    strided_call c{*this, *scratch_, r, op, elements, written, common_part(init), groups(), groups_in_line()};
    run_pieces(*c_.scheduler, handle_, threads_, c);
    return check_result(r, c.why.load());
  }
  odometer from(from_->kept, from_->kept_axes), to(to_->kept, to_->kept_axes);
  for (std::int64_t i = 0; i < from_->outputs; ++i, from.next(), to.next()) {
    strided_line c{*this,
                   *scratch_,
                   r,
                   op,
                   elements + from.offset() * r.element_size,
                   written + to.offset() * c_.result_size,
                   common_part(init),
                   units_of_line()};
    run_pieces(*c_.scheduler, handle_, threads_, c);
    check_result(r, c.why.load());
  }
}

}  // namespace onefold::detail
