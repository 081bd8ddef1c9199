// What dynamic plans share: requests whose types are known at run time, and masks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "onefold/detail/engine.hpp"
#include "onefold/detail/selection.hpp"
#include "results.hpp"

namespace onefold::detail {

/// The request for a reduction of n elements to results of a layout.
request request_for(int operation, dtype element, std::int64_t n, bool has_init, const result_layout& layout);

/// The mask as a caller of `where` would describe it. Throws where it is none for these axes.
mask_view checked_mask(dtype element, std::span<const axis> axes, const mask_layout& mask);

/// The type with a name, bool too; none for an empty name.
std::optional<dtype> result_named(std::string_view name);

}  // namespace onefold::detail
