// The law of blocks and of slices: every output has the bits of a copy of its elements, alone and contiguous.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "instances.hpp"
#include "levels.hpp"
#include "onefold/custom.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/shapes.hpp"

namespace {

using onefold::accuracy;
using onefold::dtype;
using support::checked_recipe;

/// Elements of every size and sign; in one half of them one in 64 is a zero, an infinity or a NaN.
template <class T>
std::vector<char> elements_of(std::uint64_t seed, bool infinite) {
  std::vector<T> x;
  if constexpr (support::is_float<T>) {
    support::random_numbers r(seed);
    x = support::generated<T>(support::pool_elements, [&] {
      if (r.integer(0, 63) == 0) {
        constexpr double special[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, __builtin_nan("")};
        return special[infinite ? r.integer(0, 4) : r.integer(0, 1)];
      }
      return r.sign() * std::ldexp(r.uniform(1, 2), r.integer(-12, 0));
    });
    for (std::size_t i = 0; i < x.size() / 2; ++i)
      x[i] = support::nearest<T>(r.sign() * std::ldexp(r.uniform(1, 2), r.integer(-12, 0)));
  } else {
    x = support::integer_data<T>(support::pool_elements, seed);
    for (std::size_t i = 0; i < x.size(); i += 61) x[i] = 0;
  }
  const char* p = reinterpret_cast<const char*>(x.data());
  return {p, p + x.size() * sizeof(T)};
}

/// A value of the result type R to begin with.
template <class R>
void begin_with(void* to) {
  R init{};
  if constexpr (std::is_same_v<R, bool>)
    init = true;
  else if constexpr (onefold::detail::is_integer<R>)
    init = static_cast<R>(37);
  else if constexpr (support::is_float<R>)
    init = support::nearest<R>(2.75);
  std::memcpy(to, &init, sizeof init);
}

template <class R>
support::result_kind kind_of(dtype type, bool takes_init) {
  return {type, sizeof(R), takes_init ? begin_with<R> : nullptr};
}

/// What the catalog's tests know of an entry; the recipe itself comes from the library's table.
template <class Op, class T>
std::vector<support::result_kind> kinds() {
  std::vector<support::result_kind> list{kind_of<typename Op::template result<T>>(dtype::other, Op::takes_init)};
  if constexpr (Op::rounded) {
    list.push_back(kind_of<float>(dtype::f32, Op::takes_init));
    list.push_back(kind_of<double>(dtype::f64, Op::takes_init));
    if constexpr (support::is_float<T>) list.push_back(kind_of<onefold::f16>(dtype::f16, Op::takes_init));
  }
  return list;
}

bool runs_here(onefold::isa level) {
  const auto have = onefold::isas();
  return std::find(have.begin(), have.end(), level) != have.end();
}

template <class T, class Level>
void check_catalog() {
  if (!runs_here(Level::name)) return;
  static const std::vector<char> all = elements_of<T>(sizeof(T), true), finite = elements_of<T>(sizeof(T), false);
  const onefold::detail::recipe_table& table = onefold::detail::instances<T, Level>();
  onefold::for_each_type(onefold::operations{}, [&]<class Op>() {
    if constexpr (onefold::cataloged<Op, T>) {
      for (int a = 0; a < onefold::accuracy_count; ++a) {
        const unsigned char place = table.place[onefold::operation_index<Op>][a];
        if (place == table.none) continue;
        const onefold::recipe& r = table.records[place];
        const std::string name = support::entry_name<Op, T>(static_cast<accuracy>(a)) + " " + onefold::name_of(r.level);
        // The result of sum_with_bound has padding after an f32.
        const bool padded = std::is_same_v<Op, onefold::op::sum_with_bound> && sizeof(T) < 8;
        // The identity of a wide product of f64 is not neutral to an infinite one.
        const std::vector<char>& pool =
            std::is_same_v<Op, onefold::op::product> && std::is_same_v<T, double> ? finite : all;
        support::check_shapes({r, nullptr, name, pool, kinds<Op, T>(), padded});
      }
    }
  });
}

template <class T, class... Levels>
void check_levels(onefold::type_list<Levels...>) {
  (check_catalog<T, Levels>(), ...);
}

template <class Op, class T>
void check_custom(const char* name, const std::vector<T>& x, Op op = {}) {
  using made = onefold::detail::custom<Op, T>;
  const char* p = reinterpret_cast<const char*>(x.data());
  using R = typename made::result;
  std::vector<support::result_kind> kinds{{dtype::other, sizeof(R), nullptr}};
  if constexpr (made::takes_init) kinds[0].init = begin_with<R>;
  support::check_shapes({made::record(), &op, name, {p, p + x.size() * sizeof(T)}, kinds, false});
}

}  // namespace

TEST_CASE("rows and columns have the bits of their elements alone: the catalog") {
  support::cases = 0;
  onefold::for_each_type(onefold::type_list<ONEFOLD_BUILT_ELEMENTS>{}, []<class T>() {
    using namespace onefold::detail;  // of the levels
    check_levels<T>(onefold::type_list<ONEFOLD_BUILT_LEVELS>{});
  });
  CHECK(support::cases > 20 * 24);
}

TEST_CASE("rows and columns have the bits of their elements alone: user-defined operations") {
  support::cases = 0;
  constexpr auto n = support::pool_elements;
  const auto f = support::normal_data<float>(n, 1);
  check_custom<support::absolute_sum>("absolute_sum", f);
  check_custom<support::started_sum>("started_sum", f);
  check_custom<support::absolute_sum_packs>("absolute_sum_packs", f);
  check_custom<support::absolute_sum_lifted>("absolute_sum_lifted", f);
  check_custom<support::weighted_count>("weighted_count", f, {-1, 1, 3});
  check_custom<support::index_sum>("index_sum", support::integer_data<std::int32_t>(n, 2));
  check_custom<support::affine_maps>("affine_maps", support::integer_data<std::uint32_t>(n, 3));
  check_custom<support::affine_floats>("affine_floats", f);
  check_custom<support::leading_count>("leading_count", support::uniform_data<float>(n, 4));
  check_custom<support::large_leading_count>("large_leading_count", f);
  const auto bytes = support::integer_data<std::uint8_t>(n, 5);
  check_custom<support::histogram>("histogram", bytes);
  check_custom<support::histogram_in_place>("histogram_in_place", bytes);
  check_custom<support::large_sums<200>>("large_sums", f);
  check_custom<support::large_ordered_sums<200>>("large_ordered_sums", f);
  check_custom<support::large_sums_in_place<200>>("large_sums_in_place", f);
  std::vector<support::record<12>> records(n);
  for (std::size_t i = 0; i < records.size(); ++i) records[i] = {f[i], {}, f[records.size() - 1 - i]};
  check_custom<support::record_box<12>>("record_box", records);
  CHECK(support::cases > 20 * 16);
}
