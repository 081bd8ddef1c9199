// Iterates the catalog with its accuracies: operation x element type x accuracy, whatever exists.
#pragma once

#include <cstdint>
#include <string>

#include "onefold/catalog.hpp"

namespace support {

/// Calls f.operator()<Op, T, A>() for each entry of the catalog and each of its accuracies.
template <class Function>
void for_each_entry_and_accuracy(Function&& f) {
  onefold::for_each_entry([&]<class Op, class T>() { onefold::for_each_accuracy<Op, T>(f); });
}

/// An entry of the catalog as tests at run time see it: what it is called, takes and gives.
struct described_entry {
  std::string name;
  int operation;
  onefold::dtype element;
  std::int64_t size;  ///< of an element
  bool takes_init, gives_index;
};

/// Calls f.operator()<Op, T>(its description) for each entry of the catalog that has accuracy native or exact.
template <class Function>
void for_each_described_entry(const Function& f) {
  onefold::for_each_entry([&]<class Op, class T>() {
    constexpr int operation = onefold::operation_index<Op>;
    constexpr onefold::dtype type = onefold::dtype_of<T>;
    if (onefold::why_not(operation, type, onefold::accuracy::native) &&
        onefold::why_not(operation, type, onefold::accuracy::exact))
      return;
    f.template operator()<Op, T>(described_entry{std::string(Op::name) + ' ' + onefold::name_of(type), operation, type,
                                                 sizeof(T), Op::takes_init, Op::gives_index});
  });
}

/// "sum f32 kahan"
template <class Op, class T>
std::string entry_name(onefold::accuracy a) {
  return std::string(Op::name) + ' ' + onefold::name_of(onefold::dtype_of<T>) + ' ' + onefold::name_of(a);
}

}  // namespace support
