// What the results of the catalog look like in memory, for code that knows their types at run time only.
#pragma once

#include <optional>
#include <span>

#include "onefold/dynamic.hpp"

namespace onefold::detail {

/// A result in memory.
struct result_layout {
  int size;   ///< bytes
  int align;  ///< bytes
  std::span<const result_member> members;
};

/// The layout of an operation's own result (by its place) over an element type.
const result_layout& own_layout(int operation, dtype element);

/// The layout of its result in a type that the caller names; null where it does not return that type. The own type may
/// be named, and gives the very layout of own_layout.
const result_layout* find_layout(int operation, dtype element, dtype result);

}  // namespace onefold::detail
