// How many results a line has.
#pragma once

#include <cstddef>

#include "onefold/row_request.hpp"

namespace onefold::cli {

/// As many as elements, or one of logsumexp.
constexpr std::size_t results_of_line(row_operation operation, std::size_t length) {
  return operation == row_operation::logsumexp ? 1 : length;
}

}  // namespace onefold::cli
