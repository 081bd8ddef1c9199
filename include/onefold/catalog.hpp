// The catalog: operations x element types x accuracies, and how to iterate it. Descriptors only: how an operation is
// computed stands in detail/folds.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "onefold/catalog/extrema.hpp"
#include "onefold/catalog/logic.hpp"
#include "onefold/catalog/moments.hpp"
#include "onefold/catalog/sums.hpp"
#include "onefold/operation.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// All operations of the catalog. This list is the only one: the library's instances, the tests, the
/// benchmark, the program and the documentation iterate it.
using operations =
    type_list<op::sum, op::product, op::min, op::max, op::fmin, op::fmax, op::argmin, op::argmax, op::minmax,
              op::sum_with_bound, op::sum_squares, op::norm2, op::mean, op::moments, op::variance, op::sample_variance,
              op::stddev, op::sample_stddev, op::count, op::all, op::any, op::bit_and, op::bit_or, op::bit_xor>;

}  // namespace ONEFOLD_LEVEL

/// Calls `f.operator()<T>()` for each type of a list.
template <class... Ts, class Function>
constexpr void for_each_type(type_list<Ts...>, Function&& f) {
  (f.template operator()<Ts>(), ...);
}

/// Calls `f.operator()<Op, T>()` for each operation of the catalog and each element type that it accepts.
template <class Function>
constexpr void for_each_entry(Function&& f) {
  for_each_type(operations{}, [&]<class Op>() {
    for_each_type(element_types{}, [&]<class T>() {
      if constexpr (cataloged<Op, T>) f.template operator()<Op, T>();
    });
  });
}

/// Calls `f.operator()<Op, T, A>()` for each accuracy that the catalog has for Op over T.
template <class Op, class T, class Function>
constexpr void for_each_accuracy(Function&& f) {
  const auto one = [&]<accuracy A>() {
    if constexpr (Op::template declines<T>(A) == nullptr) f.template operator()<Op, T, A>();
  };
  [&]<int... I>(std::integer_sequence<int, I...>) { (one.template operator()<static_cast<accuracy>(I)>(), ...); }
  (std::make_integer_sequence<int, accuracy_count>{});
}

/// The place of an operation in the list.
template <class Op>
inline constexpr int operation_index = detail::index_in<Op, operations>::value;

/// One operation of the catalog, for programs that choose at run time.
struct operation_info {
  std::string_view name;     ///< as its verb's
  std::string_view summary;  ///< what it computes, in a few words
  bool empty_allowed;        ///< whether no elements give a result without an initial value
  bool takes_init;           ///< whether a caller may give an initial value
  bool rounded;              ///< whether the result is a rounded number and another type may be asked for
  bool gives_index;          ///< whether the result is the index of an element
};

/// All operations, in the order of the list.
ONEFOLD_API std::span<const operation_info> operation_infos();

/// The place of the operation with this name, in any case. Throws unknown_name's error, which names the nearest
/// operation and lists all.
ONEFOLD_API int operation_named(std::string_view name);

/// The same without exceptions: -1 where the name is unknown.
ONEFOLD_API int find_operation(std::string_view name);

/// Null if the catalog has the operation (by its place) over the element type at the accuracy; else the reason.
ONEFOLD_API const char* why_not(int operation, dtype element, accuracy a);

/// Null if the catalog has scans of the same, too; else the reason.
ONEFOLD_API const char* why_no_scan(int operation, dtype element, accuracy a);

}  // namespace onefold
