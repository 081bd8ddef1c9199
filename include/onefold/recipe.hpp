// The record of a reduction that crosses a library border: sizes and functions, never a type.
//
// Whoever knows the operation's types fills it in (the library for the catalogue, a user's program for an
// operation of its own); whoever schedules the work only follows it.
#pragma once

#include <bit>
#include <cstdint>

#include "onefold/options.hpp"
#include "onefold/types.hpp"

namespace onefold {

struct device_fold;

/// Neighbouring elements of one output.
struct slice {
  const void* data;
  std::int64_t n;
  std::int64_t index;  ///< of data[0] in its own reduction: a multiple of the page
};

/// Elements of many outputs, up to a page of each, in one of two layouts: rows (along == 1, any `across`) or columns
/// (across == 1, any `along`).
struct block {
  const void* data;
  std::int64_t outputs;
  std::int64_t n;         ///< elements of each output that are here: 0 to a page
  std::int64_t along;     ///< elements from one of an output to its next
  std::int64_t across;    ///< elements from one output to the next
  std::int64_t index;     ///< of an output's first element here in its own reduction: a multiple of the page
  std::int64_t total;     ///< elements of a whole output
  void* to;               ///< what the first output is written to
  std::int64_t distance;  ///< bytes from there to the next output's
  bool finished;          ///< whether results are written, of `total` elements, or states
};

/// How to fold, merge and finish one operation over one element type at one accuracy. All functions take the
/// operation object (`op`; null where it has no members), may run on several threads at once, and do not throw.
/// States are raw memory of `state_size` bytes at `state_align`. What is too large for the stack the functions keep in
/// `room`, memory at `state_align` that the caller owns and no other thread uses meanwhile.
struct recipe {
  std::uint32_t size;          ///< sizeof(recipe) where it was filled in: a border check
  std::uint32_t element_size;  ///< bytes
  std::uint32_t state_size;    ///< bytes
  std::uint32_t state_align;   ///< bytes
  std::uint32_t room_size;     ///< 0, or bytes of a page's part of `room_bytes`
  std::uint32_t many_room;     ///< bytes of the room of `many`
  std::int64_t page;           ///< elements of a page
  std::int64_t small_limit;    ///< elements up to which `small` may be called: a page, or 0 where room_size > 0
  const char* name;            ///< the operation, for messages
  isa level;                   ///< the instruction set of these functions
  bool empty_allowed;          ///< whether no elements give a result
  bool may_refuse;             ///< whether `finish` may say why there is no result
  bool columns;                ///< whether `many` takes columns; else rows only

  /// The same fold for a device, where it was compiled for one with this record: an operation of a user's own in a .cu
  /// file; else null.
  const device_fold* device;

  /// Reduces n elements, n <= small_limit, to a result: what small inputs take. `init` is null or a value of the
  /// result type; `result_type` says which of the operation's result types `result` holds. Returns null, or why there
  /// is no result.
  const char* (*small)(const void* op, const void* data, std::int64_t n, const void* init, dtype result_type,
                       void* result);

  /// Folds the aligned runs [first, last) of 2^run_log2 pages of a slice each into states[first .. last): each the
  /// state of its run alone. Runs are numbered from the slice's first element. `room` has room_bytes for at least a
  /// run's pages. No elements are one run, of the identity; they come only where room_size > 0.
  void (*fold)(const void* op, const slice& from, std::int64_t first, std::int64_t last, int run_log2, void* states,
               void* room);

  /// Combines `count` >= 1 neighbouring aligned nodes of one level in the aligned tree into states[0]. `room`: one
  /// state.
  void (*merge)(const void* op, void* states, std::int64_t count, void* room);

  /// result = finish(init o state) for n elements; init, result_type and what is returned as for `small`. `room`: two
  /// states.
  const char* (*finish)(const void* op, const void* state, std::int64_t n, const void* init, dtype result_type,
                        void* result, void* room);

  /// Reduces the elements of many outputs: each to the bits of its elements in a slice of their own, folded and, where
  /// `finished`, finished. init and result_type are as for `small`, the same for all outputs. Returns null, or why
  /// some output has no result; the others have theirs. Null for a recipe of whole arrays only. `room` has many_room
  /// bytes at 64 bytes and state_align.
  const char* (*many)(const void* op, const block& elements, const void* init, dtype result_type, void* room);
};

/// Bytes of the room of one thread that folds up to `pages` pages: a multiple of state_align, 0 where states live on
/// the stack.
inline std::int64_t room_bytes(const recipe& r, std::int64_t pages) {
  if (r.room_size == 0) return 0;
  const std::int64_t bytes =
      r.room_size +
      std::int64_t{r.state_size} * (static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(pages))) + 3);
  return (bytes + r.state_align - 1) / r.state_align * r.state_align;
}

}  // namespace onefold
