// Many outputs of up to a page each: folded at once where the recipe can, else one by one.
#pragma once

#include <cstdint>

#include "onefold/recipe.hpp"

namespace onefold::detail {

/// Elements of many outputs, up to a page of each: rows (along == 1, any `across`), or columns (across == 1, any
/// `along`), which only a recipe with `many` has.
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
  bool finished;          ///< whether results are written, of `total` elements, or states, of at least one element
};

/// Bytes of the room of reduce_block, at 64 bytes and state_align.
std::int64_t block_room(const recipe& r);

/// Reduces each output to the bits of its elements in a slice of their own: folded and, where the block says so,
/// finished. init, result_type and what is returned are as for recipe::finish.
const char* reduce_block(const recipe& r, const void* op, const block& b, const void* init, dtype result_type,
                         void* room);

}  // namespace onefold::detail
