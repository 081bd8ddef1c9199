// Folds up to a page of each of many neighboring columns.
#pragma once

#include <cstdint>

#include "onefold/recipe.hpp"

namespace onefold::detail {

/// Bytes of the room of fold_columns.
std::int64_t columns_room(const recipe& r);

/// The lanes of `count` columns of n elements, 1 <= n <= a page, 1 <= count <= packs::most, that lie `along` elements
/// apart, by functions of the recipe: at the start of `room`, which has columns_room bytes at 64 bytes.
void fold_columns(const pack_functions& functions, const recipe& r, const void* op, const void* data,
                  std::int64_t along, int n, int count, void* room);

}  // namespace onefold::detail
