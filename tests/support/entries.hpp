// Iterates the catalogue with its accuracies: operation x element type x accuracy, whatever exists.
#pragma once

#include <string>

#include "onefold/catalog.hpp"
#include "onefold/detail/fold_traits.hpp"
#include "support/backend.hpp"

namespace support {

/// Whether the backend under test has an entry: some run on CPUs only.
template <class Op, class T, onefold::accuracy A>
bool on_backend_under_test() {
  return !onefold::detail::cpu_only<typename Op::template fold<T, A>> || backend_under_test() != onefold::backend::cuda;
}

/// Calls f.operator()<Op, T, A>() for each entry of the catalogue and each of its accuracies that the backend under
/// test has.
template <class Function>
void for_each_entry_and_accuracy(Function&& f) {
  onefold::for_each_entry([&]<class Op, class T>() {
    onefold::for_each_accuracy<Op, T>([&]<class, class, onefold::accuracy A>() {
      if (on_backend_under_test<Op, T, A>()) f.template operator()<Op, T, A>();
    });
  });
}

/// "sum f32 kahan"
template <class Op, class T>
std::string entry_name(onefold::accuracy a) {
  return std::string(Op::name) + ' ' + onefold::name_of(onefold::dtype_of<T>) + ' ' + onefold::name_of(a);
}

}  // namespace support
