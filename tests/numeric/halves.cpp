// Halves of the language, _Float16: every verb and row operation gives what it gives for f16, and elements come back as
// _Float16.
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "onefold/central_moments.hpp"
#include "onefold/comoments.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/result_bits.hpp"

#ifdef __FLT16_MANT_DIG__

namespace {

using onefold::f16;

/// The same 3 x 40 numbers between 1 and 2 as elements of a type.
template <class T>
std::vector<T> numbers(std::uint64_t seed = 1) {
  support::random_numbers r(seed);
  std::vector<T> x;
  for (int i = 0; i < 120; ++i)
    x.push_back(__builtin_bit_cast(T, f16(1 + static_cast<float>(r.integer(0, 1000)) / 1000)));
  return x;
}

/// The bits of results, in whatever form.
template <class R>
std::vector<support::result_bits> all_bits(const R& results) {
  std::vector<support::result_bits> bits;
  if constexpr (requires { results.begin(); })
    for (const auto& r : results) bits.push_back(support::bits_of(r));
  else
    bits.push_back(support::bits_of(results));
  return bits;
}

/// The type of what is in results.
template <class R>
struct content {
  using type = R;
};
template <class R>
struct content<onefold::result_array<R>> {
  using type = R;
};

/// Whether results for _Float16 are of the type Half that they should be where those for f16 are of type R.
template <class Half, class R>
constexpr bool corresponds = std::is_same_v<Half, R> && !std::is_same_v<Half, f16>;
template <>
constexpr bool corresponds<_Float16, f16> = true;
template <template <class> class Struct>
constexpr bool corresponds<Struct<_Float16>, Struct<f16>> = true;

/// Checks that a call gives the same for both types, elements as elements.
template <class Call>
void check(const Call& call) {
  const auto half = call.template operator()<_Float16>();
  const auto same = call.template operator()<f16>();
  using given = typename content<std::remove_const_t<decltype(half)>>::type;
  using wanted = typename content<std::remove_const_t<decltype(same)>>::type;
  static_assert(corresponds<given, wanted>);
  if constexpr (std::is_same_v<given, onefold::comoments_result>)
    CHECK(half == same);
  else
    CHECK(all_bits(half) == all_bits(same));
}

const auto how = support::on_backend();

/// The numbers as 3 rows.
template <class T>
onefold::array_view<T> rows_of(const std::vector<T>& x) {
  return {x.data(), {3, 40}};
}

/// What is not for halves, and not along an axis.
constexpr bool takes_halves(std::string_view verb) { return !verb.starts_with("bit_"); }
constexpr bool takes_axes(std::string_view verb) { return takes_halves(verb) && !verb.ends_with("median"); }

/// Checks that a call writes the same to memory of both types.
template <class Call>
void check_written(const Call& call) {
  check([&]<class T>() {
    const auto x = numbers<T>();
    onefold::result_array<T> out({3, 40});
    call(rows_of(x), onefold::row_output<T>(std::span(out.data(), out.size())));
    return out;
  });
}

}  // namespace

// Of ranges, and along an axis of a view.
#define ONEFOLD_SCAN_VERB(verb)                                                                           \
  TEST_CASE("halves: " #verb) {                                                                           \
    if constexpr (takes_halves(#verb)) check([]<class T>() { return onefold::verb(numbers<T>(), how); }); \
    if constexpr (takes_axes(#verb))                                                                      \
      check([]<class T>() {                                                                               \
        const auto x = numbers<T>();                                                                      \
        return onefold::verb(rows_of(x), 1, how);                                                         \
      });                                                                                                 \
  }
#define ONEFOLD_OTHER_VERB ONEFOLD_SCAN_VERB
#define ONEFOLD_VERB(verb)                                    \
  ONEFOLD_SCAN_VERB(verb)                                     \
  TEST_CASE("halves that a function returns: " #verb) {       \
    if constexpr (takes_halves(#verb))                        \
      check([]<class T>() {                                   \
        return onefold::verb(                                 \
            numbers<T>(), [](const T& x) { return x; }, how); \
      });                                                     \
  }
#define ONEFOLD_PAIR_VERB(verb)                                                        \
  TEST_CASE("halves: " #verb) {                                                        \
    check([]<class T>() { return onefold::verb(numbers<T>(1), numbers<T>(2), how); }); \
  }
#define ONEFOLD_ROW_VERB(verb) ONEFOLD_SCAN_VERB(verb)
#include "onefold/verbs.def"

TEST_CASE("halves in memory of the caller's") {
  check_written([](const auto& x, const auto& out) { onefold::softmax(x, 1, out, how); });
  check_written([](const auto& x, const auto& out) { onefold::log_softmax(x, 0, out, how); });
  check_written([](const auto& x, const auto& out) { onefold::standardize(x, 1, out, how); });
  check_written([](const auto& x, const auto& out) { onefold::layer_norm(x, 1, out, {}, how); });
  check_written([](const auto& x, const auto& out) { onefold::rms_norm(x, 0, out, {}, how); });
  check_written([](const auto& x, const auto& out) { onefold::normalize(x, 1, out, {}, how); });
}

TEST_CASE("rows of halves with parameters, masks and plans") {
  for (const auto kind : {onefold::norm::l1, onefold::norm::l2, onefold::norm::max})
    check([&]<class T>() { return onefold::normalize(numbers<T>(), {.kind = kind}, how); });
  check([]<class T>() {
    const auto x = numbers<T>(), weight = numbers<T>(2), bias = numbers<T>(3);
    return onefold::layer_norm(x, {.weight = weight, .bias = bias}, how);
  });
  check([]<class T>() {
    const auto x = numbers<T>();
    std::vector<float> mean(3), rstd(3);
    onefold::layer_norm(rows_of(x), -1, {.mean = mean, .rstd = rstd}, how);
    return mean[1] + rstd[2];
  });
  check([]<class T>() {
    std::vector<std::uint8_t> mask(120, 1);
    mask[7] = 0;
    return onefold::softmax(onefold::where(numbers<T>(), mask), how);
  });
  check([]<class T>() { return onefold::softmax(onefold::mapped([](const T& x) { return x; }, numbers<T>()), how); });
  check([]<class T>() { return onefold::logsumexp(std::deque<T>(5, T(1.0f)), how); });
  check([]<class T>() {
    const auto x = numbers<T>();
    onefold::result_array<T> out({3, 40});
    onefold::row_plan<T>(onefold::row_operation::softmax, rows_of(x), -1, {}, how)(x.data(), out.data());
    return out;
  });
  check([]<class T>() {
    const auto x = numbers<T>();
    onefold::result_array<T> out({3, 40});
    const auto store = [to = out.data()](const T& y, onefold::row_position at) { to[at.line * 40 + at.position] = y; };
    onefold::softmax(rows_of(x), 1, store, how);
    return out;
  });
}

TEST_CASE("halves of the other functions") {
  check([]<class T>() { return onefold::nth_smallest(numbers<T>(), 5, how); });
  check([]<class T>() { return onefold::quantile(numbers<T>(), 0.3, onefold::quantile_method::linear, how); });
  check([]<class T>() { return onefold::nanquantile(numbers<T>(), 0.3, onefold::quantile_method::lower, how); });
  check([]<class T>() { return onefold::top_k(numbers<T>(), 3, how).values[2]; });
  check([]<class T>() { return onefold::bottom_k(numbers<T>(), 3, how).values[2]; });
  check([]<class T>() { return onefold::histogram(numbers<T>(), 7, how).counts[3]; });
  for (const auto kind : {onefold::norm::l1, onefold::norm::l2, onefold::norm::max})
    check([&]<class T>() { return onefold::distance(numbers<T>(1), numbers<T>(2), kind, how); });
  check([]<class T>() { return onefold::central_moments(numbers<T>(), how).m4; });
  check([]<class T>() { return onefold::max(onefold::segments(numbers<T>(), std::vector{0, 50, 120}), how); });
}

#else

TEST_CASE("halves") { support::skip("this compiler does not have _Float16"); }

#endif
