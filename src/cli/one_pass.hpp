// Several operations over one list of elements, which are read once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reduced.hpp"

namespace onefold::cli {

/// The results of operations of the catalog over n elements, in their order. Each has the time of all: they run in
/// one pass. Throws onefold::error as dynamic_fused does.
std::vector<reduced> reduced_in_one_pass(std::span<const int> list, dtype type, const options& how,
                                         std::optional<dtype> result, const void* data, std::int64_t n);

}  // namespace onefold::cli
