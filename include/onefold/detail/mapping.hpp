// The part of a reduction of computed elements that knows no type: the axes of a function's arrays, and the call that
// runs once.
#pragma once

#include <cstdint>
#include <span>

#include "onefold/array_view.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/map_request.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

template <class F, class... Places>
class mapped_elements;  // onefold/map_reduce.hpp

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Whether M is computed elements: of a function, or these changed by the library.
template <class M>
inline constexpr bool is_mapped = false;
template <class F, class... Places>
inline constexpr bool is_mapped<mapped_elements<F, Places...>> = true;

}  // namespace ONEFOLD_LEVEL

/// The axes of an array of a function.
struct mapped_axes {
  std::size_t rank = 0;
  axis axes[most_axes] = {};
  friend bool operator==(const mapped_axes&, const mapped_axes&) = default;
};

/// Throws invalid_argument for arrays whose extents differ.
ONEFOLD_API void check_mapped_axes(std::span<const mapped_axes> arrays);

/// As make_problem, for all arrays.
ONEFOLD_API extents make_mapping(std::span<const mapped_axes> arrays, const over& along, mapping* made);

/// Writes the elements of a mapping with one output to neighboring places, in C order. Throws invalid_argument where an
/// array is null or in device memory.
ONEFOLD_API void store_elements(const mapping& maps, const mapped_source& from, void* to);

/// Chooses and reduces once: outputs of the request's mapping into `results`, which has room for `capacity` of them.
/// `op` and `init` are as in the recipe. `ran` is null, or gets what ran.
ONEFOLD_API void run_mapped_once(const request& what, const options& how, const void* op, const mapped_source& from,
                                 const void* init, void* results, std::int64_t capacity, run_report* ran);

}  // namespace onefold::detail
