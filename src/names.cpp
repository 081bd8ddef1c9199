// The names of the choices: backends, accuracies, instruction sets, element types; and the nearest name.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "onefold/dynamic.hpp"
#include "onefold/options.hpp"
#include "words.hpp"

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

using detail::lower;
using detail::same_word;

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

/// The Damerau-Levenshtein distance (optimal string alignment) without regard to case: letters inserted, left out,
/// replaced, or swapped with a neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto same = [&](std::size_t i, std::size_t j) { return lower(a[i - 1]) == lower(b[j - 1]); };
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j - 1] + (same(i, j) ? 0 : 1), d[i - 1][j] + 1, d[i][j - 1] + 1});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j)) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

/// Whether the word is the beginning of the name: somebody's abbreviation.
bool abbreviates(std::string_view word, std::string_view name) {
  return !word.empty() && same_word(word, name.substr(0, word.size()));
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
  // No word that somebody typed is longer; the table of distances grows with it.
  constexpr std::size_t longest = 200;
  word = word.substr(0, longest);
  const bool only_longer =
      std::ranges::any_of(candidates, [&](std::string_view candidate) { return abbreviates(word, candidate); });
  std::string_view best;
  std::size_t least = static_cast<std::size_t>(-1);
  for (const std::string_view candidate : candidates) {
    if (only_longer && !abbreviates(word, candidate)) continue;
    if (const std::size_t d = distance(word, candidate); d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace onefold
