// The catalog at run time: from a place in it to the recipe for this CPU.
#pragma once

#include "computed_pages.hpp"
#include "onefold/catalog.hpp"
#include "onefold/recipe.hpp"
#include "onefold/scan_recipe.hpp"
#include "row_recipe.hpp"

namespace onefold::detail {

/// Throws unsupported, with the reason, where the catalog does not have the entry.
void require_entry(int operation, dtype element, accuracy a);

/// The recipe of an operation (by its place) over an element type at an accuracy and level. Throws as
/// require_entry does.
const recipe& find_recipe(int operation, dtype element, accuracy a, isa level);

/// The scan recipe of the same. Throws as require_entry does, and where the entry has no scan: where it adds exactly.
const scan_recipe& find_scan(int operation, dtype element, accuracy a, isa level);

/// The functions of row operations over a floating-point element type that is built.
const row_recipe& find_rows(dtype element, isa level);

/// The folds of computed pages of f32 or f64; null for other types.
const computed_pages* find_computed_pages(dtype element, isa level);

}  // namespace onefold::detail
