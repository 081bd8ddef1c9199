// Iterates the catalogue with its accuracies: operation x element type x accuracy, whatever exists.
#pragma once

#include <string>

#include "onefold/catalog.hpp"

namespace support {

/// Calls f.operator()<Op, T, A>() for each entry of the catalogue and each of its accuracies.
template <class Function>
void for_each_entry_and_accuracy(Function&& f) {
  onefold::for_each_entry([&]<class Op, class T>() { onefold::for_each_accuracy<Op, T>(f); });
}

/// "sum f32 kahan"
template <class Op, class T>
std::string entry_name(onefold::accuracy a) {
  return std::string(Op::name) + ' ' + onefold::name_of(onefold::dtype_of<T>) + ' ' + onefold::name_of(a);
}

}  // namespace support
