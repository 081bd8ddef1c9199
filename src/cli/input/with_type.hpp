// From a run-time element type to a template argument.
#pragma once

#include "onefold/types.hpp"

namespace onefold::cli {

/// Calls f.operator()<T>() for the element type named by `t`; nothing for types that are no element types.
template <class Function, class... Ts>
void with_type(dtype t, Function&& f, type_list<Ts...>) {
  (void)((dtype_of<Ts> == t && (f.template operator()<Ts>(), true)) || ...);
}
template <class Function>
void with_type(dtype t, Function&& f) {
  with_type(t, f, element_types{});
}

/// Whether it is a floating-point type.
constexpr bool is_float(dtype t) { return t == dtype::f32 || t == dtype::f64 || t == dtype::f16 || t == dtype::bf16; }

}  // namespace onefold::cli
