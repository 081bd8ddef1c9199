// Complex numbers: the parts of sums and means have the bits of reductions of copies of the parts alone, sums of
// squares and norms those of all parts, over ranges, views and axes, on every backend.
#include "onefold/complex.hpp"

#include <complex>
#include <string>
#include <vector>

#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace op = onefold::op;
using onefold::accuracy;
using onefold::array_view;
using support::bits_of;

namespace {

template <class T>
std::vector<std::complex<T>> made_up(std::int64_t n) {
  const auto parts = support::normal_data<T>(2 * n, 71);
  std::vector<std::complex<T>> x;
  for (std::size_t i = 0; i < parts.size(); i += 2) x.emplace_back(parts[i], 0.25f * parts[i + 1]);
  return x;
}

/// Compares one result with those over the elements' parts, copied in their order.
template <class Op, class T, class R>
bool same(const R& found, const std::vector<std::complex<T>>& x, const onefold::options& how) {
  if constexpr (std::is_same_v<Op, op::sum> || std::is_same_v<Op, op::mean>) {
    std::vector<T> real, imaginary;
    for (const auto& z : x) {
      real.push_back(z.real());
      imaginary.push_back(z.imag());
    }
    return bits_of(found.real()) == bits_of(onefold::reduce<T, Op>(real, how)) &&
           bits_of(found.imag()) == bits_of(onefold::reduce<T, Op>(imaginary, how));
  } else {
    std::vector<T> parts;
    for (const auto& z : x) {
      parts.push_back(z.real());
      parts.push_back(z.imag());
    }
    return bits_of(found) == bits_of(onefold::reduce<T, Op>(parts, how));
  }
}

/// Calls f for each operation and accuracy over parts T.
template <class T, class Function>
void for_each_operation(Function f) {
  onefold::for_each_type(onefold::type_list<op::sum, op::mean, op::sum_squares, op::norm2>{}, [&]<class Op>() {
    onefold::for_each_accuracy<Op, T>([&]<class, class, accuracy A>() { f.template operator()<Op>(A); });
  });
}

template <class T>
void compare_ranges() {
  const std::int64_t page = onefold::page_elements(sizeof(T));
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{7}, page / 2, page - 1, page + 1, 5 * page + 3})
    for (const int threads : {1, 3}) {
      const auto x = made_up<T>(n);
      for_each_operation<T>([&]<class Op>(accuracy mode) {
        const auto how = support::on_backend(mode, threads);
        const auto ran = onefold::reduce_reported<std::complex<T>, Op>(x, how);
        CHECK(same<Op>(ran.value, x, how));
        CHECK(ran.ran.backend == support::backend_under_test());
      });
    }
}

template <class T>
void compare_axes() {
  using C = std::complex<T>;
  const auto x = made_up<T>(6 * 5 * 700);
  // Axes of 6, 5 and 350: the last one backwards, in steps of two.
  const array_view<C> view(x.data() + 699, {6, 5, 350}, {3500, 700, -2});
  for_each_operation<T>([&]<class Op>(accuracy mode) {
    const auto how = support::on_backend(mode, 3);
    const auto rows = onefold::detail::reduced<Op>(view, -1, how);
    REQUIRE(rows.size() == 30);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      std::vector<C> row;
      for (std::size_t i = 0; i < 350; ++i) row.push_back(x[r * 700 + 699 - 2 * i]);
      CHECK(same<Op>(rows[r], row, how));
    }
    const auto planes = onefold::detail::reduced<Op>(view, onefold::axis_list(0, 1), how);
    REQUIRE(planes.size() == 350);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{349}}) {
      std::vector<C> plane;
      for (std::size_t r = 0; r < 30; ++r) plane.push_back(x[r * 700 + 699 - 2 * i]);
      CHECK(same<Op>(planes[i], plane, how));
    }
    std::vector<C> all;
    for (std::size_t r = 0; r < 30; ++r)
      for (std::size_t i = 0; i < 350; ++i) all.push_back(x[r * 700 + 699 - 2 * i]);
    CHECK(same<Op>(onefold::detail::reduced<Op>(view, how), all, how));
  });
}

}  // namespace

TEST_CASE("ranges of complex numbers have the bits of their parts") {
  compare_ranges<float>();
  compare_ranges<double>();
}

TEST_CASE("views of complex numbers, and axes") {
  compare_axes<float>();
  compare_axes<double>();
}

TEST_CASE("complex results, and what is refused") {
  using C = std::complex<float>;
  const auto how = support::on_backend();
  const std::vector<C> x{{1, 2}, {3, 4}, {5, -6}};
  CHECK(onefold::sum(x, how) == C(9, 0));
  CHECK(onefold::mean(x, how) == C(3, 0));
  CHECK(onefold::sum_squares(x, how) == 91);
  CHECK(onefold::norm2(std::vector<C>{{3, 4}, {0, 12}}, how) == 13);
  CHECK(onefold::sum(std::vector<C>{}, how) == C(0, 0));
  CHECK(onefold::norm2(std::span<const C>(), how) == 0);
  support::check_error(onefold::error_code::empty_input, "mean of no elements",
                       [&] { onefold::mean(std::vector<C>{}, how); });
  const auto both = onefold::fused<op::sum, op::norm2>(x, how);
  CHECK(std::get<0>(both) == C(9, 0));
  CHECK(onefold::reduce_reported<C, op::sum, std::complex<double>>(x, how).value == std::complex<double>(9, 0));
  CHECK(*onefold::try_reduce<C, op::mean>(x, how) == C(3, 0));

  const array_view<C> matrix(x.data(), {3, 1});
  const auto columns = onefold::reduce_reported<C, op::sum>(matrix, {.axes = 0, .keep = true}, how).value;
  CHECK(columns.extents().size() == 2);
  CHECK(columns[0] == C(9, 0));
  CHECK(onefold::sum(columns, how) == C(9, 0));  // results are complex elements again
  CHECK(onefold::sum(columns, 1, how)[0] == C(9, 0));
  CHECK(onefold::sum(array_view<C>(x.data(), {}), how) == C(1, 2));

  auto from = how;
  from.init = 1;
  support::check_error(onefold::error_code::invalid_argument, "sum of complex numbers takes no initial value",
                       [&] { onefold::sum(x, from); });
  support::check_error(onefold::error_code::invalid_argument, "axis 2 is out of range",
                       [&] { onefold::sum(matrix, 2, how); });
  const array_view<C> deep(x.data(), {1, 1, 1, 1, 1, 1, 1, 3});
  support::check_error(onefold::error_code::invalid_argument,
                       "a view of complex numbers has at most 7 axes, since their parts are one more; this one has 8",
                       [&] { onefold::sum(deep, how); });
}
