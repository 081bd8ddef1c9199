// The catalog at run time: operations by name, reasons for what does not exist, recipes by level.
#include "registry.hpp"

#include <array>
#include <string>

#include "ascii.hpp"
#include "instances.hpp"
#include "levels.hpp"
#include "onefold/error.hpp"

namespace onefold {
namespace {

constexpr auto infos = [] {
  std::array<operation_info, operations::size> list{};
  std::size_t i = 0;
  for_each_type(operations{}, [&]<class Op>() {
    list[i++] = {Op::name, Op::summary, Op::empty_allowed, Op::takes_init, Op::rounded, Op::gives_index};
  });
  return list;
}();

constexpr auto operation_names = [] {
  std::array<std::string_view, operations::size> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = infos[i].name;
  return names;
}();

using reason_table =
    std::array<std::array<std::array<const char*, accuracy_count>, element_types::size>, operations::size>;

using built_elements = type_list<ONEFOLD_BUILT_ELEMENTS>;

template <class T>
constexpr bool is_built = detail::index_in<T, built_elements>::value < built_elements::size;

template <class Op, class T>
constexpr const char* reason_against(accuracy a) {
  if constexpr (!is_built<T>)
    return "this build of onefold leaves out elements of that type (CMake option ONEFOLD_ELEMENTS)";
  else if constexpr (cataloged<Op, T>)
    return Op::template declines<T>(a);
  else
    return Op::accepts_only;
}

// Why an entry does not exist; null if it does.
constexpr reason_table reasons = [] {
  reason_table table{};
  for_each_type(operations{}, [&]<class Op>() {
    for_each_type(element_types{}, [&]<class T>() {
      auto& row = table[static_cast<std::size_t>(operation_index<Op>)][static_cast<std::size_t>(dtype_of<T>)];
      for (std::size_t a = 0; a < row.size(); ++a) row[a] = reason_against<Op, T>(static_cast<accuracy>(a));
    });
  });
  return table;
}();

/// The tables of a kind of one level, by element type.
template <class Kind, class Level>
constexpr auto tables_of = [] {
  std::array<typename Kind::function, element_types::size> tables{};
  for_each_type(built_elements{},
                [&]<class T>() { tables[static_cast<std::size_t>(dtype_of<T>)] = Kind::template of<T, Level>; });
  return tables;
}();
struct of_recipes {
  using function = const detail::recipe_table& (*)();
  template <class T, class Level>
  static constexpr function of = detail::instances<T, Level>;
};
struct of_scans {
  using function = const detail::scan_table& (*)();
  template <class T, class Level>
  static constexpr function of = detail::scan_instances<T, Level>;
};

struct of_rows {
  using function = const detail::row_recipe& (*)();
  template <class T, class Level>
  static constexpr function of = [] {
    if constexpr (detail::is_float<T>)
      return detail::row_instance<T, Level>;
    else
      return function{};
  }();
};

struct of_computed_pages {
  using function = const detail::computed_pages& (*)();
  template <class T, class Level>
  static constexpr function of = [] {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
      return detail::computed_instance<T, Level>;
    else
      return function{};
  }();
};

template <class Kind, class First, class... Rest>
const auto& table_for(dtype element, isa level, type_list<First, Rest...>) {
  if constexpr (sizeof...(Rest) > 0)
    if (level != First::name) return table_for<Kind>(element, level, type_list<Rest...>{});
  return tables_of<Kind, First>[static_cast<std::size_t>(element)]();
}

template <class First, class... Rest>
constexpr isa lowest_level(type_list<First, Rest...>) {
  return First::name;
}

}  // namespace

std::span<const operation_info> operation_infos() { return infos; }

int find_operation(std::string_view name) {
  for (std::size_t i = 0; i < infos.size(); ++i)
    if (detail::equals_ignoring_case(infos[i].name, name)) return static_cast<int>(i);
  return -1;
}

int operation_named(std::string_view name) {
  const int operation = find_operation(name);
  if (operation < 0) throw unknown_name("operation", name, operation_names);
  return operation;
}

const char* why_not(int operation, dtype element, accuracy a) {
  if (operation < 0 || operation >= operations::size) return "unknown operation";
  if (static_cast<int>(element) >= element_types::size) return "unknown element type";
  if (static_cast<int>(a) >= accuracy_count) return "unknown accuracy";
  return reasons[static_cast<std::size_t>(operation)][static_cast<std::size_t>(element)][static_cast<std::size_t>(a)];
}

namespace detail {
namespace {

using levels = type_list<ONEFOLD_BUILT_LEVELS>;
constexpr isa lowest = lowest_level(levels{});

/// Null where the entry has no scan.
const scan_recipe* scan_or_null(int operation, dtype element, accuracy a, isa level) {
  for (const isa l : {level, lowest}) {
    const scan_table& table = table_for<of_scans>(element, l, levels{});
    const unsigned char place = table.place[operation][static_cast<int>(a)];
    if (place != scan_table::none) return &table.records[place];
  }
  return nullptr;
}

}  // namespace
}  // namespace detail

const char* why_no_scan(int operation, dtype element, accuracy a) {
  if (const char* why = why_not(operation, element, a)) return why;
  const auto has = [&](accuracy mode) {
    return !why_not(operation, element, mode) && detail::scan_or_null(operation, element, mode, detail::lowest);
  };
  if (has(a)) return nullptr;
  return has(accuracy::kahan)  ? "each prefix would take an exact sum of its own; the nearest accuracy is kahan"
         : has(accuracy::wide) ? "each prefix would take an exact sum of its own; the nearest accuracy is wide"
                               : "each prefix would take an exact sum of its own; the nearest accuracy is native";
}

namespace detail {

void require_entry(int operation, dtype element, accuracy a) {
  const char* reason = why_not(operation, element, a);
  if (!reason) return;
  const bool known = operation >= 0 && operation < operations::size;
  throw error(error_code::unsupported, (known ? std::string(infos[static_cast<std::size_t>(operation)].name)
                                              : "operation " + std::to_string(operation)) +
                                           " of " + name_of(element) + " at accuracy " + name_of(a) +
                                           " is not supported: " + reason);
}

const recipe& find_recipe(int operation, dtype element, accuracy a, isa level) {
  require_entry(operation, element, a);
  const recipe_table& table = table_for<of_recipes>(element, level, type_list<ONEFOLD_BUILT_LEVELS>{});
  return table.records[table.place[operation][static_cast<int>(a)]];
}

const scan_recipe& find_scan(int operation, dtype element, accuracy a, isa level) {
  require_entry(operation, element, a);
  if (const scan_recipe* found = scan_or_null(operation, element, a, level)) return *found;
  throw error(error_code::unsupported, "a scan of " + std::string(infos[static_cast<std::size_t>(operation)].name) +
                                           " of " + name_of(element) + " at accuracy " + name_of(a) +
                                           " is not supported: " + why_no_scan(operation, element, a));
}

const row_recipe& find_rows(dtype element, isa level) { return table_for<of_rows>(element, level, levels{}); }

const computed_pages* find_computed_pages(dtype element, isa level) {
  const bool exist = element == dtype::f32 || element == dtype::f64;
  return exist ? &table_for<of_computed_pages>(element, level, levels{}) : nullptr;
}

}  // namespace detail
}  // namespace onefold
