// Result types, no elements, initial values, and one rounding to another result type: the rules of docs/semantics.md.
#include <cmath>
#include <span>

#include "support/backend.hpp"
#include "support/big.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/plain.hpp"
#include "support/special.hpp"

namespace {

using onefold::accuracy;
using support::bits_of;
using support::on_backend;
namespace op = onefold::op;

template <class T>
constexpr auto sum_type() {
  if constexpr (std::is_same_v<T, double>)
    return double{};
  else if constexpr (support::is_float<T>)
    return float{};
  else if constexpr (std::is_signed_v<T>)
    return std::int64_t{};
  else
    return std::uint64_t{};
}

/// The error of a reduction that must not give a result.
onefold::error refusal(int operation, onefold::dtype type, const void* data, std::int64_t n,
                       const onefold::options& how) {
  try {
    support::run(operation, type, data, n, how);
  } catch (const onefold::error& e) {
    return e;
  }
  FAIL("no error");
  return {onefold::error_code::unsupported, ""};
}

// One function for all entries: assertions of Catch2 in hundreds of instances take minutes to compile.
void check_no_elements(int operation, onefold::dtype type, accuracy a, const support::result_bits& identity) {
  const auto& info = onefold::operation_infos()[static_cast<std::size_t>(operation)];
  INFO(info.name << ' ' << onefold::name_of(type) << ' ' << onefold::name_of(a));
  if (info.empty_allowed) {
    CHECK(support::run(operation, type, nullptr, 0, on_backend(a)) == identity);
  } else {
    const onefold::error e = refusal(operation, type, nullptr, 0, on_backend(a));
    CHECK(e.code() == onefold::error_code::empty_input);
    CHECK(std::string(e.what()).find(info.name) != std::string::npos);
    CHECK(std::string(e.what()).find("empty") != std::string::npos);
  }
}

void check_equal(const std::string& entry, const support::result_bits& got, const support::result_bits& wanted) {
  INFO(entry);
  CHECK(got == wanted);
}

template <class Op, class T>
support::result_bits identity_of() {
  if constexpr (!Op::empty_allowed)
    return {};
  else if constexpr (support::order_independent<Op, T>)
    return bits_of(support::plain(Op{}, std::span<const T>{}));
  else if constexpr (std::is_same_v<Op, op::sum_with_bound>)
    return bits_of(typename Op::template result<T>{0, 0, 1});
  else
    return bits_of(typename Op::template result<T>{std::is_same_v<Op, op::product> ? 1 : 0});
}

template <class Op, class T, class R>
constexpr bool gives = std::is_same_v<decltype(onefold::reduce<T, Op>(std::span<const T>{})), R>;

}  // namespace

TEST_CASE("results have the types of the contract") {
  onefold::for_each_type(onefold::element_types{}, []<class T>() {
    using total = decltype(sum_type<T>());
    using rounded = std::conditional_t<support::is_float<T>, total, double>;
    STATIC_REQUIRE(gives<op::sum, T, total>);
    STATIC_REQUIRE(gives<op::product, T, total>);
    STATIC_REQUIRE(gives<op::mean, T, rounded>);
    STATIC_REQUIRE(gives<op::sum_squares, T, rounded>);
    STATIC_REQUIRE(gives<op::norm2, T, rounded>);
    if constexpr (support::is_float<T>) STATIC_REQUIRE(gives<op::sum_with_bound, T, onefold::bounded_sum<total>>);
    STATIC_REQUIRE(gives<op::sample_stddev, T, rounded>);
    STATIC_REQUIRE(gives<op::min, T, T>);
    STATIC_REQUIRE(gives<op::fmax, T, T>);
    STATIC_REQUIRE(gives<op::minmax, T, onefold::minmax_result<T>>);
    STATIC_REQUIRE(gives<op::argmin, T, std::int64_t>);
    STATIC_REQUIRE(gives<op::argmax, T, std::int64_t>);
    STATIC_REQUIRE(gives<op::count, T, std::int64_t>);
    STATIC_REQUIRE(gives<op::any, T, bool>);
  });
}

TEST_CASE("no elements: the identity, or an error that says so") {
  support::for_each_entry_and_accuracy([]<class Op, class T, accuracy A>() {
    check_no_elements(onefold::operation_index<Op>, onefold::dtype_of<T>, A, identity_of<Op, T>());
  });
}

TEST_CASE("an initial value is folded in once, whatever the number of threads") {
  onefold::for_each_entry([]<class Op, class T>() {
    if constexpr (Op::takes_init && support::order_independent<Op, T>) {
      for (const std::int64_t n : support::path_sizes<T>()) {
        const auto x = support::filled<T>(n, 3);
        for (const int threads : {1, 4}) {
          auto how = on_backend(accuracy::native, threads);
          // Ones that change the result: 2 less, 4 more, and the bits of 1.
          for (const int value : {0, 1, 4}) {
            how.init = value;
            auto with = x;
            with.push_back(support::nearest<T>(value));
            typename Op::template result<T> wanted = support::plain(Op{}, std::span<const T>(with));
            if constexpr (std::is_same_v<Op, op::count>) wanted = n + value;
            check_equal(support::entry_name<Op, T>(accuracy::native), support::run<Op>(x.data(), n, how),
                        bits_of(wanted));
          }
        }
      }
    } else if constexpr (!Op::takes_init) {
      auto how = on_backend();
      how.init = 1;
      const T one[1] = {support::nearest<T>(1)};
      const onefold::error e = refusal(onefold::operation_index<Op>, onefold::dtype_of<T>, one, 1, how);
      check_equal(Op::name, {static_cast<std::uint64_t>(e.code())},
                  {static_cast<std::uint64_t>(onefold::error_code::invalid_argument)});
    }
  });
}

TEST_CASE("an initial value of a floating-point sum or product comes after everything else") {
  onefold::for_each_type(support::float_types{}, []<class T>() {
    for (const std::int64_t n : support::path_sizes<T>()) {
      auto how = on_backend(accuracy::native, 3);
      using R = decltype(sum_type<T>());
      const auto x = support::lognormal_data<T>(n, 3);
      const auto total = onefold::sum(x, how);
      const auto factors = support::factor_data<T>(n, 3);
      const auto power = onefold::product(factors, how);
      how.init = 0.1f;
      CHECK(bits_of(onefold::sum(x, how)) == bits_of(static_cast<R>(static_cast<R>(0.1f) + total)));
      CHECK(bits_of(onefold::product(factors, how)) == bits_of(static_cast<R>(static_cast<R>(0.1f) * power)));
    }
  });
}

TEST_CASE("an initial value is compared like an element") {
  auto how = on_backend();
  const std::vector<float> x{1, 2, 3};
  how.init = -5;
  CHECK(onefold::min(x, how) == -5);
  CHECK(onefold::max(x, how) == 3);
  how.init = std::nan("");
  CHECK(bits_of(onefold::max(x, how)) == bits_of(support::canonical_nan<float>()));
  CHECK(onefold::fmax(x, how) == 3);
  how.init = 7;
  CHECK(onefold::min(std::vector<std::uint8_t>{200, 9}, how) == 7);
}

TEST_CASE("another result type is rounded to once") {
  // Each pair's exact sum lies next to a tie of the result type; rounding in two steps goes the wrong way.
  const std::vector<std::vector<double>> cases{
      {1 + 0x1p-11, 0x1p-40},      {1 + 0x1p-11, -0x1p-40}, {1 + 0x1p-8, 0x1p-45},     {-1 - 0x1p-8, -0x1p-45},
      {1 + 0x1p-24, 0x1p-80},      {1 + 0x1p-24, -0x1p-80}, {1 + 0x1p-11, 0x1p-90},    {1 + 3 * 0x1p-11, -0x1p-90},
      {0x1p-25, 0x1p-70},          {0x1p-25, -0x1p-70},     {3 * 0x1p-25, -0x1p-70},   {0x1p-134, 0x1p-150},
      {65520.0, -0x1p-30},         {65519.0, 0.999},        {0x1.ffffffp127, -0x1p50}, {0x1p-150, 0x1p-200},
      {0x1.fffffep-127, 0x1p-150}, {-65520, 0x1p-40},
  };
  for (const auto& x : cases) {
    support::big exact;
    for (const double y : x) exact += support::big::from(y);
    INFO(x[0] << " + " << x[1]);
    for (const auto a : {accuracy::wide, accuracy::kahan, accuracy::exact}) {
      const std::span<const double> s(x);
      const auto how = on_backend(a);
      const auto check = [&]<class R>() {
        CHECK(bits_of(onefold::reduce<double, op::sum, R>(s, how)) == bits_of(exact.template rounded<R>()));
      };
      onefold::for_each_type(support::float_types{}, check);
    }
  }
}

TEST_CASE("a sum's condition number is that of the sum before it is rounded") {
  const std::vector<float> x{1, 0x1p-30f};  // an f32 has no 1 + 2^-30
  for (const auto a : {accuracy::wide, accuracy::kahan}) {
    const auto s = onefold::sum_with_bound(x, on_backend(a));
    CHECK(s.value == 1);
    CHECK(bits_of(s.condition) == bits_of(a == accuracy::wide ? 1.0 : 1 / (1 + 0x1p-30)));
  }
}

TEST_CASE("integers wrap in 64 bits") {
  const std::vector<std::int64_t> x(3, std::numeric_limits<std::int64_t>::max());
  CHECK(onefold::sum(x, on_backend()) == std::numeric_limits<std::int64_t>::max() - 2);
  const std::vector<std::uint8_t> bytes(100'000, 255);
  CHECK(onefold::sum(bytes, on_backend()) == 25'500'000u);
  const std::vector<std::int8_t> low(100'000, -128);
  CHECK(onefold::sum(low, on_backend()) == -12'800'000);
}
