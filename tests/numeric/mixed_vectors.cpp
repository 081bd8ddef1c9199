// Verbs of two vectors of which one has integers: they have the bits of an array that the integers were converted to.
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "onefold/vectors.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/result_bits.hpp"

using support::bits_of;

namespace {

template <class T>
std::vector<T> random_vector(std::int64_t n, support::random_numbers& r) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& a : x) a = static_cast<T>(static_cast<float>(r.integer(-30000, 30000)) / 16);
  return x;
}
template <class T>
std::vector<T> random_integers(std::int64_t n, support::random_numbers& r) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& a : x) a = static_cast<T>(r.bits());
  return x;
}

template <class V, class T>
std::vector<V> converted(const std::vector<T>& x) {
  std::vector<V> y;
  for (const T a : x) y.push_back(static_cast<V>(a));
  return y;
}

/// All verbs of F and I against those of F and an array of V.
template <class F, class I, class V>
void check_verbs(onefold::accuracy mode) {
  support::random_numbers r(17);
  for (const std::int64_t n : {1, 33, 6000}) {
    const auto x = random_vector<F>(n, r);
    const auto i = random_integers<I>(n, r);
    const auto v = converted<V>(i);
    const auto how = support::on_cpu(support::on_backend(mode, 2));
    INFO(n << " elements, integers of " << sizeof(I) << " bytes with numbers of " << sizeof(F));
    CHECK(bits_of(onefold::dot(x, i, how)) == bits_of(onefold::dot(x, v, how)));
    CHECK(bits_of(onefold::dot(i, x, how)) == bits_of(onefold::dot(v, x, how)));
    CHECK(bits_of(onefold::weighted_mean(x, i, how)) == bits_of(onefold::weighted_mean(x, v, how)));
    CHECK(bits_of(onefold::weighted_mean(i, x, how)) == bits_of(onefold::weighted_mean(v, x, how)));
    CHECK(bits_of(onefold::cosine_similarity(x, i, how)) == bits_of(onefold::cosine_similarity(x, v, how)));
    for (const auto kind : {onefold::norm::l1, onefold::norm::l2, onefold::norm::max})
      if (kind != onefold::norm::max || mode == onefold::accuracy::native)
        CHECK(bits_of(onefold::distance(x, i, kind, how)) == bits_of(onefold::distance(x, v, kind, how)));
    const onefold::array_view<F> a(x.data(), {1, n});
    const onefold::array_view<I> b(i.data(), {1, n});
    const onefold::array_view<V> c(v.data(), {1, n});
    CHECK(bits_of(onefold::dot(a, b, 1, how)[0]) == bits_of(onefold::dot(a, c, 1, how)[0]));
    CHECK(bits_of(onefold::weighted_mean(a, b, 1, how)[0]) == bits_of(onefold::weighted_mean(a, c, 1, how)[0]));
  }
}

}  // namespace

TEST_CASE("integers with floating-point numbers are converted") {
  for (const auto mode : {onefold::accuracy::native, onefold::accuracy::exact}) {
    check_verbs<double, std::int8_t, double>(mode);
    check_verbs<double, std::int32_t, double>(mode);
    check_verbs<double, std::int64_t, double>(mode);
    check_verbs<double, std::uint64_t, double>(mode);
    check_verbs<float, std::int32_t, double>(mode);
    check_verbs<float, std::int16_t, float>(mode);
    check_verbs<onefold::f16, std::uint8_t, float>(mode);
  }
}

TEST_CASE("no integer is lost to f32") {
  const std::vector<float> x{1, -1};
  const std::vector<std::int32_t> i{16'777'217, 16'777'216};
  static_assert(std::is_same_v<decltype(onefold::dot(x, i)), double>);
  CHECK(onefold::dot(x, i) == 1);
  CHECK(onefold::distance(std::vector<float>{0}, std::vector<std::int32_t>{16'777'217}) == 16'777'217);
  CHECK(onefold::weighted_mean(std::vector<double>{1, 4}, std::vector<int>{1, 2}) == 3);
  static_assert(std::is_same_v<decltype(onefold::dot(x, std::vector<std::int16_t>{1, 2})), float>);
  CHECK(onefold::dot(std::vector<double>{2, 3}, std::vector<bool>{false, true}) == 3);
}

TEST_CASE("integers beyond 2^53 are rounded once") {
  const std::vector<double> one{1};
  CHECK(onefold::dot(one, std::vector<std::int64_t>{(std::int64_t{1} << 53) + 1}) == 0x1p53);
  CHECK(onefold::dot(one, std::vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max()}) == 0x1p64);
}
