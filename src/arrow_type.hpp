// What Arrow's format strings say of a column.
#pragma once

#include <string>
#include <string_view>

#include "onefold/types.hpp"

struct ArrowSchema;

namespace onefold::detail {

/// How elements are stored.
struct arrow_type {
  dtype element;
  bool bits;  ///< one bit for each element, which is read as u8
};

/// The type of a column. Throws unsupported, with the nearest type that is supported, for one without numbers;
/// `column` is the column's name for messages.
arrow_type arrow_type_of(const ArrowSchema& schema, std::string_view column);

/// A foreign name in messages: `column "price"`, or `the column`.
std::string arrow_column_called(std::string_view name);

}  // namespace onefold::detail
