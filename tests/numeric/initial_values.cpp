// Initial values of every kind: operation, element type, result type, value, floating-point environment, instruction
// set and backend, against integers of 128 bits and MPFR.
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "onefold/dynamic.hpp"
#include "support/backend.hpp"
#include "support/big.hpp"
#include "support/catch.hpp"
#include "support/control.hpp"
#include "support/data.hpp"
#include "support/plain.hpp"
#include "support/result_bits.hpp"
#include "support/special.hpp"

namespace {

using onefold::accuracy;
using onefold::dtype;
using support::big;
namespace op = onefold::op;
__extension__ using int128 = __int128;

// ---- the values ----------------------------------------------------------------------------------------------

/// A number as the oracle sees it: an integer, or a double.
using number = std::variant<int128, double>;

/// An initial value as a caller writes it.
struct given {
  number value;
  std::function<onefold::initial()> make;  ///< in any environment
};

template <class T>
given written(T x) {
  if constexpr (support::is_float<T>)
    return {support::value_of(x), [x] { return onefold::initial(x); }};
  else
    return {static_cast<int128>(x), [x] { return onefold::initial(x); }};
}

std::vector<given> values() {
  std::vector<given> all;
  for (const double x : {0.0,
                         0.5,
                         2.5,
                         1.0,
                         3.0,
                         0.1,
                         1e20,
                         1e-20,
                         0x1p53 + 2,
                         0x1p63,
                         0x1p64,
                         0x1p64 - 0x1p11,
                         0x1p63 - 0x1p10,
                         5e-324,
                         1e-310,
                         0x1p-149,
                         0x1p-150,
                         0x1.8p-150,
                         0x1p-127,
                         0x1p-24,
                         0x1p-25,
                         0x1.8p-25,
                         0x1p-133,
                         1 + 0x1p-24,
                         1 + 0x1.8p-24,
                         1 + 0x1p-11,
                         1 + 0x1p-8,
                         65504.0,
                         65519.0,
                         65520.0,
                         0x1.fep127,
                         0x1.ffp127,
                         0x1.fffffep127,
                         0x1.fffffefp127,
                         0x1.ffffffp127,
                         1e39,
                         1e308,
                         std::numeric_limits<double>::max(),
                         support::inf,
                         std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::signaling_NaN()})
    for (const double y : {x, -x}) all.push_back(written(y));
  using limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t x :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{127}, std::int64_t{128}, std::int64_t{255}, std::int64_t{256},
        std::int64_t{65519}, std::int64_t{65520}, std::int64_t{1} << 24, (std::int64_t{1} << 24) + 1,
        (std::int64_t{1} << 53) + 1, limits::max(), limits::max() - 512}) {
    all.push_back(written(x));
    all.push_back(written(-x));
    all.push_back(written(static_cast<std::uint64_t>(x)));
  }
  all.push_back(written(limits::min()));
  for (const std::uint64_t below : {std::uint64_t{1}, std::uint64_t{1025}, std::uint64_t{1} << 63})
    all.push_back(written(std::uint64_t{0} - below));
  all.push_back(written(true));
  // Subnormal numbers of the narrow types, in those types.
  for (const float x : {0x1p-149f, -0x1.8p-130f, 1.5f}) all.push_back(written(x));
  for (const double x : {0x1p-24, -0x1.8p-16, 1.5}) all.push_back(written(support::nearest<onefold::f16>(x)));
  for (const double x : {0x1p-133, -0x1.8p-128, 1.5}) all.push_back(written(support::nearest<onefold::bf16>(x)));
  support::random_numbers r(7);
  for (int i = 0; i < 20; ++i) {
    all.push_back(written(std::bit_cast<double>(r.bits())));
    all.push_back(written(std::ldexp(r.uniform(-1, 1), 3 * i - 8)));
    all.push_back(written(static_cast<std::int64_t>(r.bits())));
    all.push_back(written(r.bits()));
  }
  return all;
}

// ---- the oracle ----------------------------------------------------------------------------------------------

big big_of(int128 x) {
  const auto high = static_cast<std::int64_t>(x >> 64);
  return big::from(high) * big::from(0x1p64) + big::from(static_cast<std::uint64_t>(x));
}

template <class R>
bool is_infinite(R x) {
  return std::isinf(support::value_of(x));
}

/// The value as an R; nothing if R cannot hold it.
template <class R>
std::optional<R> converted(const number& x) {
  const double* const d = std::get_if<double>(&x);
  if constexpr (std::is_same_v<R, bool>) {
    return d ? *d != 0 : std::get<int128>(x) != 0;
  } else if constexpr (support::is_float<R>) {
    if (d && std::isnan(*d)) return support::canonical_nan<R>();
    if (d && (std::isinf(*d) || *d == 0)) return support::nearest<R>(*d);
    const R r = (d ? big::from(*d) : big_of(std::get<int128>(x))).template rounded<R>();
    if (is_infinite(r)) return std::nullopt;
    return r;
  } else {
    if (d && !(std::fabs(*d) < 0x1p100 && std::trunc(*d) == *d)) return std::nullopt;
    const int128 i = d ? static_cast<int128>(*d) : std::get<int128>(x);
    if (i < std::numeric_limits<R>::min() || i > std::numeric_limits<R>::max()) return std::nullopt;
    return static_cast<R>(i);
  }
}

/// An integer modulo 2^64, as i64 or u64.
template <class T>
int128 wrapped(int128 x) {
  return static_cast<support::long_integer<T>>(static_cast<std::uint64_t>(x));
}

/// A product modulo 2^128.
int128 product_of(int128 a, int128 b) {
  __extension__ using uint128 = unsigned __int128;
  return static_cast<int128>(static_cast<uint128>(a) * static_cast<uint128>(b));
}

/// What there is to expect: bits, or a refusal for one reason.
struct outcome {
  std::uint64_t bits = 0;
  std::optional<onefold::error_code> refused{};
  friend bool operator==(const outcome&, const outcome&) = default;
};
template <class R>
outcome of(R x) {
  return {support::bits_of(x)[0], {}};
}

/// The sum, or product, of elements whose exact total is a small integer or wraps, to a result of type R.
template <class Op, class T, class R>
outcome rounded_result(const std::vector<T>& x, accuracy a, R init) {
  constexpr bool adds = std::is_same_v<Op, op::sum>;
  int128 total = adds ? 0 : 1;
  for (const T y : x) {
    const auto v = static_cast<int128>(support::value_of(y));
    total = adds ? total + v : product_of(total, v);
    if (std::is_integral_v<T> && a != accuracy::exact) total = wrapped<T>(total);
  }
  if constexpr (std::is_integral_v<R>) {
    total = adds ? total + init : product_of(total, init);
    const bool fits = total >= std::numeric_limits<R>::min() && total <= std::numeric_limits<R>::max();
    if (a == accuracy::exact && !fits) return {0, onefold::error_code::overflow};
    return of(static_cast<R>(static_cast<std::uint64_t>(total)));
  } else {
    const double joined = support::value_of(init);
    if (x.empty() || std::isnan(joined)) return of(init);
    const double size = total > 0 ? 1 : total < 0 ? -1 : 0;
    const double special = adds ? joined : joined * size;  // where the result is infinite, NaN or zero
    if (std::isnan(special)) return of(support::canonical_nan<R>());
    if (std::isinf(special) || (!adds && special == 0)) return of(support::nearest<R>(special));
    const big exact = adds ? big_of(total) + big::from(joined) : big_of(total) * big::from(joined);
    return of(exact.approximate() == 0 ? R(0.0f) : exact.template rounded<R>());
  }
}

/// Everything else: an initial value is as another element; of those that count or test, as another result.
template <class Op, class T, class R>
outcome plain_result(std::vector<T> x, R init) {
  if constexpr (std::is_same_v<Op, op::all>) {
    return of(support::plain(Op{}, std::span<const T>(x)) && init);
  } else if constexpr (std::is_same_v<Op, op::any>) {
    return of(support::plain(Op{}, std::span<const T>(x)) || init);
  } else if constexpr (std::is_same_v<Op, op::count>) {
    const auto r = support::plain(Op{}, std::span<const T>(x));
    return of(static_cast<R>(static_cast<std::uint64_t>(r) + static_cast<std::uint64_t>(init)));
  } else {
    static_assert(std::is_same_v<R, T>);
    x.push_back(init);
    return of(static_cast<R>(support::plain(Op{}, std::span<const T>(x))));
  }
}

// ---- the library ---------------------------------------------------------------------------------------------

outcome reduced(int operation, dtype element, const void* data, std::int64_t n, onefold::options how, const given& init,
                std::optional<dtype> result, std::uint64_t environment) {
  const support::with_control set(environment);
  try {
    how.init = init.make();
    return {onefold::reduce_dynamic(operation, element, data, n, how, result).values[0].bits, {}};
  } catch (const onefold::error& e) {
    return {0, e.code()};
  }
}

/// Counts runs, and reports those that went wrong. Assertions of Catch2 in millions would take minutes.
class comparison {
 public:
  void check(int operation, dtype element, const void* data, std::int64_t n, accuracy a, const given& init,
             std::optional<dtype> result, const outcome& wanted) {
    for (const std::uint64_t environment : environments) {
      auto how = support::on_backend(a, 1 + turn_ % 2 * 2);
      how.isa = onefold::isas()[static_cast<std::size_t>(turn_++) % onefold::isas().size()];
      const outcome got = reduced(operation, element, data, n, how, init, result, environment);
      if (got == wanted || ++wrong_ > 20) continue;
      const double* const d = std::get_if<double>(&init.value);
      INFO(onefold::operation_infos()[static_cast<std::size_t>(operation)].name
           << ' ' << onefold::name_of(element) << ' ' << onefold::name_of(a) << ", result "
           << (result ? onefold::name_of(*result) : "its own") << ", n " << n << ", init "
           << (d ? *d : static_cast<double>(std::get<int128>(init.value))) << ", control " << environment << ", "
           << onefold::name_of(how.isa));
      CHECK(got.refused == wanted.refused);
      CHECK(got.bits == wanted.bits);
    }
  }
  ~comparison() { CHECK(turn_ > 0); }

 private:
  static constexpr std::uint64_t environments[] = {support::standard, support::strange[0], support::strange[1],
                                                   support::strange[2]};
  int turn_ = 0, wrong_ = 0;
};

/// Arrays of no elements, of few, of more than a page, and of integers whose sum and product wrap.
template <class T>
std::vector<std::vector<T>> arrays() {
  std::vector<std::vector<T>> all(4);
  for (const int y : {1, 2, 3}) all[1].push_back(support::nearest<T>(y));
  all[2].assign(40'000 / sizeof(T), support::nearest<T>(1));
  all[2][7] = support::nearest<T>(2);
  if constexpr (std::is_signed_v<T> || support::is_float<T>) all[2][77] = support::nearest<T>(-3);
  if constexpr (std::is_integral_v<T>)
    all[3] = {std::numeric_limits<T>::max(), std::numeric_limits<T>::max(), 3};
  else
    all[3] = {support::nearest<T>(3), support::nearest<T>(-3)};
  return all;
}

template <class Op, class T, class R>
void check_result(const std::vector<std::vector<T>>& data, std::optional<dtype> result, comparison& checked) {
  constexpr bool rounds = std::is_same_v<Op, op::sum> || std::is_same_v<Op, op::product>;
  for (const given& init : values()) {
    const std::optional<R> joined = converted<R>(init.value);
    for (const auto& x : data)
      for (int mode = 0; mode < onefold::accuracy_count; ++mode) {
        const auto a = static_cast<accuracy>(mode);
        if (onefold::why_not(onefold::operation_index<Op>, onefold::dtype_of<T>, a)) continue;
        outcome wanted{0, onefold::error_code::invalid_argument};
        if constexpr (rounds) {
          if (joined) wanted = rounded_result<Op, T, R>(x, a, *joined);
        } else {
          if (joined) wanted = plain_result<Op, T, R>(x, *joined);
        }
        checked.check(onefold::operation_index<Op>, onefold::dtype_of<T>, x.data(), static_cast<std::int64_t>(x.size()),
                      a, init, result, wanted);
        if constexpr (!rounds) break;  // accuracy changes nothing there
      }
  }
}

}  // namespace

TEST_CASE("an initial value of any kind joins any result, in any environment, on any instruction set") {
  comparison checked;
  onefold::for_each_entry([&]<class Op, class T>() {
    if constexpr (Op::takes_init) {
      if (onefold::why_not(onefold::operation_index<Op>, onefold::dtype_of<T>, accuracy::native)) return;
      const auto data = arrays<T>();
      check_result<Op, T, onefold::default_result<T, Op>>(data, std::nullopt, checked);
      if constexpr (Op::rounded)
        onefold::for_each_type(support::float_types{}, [&]<class R>() {
          if constexpr (onefold::detail::returns<Op, T, R> && !std::is_same_v<R, onefold::default_result<T, Op>>)
            check_result<Op, T, R>(data, onefold::dtype_of<R>, checked);
        });
    }
  });
}
