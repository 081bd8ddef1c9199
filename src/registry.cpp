// The catalogue at run time: operations by name, reasons for what does not exist, recipes by level.
#include "registry.hpp"

#include <array>
#include <string>

#include "instances.hpp"
#include "onefold/error.hpp"
#include "words.hpp"

namespace onefold {
namespace {

constexpr auto infos = [] {
  std::array<operation_info, operations::size> list{};
  std::size_t i = 0;
  for_each_type(operations{}, [&]<class Op>() {
    list[i++] = {Op::name, Op::summary, Op::empty_allowed, Op::takes_init, Op::rounded};
  });
  return list;
}();

using reason_table =
    std::array<std::array<std::array<const char*, accuracy_count>, element_types::size>, operations::size>;

template <class Op, class T>
constexpr const char* reason_against(accuracy a) {
  if constexpr (catalogued<Op, T>)
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

template <class Level>
constexpr auto tables_of() {
  std::array<const detail::recipe_table& (*)(), element_types::size> tables{};
  for_each_type(element_types{},
                [&]<class T>() { tables[static_cast<std::size_t>(dtype_of<T>)] = detail::instances<T, Level>; });
  return tables;
}

const detail::recipe_table& table_for(dtype element, isa level) {
  const auto t = static_cast<std::size_t>(element);
#if defined(__x86_64__)
  static constexpr auto v2 = tables_of<detail::level::v2>();
  static constexpr auto v3 = tables_of<detail::level::v3>();
  static constexpr auto v4 = tables_of<detail::level::v4>();
  return level == isa::x86_64_v4 ? v4[t]() : level == isa::x86_64_v3 ? v3[t]() : v2[t]();
#else
  static constexpr auto baseline = tables_of<detail::level::baseline>();
  (void)level;
  return baseline[t]();
#endif
}

}  // namespace

std::span<const operation_info> operation_infos() { return infos; }

int find_operation(std::string_view name) {
  for (std::size_t i = 0; i < infos.size(); ++i)
    if (detail::same_word(infos[i].name, name)) return static_cast<int>(i);
  return -1;
}

const char* why_not(int operation, dtype element, accuracy a) {
  if (operation < 0 || operation >= operations::size) return "there is no such operation";
  if (static_cast<int>(element) >= element_types::size) return "there are no elements of that type";
  if (static_cast<int>(a) >= accuracy_count) return "there is no such accuracy";
  return reasons[static_cast<std::size_t>(operation)][static_cast<std::size_t>(element)][static_cast<std::size_t>(a)];
}

namespace detail {

void require_entry(int operation, dtype element, accuracy a) {
  const char* reason = why_not(operation, element, a);
  if (!reason) return;
  const bool known = operation >= 0 && operation < operations::size;
  throw error(error_code::unsupported, (known ? std::string(infos[static_cast<std::size_t>(operation)].name)
                                              : "operation " + std::to_string(operation)) +
                                           " of " + name_of(element) + " at accuracy " + name_of(a) +
                                           " cannot be had: " + reason);
}

const recipe& find_recipe(int operation, dtype element, accuracy a, isa level) {
  require_entry(operation, element, a);
  return table_for(element, level).rows[operation][static_cast<int>(a)];
}

}  // namespace detail
}  // namespace onefold
