// What dynamic plans share: requests whose types are known at run time, and masks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "onefold/axes.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/detail/selection.hpp"
#include "onefold/dynamic/mask_layout.hpp"
#include "results.hpp"

namespace onefold::detail {

/// The request for a reduction of n elements to results of a layout.
request request_for(int operation, dtype element, std::int64_t n, bool has_init, const result_layout& layout);

/// The same over a shape, which must outlive it; of what is selected of it; over segments; and by keys, whose type may
/// be none for keys: that throws.
request over_shape(request q, const problem& shape);
request over_selection(request q, const problem& shape, const selection& by);
request over_segments(request q, std::int64_t segments, std::int64_t elements);
request by_keys(request q, dtype keys, std::int64_t elements);

/// As make_problem and make_selected_problem, but check the axes and the mask first.
extents checked_problem(dtype element, std::span<const axis> axes, const over& along, problem* made);
extents checked_selection(dtype element, std::span<const axis> axes, const mask_layout& mask, const over& along,
                          problem* made, selection* by);

/// The mask as a caller of `where` would describe it. Throws where it is none for these axes.
mask_view checked_mask(dtype element, std::span<const axis> axes, const mask_layout& mask);

/// The type with a name, bool too; none for an empty name.
std::optional<dtype> result_named(std::string_view name);

}  // namespace onefold::detail
