// Reductions whose operation and types are known at run time only: for programs and for bindings.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "onefold/array_view.hpp"
#include "onefold/catalog.hpp"
#include "onefold/dynamic/keyed_plan.hpp"
#include "onefold/dynamic/mask_layout.hpp"
#include "onefold/dynamic/plan.hpp"
#include "onefold/dynamic/results.hpp"
#include "onefold/dynamic/row_plan.hpp"
#include "onefold/dynamic/scan_plan.hpp"
#include "onefold/dynamic/segmented_plan.hpp"
#include "onefold/dynamic/selected_plan.hpp"
#include "onefold/dynamic/shaped_plan.hpp"
#include "onefold/source_operation.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// The element type with this name, as name_of spells it, in any case. Throws unknown_name's error, which names the
/// nearest type and lists all.
ONEFOLD_API dtype dtype_named(std::string_view name);

/// The same without exceptions: nothing where the name is unknown.
ONEFOLD_API std::optional<dtype> parse_dtype(std::string_view name);

/// The names of all element types.
ONEFOLD_API std::span<const std::string_view> dtype_names();

}  // namespace onefold
