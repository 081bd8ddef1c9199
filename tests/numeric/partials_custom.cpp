// Partials of user-defined operations: every shape of state and order, cut anywhere, joined in any grouping.
#include <cmath>
#include <cstring>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/partial.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/instrumented.hpp"

namespace {

using onefold::error_code;

/// Random cuts of x, random joins.
template <class Op, class T>
void check_joins(const std::vector<T>& x, int cases, Op op = {}) {
  using part = onefold::partial<T, Op>;
  support::random_numbers r(sizeof(T));
  const auto n = static_cast<std::int64_t>(x.size());
  const std::int64_t page = onefold::page_elements(sizeof(T));
  for (int k = 0; k < support::random_cases(cases); ++k) {
    std::vector<std::int64_t> cuts{0, n};
    for (int i = r.integer(0, 5); i > 0; --i) {
      const std::int64_t near = r.integer(0, static_cast<int>(n / page)) * page + r.integer(-1, 1);
      cuts.push_back(r.integer(0, 1) == 0 ? r.integer(0, static_cast<int>(n)) : std::clamp<std::int64_t>(near, 0, n));
    }
    std::ranges::sort(cuts);
    std::vector<part> parts;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      const std::span<const T> elements(x.data() + cuts[i - 1], static_cast<std::size_t>(cuts[i] - cuts[i - 1]));
      const part made(elements, cuts[i - 1], support::on_backend(onefold::accuracy::native, r.integer(1, 3)), op);
      parts.push_back(r.integer(0, 1) == 0 ? made : part::load(made.save(), op));
    }
    while (parts.size() > 1) {
      const std::size_t i = r.bits() % (parts.size() - 1);
      const part both = join(parts[i], parts[i + 1]);
      std::vector<part> fewer;
      for (std::size_t j = 0; j < parts.size(); ++j)
        if (j != i + 1) fewer.push_back(j == i ? both : parts[j]);
      parts.swap(fewer);
    }
    const auto got = parts[0].result();
    const auto wanted = onefold::reduce<T, Op>(x.data(), n, support::on_backend(), op);
    if (std::memcmp(&got, &wanted, sizeof got) != 0) FAIL_CHECK("other bits for " << n << " elements");
  }
}

template <class T>
std::vector<T> numbers(std::int64_t pages, std::int64_t more) {
  const std::int64_t n = pages * onefold::page_elements(sizeof(T)) + more;
  if constexpr (std::is_floating_point_v<T>)
    return support::normal_data<T>(n, 3);
  else
    return support::integer_data<T>(n, 3);
}

template <int Bytes>
std::vector<support::record<Bytes>> records(std::int64_t n) {
  support::random_numbers r(Bytes);
  std::vector<support::record<Bytes>> x(static_cast<std::size_t>(n));
  for (auto& y : x) y = {static_cast<float>(r.normal()), {}, static_cast<float>(r.normal())};
  return x;
}

}  // namespace

TEST_CASE("partials of user-defined operations have the bits of reduce") {
  check_joins<support::absolute_sum>(numbers<float>(9, 77), 100);
  check_joins<support::absolute_sum_packs>(numbers<float>(6, 1), 100);
  check_joins<support::absolute_sum_of_pages>(numbers<std::int32_t>(5, 99), 100);
  check_joins<support::affine_maps>(numbers<std::uint32_t>(5, 5), 100);
  check_joins<support::affine_floats>(numbers<float>(7, 4095), 100);
  check_joins<support::index_sum>(numbers<std::int32_t>(4, 12), 100);
  check_joins<support::leading_count>(std::vector<float>(20000, 1.0f), 50);
}

TEST_CASE("large states, states that are pushed in place, elements of any size") {
  check_joins<support::histogram>(numbers<std::uint8_t>(3, 100), 20);
  check_joins<support::histogram_in_place>(numbers<std::uint8_t>(5, 1), 50);
  check_joins<support::large_sums<1000>>(numbers<float>(3, 500), 10);
  check_joins<support::large_ordered_sums<1000>>(numbers<float>(3, 500), 10);
  check_joins<support::large_sums_in_place<1000>>(numbers<float>(5, 500), 30);
  check_joins<support::large_leading_count>(numbers<float>(2, 7), 20);
  check_joins<support::record_box<12>>(records<12>(7000), 50);
  check_joins<support::record_box<1000>>(records<1000>(333), 50);
}

TEST_CASE("operations with members") {
  const auto x = numbers<float>(4, 44);
  check_joins(x, 50, support::weighted_count{-1, 1, 3});
  const double scale = 1.5;
  check_joins(x, 50, support::mapped_sum{[](float y) { return y * y; }, scale, 2});
}

TEST_CASE("an initial value comes before all elements") {
  const auto x = numbers<float>(2, 5);
  auto how = support::on_backend();
  how.init = 2.5f;
  onefold::accumulator<float, support::started_sum> a(how);
  for (const float y : x) a.push(y);
  CHECK(a.result() == onefold::reduce<float, support::started_sum>(x, how));
  CHECK(a.partial().result(how.init) == a.result());
}

TEST_CASE("bytes of a user-defined operation are read as the same operation only") {
  using part = onefold::partial<float, support::absolute_sum>;
  const std::vector<float> x{1, -2, 3};
  const std::vector<std::byte> bytes = part(x).save();
  CHECK(part::load(bytes).result() == 6);
  const auto refused = [](const std::string& words, auto load) {
    support::check_error(error_code::invalid_argument, words, load);
  };
  refused("hold another user-defined operation", [&] { onefold::partial<float, support::affine_floats>::load(bytes); });
  refused("these bytes hold a user-defined operation, not a sum of f32",
          [&] { onefold::partial<float, onefold::op::sum>::load(bytes); });
  refused("these bytes hold a sum of f32, not a user-defined operation",
          [&] { part::load(onefold::partial<float, onefold::op::sum>(x).save()); });
  refused("which only its program can read", [&] { onefold::detail::partial_core::load(bytes); });
  support::check_error(error_code::unsupported, "does not apply to a user-defined operation",
                       [] { part(0, onefold::accuracy::wide); });
}
