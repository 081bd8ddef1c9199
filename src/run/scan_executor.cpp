#include "run/scan_executor.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "fork.hpp"
#include "planner/candidates.hpp"
#include "run/cpu_executor.hpp"
#include "run/gather.hpp"
#include "run/scan_lines.hpp"

namespace onefold::detail {
namespace {

/// Elements, in pages, that a thread folds and then scans: they come from its own cache the second time.
constexpr std::int64_t unit_pages = 16;

/// From this many bytes of elements on, a core's own cache does not hold them and their results: both are asked for
/// ahead. Sums of f64 in L3 take 0.87 of the time (2^18 elements, EPYC with AVX-512).
constexpr std::int64_t ahead_bytes = 512 << 10;

/// From this many bytes of elements on, results go to memory, past the caches.
constexpr std::int64_t large_bytes = 16 << 20;

/// Bytes of elements and of results of lines that are scanned together where they are strided.
constexpr std::int64_t most_tile_bytes = 256 << 10;
constexpr int most_strided_lines = 64;

constexpr std::int64_t aligned(std::int64_t bytes, std::int64_t align) { return (bytes + align - 1) / align * align; }

/// Waits until `turn` has a value. Whoever sets it works on another thread, and waits for nothing itself but its
/// predecessors; where threads are more than cores, it may have to be given one.
void wait_for(const std::atomic<std::int64_t>& turn, std::int64_t value) {
  for (int i = 0; turn.load(std::memory_order_acquire) != value; ++i)
    if (i >= 1000) std::this_thread::yield();
}

}  // namespace

scan_scratch::scan_scratch(const choice& c, const scan_recipe& s, int pieces, std::int64_t pages, int lines,
                           std::int64_t tile_elements)
    : pieces_(pieces), lines_(lines) {
  const recipe& r = *c.recipe;
  const std::int64_t align = std::max<std::int64_t>({r.state_align, 64});
  align_ = std::align_val_t{static_cast<std::size_t>(align)};
  fold_bytes_ = aligned(room_bytes(r, std::max<std::int64_t>(pages, 1)), align);
  scan_bytes_ = aligned(s.room_size, align);
  line_bytes_ = aligned(std::int64_t{scan_nodes} * r.state_size, align);
  tile_bytes_ = aligned(tile_elements * r.element_size, align);
  piece_bytes_ =
      fold_bytes_ + scan_bytes_ + lines * line_bytes_ + tile_bytes_ + aligned(tile_elements * c.result_size, align);
  lists_.reserve(static_cast<std::size_t>(pieces) + 1);  // a list that cannot grow would leak the memory
  const std::int64_t list_bytes = aligned(node_list::bytes(r, 1, std::max<std::int64_t>(pages, 1)), align);
  memory_ = static_cast<char*>(
      ::operator new(static_cast<std::size_t>(pieces * piece_bytes_ + (pieces + 1) * list_bytes), align_));
  for (int i = 0; i <= pieces; ++i)
    lists_.emplace_back(r, std::max<std::int64_t>(pages, 1), memory_ + pieces * piece_bytes_ + i * list_bytes);
}

scan_executor::scan_executor(const choice& c)
    : c_(c),
      scratch_(std::make_unique<scan_scratch>(c, *c.scan, c.threads, pages_of(*c.recipe, c.n), 1, 0)),
      handle_(c.scheduler->open(c.threads)),
      threads_(pieces_for(units_of(c.n))) {}

scan_executor::scan_executor(const choice& c, const problem& from, const problem& to)
    : c_(c), from_(&from), to_(&to), outer_from_(from), outer_to_(to), handle_(nullptr) {
  const recipe& r = *c.recipe;
  contiguous_ = from.n == 0 || (rows_are_contiguous(from) && rows_are_contiguous(to));
  std::int64_t tile = 0;
  if (!contiguous_) {
    if (from.kept_axes > 0) {
      inner_from_ = outer_from_.kept[--outer_from_.kept_axes];
      inner_to_ = outer_to_.kept[--outer_to_.kept_axes];
    }
    // As many lines as fill the tiles, but a part for each thread.
    const std::int64_t n = std::min(from.n, r.page), bytes = n * std::max<std::int64_t>(r.element_size, c.result_size);
    const std::int64_t each = (inner_from_.extent + c.threads - 1) / c.threads;
    width_ = static_cast<int>(
        std::clamp<std::int64_t>(most_tile_bytes / bytes, 1, std::min<std::int64_t>(each, most_strided_lines)));
    tile = n * width_;
  }
  scratch_ = std::make_unique<scan_scratch>(c, *c.scan, c.threads, pages_of(r, from.n), width_, tile);
  handle_ = c.scheduler->open(c.threads);
  if (from.outputs > 0)
    threads_ = pieces_for(
        contiguous_ ? units_of(row_lines(from, to, r, nullptr, nullptr, c.result_size).work_before(from.outputs))
                    : groups());
}

std::int64_t scan_executor::units_of(std::int64_t work) const {
  const bool alone = c_.threads == 1 || work < c_.gains_from || threads_lost();
  return alone ? 1 : std::max<std::int64_t>(1, work / (unit_pages * c_.recipe->page));
}

int scan_executor::pieces_for(std::int64_t parts) const {
  return threads_lost() ? 1 : static_cast<int>(std::clamp<std::int64_t>(parts, 1, c_.threads));
}

void scan_executor::complete(scan_part& part, const void* init) const {
  part.exclusive = c_.exclusive;
  part.result_type = c_.result;
  part.result_size = c_.result_size;
  part.init = init;
}

/// The scan of contiguous lines: what a piece of work needs to know. The work is cut into units, which threads take one
/// after the other. Whoever has one folds what of its last line lies in it, waits for the nodes before it, leaves the
/// nodes before the next one, and scans: no thread waits for one that has not begun.
template <class Lines>
struct scan_executor::call {
  scan_executor& e;
  scan_scratch& scratch;
  const recipe& r;
  const void* op;
  const Lines& lines;
  const void* init;
  std::int64_t work, units;
  bool from_memory;  ///< as in scan_part: not where units are folded just before they are scanned
  bool to_memory;    ///< as in scan_part, unless the results replace the elements
  std::atomic<std::int64_t> next{0}, turn{0};
  std::atomic<const char*> why{nullptr};

  void fold_piece(int piece) {
    for (std::int64_t u; (u = next.fetch_add(1, std::memory_order_relaxed)) < units;) scan_unit(piece, u);
  }

  line_place place_of(std::int64_t unit) const {
    if (unit == units) return {lines.count(), 0};
    return lines.place_of(work / units * unit + std::min(unit, work % units));
  }

  void scan_unit(int piece, std::int64_t u) {
    const line_place begin = place_of(u), end = place_of(u + 1);
    std::int32_t node_count = 0;
    if (units > 1) {
      node_list& mine = scratch.list(piece);
      if (end.page > 0) {
        const line l = *typename Lines::cursor(lines, end.line);
        fold_pages(r, op, {l.data, l.n, 0}, end.line == begin.line ? begin.page : 0, end.page, mine,
                   scratch.fold_room(piece));
      }
      node_list& before = scratch.list(scratch.pieces());
      wait_for(turn, u);
      if (begin.page > 0) {
        node_count = before.count();
        std::memcpy(scratch.nodes(piece, 0), before.states(), static_cast<std::size_t>(node_count) * r.state_size);
      }
      if (end.page > 0) {
        if (end.line != begin.line || begin.page == 0) before.begin(1);
        before.push(op, mine, scratch.fold_room(piece));
      }
      turn.store(u + 1, std::memory_order_release);
    }
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
    scan_part part{};
    part.data = l.data + first * r.element_size;
    part.n = last - first;
    part.index = first;
    part.nodes = scratch.nodes(piece, 0);
    part.node_count = node_count;
    part.from_memory = from_memory;
    part.to_memory = to_memory && l.data != l.results;
    part.results = l.results + first * e.c_.result_size;
    e.complete(part, init);
    if (const char* no = e.c_.scan->scan(op, part, e.c_.scan->write, scratch.scan_room(piece)))
      why.store(no, std::memory_order_relaxed);
  }
};

/// The scan of lines whose elements or results lie apart: some neighboring lines at a time, page by page, through
/// tiles.
struct scan_executor::strided_call {
  scan_executor& e;
  scan_scratch& scratch;
  const recipe& r;
  const void* op;
  const char* data;
  char* results;
  const void* init;
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
      const std::int64_t present = std::min(n - index, r.page);
      gather(elements, {count, e.inner_from_.stride, e.from_, index, present}, r.element_size, scratch.tile(piece));
      for (int i = 0; i < count; ++i) {
        scan_part part{};
        part.data = scratch.tile(piece) + i * present * r.element_size;
        part.n = present;
        part.index = index;
        part.nodes = scratch.nodes(piece, i);
        part.node_count = node_counts[i];
        part.results = scratch.result_tile(piece) + i * present * e.c_.result_size;
        e.complete(part, init);
        if (const char* no = e.c_.scan->scan(op, part, e.c_.scan->write, scratch.scan_room(piece)))
          why.store(no, std::memory_order_relaxed);
        node_counts[i] = part.node_count;
      }
      scatter(scratch.result_tile(piece), {count, e.inner_to_.stride, e.to_, index, present}, e.c_.result_size,
              written);
    }
  }
};

template <class Lines>
void scan_executor::run_lines(const void* op, const Lines& lines, const void* init) {
  const recipe& r = *c_.recipe;
  const std::int64_t work = lines.work_before(lines.count()), units = units_of(work);
  const std::int64_t bytes = work * r.element_size;
  call<Lines> c{
      *this, *scratch_, r, op, lines, init, work, units, units == 1 && bytes >= ahead_bytes, bytes >= large_bytes};
  threads_ = pieces_for(units);
  run_pieces(*c_.scheduler, handle_, threads_, c);
  check_result(r, c.why.load());
}

void scan_executor::run(const void* op, const void* data, const void* init, void* results) {
  const recipe& r = *c_.recipe;
  if (contiguous_) return run_lines(op, row_lines(*from_, *to_, r, data, results, c_.result_size), init);
  strided_call c{*this,    *scratch_,       r, op, static_cast<const char*>(data), static_cast<char*>(results), init,
                 groups(), groups_in_line()};
  threads_ = pieces_for(c.groups);
  run_pieces(*c_.scheduler, handle_, threads_, c);
  check_result(r, c.why.load());
}

void scan_executor::run_segments(const void* op, const segment_list& segments, const void* init, void* results) {
  run_lines(op, segment_lines(segments, *c_.recipe, results, c_.result_size), init);
}

}  // namespace onefold::detail
