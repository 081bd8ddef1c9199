// Shapes that libraries have been wrong at: odd widths of more than 512 elements, 2^16 rows and one more, and a few
// lines of many pages. Each result has the bits of its row, or its prefix, alone.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "onefold/onefold.hpp"
#include "onefold/row_operations.hpp"
#include "onefold/scan.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/result_bits.hpp"
#include "support/row_calls.hpp"

namespace {

using onefold::array_view;
using onefold::row_operation;
namespace op = onefold::op;

onefold::options alone() { return {.backend = onefold::backend::sequential, .threads = 1}; }

/// Numbers whose sums are rounded.
template <class T>
std::vector<T> numbers(std::int64_t n, std::uint64_t seed) {
  support::random_numbers r(seed);
  std::vector<T> x(static_cast<std::size_t>(n));
  for (T& e : x)
    if constexpr (std::is_floating_point_v<T>)
      e = static_cast<T>(r.sign() * std::ldexp(r.uniform(1, 2), r.integer(-9, 3)));
    else
      e = static_cast<T>(r.bits());
  return x;
}

template <class T>
std::span<const T> row_of(const std::vector<T>& x, std::int64_t row, std::int64_t width) {
  return std::span(x).subspan(static_cast<std::size_t>(row * width), static_cast<std::size_t>(width));
}

template <class T>
std::span<const T> part(const onefold::result_array<T>& results, std::int64_t first, std::int64_t count) {
  return {results.data() + first, static_cast<std::size_t>(count)};
}

template <class T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// Whether the results of an operation on some rows are those of these rows alone.
template <class T>
void check_rows(row_operation what, const std::vector<T>& x, std::int64_t rows, std::int64_t width,
                const std::vector<std::int64_t>& looked_at) {
  const std::int64_t each = what == row_operation::logsumexp ? 1 : width;
  std::vector<T> out(static_cast<std::size_t>(rows * each)), own(static_cast<std::size_t>(each));
  const array_view<T> all(x.data(), {rows, width});
  const onefold::row_parameters<T> with;
  const auto apply = [&](const array_view<T>& from, std::vector<T>& to, const onefold::options& how) {
    onefold::extents e{from.axes()[0].extent};
    if (each > 1 || what != row_operation::logsumexp) e.push_back(width);
    support::call_rows(what, from, 1, onefold::output_view<T>(to.data(), e), with, how);
  };
  apply(all, out, support::on_backend());
  for (const std::int64_t i : looked_at) {
    apply(array_view<T>(x.data() + i * width, {1, width}), own, alone());
    INFO(support::row_operation_names[static_cast<int>(what)] << ", " << rows << " x " << width << ", row " << i);
    CHECK(same_bits<T>(row_of(out, i, each), own));
  }
}

template <class T, class Op>
void check_reductions(const std::vector<T>& x, std::int64_t rows, std::int64_t width) {
  const auto found = onefold::reduce<T, Op>(array_view<T>(x.data(), {rows, width}), {.axes = 1}, support::on_backend());
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    wrong += support::bits_of(found[static_cast<std::size_t>(i)]) !=
             support::bits_of(onefold::reduce<T, Op>(row_of(x, i, width), alone()));
  INFO(Op::name << ", " << rows << " x " << width);
  CHECK(wrong == 0);
}

/// Scans along an axis of an array of these lines, each of which is looked at.
template <class T>
void check_scans(std::int64_t lines, std::int64_t length, int axis) {
  const std::vector<T> x = numbers<T>(lines * length, 53);
  const onefold::extents e = axis == 1 ? onefold::extents{lines, length} : onefold::extents{length, lines};
  const auto found = onefold::cumsum(array_view<T>(x.data(), e), axis, support::on_backend());
  const std::int64_t page = onefold::page_elements(sizeof(T));
  for (std::int64_t i = 0; i < lines; ++i) {
    std::vector<T> line;
    std::vector<onefold::default_result<T, op::sum>> sums;
    for (std::int64_t j = 0; j < length; ++j) {
      const auto place = static_cast<std::size_t>(axis == 1 ? i * length + j : j * lines + i);
      line.push_back(x[place]);
      sums.push_back(found[place]);
    }
    INFO(onefold::name_of(onefold::dtype_of<T>) << ", axis " << axis << ", line " << i);
    const auto own = onefold::cumsum(line, alone());
    CHECK(same_bits<onefold::default_result<T, op::sum>>(sums, part(own, 0, length)));
    for (const std::int64_t j : {std::int64_t{0}, page - 1, page, 2 * page - 1, length / 2, length - 2, length - 1})
      CHECK(support::bits_of(sums[static_cast<std::size_t>(j)]) ==
            support::bits_of(
                onefold::reduce<T, op::sum>(std::span(line).first(static_cast<std::size_t>(j + 1)), alone())));
  }
}

}  // namespace

TEST_CASE("rows of f64 of odd widths from 513 to 1023") {
  for (std::int64_t width = 513; width < 1024; width += 2) {
    const std::vector<double> x = numbers<double>(3 * width, 51);
    for (int what = 0; what < 9; ++what) check_rows(static_cast<row_operation>(what), x, 3, width, {0, 1, 2});
    check_reductions<double, op::sum>(x, 3, width);
    check_reductions<double, op::max>(x, 3, width);
    check_reductions<double, op::moments>(x, 3, width);
  }
}

TEST_CASE("2^16 rows, and one more") {
  for (const std::int64_t rows : {65'536, 65'537})
    for (const std::int64_t width : {1, 5, 33}) {
      std::vector<std::int64_t> looked_at{0, 65'534, 65'535, rows - 1};
      for (std::int64_t i = 997; i < rows; i += 997) looked_at.push_back(i);
      const std::vector<float> x = numbers<float>(rows * width, 52);
      for (const row_operation what : {row_operation::softmax, row_operation::logsumexp, row_operation::layer_norm,
                                       row_operation::rms_norm, row_operation::normalize_l2})
        check_rows(what, x, rows, width, looked_at);
      check_reductions<float, op::sum>(x, rows, width);
      check_reductions<float, op::argmax>(x, rows, width);
    }
}

TEST_CASE("scans of 16 lines of 32,768 elements, and of longer ones") {
  for (const auto& [lines, length] : {std::pair{16, 32'768}, std::pair{3, 99'999}})
    for (const int axis : {0, 1}) {
      check_scans<float>(lines, length, axis);
      check_scans<double>(lines, length, axis);
      check_scans<std::int32_t>(lines, length, axis);
    }
}

TEST_CASE("no lines of elements that lie apart") {
  const float nothing = 0;
  const onefold::array_view<float> none(&nothing, {4, 0}, {8, 2});
  CHECK_NOTHROW(onefold::reduce<float, op::argmax>(none, onefold::over{0}, std::span<std::int64_t>{}));
  CHECK_NOTHROW(onefold::reduce<float, op::moments>(none, onefold::over{0}, std::span<onefold::moments_result>{}));
  float result = 7;
  const onefold::output_view<float> results(&result, {4, 0}, {8, 2});
  CHECK_NOTHROW(onefold::row_plan<float>(row_operation::softmax, none, results, 0)(&nothing, &result));
  CHECK(result == 7);
}
