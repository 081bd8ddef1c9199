#include "run/block.hpp"

#include <algorithm>
#include <cstring>

#include "onefold/detail/exception_flag.hpp"
#include "onefold/order.hpp"
#include "run/columns.hpp"
#include "run/stream_copy.hpp"

namespace onefold::detail {
namespace {

/// How many rows are folded at once, so that their states stay in the first-level cache.
constexpr int most_rows = 1024;
/// Bytes above which rows are taken to come from beyond a core's own caches.
constexpr std::int64_t own_caches = 2 << 20;
/// Bytes of results from which on they are written past the caches: a line that is stored to is read first otherwise.
constexpr std::int64_t streamed_results = 4 << 20;

std::int64_t up_to(std::int64_t bytes, std::int64_t align) { return (bytes + align - 1) / align * align; }

bool is_rows(const block& b) { return b.along == 1 && (b.across != 1 || b.n > 1); }

const char* first_of(const recipe& r, const block& b, std::int64_t output) {
  return static_cast<const char*>(b.data) + output * b.across * r.element_size;
}

void* result_place(const block& b, std::int64_t output) { return static_cast<char*>(b.to) + output * b.distance; }

const char* one_by_one(const recipe& r, const void* op, const block& b, const void* init, dtype type, void* room) {
  void* const rest = static_cast<char*>(room) + up_to(r.state_size, r.state_align);
  const bool small = b.finished && b.n == b.total && r.small_limit > 0;
  const char* why = nullptr;
  for (std::int64_t i = 0; i < b.outputs; ++i) {
    const char* none = nullptr;
    if (small) {
      none = r.small(op, first_of(r, b, i), b.n, init, type, result_place(b, i));
    } else {
      void* const state = b.finished ? room : result_place(b, i);
      r.fold(op, {first_of(r, b, i), b.n, b.index, b.outputs * b.n}, 0, 1, 0, state, rest);
      if (b.finished) none = r.finish(op, state, b.total, init, type, result_place(b, i), rest);
    }
    if (none) why = none;
  }
  return why;
}

/// Full pages of `count` rows from `first` on, as runs of an array.
void fold_pages(const recipe& r, const void* op, const block& b, std::int64_t first, int count, void* states) {
  const std::int64_t all = b.outputs * b.n;
  if (b.across == b.n)
    return r.fold(op, {first_of(r, b, first), count * b.n, b.index, all}, 0, count, 0, states, nullptr);
  for (int i = 0; i < count; ++i)
    r.fold(op, {first_of(r, b, first + i), b.n, b.index, all}, 0, 1, 0,
           static_cast<char*>(states) + i * std::int64_t{r.state_size}, nullptr);
}

/// The states of `count` outputs from `first` on, in the room.
const void* fold_at_once(const recipe& r, const void* op, const block& b, std::int64_t first, int count, void* room) {
  const packs& by = *r.many;
  void* const states = room;
  void* const rest = static_cast<char*>(room) + up_to(by.most * std::int64_t{r.state_size}, 64);
  const bool rows = is_rows(b);
  if (rows && b.n == r.page) {
    fold_pages(r, op, b, first, count, states);
    return states;
  }
  const auto fold = [&](const pack_functions& functions, const void* with) -> const void* {
    if (rows) {
      // Longer rows are read in the order of memory, which CPUs prefetch.
      const bool by_columns = b.n <= std::int64_t{strip_rows} * lanes_of(r.element_size);
      const bool ahead = by_columns && b.outputs * b.n * r.element_size > own_caches;
      functions.rows(with, first_of(r, b, first), b.across, static_cast<int>(b.n), count, ahead, states, rest);
      return states;
    }
    fold_columns(functions, r, with, first_of(r, b, first), b.along, static_cast<int>(b.n), count, rest);
    if (!by.close) return rest;
    by.close(op, rest, count, states);
    return states;
  };
  if (by.are_valid) {
    exception_flag<exception::invalid> nan;
    const void* const speculative = fold(by.speculative, nullptr);
    if (!nan.raised(speculative) && by.are_valid(speculative, count)) return speculative;
  }
  return fold(by.own, op);
}

/// Bytes of what `fold_at_once` works in.
std::int64_t room_at_once(const recipe& r) {
  return up_to(r.many->most * std::int64_t{r.state_size}, 64) +
         up_to(std::max<std::int64_t>(columns_room(r), r.many->room), 64);
}

int most_at_once(const recipe& r, bool rows) { return rows ? std::min<int>(r.many->most, most_rows) : r.many->most; }

/// Finishes states to results of the recipe's own type.
class result_writer {
 public:
  result_writer(const recipe& r, const void* op, const block& b, void* room)
      : r_(r), op_(op), b_(b), waiting_(b.outputs * r.result_size >= streamed_results ? room : nullptr) {}
  ~result_writer() {
    if (waiting_) end_streams();
  }
  result_writer(const result_writer&) = delete;
  result_writer& operator=(const result_writer&) = delete;

  void write(const void* states, std::int64_t first, int count) const {
    if (!waiting_) return r_.finish_many(op_, states, count, b_.total, result_place(b_, first));
    r_.finish_many(op_, states, count, b_.total, waiting_);
    stream_copy(result_place(b_, first), waiting_, count * std::int64_t{r_.result_size});
  }

 private:
  const recipe& r_;
  const void* op_;
  const block& b_;
  void* const waiting_;  ///< results on their way past the caches
};

}  // namespace

std::int64_t block_room(const recipe& r) {
  const std::int64_t one = up_to(r.state_size, r.state_align) + room_bytes(r, 1);
  return r.many ? std::max(one, room_at_once(r) + r.many->most * std::int64_t{r.result_size}) : one;
}

const char* reduce_block(const recipe& r, const void* op, const block& b, const void* init, dtype type, void* room) {
  if (!r.many || b.n == 0 || (is_rows(b) && !r.many->own.rows)) return one_by_one(r, op, b, init, type, room);
  const bool plain = r.finish_many && !init && type == dtype::other && b.distance == std::int64_t{r.result_size};
  const char* why = nullptr;
  const int most = most_at_once(r, is_rows(b));
  const result_writer results(r, op, b, static_cast<char*>(room) + room_at_once(r));
  for (std::int64_t first = 0; first < b.outputs; first += most) {
    const int count = static_cast<int>(std::min<std::int64_t>(b.outputs - first, most));
    const char* const states = static_cast<const char*>(fold_at_once(r, op, b, first, count, room));
    if (b.finished && plain) {
      results.write(states, first, count);
      continue;
    }
    for (int i = 0; i < count; ++i) {
      const char* const state = states + i * std::int64_t{r.state_size};
      if (!b.finished)
        std::memcpy(result_place(b, first + i), state, r.state_size);
      else if (const char* none = r.finish(op, state, b.total, init, type, result_place(b, first + i), nullptr))
        why = none;
    }
  }
  return why;
}

}  // namespace onefold::detail
