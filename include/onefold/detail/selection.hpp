// The part of a reduction of selected elements that knows no element type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "onefold/array_view.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/selection.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

/// A mask as its owner describes it.
struct mask_view {
  mask_kind kind = mask_kind::all;
  dtype element = dtype::other;  ///< not_nan: the type of the data
  const void* data = nullptr;    ///< bytes and bits
  std::int64_t offset = 0;       ///< bits: from the first bit at `data` to that of the first element
  std::size_t rank = 0;          ///< bytes and bits
  axis axes[most_axes] = {};     ///< with strides in bytes or bits
};

/// Where data and mask are.
struct selected_data {
  const void* data;
  const void* mask;  ///< null without one
};

/// The selection of a list of n elements by a mask for them. Throws as check_mask does.
ONEFOLD_API list_selection select_from_list(std::int64_t n, const mask_view& mask);

/// Throws invalid_argument for a mask whose extents are not the data's, and for a negative offset.
ONEFOLD_API void check_mask(std::span<const axis> axes, const mask_view& mask);

/// As make_problem, with the selection by a checked mask.
ONEFOLD_API extents make_selected_problem(std::span<const axis> axes, const mask_view& mask, const over& along,
                                          problem* made, selection* by);

/// Throws invalid_argument where the mask of n elements is null, or in device memory.
ONEFOLD_API void require_readable_mask(const void* mask, std::int64_t n);

/// Whether two masks are the same but for where they are.
ONEFOLD_API bool are_alike(const mask_view& a, const mask_view& b);

/// Chooses and reduces once: outputs of the request's shape and selection into `results`, which has room for `capacity`
/// of them. `op` and `init` are as in the recipe. `ran` is null, or gets what ran.
ONEFOLD_API void run_selected_once(const request& what, const options& how, const void* op, const selected_data& from,
                                   const void* init, void* results, std::int64_t capacity, run_report* ran);

}  // namespace onefold::detail
