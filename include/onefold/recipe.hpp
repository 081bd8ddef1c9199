// The record of a reduction that crosses a library border: sizes and functions, never a type.
//
// The side that knows the operation's types fills it in (the library for the catalog, a program for a
// user-defined operation); the scheduler only follows it.
#pragma once

#include <bit>
#include <cstdint>

#include "onefold/options.hpp"
#include "onefold/types.hpp"

namespace onefold {

struct device_fold;

/// Neighboring elements of one output.
struct slice {
  const void* data;    ///< the first one
  std::int64_t n;      ///< how many
  std::int64_t index;  ///< of data[0] in its own reduction: a multiple of the page

  /// How many elements are read with these, where more are: which cache they come from depends on it.
  std::int64_t together = 0;
};

/// How many lanes pack_functions::lanes joins at most.
inline constexpr int most_joined_lanes = 8;

/// Lanes of columns of a few rows, and where their elements lie.
struct lane_steps {
  std::int64_t lane;  ///< elements from a lane to the next
  std::int64_t row;   ///< elements from a row of a lane to its next
  int lanes;          ///< 1 to most_joined_lanes
  int rows;           ///< 1 to a strip's
  int longer;         ///< how many lanes have `rows`: the first ones; the others have one less, but not less than one
};

/// The functions that fold neighboring outputs over SIMD packs. `lanes` are states of `value_size` bytes of outputs
/// that are next to each other, at any address; where a state is several numbers, in whole packs of each.
struct pack_functions {
  /// Null where a state is several numbers. The states of `count` rows of n elements, 1 <= n <= a page, whose first
  /// elements lie `across` elements apart, into states[0 .. count). `ahead`: they come from memory, and are asked for
  /// ahead. `room` has packs::room bytes, aligned to 64 bytes.
  void (*rows)(const void* op, const void* data, std::int64_t across, int n, int count, bool ahead, void* states,
               void* room);

  /// Folds lanes of up to a strip of rows, of `values` columns each, at least packs::width, or whole packs of them
  /// where `rows` is null, and halves them to one: lane j takes lane j + w, w = 4, 2, 1.
  void (*lanes)(const void* op, const void* data, const lane_steps& by, int values, void* to);

  /// Folds `count` rows of `values` elements each, which lie `step` elements apart and are strip s of their columns,
  /// and combines them with the lanes of the strips before, as the order says. Strip 2 waits for strip 3 at
  /// packs::lanes_bytes after `lanes`, unless it is the last one.
  void (*strip)(const void* op, const void* data, std::int64_t step, int count, int values, int s, bool last,
                void* lanes);

  /// lanes[i] = lanes[i] o right[i] for i < values. No other lane is written.
  void (*combine)(const void* op, void* lanes, const void* right, int values);
};

/// How a fold folds many outputs at once, in columns, and in rows if its state is one number.
struct packs {
  pack_functions own;  ///< the fold's own functions
  pack_functions
      speculative;  ///< null, or cheaper ones, whose op is null; they raise the invalid-operation flag for a NaN
  bool (*are_valid)(const void* states,
                    int count);  ///< whether all states of `speculative` are right, if no NaN was flagged

  /// The states of lanes; null where lanes are states.
  void (*close)(const void* op, const void* lanes, int count, void* states);

  std::int32_t value_size;   ///< bytes of a lane
  std::int32_t width;        ///< lanes of a pack: whole packs are written
  std::int32_t most;         ///< lanes that are folded at once, a multiple of width
  std::int32_t lanes_bytes;  ///< bytes of `most` lanes and one more pack
  std::int32_t room;         ///< bytes that `rows` works in
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
  std::uint32_t result_size;   ///< bytes of the operation's own result
  std::uint32_t result_align;  ///< bytes, of the same; of another type of number: that type's size
  std::uint32_t room_size;     ///< 0, or bytes of a page's part of `room_bytes`
  std::int64_t page;           ///< elements of a page
  std::int64_t small_limit;    ///< elements up to which `small` may be called: a page, or 0 where room_size > 0
  const char* name;            ///< the operation, for messages
  isa level;                   ///< the instruction set of these functions
  bool empty_allowed;          ///< whether no elements give a result
  bool may_refuse;             ///< whether `finish` may say why there is no result

  /// The same fold for a device, where it was compiled for one with this record: a user-defined operation in a .cu
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

  /// Combines `count` >= 1 neighboring aligned nodes of one level in the aligned tree into states[0]. `room`: one
  /// state.
  void (*merge)(const void* op, void* states, std::int64_t count, void* room);

  /// result = finish(init o state) for n elements; init, result_type and what is returned as for `small`. `room`: two
  /// states.
  const char* (*finish)(const void* op, const void* state, std::int64_t n, const void* init, dtype result_type,
                        void* result, void* room);

  /// The same for `count` states, one after another, without an initial value, to results of the operation's own
  /// type, which always exist; null: states are finished one by one.
  void (*finish_many)(const void* op, const void* states, std::int64_t count, std::int64_t n, void* results);

  /// The functions that fold many outputs at once; null: outputs are folded one by one.
  const packs* many;
};

/// recipe::finish.
using finish_function = decltype(recipe::finish);

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
