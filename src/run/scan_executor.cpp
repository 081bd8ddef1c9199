#include "run/scan_executor.hpp"
#include "run/gather.hpp"

#include <algorithm>
#include <atomic>

#include "fork.hpp"
#include "planner/candidates.hpp"
#include "run/cpu_executor.hpp"
#include "run/partition.hpp"
#include "run/scan_lines.hpp"
#include "run/turn.hpp"

namespace onefold::detail {
namespace {

/// Pages that a thread folds and then scans: the second time, their elements come from its own cache.
constexpr std::int64_t unit_pages = 16;

/// From this many bytes of elements on, a core's own cache does not hold them and their results: both are prefetched.
/// Sums of f64 in L3 take 0.87 of the time (2^18 elements, EPYC with AVX-512).
constexpr std::int64_t ahead_bytes = 512 << 10;

/// Up to this many threads scan elements that fit the caches in two passes, if each fold of the first pass has this
/// many pages at least.
constexpr int most_parts = 4;
constexpr std::int64_t least_fold_pages = 4;

/// From this many bytes of elements on, results go to memory, past the caches.
constexpr std::int64_t large_bytes = 16 << 20;

/// Bytes of elements and of results of lines that are scanned together where they are strided.
constexpr std::int64_t most_tile_bytes = 256 << 10;

/// Lists of nodes for threads: one for each, or one for each fold of the first of two passes.
constexpr int lists_for(int threads) {
  return threads > 1 && threads <= most_parts ? threads * (threads - 1) : threads;
}

}  // namespace

scan_executor::scan_executor(const choice& c)
    : c_(c),
      scratch_(std::make_unique<scan_scratch>(c, *c.scan, lists_for(c.threads), pages_of(*c.recipe, c.n), 1, 0, 0)),
      handle_(c.scheduler->open(c.threads)),
      threads_(division_of(c.n).threads) {}

scan_executor::scan_executor(const choice& c, const problem& from, const problem& to)
    : c_(c), from_(&from), to_(&to), outer_from_(from), outer_to_(to), handle_(nullptr) {
  const recipe& r = *c.recipe;
  contiguous_ = c.n == 0 || (rows_are_contiguous(from) && rows_are_contiguous(to));
  std::int64_t tile_bytes = 0, result_tile_bytes = 0;
  if (!contiguous_) {
    if (from.kept_axes > 0) {
      inner_from_ = outer_from_.kept[--outer_from_.kept_axes];
      inner_to_ = outer_to_.kept[--outer_to_.kept_axes];
    }
    // As many lines as fill the tiles, but a part for each thread.
    const std::int64_t page = std::min(from.n, r.page), largest = std::max<std::int64_t>(r.element_size, c.result_size);
    const std::int64_t each = (inner_from_.extent + c.threads - 1) / c.threads;
    width_ = static_cast<int>(std::clamp<std::int64_t>(most_tile_bytes / (page * largest), 1,
                                                       std::min<std::int64_t>(each, most_strided_lines)));
    const std::int64_t unit = strided_unit_pages * r.page;
    shares_lines_ = 2 * groups() <= c.threads && from.n >= std::max(c.gains_from, 2 * unit);
    const std::int64_t n = shares_lines_ ? unit : page;
    tile_bytes = pitch_of(n, r.element_size) * width_ * r.element_size;
    result_tile_bytes = pitch_of(n, c.result_size) * width_ * c.result_size;
  }
  scratch_ = std::make_unique<scan_scratch>(c, *c.scan, lists_for(c.threads), pages_of(r, from.n), width_, tile_bytes,
                                            result_tile_bytes);
  handle_ = c.scheduler->open(c.threads);
  if (c.n == 0) return;
  const row_lines lines(from, to, r, nullptr, nullptr, c.result_size);
  threads_ = contiguous_ ? division_of(lines.work_before(from.outputs)).threads : threads_for_strided();
}

scan_executor::division scan_executor::division_of(std::int64_t work) const {
  const recipe& r = *c_.recipe;
  if (c_.threads == 1 || work < c_.gains_from || threads_lost()) return {1, false, 1};
  if (c_.threads <= most_parts && work * r.element_size < large_bytes)
    for (int t = c_.threads; t > 1; --t)
      if (work >= t * t * least_fold_pages * r.page) return {t, true, 0};
  const std::int64_t units = std::max<std::int64_t>(1, work / (unit_pages * r.page));
  return {static_cast<int>(std::min<std::int64_t>(units, c_.threads)), false, units};
}

std::int64_t scan_executor::units_of_line() const {
  return (pages_of(*c_.recipe, from_->n) + strided_unit_pages - 1) / strided_unit_pages;
}

int scan_executor::threads_for_strided() const {
  const std::int64_t parts = shares_lines_ ? units_of_line() : groups();
  return threads_lost() ? 1 : static_cast<int>(std::min<std::int64_t>(parts, c_.threads));
}

scan_part scan_executor::common_part(const void* init) const {
  scan_part p{};
  p.exclusive = c_.exclusive;
  p.result_type = c_.result;
  p.result_size = c_.result_size;
  p.init = init;
  return p;
}

/// The scan of contiguous lines: what a piece of work needs to know.
///
/// In units, which threads take one after another. A thread folds the part of its unit's last line that lies in the
/// unit, waits for the nodes before it, leaves the nodes before the next unit, and scans. No thread waits for a unit
/// that none has taken.
///
/// In two passes, for t threads: the work is cut into t * t shares. First each thread folds t - 1 of them, so that all
/// but those of the last part are folded; then each scans a part of t shares. That is 1 / t less folding than in units,
/// but elements are read twice, which pays in caches alone.
template <class Lines>
struct scan_executor::call {
  scan_executor& e;
  scan_scratch& scratch;
  const recipe& r;
  const void* op;
  const Lines& lines;
  scan_part common;  ///< what all parts have in common; to_memory: unless the results replace the elements
  std::int64_t work;
  division how;
  std::int32_t node_counts[most_parts] = {};  ///< in the second pass, of the nodes before each part
  bool folded = false;                        ///< whether this is the second pass
  std::atomic<std::int64_t> next{0}, turn{0};
  std::atomic<const char*> why{nullptr};

  void fold_piece(int piece) {
    const int t = how.threads;
    if (!how.in_passes)
      for (std::int64_t u; (u = next.fetch_add(1, std::memory_order_relaxed)) < how.units;) scan_unit(piece, u);
    else if (!folded)
      for (int i = piece * (t - 1); i < (piece + 1) * (t - 1); ++i)
        fold(piece, place_of_share(i), place_of_share(i + 1), scratch.list(i));
    else
      scan_between(piece, place_of_share(piece * t), place_of_share((piece + 1) * t), node_counts[piece]);
  }

  /// Between the two passes: finds the nodes before each part.
  void join() {
    const int t = how.threads;
    for (int i = 1; i <= t * (t - 1); ++i) {
      append(0, place_of_share(i - 1), place_of_share(i), scratch.list(i - 1));
      if (i % t == 0) node_counts[i / t] = copy_nodes(i / t, place_of_share(i));
    }
  }

  /// Whether a part of the second pass begins within a line; if none does, the first pass is not needed.
  bool cuts_a_line() const {
    for (int part = 1; part < how.threads; ++part)
      if (place_of_share(part * how.threads).page > 0) return true;
    return false;
  }

 private:
  line_place place_of(std::int64_t i, std::int64_t of) const {
    if (i == of) return {lines.count(), 0};
    return lines.place_of(work / of * i + std::min(i, work % of));
  }
  line_place place_of_share(int i) const { return place_of(i, how.threads * how.threads); }

  void scan_unit(int piece, std::int64_t u) {
    const line_place begin = place_of(u, how.units), end = place_of(u + 1, how.units);
    std::int32_t node_count = 0;
    if (how.units > 1) {
      fold(piece, begin, end, scratch.list(piece));
      wait_for(turn, u);
      node_count = copy_nodes(piece, begin);
      append(piece, begin, end, scratch.list(piece));
      turn.store(u + 1, std::memory_order_release);
    }
    scan_between(piece, begin, end, node_count);
  }

  /// Folds the part of the last line that lies between two places.
  void fold(int piece, const line_place& begin, const line_place& end, node_list& own) {
    if (end.page == 0) return;
    const line l = *typename Lines::cursor(lines, end.line);
    fold_pages(r, op, {l.data, l.n, 0}, end.line == begin.line ? begin.page : 0, end.page, own,
               scratch.fold_room(piece));
  }
  /// Appends what was folded to the nodes before it.
  void append(int piece, const line_place& begin, const line_place& end, const node_list& own) {
    if (end.page == 0) return;
    if (end.line != begin.line || begin.page == 0) scratch.before().begin(1);
    scratch.before().push(op, own, scratch.fold_room(piece));
  }
  /// Copies the nodes of a line before a place; returns how many there are.
  std::int32_t copy_nodes(int piece, const line_place& place) const {
    return place.page == 0 ? 0 : scratch.copy_nodes_before(piece);
  }

  void scan_between(int piece, const line_place& begin, const line_place& end, std::int32_t node_count) {
    if (begin == end) return;
    typename Lines::cursor at(lines, begin.line);
    for (std::int64_t i = begin.line; i < lines.count(); ++i, at.next(), node_count = 0) {
      const line l = *at;
      const std::int64_t first = i == begin.line ? begin.page * r.page : 0,
                         last = i == end.line ? end.page * r.page : l.n;
      if (last > first) scan(piece, l, first, last, node_count);
      if (i == end.line) break;
    }
  }

  void scan(int piece, const line& l, std::int64_t first, std::int64_t last, std::int32_t node_count) {
    scan_part part = common;
    part.data = l.data + first * r.element_size;
    part.n = last - first;
    part.index = first;
    part.nodes = scratch.nodes(piece, 0);
    part.node_count = node_count;
    part.to_memory = common.to_memory && l.data != l.results;
    part.results = l.results + first * part.result_size;
    if (const char* no = e.c_.scan->scan(op, part, e.c_.scan->write, scratch.scan_room(piece)))
      why.store(no, std::memory_order_relaxed);
  }
};

template <class Lines>
void scan_executor::run_lines(const void* op, const Lines& lines, const void* init) {
  const recipe& r = *c_.recipe;
  const std::int64_t work = lines.work_before(lines.count()), bytes = work * r.element_size;
  const division how = division_of(work);
  scan_part common = common_part(init);
  common.from_memory = how.units <= 1 && bytes >= ahead_bytes;  // units are folded just before they are scanned
  common.to_memory = bytes >= large_bytes;
  call<Lines> c{*this, *scratch_, r, op, lines, common, work, how};
  threads_ = how.threads;
  if (how.in_passes && c.cuts_a_line()) {
    run_pieces(*c_.scheduler, handle_, how.threads, c);
    c.join();
  }
  c.folded = true;
  run_pieces(*c_.scheduler, handle_, how.threads, c);
  check_result(r, c.why.load());
}

void scan_executor::run(const void* op, const void* data, const void* init, void* results) {
  const recipe& r = *c_.recipe;
  if (contiguous_) return run_lines(op, row_lines(*from_, *to_, r, data, results, c_.result_size), init);
  run_strided(op, data, init, results);
}

void scan_executor::run_segments(const void* op, const segment_list& segments, const void* init, void* results) {
  run_lines(op, segment_lines(segments, *c_.recipe, results, c_.result_size), init);
}

}  // namespace onefold::detail
