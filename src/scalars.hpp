// A result of the catalogue as named numbers.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "onefold/dynamic.hpp"

namespace onefold::detail {

template <class T>
scalar scalar_of(std::string name, T x) {
  scalar s{std::move(name), dtype_of<T>, 0};
  std::memcpy(&s.bits, &x, sizeof x);
  return s;
}

/// The numbers of a result: one, or a structure's members.
template <class R>
std::vector<scalar> scalars_of(const R& r) {
  if constexpr (requires { r.m2; })
    return {scalar_of("n", r.n), scalar_of("mean", r.mean), scalar_of("m2", r.m2)};
  else if constexpr (requires { r.bound; })
    return {scalar_of("value", r.value), scalar_of("bound", r.bound), scalar_of("condition", r.condition)};
  else if constexpr (requires { r.min; })
    return {scalar_of("min", r.min), scalar_of("max", r.max)};
  else
    return {scalar_of("value", r)};
}

}  // namespace onefold::detail
