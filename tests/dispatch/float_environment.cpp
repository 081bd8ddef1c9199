// Whatever the caller's floating-point environment is, no public function dies of it or answers otherwise.
#include <cfenv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "onefold/backend.hpp"
#include "onefold/profile.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/result_bits.hpp"

#if defined(__x86_64__) && defined(__GLIBC__)
#include <xmmintrin.h>

namespace {

namespace op = onefold::op;

constexpr unsigned flush = 0x8040;  // FTZ and DAZ

struct environment {
  const char* name;
  int traps, rounding;
  bool flushes;
};
constexpr environment environments[] = {
    {"every exception traps", FE_ALL_EXCEPT, FE_TONEAREST, false},
    {"subnormals are flushed", 0, FE_TONEAREST, true},
    {"upward", 0, FE_UPWARD, false},
    {"toward zero", 0, FE_TOWARDZERO, false},
    {"all of it", FE_ALL_EXCEPT, FE_DOWNWARD, true},
};

/// What f returns in the environment, which it must leave as it is.
template <class F>
auto in(const environment& e, F f) {
  fenv_t before;
  fegetenv(&before);
  const unsigned control = _mm_getcsr();
  feclearexcept(FE_ALL_EXCEPT);
  fesetround(e.rounding);
  if (e.flushes) _mm_setcsr(_mm_getcsr() | flush);
  feenableexcept(e.traps);
  const auto result = f();
  const bool kept =
      fegetexcept() == e.traps && fegetround() == e.rounding && ((_mm_getcsr() & flush) != 0) == e.flushes;
  feclearexcept(FE_ALL_EXCEPT);
  _mm_setcsr(control);
  fesetenv(&before);
  CHECK(kept);
  return result;
}

/// f gives the same everywhere.
template <class F>
void check(const char* what, F f) {
  INFO(what);
  const auto usual = f();
  for (const environment& e : environments) {
    INFO(e.name);
    CHECK(in(e, f) == usual);
  }
}

/// Sums that round, overflow, are subnormal; divisions; NaN: whatever raises an exception.
template <class T>
std::vector<T> hostile(std::size_t n) {
  const float cycle[] = {0.1f,   -1e-40f, 3e38f,    3e38f,
                         -3e38f, 1e-7f,   1.0f / 3, std::numeric_limits<float>::denorm_min()};
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i)
    if constexpr (std::is_integral_v<T>)
      x[i] = static_cast<T>(i % 7);
    else
      x[i] = static_cast<T>(cycle[i % 8]);
  return x;
}

template <class T>
void check_reductions() {
  const auto x = hostile<T>(40'000);
  for (int operation = 0; operation < onefold::operations::size; ++operation)
    for (int a = 0; a < onefold::accuracy_count; ++a) {
      const auto mode = static_cast<onefold::accuracy>(a);
      const auto type = onefold::dtype_of<T>;
      if (onefold::why_not(operation, type, mode)) continue;
      for (const std::int64_t n : {1, 100, 40'000}) {
        const std::string what = std::string(onefold::operation_infos()[static_cast<std::size_t>(operation)].name) +
                                 ' ' + onefold::name_of(type) + ' ' + onefold::name_of(mode) + ' ' + std::to_string(n);
        check(what.c_str(), [&] { return support::run(operation, type, x.data(), n, support::on_backend(mode, 2)); });
      }
    }
}

onefold::scalar number(onefold::dtype type, std::uint64_t bits) { return {"value", type, bits}; }

}  // namespace

TEST_CASE("the first calls of a process") {
  // Before any other: the planner reads the machine's figures, and the backends are compared.
  const auto x = hostile<float>(1 << 20);
  for (const environment& e : environments)
    CHECK(in(e, [&] { return support::bits_of(onefold::sum(x)); }) == support::bits_of(onefold::sum(x)));
}

TEST_CASE("reductions by name") {
  check_reductions<float>();
  check_reductions<double>();
  check_reductions<std::int32_t>();
  check_reductions<onefold::f16>();
}

TEST_CASE("initial values by name") {
  const auto x = hostile<float>(5'000);
  for (const auto mode : {onefold::accuracy::native, onefold::accuracy::wide, onefold::accuracy::exact}) {
    auto how = support::on_backend(mode, 2);
    how.init = 0.1;
    check("init", [&] {
      return onefold::reduce_dynamic(onefold::operation_index<op::sum>, onefold::dtype::f32, x.data(), 5'000, how)
          .values[0]
          .bits;
    });
  }
  // Refused, with the value in the message.
  auto how = support::on_backend();
  how.init = 5e-324;
  const std::vector<int> few{1, 2};
  check("refused", [&] {
    try {
      onefold::reduce_dynamic(onefold::operation_index<op::sum>, onefold::dtype::i32, few.data(), 2, how);
    } catch (const onefold::error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  });
}

TEST_CASE("verbs, plans and their reports") {
  const auto x = hostile<float>(3'000'000);
  const auto how = support::on_backend(onefold::accuracy::wide, 2);
  check("sum", [&] { return support::bits_of(onefold::sum(x, how)); });
  check("automatic", [&] { return support::bits_of(onefold::variance(x)); });
  check("try", [&] { return support::bits_of(*onefold::try_reduce<float, op::mean>(x, how)); });
  check("reported", [&] { return onefold::reduce_reported<float, op::sum>(x).ran.text(); });
  check("plan", [&] {
    onefold::plan<float, op::norm2> p(static_cast<std::int64_t>(x.size()));
    auto bits = support::bits_of(p(x));
    for (const std::int64_t n : {0, 1, 4096, 4097, 100'000}) bits.push_back(support::bits_of(p(x.data(), n))[0]);
    return support::text_of(bits) + p.report().text();
  });
  onefold::run_report r;
  r.estimates = {{onefold::backend::tbb, 2, 1.25e-6, 0.1}, {onefold::backend::openmp, 2, 1e-5 / 3, 5e-324}};
  check("text", [&] { return r.text(); });
}

TEST_CASE("exact sums, moments and products") {
  const auto x = hostile<double>(10'000);
  const std::span<const double> all(x);
  check("exact_sum", [&] {
    onefold::exact_sum<double> s;
    s.push(all, support::on_backend(onefold::accuracy::native, 2));
    for (const double e : all.first(100)) s.push(e);
    onefold::exact_sum<double> t = onefold::exact_sum<double>::deserialize(s.serialize());
    t.merge(s);
    return support::result_bits{support::bits_of(t.value())[0],
                                support::bits_of(t.mean())[0],
                                support::bits_of(t.value<float>())[0],
                                support::bits_of(t.value<onefold::f16>())[0],
                                t.is_exact(),
                                t.mean_is_exact()};
  });
  check("exact_moments", [&] {
    onefold::exact_moments<double> m;
    m.push(all, support::on_backend(onefold::accuracy::native, 2));
    for (const double e : all.first(100)) m.push(e);
    return support::result_bits{
        support::bits_of(m.mean())[0],   support::bits_of(m.variance())[0],    support::bits_of(m.sample_variance())[0],
        support::bits_of(m.stddev())[0], support::bits_of(m.sum_squares())[0], support::bits_of(m.norm2<float>())[0]};
  });
  if (support::backend_under_test() != onefold::backend::cuda)
    check("exact_dot", [&] {
      return support::bits_of(onefold::exact_dot<double>(all, all, support::on_backend(onefold::accuracy::native, 2)));
    });
}

TEST_CASE("numbers as text") {
  for (const std::uint64_t bits :
       {std::uint64_t{1}, std::uint64_t{0x7f}, std::uint64_t{0x3dcccccd}, std::uint64_t{0x7f7fffff},
        std::uint64_t{0x8000000000000001}, std::uint64_t{0x3fb999999999999a}})
    for (int type = 0; type <= static_cast<int>(onefold::dtype::boolean); ++type) {
      const auto s = number(static_cast<onefold::dtype>(type), bits);
      INFO(onefold::name_of(s.type) << ' ' << s.hex());
      check("text", [&] { return s.text(); });
    }
  CHECK(number(onefold::dtype::f32, 1).text() == "1e-45");
}

TEST_CASE("what the process and the machine say of themselves") {
  check("backends", [] {
    std::string text;
    for (const auto& b : onefold::backends()) text += b.detail + std::to_string(b.threads);
    return text;
  });
  check("isas", [] { return onefold::isas(); });
  check("profile", [] { return onefold::profile().source; });
  check("builtin_profile", [] { return onefold::to_json(onefold::builtin_profile()); });
  check("accelerator_of", [] { return onefold::accelerator_of(onefold::backend::cuda); });
  check("names", [] {
    return std::string(onefold::nearest_name("opnmp", onefold::backend_names())) +
           onefold::name_of(onefold::parse_backend("omp").value());
  });
}

#else

TEST_CASE("floating-point environments") { support::skip("traps are set by functions of glibc on x86-64"); }

#endif
