// Row operations as everybody writes them first, to compare with.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "onefold/row_request.hpp"

namespace onefold::cli {

/// The results of lines of `length` elements by one loop for each step, in f32 or for f64 in f64, with std::exp and
/// std::log: softmax by three, for the largest element, the sum of the exponentials and the quotients. Rounded to the
/// type of the elements.
std::vector<std::byte> plain_rows(row_operation operation, dtype type, std::span<const std::byte> elements,
                                  std::size_t length, double eps);

}  // namespace onefold::cli
