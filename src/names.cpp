// The names of the choices: backends, accuracies, instruction sets, element types; and the nearest name.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "onefold/dynamic.hpp"
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
constexpr std::array backend_table{
    named{std::string_view("automatic"), backend::automatic},
    named{std::string_view("auto"), backend::automatic},
    named{std::string_view("cpu"), backend::cpu},
    named{std::string_view("cuda"), backend::cuda},
    named{std::string_view("gpu"), backend::cuda},
    named{std::string_view("openmp"), backend::openmp},
    named{std::string_view("omp"), backend::openmp},
    named{std::string_view("tbb"), backend::tbb},
    named{std::string_view("sequential"), backend::sequential},
    named{std::string_view("serial"), backend::sequential},
    named{std::string_view("seq"), backend::sequential},
};
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

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_word(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

template <class Table>
auto parse(const Table& table, std::string_view word) -> std::optional<decltype(table[0].choice)> {
  for (const auto& entry : table)
    if (same_word(entry.name, word)) return entry.choice;
  return std::nullopt;
}

template <class Table, class Choice>
const char* name_in(const Table& table, Choice choice) {
  for (const auto& entry : table)
    if (entry.choice == choice) return entry.name.data();
  return "?";
}

/// The Levenshtein distance without regard to case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<backend> parse_backend(std::string_view name) { return parse(backend_table, name); }
std::optional<accuracy> parse_accuracy(std::string_view name) { return parse(accuracy_table, name); }
std::optional<isa> parse_isa(std::string_view name) { return parse(isa_table, name); }
std::optional<kernel> parse_kernel(std::string_view name) { return parse(kernel_table, name); }
std::optional<dtype> parse_dtype(std::string_view name) {
  for (std::size_t i = 0; i < all_dtype_names.size(); ++i)
    if (same_word(all_dtype_names[i], name)) return static_cast<dtype>(i);
  return std::nullopt;
}

const char* name_of(backend b) { return name_in(backend_table, b); }
const char* name_of(accuracy a) { return name_in(accuracy_table, a); }
const char* name_of(isa i) { return name_in(isa_table, i); }
const char* name_of(kernel k) { return name_in(kernel_table, k); }

std::span<const std::string_view> backend_names() { return all_backend_names; }
std::span<const std::string_view> accuracy_names() { return all_accuracy_names; }
std::span<const std::string_view> isa_names() { return all_isa_names; }
std::span<const std::string_view> kernel_names() { return all_kernel_names; }
std::span<const std::string_view> dtype_names() { return all_dtype_names; }

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t least = static_cast<std::size_t>(-1);
  for (const std::string_view candidate : candidates)
    if (const std::size_t d = distance(word, candidate); d < least) {
      least = d;
      best = candidate;
    }
  return best;
}

}  // namespace onefold
