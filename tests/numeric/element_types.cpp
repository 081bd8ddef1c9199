// Element types of the language and of CUDA: every result has the bits of a reduction of the catalog's elements with
// the same bits, on every backend, and the type of the elements where it is one.
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#ifdef ONEFOLD_TEST_CUDA_TYPES
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/result_bits.hpp"
#include "support/values.hpp"

namespace op = onefold::op;
using support::bits_of;
using support::on_backend;

namespace {

enum class color : std::int16_t { red = -3, green = 2, blue = 700 };
enum plain_enumeration : std::uint32_t { first, second = 0x80000000u };

/// The same elements as another type of their size.
template <class Foreign, class T>
std::unique_ptr<Foreign[]> as(const std::vector<T>& x) {
  static_assert(sizeof(Foreign) == sizeof(T) && std::is_trivially_copyable_v<Foreign>);
  auto y = std::make_unique<Foreign[]>(x.size());
  if (!x.empty()) std::memcpy(static_cast<void*>(y.get()), x.data(), x.size() * sizeof(T));
  return y;
}

template <class T>
std::vector<T> made_up(std::int64_t n, [[maybe_unused]] bool truth, std::uint64_t seed) {
  support::random_numbers r(seed);
  std::vector<T> x(static_cast<std::size_t>(n));
  support::fill<T>(x.data(), n, r);
  if constexpr (std::is_same_v<T, std::uint8_t>)
    if (truth)
      for (T& e : x) e = static_cast<T>(r.bits() % 2);
  return x;
}

/// The bits of a result, or the code of the error.
template <class Call>
support::result_bits outcome(Call call) {
  try {
    return bits_of(call());
  } catch (const onefold::error& e) {
    return {~std::uint64_t{0}, static_cast<std::uint64_t>(e.code())};
  }
}

/// Compares all operations and accuracies over Foreign with those over T; returns how many.
template <class Foreign, class T>
int compare(const char* name) {
  INFO(std::string(name));
  static_assert(std::is_same_v<onefold::canonical_t<Foreign>, T>);
  constexpr bool truth = std::is_same_v<Foreign, bool>;
  const std::int64_t page = onefold::page_elements(sizeof(T));
  int compared = 0;
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{19}, page + 3, 5 * page}) {
    const auto x = made_up<T>(n, truth, static_cast<std::uint64_t>(n) + 5);
    const auto copy = as<Foreign>(x);
    const std::span<const Foreign> y(copy.get(), x.size());
    const onefold::array_view<T> view(x.data(), {n / 2}, {2});
    const onefold::array_view<Foreign> foreign_view(y.data(), {n / 2}, {2});
    onefold::for_each_type(onefold::operations{}, [&]<class Op>() {
      if constexpr (onefold::cataloged<Op, T> && !(truth && Op::family == onefold::operation_family::bits))
        onefold::for_each_accuracy<Op, T>([&]<class, class, onefold::accuracy A>() {
          const auto how = on_backend(A, 1 + static_cast<int>(n % 3));
          REQUIRE(outcome([&] { return onefold::reduce<Foreign, Op>(y, how); }) ==
                  outcome([&] { return onefold::reduce<T, Op>(x, how); }));
          const auto over_all = [&](const auto& v) {
            return outcome([&] { return onefold::detail::reduced<Op>(v, how); });
          };
          REQUIRE(over_all(foreign_view) == over_all(view));
          compared += 2;
        });
    });
  }
  return compared;
}

/// For what is computed on CPUs only.
onefold::options on_cpu() {
  auto how = on_backend();
  if (onefold::is_accelerator(how.backend)) how.backend = onefold::backend::cpu;
  return how;
}

}  // namespace

TEST_CASE("all operations have the bits of the catalog's elements") {
  CHECK(compare<bool, std::uint8_t>("bool") > 200);
  CHECK(compare<std::byte, std::uint8_t>("std::byte") > 200);
  CHECK(compare<color, std::int16_t>("enum class") > 200);
  CHECK(compare<plain_enumeration, std::uint32_t>("enum") > 200);
#ifdef __FLT16_MANT_DIG__
  CHECK(compare<_Float16, onefold::f16>("_Float16") > 200);
#endif
#ifdef ONEFOLD_TEST_CUDA_TYPES
  CHECK(compare<__half, onefold::f16>("__half") > 200);
  CHECK(compare<__nv_bfloat16, onefold::bf16>("__nv_bfloat16") > 200);
#endif
}

TEST_CASE("truth values") {
  const auto how = on_backend();
  const std::array<bool, 5> x{true, false, true, true, false};
  CHECK(onefold::any(x, how));
  CHECK(!onefold::all(x, how));
  CHECK(onefold::count(x, how) == 3);
  CHECK(onefold::sum(x, how) == 3u);
  CHECK(onefold::mean(x, how) == 0.6);
  CHECK(onefold::argmin(x, how) == 1);
  CHECK(onefold::median(x, on_cpu()) == 1);
  static_assert(std::is_same_v<decltype(onefold::max(x)), bool>);
  CHECK(onefold::max(x, how));
  CHECK(!onefold::min(x, how));
  CHECK(onefold::max(std::array<bool, 0>{}, {.backend = how.backend, .init = true}));
  const bool matrix[] = {true, true, false, true, false, false};
  const onefold::array_view<bool> view(matrix, {2, 3});
  CHECK(support::values(onefold::count(view, 1, how)) == std::vector<std::int64_t>{2, 1});
  CHECK(onefold::count(onefold::all(view, 0, how), how) == 1);  // results are elements again
}

TEST_CASE("elements come back as what they are") {
  const auto how = on_backend();
  const std::vector<color> x{color::green, color::red, color::blue, color::red};
  CHECK(onefold::min(x, how) == color::red);
  CHECK(onefold::max(x, how) == color::blue);
  CHECK(onefold::minmax(x, how) == onefold::minmax_result<color>{color::red, color::blue});
  CHECK(onefold::argmax(x, how) == 2);
  CHECK(onefold::sum(x, how) == 2 - 3 + 700 - 3);
  static_assert(std::is_same_v<decltype(onefold::sum(x)), std::int64_t>);
  CHECK(onefold::median(x, on_cpu()) == -0.5);
  CHECK(onefold::nth_smallest(x, 3, on_cpu()) == color::blue);
  CHECK(onefold::top_k(x, 2, on_cpu()).values == std::vector<color>{color::blue, color::green});
  CHECK(onefold::bottom_k(x, 2, on_cpu()).indices == std::vector<std::int64_t>{1, 3});
  CHECK(onefold::summary(x, how).max == color::blue);
  CHECK(support::values(onefold::cummax(x, how)) ==
        std::vector<color>{color::green, color::green, color::blue, color::blue});
  CHECK(std::get<0>(onefold::fused<op::min, op::sum>(x, how)) == color::red);
  CHECK(support::values(onefold::max(onefold::segments(x, std::vector{0, 2, 4}), how)) ==
        std::vector<color>{color::green, color::blue});
  const auto by_color = onefold::sum(onefold::by_key(std::vector{1, 2, 4, 8}, x), how);
  CHECK(support::values(by_color.keys) == std::vector<color>{color::red, color::green, color::blue});
  CHECK(support::values(by_color.results) == std::vector<std::int64_t>{10, 1, 4});
  CHECK(onefold::max(onefold::where(x, std::vector<std::uint8_t>{1, 1, 0, 1}), how) == color::green);
  onefold::accumulator<color, op::min> lowest(on_cpu());
  for (const color& c : x) lowest.push(c);
  CHECK(lowest.result() == color::red);
  onefold::plan<color, op::max> plan(4, how);
  CHECK(plan(x) == color::blue);
  CHECK(onefold::norm1(x, on_cpu()) == 708u);
  CHECK(onefold::norm_inf(x, on_cpu()) == 700u);

  const std::vector<std::byte> flags{std::byte{5}, std::byte{6}};
  CHECK(onefold::bit_or(flags, how) == std::byte{7});
  CHECK(onefold::bit_and(flags, how) == std::byte{4});
  CHECK(onefold::bit_xor(flags, how) == std::byte{3});
  CHECK(onefold::histogram(flags, 2, on_cpu()).counts == std::vector<std::int64_t>{1, 1});
}

#ifdef __FLT16_MANT_DIG__
TEST_CASE("halves of the language") {
  const auto how = on_backend();
  const std::vector<_Float16> x{_Float16(1.5f), _Float16(-2.25f), _Float16(__builtin_nanf(""))};
  const std::span<const _Float16> numbers(x.data(), 2);
  static_assert(std::is_same_v<decltype(onefold::sum(x)), float>);
  static_assert(std::is_same_v<decltype(onefold::max(x)), _Float16>);
  CHECK(onefold::sum(numbers, how) == -0.75f);
  CHECK(static_cast<float>(onefold::min(numbers, how)) == -2.25f);
  CHECK(onefold::nansum(x, how) == -0.75f);
  CHECK(onefold::nanmedian(x, on_cpu()) == -0.375f);
  CHECK(onefold::summary(x, how).nan_count == 1);
  CHECK(onefold::dot(numbers, numbers, on_cpu()) == 7.3125f);
  CHECK(onefold::norm1(numbers, on_cpu()) == 3.75f);
}
#endif
