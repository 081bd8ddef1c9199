#include "run/row_executor.hpp"

#include <algorithm>
#include <limits>

#include "fork.hpp"
#include "run/aligned.hpp"
#include "run/block.hpp"
#include "run/gather.hpp"
#include "run/partition.hpp"
#include "run/problem.hpp"
#include "run/row_call.hpp"

namespace onefold::detail {
namespace {

/// Bytes of the elements of a block of lines, which are folded and then mapped: they come from a core's own cache the
/// second time.
constexpr std::int64_t block_bytes = 128 << 10;
/// Bytes of arrays whose blocks are prefetched: less may be in a core's own cache.
constexpr std::int64_t prefetched_bytes = 2 << 20;
/// Lines of a block: no more have a map each.
constexpr std::int64_t most_lines = 256;
/// Where lines lie apart, blocks are copied to a tile: as many lines as share pages of memory, while the tile has no
/// more bytes than this, and no fewer than share a cache line.
constexpr std::int64_t most_tiled = 64, most_apart_bytes = 16 << 20, least_tiled = 16;
/// Bytes of exponentials that are kept; those of a longer line are made twice.
constexpr std::int64_t most_kept = 256 << 10;
/// From this many pages on, and with fewer lines than this for each thread, all threads work on one line.
constexpr std::int64_t long_pages = 16, few_lines = 4;

/// The most pages of a line that keeps its exponentials: of a selection, any line may be short enough.
std::int64_t kept_of(const row_recipe& rows, std::int64_t pages, bool is_selected) {
  const std::int64_t most = most_kept / (rows.page * rows.value_size);
  if (pages > most) return is_selected ? most : 1;
  return std::max<std::int64_t>(pages, 1);
}

}  // namespace

row_executor::row_executor(const choice& c, const row_problem& problem, const row_recipe& rows)
    : c_(c),
      what_(problem.what),
      stores_(problem.stores),
      rows_(rows),
      fold_(*c.recipe),
      size_(size_of(what_.element)),
      n_(what_.from.outputs == 0 ? 0 : what_.from.n),  // no lines: their length may be any
      pages_(pages_in(n_)),
      kept_pages_(kept_of(rows, pages_, problem.selects.kind != mask_kind::all)),
      statistics_type_(is_moments_based(what_.operation) ? dtype::other : dtype::f64),
      outer_from_(what_.from),
      outer_to_(what_.to) {
  const row_request& what = what_;
  const bool is_one_a_line = what.operation == row_operation::logsumexp;
  const bool is_apart = n_ > 0 && !(rows_are_contiguous(what.from) && (is_one_a_line || rows_are_contiguous(what.to)));
  tiled_ = is_apart || (n_ > 0 && problem.maps.arrays > 0);
  pitch_ = problem.maps.arrays > 0 ? n_ : pitch_of(n_, size_);
  prefetches_ = !tiled_ && what.from.outputs * n_ * size_ >= prefetched_bytes;
  if (what.from.kept_axes > 0) {
    inner_from_ = outer_from_.kept[--outer_from_.kept_axes];
    inner_to_ = outer_to_.kept[--outer_to_.kept_axes];
  }
  const std::int64_t fit = (is_apart ? most_apart_bytes : block_bytes) / (std::max<std::int64_t>(n_, 1) * size_);
  const std::int64_t each = (inner_from_.extent + c.threads - 1) / c.threads;  // a block for each thread
  width_ = std::clamp<std::int64_t>(fit, is_apart ? least_tiled : 1, is_apart ? most_tiled : most_lines);
  width_ = std::clamp<std::int64_t>(each, 1, width_);
  blocks_in_line_ = (inner_from_.extent + width_ - 1) / width_;
  blocks_ = inner_from_.extent == 0 ? 0 : what.from.outputs / inner_from_.extent * blocks_in_line_;

  if (problem.maps.arrays > 0 && n_ > 0) computed_.emplace(problem.maps);
  if (problem.selects.kind != mask_kind::all && n_ > 0) selected_.emplace(what, problem.selects, c.level, width_);

  const bool by_catalog = is_folded_by_catalog(what.operation);
  statistics_size_ = is_moments_based(what.operation) ? fold_.result_size : std::int64_t{sizeof(double)};
  state_size_ = std::max<std::int64_t>(aligned(fold_.state_size), fold_.state_align);
  align_ = std::align_val_t{std::max<std::size_t>(64, fold_.state_align)};
  const std::int64_t room =
      by_catalog
          ? std::max(block_room(fold_), state_size_ + room_bytes(fold_, std::max<std::int64_t>(pages_of(fold_, n_), 1)))
          : 0;
  const std::int64_t parts[] = {room,
                                by_catalog ? 0 : rows.room_size + (kept_pages_ - 1) * rows.page * rows.value_size,
                                by_catalog ? width_ * statistics_size_ : 0,
                                width_ * std::int64_t{sizeof(row_map)},
                                by_catalog ? 0 : pages_ * std::int64_t{sizeof(row_state)},
                                selected_           ? selected_->room_bytes()
                                : tiled_ || stores_ ? width_ * pitch_ * size_
                                                    : 0};
  offsets_ = offsets_of(parts);
  piece_bytes_ = aligned(offsets_.back(), static_cast<std::int64_t>(align_));
  memory_ = static_cast<char*>(::operator new(static_cast<std::size_t>(c.threads * piece_bytes_), align_));
  if (!tiled_ && !selected_ && !stores_ && c.threads > 1 && pages_ >= long_pages &&
      what.from.outputs < few_lines * c.threads)
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

row_block row_executor::line_of(const row_block& b, std::int64_t i) const {
  return {static_cast<const char*>(b.data) + i * b.across * size_,
          0,
          static_cast<char*>(b.results) + i * b.to_across * size_,
          0,
          1,
          b.n,
          b.ahead};
}

row_block row_executor::page_of(const row_block& line, std::int64_t page) const {
  const std::int64_t first = page * rows_.page;
  return {static_cast<const char*>(line.data) + first * size_,
          0,
          static_cast<char*>(line.results) + first * size_,
          0,
          1,
          std::min(rows_.page, line.n - first),
          line.ahead};
}

void row_executor::run(const row_memory& m, const row_extras& extras) {
  if (n_ == 0) return finish_empty(m, extras.store);
  if (whole_line_ && threads() > 1) return run_long(m);
  call c{*this, m, extras, threads()};
  run_pieces(*c_.scheduler, handle_, c.threads, c);
  check_result(fold_, c.why.load());
}

int row_executor::threads() const {
  const bool alone = threads_lost() || n_ * what_.from.outputs < c_.gains_from;
  const std::int64_t parts = whole_line_ ? pages_ : blocks_;
  return alone ? 1 : static_cast<int>(std::clamp<std::int64_t>(parts, 1, c_.threads));
}

/// Lines of no elements: what they have beside results at each place.
void row_executor::finish_empty(const row_memory& m, const row_store& store) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  odometer to(what_.to.kept, what_.to.kept_axes);
  alignas(8) char own[8];
  for (std::int64_t i = 0; i < what_.from.outputs; ++i, to.next()) {
    if (m.mean) rows_.store_statistics({nan, nan}, i, m);
    if (what_.operation != row_operation::logsumexp) continue;
    rows_.finish({0, 0}, stores_ ? own : static_cast<char*>(m.results) + to.offset() * size_);
    if (stores_) store.take(store.context, own, i, 1);
  }
}

}  // namespace onefold::detail
