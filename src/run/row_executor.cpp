#include "run/row_executor.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "fork.hpp"
#include "run/block.hpp"
#include "run/gather.hpp"
#include "run/partition.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

/// Bytes of the elements of a block of lines, which are folded and then mapped: they come from a core's own cache the
/// second time.
constexpr std::int64_t block_bytes = 128 << 10;
/// Lines of a block: no more have a map each; and where lines lie apart, no fewer than share a cache line.
constexpr std::int64_t most_lines = 256, least_tiled = 16, most_tiled = 64;
/// Bytes of exponentials that are kept; those of a longer line are made twice.
constexpr std::int64_t most_kept = 256 << 10;
/// From this many pages on, and with fewer lines than this for each thread, all threads work on one line.
constexpr std::int64_t long_pages = 16, few_lines = 4;

constexpr std::int64_t aligned(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace

row_executor::row_executor(const choice& c, const row_request& what, const row_recipe& rows)
    : c_(c),
      what_(what),
      rows_(rows),
      fold_(*c.recipe),
      size_(size_of(what.element)),
      n_(what.from.n),
      pages_((n_ + rows.page - 1) / rows.page),
      kept_pages_(pages_ * rows.page * rows.value_size <= most_kept ? std::max<std::int64_t>(pages_, 1) : 1),
      statistics_type_(is_moments_based(what.operation) ? dtype::other : dtype::f64),
      outer_from_(what.from),
      outer_to_(what.to) {
  const bool is_one_a_line = what.operation == row_operation::logsumexp;
  tiled_ = n_ > 0 && !(rows_are_contiguous(what.from) && (is_one_a_line || rows_are_contiguous(what.to)));
  if (what.from.kept_axes > 0) {
    inner_from_ = outer_from_.kept[--outer_from_.kept_axes];
    inner_to_ = outer_to_.kept[--outer_to_.kept_axes];
  }
  const std::int64_t fit = block_bytes / (std::max<std::int64_t>(n_, 1) * size_);
  const std::int64_t each = (inner_from_.extent + c.threads - 1) / c.threads;  // a block for each thread
  width_ = std::clamp<std::int64_t>(fit, tiled_ ? least_tiled : 1, tiled_ ? most_tiled : most_lines);
  width_ = std::clamp<std::int64_t>(each, 1, width_);
  blocks_in_line_ = (inner_from_.extent + width_ - 1) / width_;
  blocks_ = inner_from_.extent == 0 ? 0 : what.from.outputs / inner_from_.extent * blocks_in_line_;

  const bool by_catalogue = is_folded_by_catalogue(what.operation);
  statistics_size_ = is_moments_based(what.operation) ? fold_.result_size : std::int64_t{sizeof(double)};
  state_size_ = std::max<std::int64_t>(aligned(fold_.state_size), fold_.state_align);
  align_ = std::align_val_t{std::max<std::size_t>(64, fold_.state_align)};
  const std::int64_t room =
      by_catalogue
          ? std::max(block_room(fold_), state_size_ + room_bytes(fold_, std::max<std::int64_t>(pages_of(fold_, n_), 1)))
          : 0;
  const std::int64_t parts[] = {room,
                                by_catalogue ? 0 : rows.room_size + (kept_pages_ - 1) * rows.page * rows.value_size,
                                by_catalogue ? width_ * statistics_size_ : 0,
                                width_ * std::int64_t{sizeof(row_map)},
                                by_catalogue ? 0 : pages_ * std::int64_t{sizeof(row_state)},
                                tiled_ ? width_ * n_ * size_ : 0};
  std::int64_t end = 0;
  for (int i = 0; i < 6; ++i) {
    offsets_[i] = end;
    end += aligned(parts[i]);
  }
  const auto align = static_cast<std::int64_t>(align_);
  piece_bytes_ = (end + align - 1) / align * align;
  memory_ = static_cast<char*>(::operator new(static_cast<std::size_t>(c.threads * piece_bytes_), align_));
  if (!tiled_ && c.threads > 1 && pages_ >= long_pages && what.from.outputs < few_lines * c.threads)
    whole_line_.emplace(c);
  handle_ = c.scheduler->open(c.threads);
}

row_executor::~row_executor() {
  c_.scheduler->close(handle_);
  ::operator delete(memory_, align_);
}

row_executor::scratch row_executor::scratch_of(int piece) const {
  char* const own = memory_ + piece * piece_bytes_;
  return {own + offsets_[0],
          own + offsets_[1],
          own + offsets_[2],
          reinterpret_cast<row_map*>(own + offsets_[3]),
          reinterpret_cast<row_state*>(own + offsets_[4]),
          own + offsets_[5]};
}

/// One run: what a piece of work needs to know. Threads take one block after the other.
struct row_executor::call {
  const row_executor& e;
  const row_memory& m;
  std::atomic<std::int64_t> next{0};
  std::atomic<const char*> why{nullptr};

  void fold_piece(int piece) {
    const scratch own = e.scratch_of(piece);
    for (std::int64_t b; (b = next.fetch_add(1, std::memory_order_relaxed)) < e.blocks_;) work_on(own, b);
  }

  void work_on(const scratch& own, std::int64_t b) {
    odometer from(e.outer_from_.kept, e.outer_from_.kept_axes), to(e.outer_to_.kept, e.outer_to_.kept_axes);
    const std::int64_t outer = b / e.blocks_in_line_, first = b % e.blocks_in_line_ * e.width_;
    from.seek(outer);
    to.seek(outer);
    const std::int64_t lines = std::min(e.width_, e.inner_from_.extent - first);
    const char* const data =
        static_cast<const char*>(m.data) + (from.offset() + first * e.inner_from_.stride) * e.size_;
    char* const results = static_cast<char*>(m.results) + (to.offset() + first * e.inner_to_.stride) * e.size_;
    row_block block{data, e.inner_from_.stride, results, e.inner_to_.stride, lines, e.n_};
    if (e.tiled_) {
      gather(data, {lines, e.inner_from_.stride, &e.what_.from, 0, e.n_}, e.size_, own.tile);
      block.data = own.tile;
      block.across = e.n_;
      if (e.what_.operation != row_operation::logsumexp) {
        block.results = own.tile;
        block.to_across = e.n_;
      }
    }
    work_on(own, block, outer * e.inner_from_.extent + first);
    if (block.results == own.tile)
      scatter(own.tile, {lines, e.inner_to_.stride, &e.what_.to, 0, e.n_}, e.size_, results);
  }

  void work_on(const scratch& own, const row_block& b, std::int64_t first_line) {
    if (is_exponential(e.what_.operation)) return exponentials(own, b);
    make_maps(own, b);
    if (m.mean)
      for (std::int64_t i = 0; i < b.lines; ++i) e.store_statistics(own.maps[i], first_line + i, m);
    e.rows_.map(e.what_.operation, b, own.maps, m.weight, m.bias);
  }

  void exponentials(const scratch& own, const row_block& b) const {
    const row_recipe& rows = e.rows_;
    const row_operation what = e.what_.operation;
    if (e.pages_ == 1) return rows.exponentials(what, b, own.values);
    for (std::int64_t i = 0; i < b.lines; ++i) {
      const row_block line{e.line_of(b, i)};
      const row_state all = line_state(own, line.data);
      if (what == row_operation::logsumexp) {
        rows.finish(all, line.results);
      } else if (what == row_operation::log_softmax) {
        const row_map map = rows.map_of(what, all, all, 0);
        rows.map(what, line, &map, nullptr, nullptr);
      } else {
        for (std::int64_t p = 0; p < e.pages_; ++p) {
          const row_block page = e.page_of(line, p);
          const row_map map = rows.map_of(what, own.pages[p], all, 0);
          if (e.kept_pages_ == e.pages_)
            rows.scale(own.values + p * rows.page * rows.value_size, page.n, map.factor, page.results);
          else
            rows.map(what, page, &map, nullptr, nullptr);
        }
      }
    }
  }

  /// The state of a line by row_recipe, with those of its pages and, if they are kept, its exponentials.
  row_state line_state(const scratch& own, const void* line) const {
    const row_recipe& rows = e.rows_;
    const bool keeps = e.kept_pages_ == e.pages_;
    for (std::int64_t p = 0; p < e.pages_; ++p)
      own.pages[p] = rows.page_state(e.what_.operation, static_cast<const char*>(line) + p * rows.page * e.size_,
                                     std::min(rows.page, e.n_ - p * rows.page),
                                     own.values + (keeps ? p * rows.page * rows.value_size : 0));
    return rows.line_state(e.what_.operation, own.pages, e.pages_);
  }

  /// The map of each line.
  void make_maps(const scratch& own, const row_block& b) {
    if (!is_folded_by_catalogue(e.what_.operation)) {
      for (std::int64_t i = 0; i < b.lines; ++i) {
        const row_state all = line_state(own, e.line_of(b, i).data);
        own.maps[i] = e.rows_.map_of(e.what_.operation, all, all, e.what_.eps);
      }
      return;
    }
    const recipe& r = e.fold_;
    const char* no = nullptr;
    if (e.n_ <= r.page) {
      const block lines{b.data, b.lines, e.n_, 1, b.across, 0, e.n_, own.statistics, e.statistics_size_, true};
      no = reduce_block(r, nullptr, lines, nullptr, e.statistics_type_, own.fold_room);
    } else {
      for (std::int64_t i = 0; i < b.lines; ++i) {
        char* const room = own.fold_room + e.state_size_;
        r.fold(nullptr, {e.line_of(b, i).data, e.n_, 0}, 0, 1, e.line_log2(), own.fold_room, room);
        if (const char* none = r.finish(nullptr, own.fold_room, e.n_, nullptr, e.statistics_type_,
                                        own.statistics + i * e.statistics_size_, room))
          no = none;
      }
    }
    if (no) why.store(no, std::memory_order_relaxed);
    for (std::int64_t i = 0; i < b.lines; ++i)
      own.maps[i] =
          e.rows_.map_of_statistics(e.what_.operation, own.statistics + i * e.statistics_size_, e.n_, e.what_.eps);
  }
};

int row_executor::line_log2() const {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(pages_of(fold_, n_) - 1)));
}

row_block row_executor::line_of(const row_block& b, std::int64_t i) const {
  return {static_cast<const char*>(b.data) + i * b.across * size_,
          0,
          static_cast<char*>(b.results) + i * b.to_across * size_,
          0,
          1,
          n_};
}

row_block row_executor::page_of(const row_block& line, std::int64_t page) const {
  const std::int64_t first = page * rows_.page;
  return {static_cast<const char*>(line.data) + first * size_,
          0,
          static_cast<char*>(line.results) + first * size_,
          0,
          1,
          std::min(rows_.page, n_ - first)};
}

void row_executor::store_statistics(const row_map& map, std::int64_t line, const row_memory& m) const {
  rows_.store(map.shift, static_cast<char*>(m.mean) + line * rows_.value_size);
  rows_.store(map.factor, static_cast<char*>(m.rstd) + line * rows_.value_size);
}

void row_executor::run(const row_memory& m) {
  if (n_ == 0) return finish_empty(m);
  const std::int64_t work = n_ * what_.from.outputs;
  const bool alone = threads_lost() || c_.threads == 1 || work < c_.gains_from;
  if (whole_line_ && !alone) return run_long(m);
  call c{*this, m};
  run_pieces(*c_.scheduler, handle_, alone ? 1 : static_cast<int>(std::min<std::int64_t>(blocks_, c_.threads)), c);
  check_result(fold_, c.why.load());
}

/// logsumexp of no elements.
void row_executor::finish_empty(const row_memory& m) const {
  odometer to(what_.to.kept, what_.to.kept_axes);
  for (std::int64_t i = 0; i < what_.from.outputs; ++i, to.next())
    rows_.finish({0, 0}, static_cast<char*>(m.results) + to.offset() * size_);
}

}  // namespace onefold::detail
