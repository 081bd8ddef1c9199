// How a reduction is shared out: aligned runs of pages, the memory of their states, and the job that threads work on.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include "cpu.hpp"
#include "onefold/backend.hpp"
#include "onefold/order.hpp"
#include "planner/candidates.hpp"

namespace onefold::detail {

// Runs for each thread, so that equal numbers of runs are nearly equal numbers of pages: 1/16 off at worst. Where the
// pages divide evenly, fewer and longer ones do.
inline constexpr int runs_per_thread = 16;

/// How n elements are partitioned: into `runs` aligned runs of 2^log2 pages.
struct partition {
  int log2;
  std::int64_t runs;

  partition(const recipe& r, std::int64_t n, int threads) {
    const std::int64_t pages = std::max<std::int64_t>(1, pages_of(r, n));
    const std::int64_t aimed = threads == 1 ? 1 : std::int64_t{threads} * runs_per_thread;
    const auto bits = [](std::int64_t x) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x))); };
    log2 = threads == 1 ? bits(pages - 1) : std::max(0, bits(pages / aimed) - 1);
    while (threads > 1 && pages % (std::int64_t{threads} << (log2 + 1)) == 0) ++log2;
    runs = (pages + (std::int64_t{1} << log2) - 1) >> log2;
  }
  /// The most runs that any n gives.
  static std::int64_t most(int threads) { return threads <= 1 ? 1 : 2 * std::int64_t{threads} * runs_per_thread + 1; }
};

/// Memory for the states of all runs of up to n elements by some threads, and for what each thread works in; nothing is
/// constructed.
class state_array {
 public:
  state_array(const recipe& r, std::int64_t n, int threads)
      : align_(std::align_val_t{std::max<std::size_t>(r.state_align, alignof(std::max_align_t))}),
        room_size_(room_bytes(r, pages_of(r, n))) {
    // No more runs than pages, and no more threads that work than runs: large states are not allocated for nothing.
    const std::int64_t align = r.state_align, pages = std::max<std::int64_t>(1, pages_of(r, n));
    rooms_ = (std::min(partition::most(threads), pages) * r.state_size + align - 1) / align * align;
    const std::int64_t workers = std::clamp<std::int64_t>(threads, 1, pages);
    bytes_ = static_cast<char*>(::operator new(static_cast<std::size_t>(rooms_ + workers * room_size_), align_));
  }
  ~state_array() { ::operator delete(bytes_, align_); }
  state_array(const state_array&) = delete;
  state_array& operator=(const state_array&) = delete;
  void* data() const { return bytes_; }
  /// The room of a thread, by its number.
  void* room(int thread) const { return bytes_ + rooms_ + thread * room_size_; }

 private:
  std::align_val_t align_;
  std::int64_t room_size_, rooms_;
  char* bytes_;
};

/// Where the part of a piece begins, of `total` that are shared out evenly.
inline std::int64_t share(std::int64_t total, int piece, int pieces) {
  return total / pieces * piece + std::min<std::int64_t>(piece, total % pieces);
}

/// Calls work.fold_piece(i) for each piece, one alone on the calling thread. The flags make the data's way from the
/// caller to the workers and back visible to race detectors, whichever runtime is between.
template <class Work>
void run_pieces(const scheduler& s, void* handle, int pieces, Work& work) {
  if (pieces == 1) return work.fold_piece(0);
  struct shared {
    Work& work;
    std::atomic<bool> ready{false};
    std::atomic<int> done{0};
  } call{work};
  call.ready.store(true, std::memory_order_release);
  s.run(
      handle, pieces,
      [](void* context, int piece) {
        shared& c = *static_cast<shared*>(context);
        static_cast<void>(c.ready.load(std::memory_order_acquire));
        const float_environment ieee;
        c.work.fold_piece(piece);
        c.done.fetch_add(1, std::memory_order_acq_rel);
      },
      &call);
  static_cast<void>(call.done.load(std::memory_order_acquire));
}

/// An opened CPU backend: closed where it ends.
struct scheduler_session {
  scheduler_session(const scheduler& backend, int threads) : s(backend), handle(backend.open(threads)) {}
  ~scheduler_session() { s.close(handle); }
  scheduler_session(const scheduler_session&) = delete;
  scheduler_session& operator=(const scheduler_session&) = delete;
  const scheduler& s;
  void* handle;
};

/// The threads of an opened backend, which share out arrays.
struct team {
  const scheduler& s;
  void* handle;
  int threads;

  /// How many pieces n elements are cut into: one more for each of this many that sorting them takes several times as
  /// long as to start a thread.
  int pieces(std::int64_t n) const {
    constexpr std::int64_t least = 1 << 14;
    return static_cast<int>(std::clamp<std::int64_t>(n / least, 1, threads));
  }

  /// Calls f(piece, first, last) for each of these pieces.
  template <class Function>
  void share_out(std::int64_t n, const Function& f) const {
    struct part {
      const Function& f;
      std::int64_t n;
      int pieces;
      void fold_piece(int piece) { f(piece, share(n, piece, pieces), share(n, piece + 1, pieces)); }
    } work{f, n, pieces(n)};
    run_pieces(s, handle, work.pieces, work);
  }
};

/// A fold by several threads: what a piece of work needs to know.
struct job {
  const recipe& r;
  const void* op;
  const void* data;
  std::int64_t n;
  partition parts;
  int pieces;
  const state_array& states;

  void fold_piece(int piece) {
    r.fold(op, {data, n, 0}, parts.runs * piece / pieces, parts.runs * (piece + 1) / pieces, parts.log2, states.data(),
           states.room(piece));
  }
};

}  // namespace onefold::detail
