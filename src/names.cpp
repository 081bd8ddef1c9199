// The names of the choices: backends, accuracies, instruction sets, kernels, element types, kinds of error and memory.
#include <algorithm>
#include <array>
#include <string>

#include "ascii.hpp"
#include "backends.hpp"
#include "onefold/backend.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"
#include "onefold/options.hpp"

namespace onefold {
namespace {

template <class Choice>
struct named {
  std::string_view name;
  Choice choice;
};
// clang before 17 does not deduce the arguments of aggregates by itself.
template <class Choice>
named(std::string_view, Choice) -> named<Choice>;

// The first name of a choice is the one that is printed.

/// Calls visit(name, backend) for each name of a backend.
template <class Visitor>
constexpr void for_each_backend_name(Visitor visit) {
  visit("automatic", backend::automatic);
  visit("auto", backend::automatic);
  visit("cpu", backend::cpu);
  for (const detail::backend_facts& b : detail::all_backends) {
    visit(b.name, b.backend);
    for (const char* const name : b.also)
      if (name) visit(name, b.backend);
  }
}
constexpr std::size_t backend_name_count = [] {
  std::size_t count = 0;
  for_each_backend_name([&](std::string_view, backend) { ++count; });
  return count;
}();
constexpr auto backend_table = [] {
  std::array<named<backend>, backend_name_count> table{};
  std::size_t i = 0;
  for_each_backend_name([&](std::string_view name, backend b) { table[i++] = {name, b}; });
  return table;
}();

constexpr std::array accuracy_table{
    named{std::string_view("native"), accuracy::native}, named{std::string_view("wide"), accuracy::wide},
    named{std::string_view("double"), accuracy::wide},   named{std::string_view("kahan"), accuracy::kahan},
    named{std::string_view("exact"), accuracy::exact},
};
constexpr std::array isa_table{
    named{std::string_view("automatic"), isa::automatic}, named{std::string_view("auto"), isa::automatic},
    named{std::string_view("baseline"), isa::baseline},   named{std::string_view("x86-64-v2"), isa::x86_64_v2},
    named{std::string_view("v2"), isa::x86_64_v2},        named{std::string_view("x86-64-v3"), isa::x86_64_v3},
    named{std::string_view("v3"), isa::x86_64_v3},        named{std::string_view("x86-64-v4"), isa::x86_64_v4},
    named{std::string_view("v4"), isa::x86_64_v4},
};

constexpr std::array kernel_table{
    named{std::string_view("automatic"), kernel::automatic},
    named{std::string_view("auto"), kernel::automatic},
    named{std::string_view("canonical"), kernel::canonical},
    named{std::string_view("global_interleaved"), kernel::global_interleaved},
    named{std::string_view("interleaved"), kernel::interleaved},
    named{std::string_view("sequential_addressing"), kernel::sequential_addressing},
    named{std::string_view("first_add"), kernel::first_add},
    named{std::string_view("unrolled"), kernel::unrolled},
    named{std::string_view("shuffle"), kernel::shuffle},
    named{std::string_view("coarsened"), kernel::coarsened},
};
constexpr std::array error_table{
    named{std::string_view("invalid_argument"), error_code::invalid_argument},
    named{std::string_view("empty_input"), error_code::empty_input},
    named{std::string_view("unsupported"), error_code::unsupported},
    named{std::string_view("backend_unavailable"), error_code::backend_unavailable},
    named{std::string_view("device"), error_code::device},
    named{std::string_view("overflow"), error_code::overflow},
};
constexpr std::array memory_table{
    named{std::string_view("pinned"), accelerator_memory::pinned},
    named{std::string_view("device"), accelerator_memory::device},
    named{std::string_view("managed"), accelerator_memory::managed},
    named{std::string_view("pageable"), accelerator_memory::pageable},
};

template <class Table>
constexpr auto names_in(const Table& table) {
  std::array<std::string_view, std::tuple_size_v<Table>> names;
  std::ranges::transform(table, names.begin(), [](const auto& entry) { return entry.name; });
  return names;
}
constexpr auto all_backend_names = names_in(backend_table);
constexpr auto all_accuracy_names = names_in(accuracy_table);
constexpr auto all_isa_names = names_in(isa_table);
constexpr auto all_kernel_names = names_in(kernel_table);
constexpr auto all_dtype_names = [] {
  std::array<std::string_view, element_types::size> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = name_of(static_cast<dtype>(i));
  return names;
}();

using detail::equals_ignoring_case;

template <class Table>
auto parse(const Table& table, std::string_view word) -> std::optional<decltype(table[0].choice)> {
  for (const auto& entry : table)
    if (equals_ignoring_case(entry.name, word)) return entry.choice;
  return std::nullopt;
}

template <class Table, class Choice>
const char* name_in(const Table& table, Choice choice) {
  for (const auto& entry : table)
    if (entry.choice == choice) return entry.name.data();
  return "?";
}

/// The parser's choice, or the error that names the nearest one.
template <class Choice>
Choice require(std::optional<Choice> choice, const char* what, std::string_view word,
               std::span<const std::string_view> names) {
  if (!choice) throw unknown_name(what, word, names);
  return *choice;
}

}  // namespace

std::optional<backend> parse_backend(std::string_view name) { return parse(backend_table, name); }
std::optional<accuracy> parse_accuracy(std::string_view name) { return parse(accuracy_table, name); }
std::optional<isa> parse_isa(std::string_view name) { return parse(isa_table, name); }
std::optional<kernel> parse_kernel(std::string_view name) { return parse(kernel_table, name); }
std::optional<dtype> parse_dtype(std::string_view name) {
  for (std::size_t i = 0; i < all_dtype_names.size(); ++i)
    if (equals_ignoring_case(all_dtype_names[i], name)) return static_cast<dtype>(i);
  return std::nullopt;
}

backend backend_named(std::string_view name) { return require(parse_backend(name), "backend", name, backend_names()); }
accuracy accuracy_named(std::string_view name) {
  return require(parse_accuracy(name), "accuracy", name, accuracy_names());
}
isa isa_named(std::string_view name) { return require(parse_isa(name), "instruction set", name, isa_names()); }
kernel kernel_named(std::string_view name) { return require(parse_kernel(name), "kernel", name, kernel_names()); }
dtype dtype_named(std::string_view name) { return require(parse_dtype(name), "element type", name, dtype_names()); }

const char* name_of(backend b) { return name_in(backend_table, b); }
const char* name_of(accuracy a) { return name_in(accuracy_table, a); }
const char* name_of(isa i) { return name_in(isa_table, i); }
const char* name_of(kernel k) { return name_in(kernel_table, k); }
const char* name_of(error_code c) { return name_in(error_table, c); }
const char* name_of(accelerator_memory kind) { return name_in(memory_table, kind); }

std::span<const std::string_view> backend_names() { return all_backend_names; }
std::span<const std::string_view> accuracy_names() { return all_accuracy_names; }
std::span<const std::string_view> isa_names() { return all_isa_names; }
std::span<const std::string_view> kernel_names() { return all_kernel_names; }
std::span<const std::string_view> dtype_names() { return all_dtype_names; }

}  // namespace onefold
