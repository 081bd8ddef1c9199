// What dynamic plans share: requests whose types are known at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "onefold/detail/engine.hpp"
#include "results.hpp"

namespace onefold::detail {

/// The request for a reduction of n elements to results of a layout.
request request_for(int operation, dtype element, std::int64_t n, bool has_init, const result_layout& layout);

/// The type with a name, bool too; none for an empty name.
std::optional<dtype> result_named(std::string_view name);

}  // namespace onefold::detail
