#include "run/column_executor.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "fork.hpp"
#include "onefold/catalog.hpp"
#include "registry.hpp"
#include "run/aligned.hpp"
#include "run/block.hpp"
#include "run/cpu_executor.hpp"
#include "run/node_list.hpp"
#include "run/partition.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

/// Columns of the narrowest panel, and what the widths of others are multiples of: of f32, a cache line.
constexpr std::int64_t least_columns = 16;

/// The catalog's operation that folds many columns at once, at accuracy native; null if this library has none.
const recipe* fold_of_columns(int operation, dtype element, isa level) {
  if (why_not(operation, element, accuracy::native)) return nullptr;
  const recipe& r = find_recipe(operation, element, accuracy::native, level);
  return r.many ? &r : nullptr;
}

/// What the elements' largest ones are found by.
const recipe* fold_of_largest(const choice& c, const row_request& q) {
  return fold_of_columns(operation_index<op::max>, q.element, c.level);
}

/// What lines are folded by, or what column_values leaves of them.
const recipe* fold_of_lines(const choice& c, const row_request& q, const row_recipe& rows) {
  if (is_folded_by_catalog(q.operation)) return c.recipe->many ? c.recipe : nullptr;
  const dtype value = rows.value_size == sizeof(double) ? dtype::f64 : dtype::f32;
  return fold_of_columns(
      q.operation == row_operation::normalize_max ? operation_index<op::max> : operation_index<op::sum>, value,
      c.level);
}

/// How many columns a panel has: as many as are next to each other, since a long piece of each row is read faster than
/// a short one, and a panel for each thread.
std::int64_t width_of_panels(std::int64_t extent, int threads) {
  return std::clamp(aligned((extent + threads - 1) / threads, least_columns), least_columns, most_columns);
}

}  // namespace

bool column_executor::takes(const choice& c, const row_problem& problem, const row_recipe& rows) {
  const row_request& q = problem.what;
  const bool is_one_a_line = q.operation == row_operation::logsumexp;
  if (q.from.n == 0 || q.from.outputs == 0 || problem.maps.arrays > 0 || problem.stores ||
      problem.selects.kind != mask_kind::all)
    return false;
  if (q.from.kept_axes == 0 || q.from.reduced_axes != 1 || rows_are_contiguous(q.from)) return false;
  const axis& from = q.from.kept[q.from.kept_axes - 1];
  const axis& to = q.to.kept[q.to.kept_axes - 1];
  if (from.stride != 1 || from.extent < least_columns || !(to.stride == 1 || is_one_a_line)) return false;
  return fold_of_lines(c, q, rows) && (!is_exponential(q.operation) || fold_of_largest(c, q));
}

column_executor::column_executor(const choice& c, const row_problem& problem, const row_recipe& rows)
    : c_(c),
      what_(problem.what),
      rows_(rows),
      fold_(fold_of_lines(c, what_, rows)),
      size_(size_of(what_.element)),
      n_(what_.from.n),
      outer_from_(what_.from),
      outer_to_(what_.to),
      inner_from_(outer_from_.kept[--outer_from_.kept_axes]),
      inner_to_(outer_to_.kept[--outer_to_.kept_axes]),
      width_(width_of_panels(inner_from_.extent, c.threads)),
      panels_in_line_((inner_from_.extent + width_ - 1) / width_),
      panels_(what_.from.outputs / inner_from_.extent * panels_in_line_) {
  const bool by_catalog = is_folded_by_catalog(what_.operation),
             by_squares = by_catalog && !is_moments_based(what_.operation);
  page_ = by_catalog ? fold_->page : rows.page;
  pages_ = (n_ + page_ - 1) / page_;
  folded_type_ = by_squares ? dtype::f64 : dtype::other;
  folded_size_ = by_squares ? std::int64_t{sizeof(double)} : std::int64_t{fold_->result_size};
  if (is_exponential(what_.operation)) largest_ = fold_of_largest(c, what_);

  const auto room_of = [](const recipe& r) { return std::max(block_room(r), std::int64_t{2} * r.state_size); };
  const std::int64_t values =
      (width_ * std::min(n_, page_) + rows.room_size / rows.value_size - rows.page) * rows.value_size;
  const std::int64_t parts[] = {
      std::max(room_of(*fold_), largest_ ? room_of(*largest_) : 0),
      by_catalog && pages_ > 1 ? node_list::bytes(*fold_, static_cast<int>(width_), pages_) : 0,
      width_ * std::max(folded_size_, size_),
      by_catalog ? 0 : width_ * std::int64_t{sizeof(double)},
      width_ * std::int64_t{sizeof(row_map)},
      by_catalog ? 0 : width_ * (pages_ + 1) * std::int64_t{sizeof(row_state)},
      rows.maps_size,
      by_catalog ? 0 : values};
  align_ = std::align_val_t{std::max<std::size_t>(64, fold_->state_align)};
  offsets_ = offsets_of(parts);
  piece_bytes_ = aligned(offsets_.back(), static_cast<std::int64_t>(align_));
  const std::int64_t pieces = std::min<std::int64_t>(panels_, c.threads);
  memory_ = static_cast<char*>(::operator new(static_cast<std::size_t>(pieces * piece_bytes_), align_));
  handle_ = c.scheduler->open(c.threads);
}

column_executor::~column_executor() {
  c_.scheduler->close(handle_);
  ::operator delete(memory_, align_);
}

column_executor::scratch column_executor::scratch_of(int piece) const {
  char* const own = memory_ + piece * piece_bytes_;
  return {own + offsets_[0],
          own + offsets_[1],
          own + offsets_[2],
          reinterpret_cast<double*>(own + offsets_[3]),
          reinterpret_cast<row_map*>(own + offsets_[4]),
          reinterpret_cast<row_state*>(own + offsets_[5]),
          own + offsets_[6],
          own + offsets_[7]};
}

/// One run: threads take one panel after the other.
struct column_executor::call {
  const column_executor& e;
  const row_memory& m;
  std::atomic<std::int64_t> next{0};
  std::atomic<const char*> why{nullptr};  ///< a line has no result

  void fold_piece(int piece) {
    const scratch own = e.scratch_of(piece);
    for (std::int64_t p; (p = next.fetch_add(1, std::memory_order_relaxed)) < e.panels_;) work_on(own, panel_of(p));
  }

 private:
  struct panel {
    column_block columns;
    std::int64_t first;  ///< the number of its first line
  };
  panel panel_of(std::int64_t number) const {
    odometer from(e.outer_from_.kept, e.outer_from_.kept_axes), to(e.outer_to_.kept, e.outer_to_.kept_axes);
    const std::int64_t outer = number / e.panels_in_line_, first = number % e.panels_in_line_ * e.width_;
    from.seek(outer);
    to.seek(outer);
    const char* const data = static_cast<const char*>(m.data) + (from.offset() + first) * e.size_;
    char* const results = static_cast<char*>(m.results) + (to.offset() + first * e.inner_to_.stride) * e.size_;
    const std::int64_t to_along = e.outer_to_.reduced_axes > 0 ? e.outer_to_.reduced[0].stride : 0;
    return {{data, e.outer_from_.reduced[0].stride, results, to_along, std::min(e.width_, e.inner_from_.extent - first),
             e.n_},
            outer * e.inner_from_.extent + first};
  }

  /// The elements of a page of each column.
  column_block page_of(const column_block& columns, std::int64_t page) const {
    const std::int64_t first = page * e.page_;
    column_block b = columns;
    b.data = static_cast<const char*>(b.data) + first * b.along * e.size_;
    b.results = static_cast<char*>(b.results) + first * b.to_along * e.size_;
    b.n = std::min(e.page_, e.n_ - first);
    return b;
  }

  void work_on(const scratch& own, const panel& of) {
    const row_operation what = e.what_.operation;
    const column_block& b = of.columns;
    if (is_folded_by_catalog(what)) {
      fold_by_catalog(own, b);
      e.rows_.maps_of_statistics(what, own.folded, b.lines, e.n_, e.what_.eps, own.maps);
      for (std::int64_t i = 0; m.mean && i < b.lines; ++i) e.rows_.store_statistics(own.maps[i], of.first + i, m);
      return e.rows_.map_columns(what, b, own.maps, m.weight, m.bias, own.maps_room);
    }
    for (std::int64_t p = 0; p < e.pages_; ++p) fold_values(own, page_of(b, p), p);
    if (what == row_operation::softmax) return scale_exponentials(own, b);
    for (std::int64_t i = 0; i < b.lines; ++i) {
      const row_state line = line_state(own, i);
      if (what == row_operation::logsumexp)
        e.rows_.finish(line, static_cast<char*>(b.results) + i * e.inner_to_.stride * e.size_);
      else
        own.maps[i] = e.rows_.map_of(what, line, line, e.what_.eps);
    }
    if (what != row_operation::logsumexp) e.rows_.map_columns(what, b, own.maps, nullptr, nullptr, own.maps_room);
  }

  /// The states of columns' pages number `page`, and what they are of in own.values.
  void fold_values(const scratch& own, const column_block& b, std::int64_t page) {
    if (e.largest_) reduce(*e.largest_, own, b.data, b, b.along, dtype::other, e.size_);
    std::fill_n(own.shifts, b.lines, 0.0);
    e.rows_.column_values(e.what_.operation, b, own.folded, own.shifts, own.values, own.maps_room);
    reduce(*e.fold_, own, own.values, b, b.lines, dtype::other, e.folded_size_);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < b.lines; ++i)
      own.states[i * e.pages_ + page] =
          own.shifts[i] == infinity ? row_state{0, infinity} : row_state{own.shifts[i], folded_value(own, i)};
  }

  /// Reduces columns of up to a page, to own.folded.
  void reduce(const recipe& r, const scratch& own, const void* data, const column_block& b, std::int64_t along,
              dtype type, std::int64_t size) {
    const block whole{data, b.lines, b.n, along, 1, 0, b.n, own.folded, size, true};
    if (const char* no = reduce_block(r, nullptr, whole, nullptr, type, own.fold_room))
      why.store(no, std::memory_order_relaxed);
  }

  void fold_by_catalog(const scratch& own, const column_block& b) {
    const recipe& r = *e.fold_;
    if (e.pages_ == 1) return reduce(r, own, b.data, b, b.along, e.folded_type_, e.folded_size_);
    node_list list(r, e.pages_, own.nodes);
    list.begin(static_cast<int>(b.lines));
    for (std::int64_t p = 0; p < e.pages_; ++p) {
      const column_block page = page_of(b, p);
      reduce_block(
          r, nullptr,
          {page.data, page.lines, page.n, page.along, 1, p * e.page_, e.n_, list.next(), list.distance(), false},
          nullptr, dtype::other, own.fold_room);
      list.push(nullptr, 0, p, own.fold_room);
    }
    for (int i = 0; i < static_cast<int>(b.lines); ++i)
      if (const char* no = r.finish(nullptr, list.total(nullptr, i, own.fold_room), e.n_, nullptr, e.folded_type_,
                                    own.folded + i * e.folded_size_, own.fold_room))
        why.store(no, std::memory_order_relaxed);
  }

  /// A result of type V.
  double folded_value(const scratch& own, std::int64_t i) const {
    return e.rows_.value_size == sizeof(double) ? reinterpret_cast<const double*>(own.folded)[i]
                                                : double{reinterpret_cast<const float*>(own.folded)[i]};
  }

  row_state line_state(const scratch& own, std::int64_t i) const {
    return e.rows_.line_state(e.what_.operation, own.states + i * e.pages_, e.pages_);
  }

  /// softmax from the states: of lines of one page by the exponentials that are there.
  void scale_exponentials(const scratch& own, const column_block& b) const {
    row_state* const lines = own.states + b.lines * e.pages_;
    for (std::int64_t i = 0; i < b.lines; ++i) lines[i] = line_state(own, i);
    for (std::int64_t p = 0; p < e.pages_; ++p) {
      for (std::int64_t i = 0; i < b.lines; ++i)
        own.maps[i] = e.rows_.map_of(row_operation::softmax, own.states[i * e.pages_ + p], lines[i], 0);
      if (e.pages_ == 1)
        e.rows_.scale_columns(own.values, b, own.maps, own.maps_room);
      else
        e.rows_.map_columns(row_operation::softmax, page_of(b, p), own.maps, nullptr, nullptr, own.maps_room);
    }
  }
};

void column_executor::run(const row_memory& m) {
  call c{*this, m};
  run_pieces(*c_.scheduler, handle_, threads(), c);
  check_result(*fold_, c.why.load());
}

int column_executor::threads() const {
  const bool alone = threads_lost() || n_ * what_.from.outputs < c_.gains_from;
  return alone ? 1 : static_cast<int>(std::clamp<std::int64_t>(panels_, 1, c_.threads));
}

}  // namespace onefold::detail
