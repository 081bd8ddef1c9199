// What launches on a device need to know of a fold: numbers alone, which the host has without the device's headers.
#pragma once

#include <cstdint>

#include "onefold/detail/fold_traits.hpp"
#include "onefold/detail/pack.hpp"
#include "onefold/device.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// States that a thread can have several of, over plain elements that are loaded at once.
template <class F, class T>
inline constexpr bool has_tiles = false;
template <class F, class T>
requires(has_lanes<F, T> && sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0 &&
         __is_trivially_constructible(storage_t<T>) && __is_trivially_copyable(T) && sizeof(lane_state<F, T>) <= 64 &&
         __is_trivially_constructible(lane_state<F, T>)) inline constexpr bool has_tiles<F, T> = true;

/// The layout of fold F over elements T.
template <class F, class T>
inline constexpr fold_layout fold_layout_of = {
    .fold = sizeof(F),
    .element = sizeof(T),
    .lane = sizeof(lane_state<F, T>),
    .state = sizeof(tree_state<F, T>),
    .state_align = alignof(tree_state<F, T>),
    .has_tiles = has_tiles<F, T>,
    .may_be_misaligned = alignof(storage_t<T>) % sizeof(T) != 0,
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
