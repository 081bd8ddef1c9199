// The special values of docs/math.md, a line each, at every level and width.
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "functions.hpp"
#include "onefold/math.hpp"
#include "support/catch.hpp"

namespace {

template <class T>
using bits_t = typename onefold::detail::math::ieee<T>::bits;
template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T nan = std::numeric_limits<T>::quiet_NaN();  // the canonical one
template <class T>
constexpr T least = std::numeric_limits<T>::denorm_min();
template <class T>
constexpr T most = std::numeric_limits<T>::max();
template <class T>
constexpr T normal = std::numeric_limits<T>::min();

/// function(x) has the bits of `expected`, however it is called.
template <class T>
void check(const std::string& function, T x, T expected) {
  for (const math::level& l : math::levels()) {
    if (!l.runs) continue;
    for (int width = 1; width * static_cast<int>(sizeof(T)) <= 64; width *= 2) {
      std::vector<T> in(64, x), out(64);
      l.of(function.c_str(), sizeof(T), width).run(in.data(), out.data(), 64);
      bool same = true;
      for (const T y : out) same &= std::bit_cast<bits_t<T>>(y) == std::bit_cast<bits_t<T>>(expected);
      INFO(function << "(" << x << ") = " << out[0] << " at level " << l.name << ", width " << width);
      CHECK(same);
    }
  }
}

template <class T>
void check_all() {
  const T inf = infinity<T>, none = nan<T>, zero = 0, tiny = least<T>;
  using B = bits_t<T>;

  SECTION("NaN of any kind gives the canonical one") {
    for (const char* f : {"exp", "log", "exp2", "log2", "expm1", "log1p", "tanh", "sqrt", "rsqrt", "exp_nonpositive"}) {
      const B quiet = std::bit_cast<B>(none), sign = std::bit_cast<B>(-zero);
      for (const B kind : {quiet, quiet | sign, quiet | 5, std::bit_cast<B>(inf) | 1, std::bit_cast<B>(inf) | sign | 9})
        check<T>(f, std::bit_cast<T>(kind), none);
    }
  }
  SECTION("exp") {
    check<T>("exp", zero, 1), check<T>("exp", -zero, 1), check<T>("exp", tiny, 1), check<T>("exp", -tiny, 1);
    check<T>("exp", inf, inf), check<T>("exp", -inf, 0);
    check<T>("exp", most<T>, inf), check<T>("exp", -most<T>, 0);
    const T last = sizeof(T) == 4 ? static_cast<T>(0x1.62e42ep6) : static_cast<T>(0x1.62e42fefa39efp9);
    check<T>("exp", std::nextafter(last, inf), inf);
    const T first = sizeof(T) == 4 ? static_cast<T>(-0x1.9fe368p6) : static_cast<T>(-0x1.74910d52d3051p9);
    check<T>("exp", first, tiny), check<T>("exp", std::nextafter(first, -inf), 0);
  }
  SECTION("exp_nonpositive") {
    for (const T x : {zero, -zero, -tiny, tiny, T{5}, most<T>, inf}) check<T>("exp_nonpositive", x, 1);
    check<T>("exp_nonpositive", -inf, 0), check<T>("exp_nonpositive", -most<T>, 0);
    const T first = sizeof(T) == 4 ? static_cast<T>(-0x1.9fe368p6) : static_cast<T>(-0x1.74910d52d3051p9);
    check<T>("exp_nonpositive", first, tiny), check<T>("exp_nonpositive", std::nextafter(first, -inf), 0);
  }
  SECTION("exp2") {
    check<T>("exp2", zero, 1), check<T>("exp2", -zero, 1), check<T>("exp2", inf, inf), check<T>("exp2", -inf, 0);
    for (int k = std::ilogb(tiny); k <= std::ilogb(most<T>); ++k)
      check<T>("exp2", static_cast<T>(k), std::ldexp(T{1}, k));
    const auto beyond = static_cast<T>(std::ilogb(most<T>) + 1);
    check<T>("exp2", beyond, inf), check<T>("exp2", most<T>, inf), check<T>("exp2", -most<T>, 0);
    check<T>("exp2", static_cast<T>(std::ilogb(tiny) - 1), 0);
  }
  SECTION("expm1") {
    for (const T x : {zero, tiny, normal<T>}) check<T>("expm1", x, x), check<T>("expm1", -x, -x);
    check<T>("expm1", inf, inf), check<T>("expm1", -inf, -1);
    check<T>("expm1", most<T>, inf), check<T>("expm1", -most<T>, -1), check<T>("expm1", -50, -1);
  }
  SECTION("log and log2") {
    for (const char* f : {"log", "log2"}) {
      check<T>(f, zero, -inf), check<T>(f, -zero, -inf), check<T>(f, 1, 0), check<T>(f, inf, inf);
      check<T>(f, -1, none), check<T>(f, -tiny, none), check<T>(f, -most<T>, none), check<T>(f, -inf, none);
    }
    for (int k = std::ilogb(tiny); k <= std::ilogb(most<T>); ++k)
      check<T>("log2", std::ldexp(T{1}, k), static_cast<T>(k));
  }
  SECTION("log1p") {
    for (const T x : {zero, tiny, normal<T>}) check<T>("log1p", x, x), check<T>("log1p", -x, -x);
    check<T>("log1p", -1, -inf), check<T>("log1p", inf, inf), check<T>("log1p", -inf, none);
    check<T>("log1p", std::nextafter(T{-1}, -inf), none), check<T>("log1p", -most<T>, none);
  }
  SECTION("tanh") {
    for (const T x : {zero, tiny, normal<T>}) check<T>("tanh", x, x), check<T>("tanh", -x, -x);
    for (const T x : {T{30}, most<T>, inf}) check<T>("tanh", x, 1), check<T>("tanh", -x, -1);
  }
  SECTION("sqrt and rsqrt") {
    for (const char* f : {"sqrt", "rsqrt"})
      check<T>(f, -tiny, none), check<T>(f, -1, none), check<T>(f, -most<T>, none), check<T>(f, -inf, none);
    check<T>("sqrt", zero, zero), check<T>("sqrt", -zero, -zero), check<T>("sqrt", inf, inf);
    check<T>("rsqrt", zero, inf), check<T>("rsqrt", -zero, -inf), check<T>("rsqrt", inf, 0);
    for (int k = std::ilogb(normal<T>) / 2; k <= std::ilogb(most<T>) / 2; ++k) {
      const T root = std::ldexp(T{1}, k);
      check<T>("sqrt", root * root, root), check<T>("rsqrt", root * root, 1 / root);
    }
  }
}

}  // namespace

TEST_CASE("special values of f32") { check_all<float>(); }
TEST_CASE("special values of f64") { check_all<double>(); }

TEST_CASE("functions of constants are constants") {
  constexpr float one = onefold::exp(0.0f);
  constexpr double three = onefold::log2(8.0);
  constexpr float half = onefold::exp_nonpositive(-0x1.62e43p-1f);
  static_assert(one == 1 && three == 3 && half == 0.5f);
}
