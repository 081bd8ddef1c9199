// The table of the catalog's results: the layout of each, and the types that may be asked for instead.
#include "results.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "onefold/catalog.hpp"

namespace onefold::detail {
namespace {

template <class X>
consteval result_member member(const char* name, std::size_t offset) {
  static_assert(element<X> || std::is_same_v<X, bool>, "describe the members of this result below");
  return {name, dtype_of<X>, static_cast<int>(offset)};
}

/// The numbers of a result of type R.
template <class R>
constexpr auto members = std::array{member<R>("value", 0)};
template <class T>
constexpr auto members<minmax_result<T>> =
    std::array{member<T>("min", offsetof(minmax_result<T>, min)), member<T>("max", offsetof(minmax_result<T>, max))};
template <class T>
constexpr auto members<bounded_sum<T>> =
    std::array{member<decltype(bounded_sum<T>::value)>("value", offsetof(bounded_sum<T>, value)),
               member<decltype(bounded_sum<T>::bound)>("bound", offsetof(bounded_sum<T>, bound)),
               member<decltype(bounded_sum<T>::condition)>("condition", offsetof(bounded_sum<T>, condition))};
template <>
constexpr auto members<moments_result> =
    std::array{member<decltype(moments_result::n)>("n", offsetof(moments_result, n)),
               member<decltype(moments_result::mean)>("mean", offsetof(moments_result, mean)),
               member<decltype(moments_result::m2)>("m2", offsetof(moments_result, m2))};

template <class R>
constexpr result_layout layout_of = [] {
  static_assert(sizeof(R) <= most_result_size && alignof(R) <= result_alignment);
  return result_layout{sizeof(R), alignof(R), members<R>};
}();

/// Layouts of single numbers, by type.
constexpr auto number_layouts = [] {
  std::array<const result_layout*, static_cast<std::size_t>(dtype::other)> list{};
  for_each_type(element_types{}, [&]<class R>() { list[static_cast<std::size_t>(dtype_of<R>)] = &layout_of<R>; });
  list[static_cast<std::size_t>(dtype::boolean)] = &layout_of<bool>;
  return list;
}();

/// The results of an operation over an element type.
struct entry_results {
  const result_layout* own;  ///< null where the catalog does not have the entry
  std::uint16_t types;       ///< bit t: it can be of type t, its own included
};

constexpr std::uint16_t bit_of(dtype t) { return static_cast<std::uint16_t>(1u << static_cast<unsigned>(t)); }

constexpr auto all_entries = [] {
  std::array<std::array<entry_results, element_types::size>, operations::size> table{};
  for_each_entry([&]<class Op, class T>() {
    entry_results& e = table[static_cast<std::size_t>(operation_index<Op>)][static_cast<std::size_t>(dtype_of<T>)];
    e.own = &layout_of<element_result<Op, T>>;
    if constexpr (std::is_same_v<element_result<Op, T>, bool>) e.types |= bit_of(dtype::boolean);
    for_each_type(element_types{}, [&]<class R>() {
      if constexpr (returns<Op, T, R>) e.types |= bit_of(dtype_of<R>);
    });
  });
  return table;
}();

const entry_results& results_of(int operation, dtype element) {
  return all_entries[static_cast<std::size_t>(operation)][static_cast<std::size_t>(element)];
}

}  // namespace

const result_layout& own_layout(int operation, dtype element) { return *results_of(operation, element).own; }

const result_layout* find_layout(int operation, dtype element, dtype result) {
  return results_of(operation, element).types & bit_of(result) ? number_layouts[static_cast<std::size_t>(result)]
                                                               : nullptr;
}

}  // namespace onefold::detail
