// The list of the data sets, and making one.
#include "data/sets.hpp"

#include <algorithm>
#include <string>

#include "data/conditioned.hpp"
#include "data/elements.hpp"
#include "onefold/detail/numbers.hpp"
#include "onefold/error.hpp"

namespace onefold::data {
namespace {

constexpr set_info infos[] = {
    {"uniform", "uniform in [0, 1)", false},
    {"normal", "normal, mean 0 and deviation 1", false},
    {"lognormal", "e^(2z), z normal: a long tail", false},
    {"small-terms", "1e8, then many small terms", false},
    {"harmonic", "1, 1/2, 1/3, ...", false},
    {"alternating", "1, -1/2, 1/3, -1/4, ...", false},
    {"sine", "ten whole periods of a sine", false},
    {"cancelling", "lognormal x and their -x, shuffled: the sum is 0", false},
    {"conditioned", "a sum with the condition number of --cond", true},
    {"wide-exponents", "either sign, exponents over the type's range", false},
    {"subnormals", "either sign, below the type's normal range", false},
    {"outlier", "normal, and one element that is larger by all of a sum's bits", false},
    {"all-equal", "0.1 each", false},
};

/// What makes the elements one by one, in the order of the infos; null: the whole array at once.
constexpr double (*by_element[])(const element&) = {uniform,     normal,  lognormal, small_terms, harmonic,
                                                    alternating, sine,    nullptr,   nullptr,     wide_exponents,
                                                    subnormals,  outlier, all_equal};
static_assert(std::size(infos) == std::size(by_element));

template <class T>
void fill_as(const request& what, T* x) {
  const random_numbers random(what.seed);
  const auto each = [&](double (*value)(const element&), std::int64_t i) {
    return detail::round_to<T>(value(element{random, i, what.n, format_of<T>}));
  };
  if (const auto value = by_element[what.set]) {
    for (std::int64_t i = 0; i < what.n; ++i) x[i] = each(value, i);
  } else if (infos[what.set].takes_condition) {
    fill_conditioned(x, what.n, random, what.condition);
  } else {
    for (std::int64_t i = 0; i + 1 < what.n; i += 2) {
      x[i] = each(lognormal, i);
      x[i + 1] = T(-static_cast<std::conditional_t<sizeof(T) == 8, double, float>>(x[i]));
    }
    if (what.n % 2 != 0) x[what.n - 1] = T(0.0f);
    shuffle(x, what.n, random_numbers(~what.seed));
  }
}

/// Calls f.operator()<T>() for the type; throws for one that the sets do not have.
template <class Function, class... Ts>
void with_type(dtype type, Function&& f, type_list<Ts...>) {
  if (!((dtype_of<Ts> == type && (f.template operator()<Ts>(), true)) || ...))
    throw error(error_code::unsupported,
                std::string("data sets have elements of f32, f64, f16 or bf16, not of ") + name_of(type));
}

}  // namespace

std::span<const set_info> sets() { return infos; }

std::optional<int> find_set(std::string_view name) {
  const auto* const found = std::ranges::find(infos, name, &set_info::name);
  if (found == std::end(infos)) return std::nullopt;
  return static_cast<int>(found - infos);
}

void check(const request& what) {
  if (what.set < 0 || what.set >= static_cast<int>(std::size(infos)))
    throw error(error_code::invalid_argument, "unknown data set " + std::to_string(what.set));
  if (what.n < 0) throw error(error_code::invalid_argument, "the number of elements is negative");
  with_type(
      what.type,
      [&]<class T>() {
        if (infos[what.set].takes_condition) check_condition(format_of<T>, what.n, what.condition);
      },
      floating_types{});
}

void fill(const request& what, void* elements) {
  check(what);
  with_type(
      what.type, [&]<class T>() { fill_as(what, static_cast<T*>(elements)); }, floating_types{});
}

}  // namespace onefold::data
