// Several reductions in one pass have the bits of each alone: for every entry of the catalog, and by the typed form.
#include "onefold/fused.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/dynamic_fused.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

namespace op = onefold::op;
using onefold::accuracy;
using onefold::dtype;
using onefold::error_code;
using support::bits_of;
using support::check_error;

/// The operations of the catalog that an element type has at an accuracy.
std::vector<int> operations_of(dtype element, accuracy mode) {
  std::vector<int> list;
  for (int i = 0; i < onefold::operations::size; ++i)
    if (!onefold::why_not(i, element, mode)) list.push_back(i);
  return list;
}

support::result_bits bits_of(const onefold::dynamic_result& r) {
  support::result_bits bits;
  for (const onefold::scalar& s : r.values) bits.push_back(s.bits);
  return bits;
}

template <class T>
std::vector<T> elements(std::int64_t n, support::random_numbers& r) {
  std::vector<T> x(static_cast<std::size_t>(n));
  support::fill<T>(x.data(), n, r);
  return x;
}

}  // namespace

TEST_CASE("all operations in one pass have the bits of each alone") {
  support::random_numbers r(17);
  onefold::for_each_type(onefold::element_types{}, [&]<class T>() {
    const std::int64_t page = onefold::page_elements(sizeof(T));
    const dtype element = onefold::dtype_of<T>;
    for (int mode = 0; mode < onefold::accuracy_count; ++mode) {
      const std::vector<int> list = operations_of(element, static_cast<accuracy>(mode));
      for (const std::int64_t n :
           {std::int64_t{1}, std::int64_t{100}, page, page + 1, 8 * page, 8 * page + 1, 43 * page - 5}) {
        const auto x = elements<T>(n, r);
        const auto how = support::on_backend(static_cast<accuracy>(mode), r.integer(1, 4));
        INFO(n << ' ' << onefold::name_of(element) << ' ' << onefold::name_of(how.accuracy) << " on " << how.threads);
        const auto found = onefold::dynamic_fused(list, element, how).run(x.data(), n);
        REQUIRE(found.size() == list.size());
        for (std::size_t i = 0; i < list.size(); ++i) {
          INFO(onefold::operation_infos()[static_cast<std::size_t>(list[i])].name);
          CHECK(bits_of(found[i]) == support::run(list[i], element, x.data(), n, how));
          CHECK(found[i].ran.backend == support::backend_under_test());
        }
      }
    }
  });
}

TEST_CASE("the typed form") {
  support::random_numbers r(18);
  const auto x = elements<float>(100'000, r);
  const auto how = support::on_backend(accuracy::native, 3);
  const auto [least, most, total, average, where, ends, all] =
      onefold::fused<op::min, op::max, op::sum, op::mean, op::argmax, op::minmax, op::moments>(x, how);
  CHECK(bits_of(least) == bits_of(onefold::min(x, how)));
  CHECK(bits_of(most) == bits_of(onefold::max(x, how)));
  CHECK(bits_of(total) == bits_of(onefold::sum(x, how)));
  CHECK(bits_of(average) == bits_of(onefold::mean(x, how)));
  CHECK(where == onefold::argmax(x, how));
  CHECK(bits_of(ends) == bits_of(onefold::minmax(x, how)));
  CHECK(bits_of(all) == bits_of(onefold::moments(x, how)));

  CHECK(onefold::fused<op::sum>(std::vector<std::int32_t>{1, 2, 3}, how) == std::tuple(std::int64_t{6}));
  CHECK(onefold::fused<op::sum, op::any>(std::vector<std::int32_t>{}, how) == std::tuple(std::int64_t{0}, false));
  // An initial value is each operation's.
  auto from = how;
  from.init = 100;
  CHECK(onefold::fused<op::min, op::sum>(std::vector<float>{200, 300}, from) == std::tuple(100.0f, 600.0f));
  CHECK(onefold::fused<op::min, op::sum>(std::vector<float>{}, from) == std::tuple(100.0f, 100.0f));
}

TEST_CASE("other data than contiguous ranges") {
  support::random_numbers r(19);
  const auto x = elements<double>(60'000, r);
  const auto how = support::on_backend();
  const onefold::array_view<double> columns(x.data(), {300, 200}, {1, 300});
  const auto [least, total] = onefold::fused<op::min, op::sum>(columns, how);
  CHECK(bits_of(least) == bits_of(onefold::min(columns, how)));
  CHECK(bits_of(total) == bits_of(onefold::sum(columns, how)));
  const auto selected = onefold::fused<op::max, op::mean>(where(x, onefold::not_nan), how);
  CHECK(bits_of(std::get<0>(selected)) == bits_of(onefold::nanmax(x, how)));
  CHECK(bits_of(std::get<1>(selected)) == bits_of(onefold::nanmean(x, how)));
}

TEST_CASE("over axes each result has the bits of its verb") {
  support::random_numbers r(21);
  const auto x = elements<float>(60'000, r);
  const auto how = support::on_backend(accuracy::native, 2);
  const onefold::array_view<float> cube(x.data(), {30, 40, 50});
  const auto check = [](const auto& found, const auto& alone) {
    REQUIRE(found.size() == alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) CHECK(bits_of(found[i]) == bits_of(alone[i]));
  };
  const auto check_axes = [&](const onefold::axis_list& axes, std::size_t results) {
    const auto [least, total, place] = onefold::fused<op::min, op::sum, op::argmax>(cube, axes, how);
    CHECK(least.size() == results);
    check(least, onefold::min(cube, axes, how));
    check(total, onefold::sum(cube, axes, how));
    check(place, onefold::argmax(cube, axes, how));
  };
  check_axes(0, 2000);
  check_axes(-1, 1200);
  check_axes({0, 2}, 40);
  check_axes(std::vector{1, 2}, 30);
  const auto [most] = onefold::fused<op::max>(where(cube, onefold::not_nan), {0, 1}, how);
  check(most, onefold::nanmax(cube, {0, 1}, how));
  check_error(error_code::invalid_argument, "axis 3", [&] { onefold::fused<op::min, op::max>(cube, 3, how); });
  if (support::backend_under_test() == onefold::backend::cuda) return;  // functions were not compiled for it
  const auto minus = [](float a) { return -a; };
  const auto [mean, variance] = onefold::fused<op::mean, op::variance>(cube, minus, 1, how);
  check(mean, onefold::mean(cube, minus, 1, how));
  check(variance, onefold::variance(cube, minus, 1, how));
}

TEST_CASE("a function of the elements, a member of them, and a list in braces") {
  const auto how = support::on_backend();
  CHECK(onefold::fused<op::min, op::sum>({3.0f, 1.0f, 4.0f}, how) == std::tuple(1.0f, 8.0f));
  if (support::backend_under_test() == onefold::backend::cuda) return;
  struct order {
    double price;
    int quantity;
  };
  const std::vector<order> orders{{2.5, 1}, {4, 3}};
  CHECK(onefold::fused<op::max, op::sum>(orders, &order::price, how) == std::tuple(4.0, 6.5));
  CHECK(onefold::fused<op::sum>(
            orders, [](const order& o) { return o.quantity; }, how) == std::tuple(std::int64_t{4}));
}

TEST_CASE("operations of the caller's own take part") {
  if (support::backend_under_test() == onefold::backend::cuda) return;  // these were not compiled for it
  support::random_numbers r(20);
  const auto x = elements<float>(50'000, r);
  const auto how = support::on_backend(accuracy::native, 2);
  const auto [magnitudes, total, packs] =
      onefold::fused<support::absolute_sum, op::sum, support::absolute_sum_packs>(x, how);
  CHECK(bits_of(magnitudes) == bits_of(onefold::reduce<float, support::absolute_sum>(x, how)));
  CHECK(bits_of(total) == bits_of(onefold::sum(x, how)));
  CHECK(bits_of(packs) == bits_of(onefold::reduce<float, support::absolute_sum_packs>(x, how)));
}

TEST_CASE("errors are those of the operations") {
  const auto how = support::on_backend();
  check_error(error_code::empty_input, "max of no elements has no value",
              [&] { onefold::fused<op::sum, op::max>(std::vector<float>{}, how); });
  check_error(error_code::unsupported, "accuracy native, wide and exact only", [&] {
    onefold::fused<op::sum, op::variance>(std::vector<float>{1}, support::on_backend(accuracy::kahan));
  });
  auto from = how;
  from.init = 1;
  check_error(error_code::invalid_argument, "argmin takes no initial value",
              [&] { onefold::fused<op::sum, op::argmin>(std::vector<float>{1}, from); });
  check_error(error_code::overflow, "sum has no result", [&] {
    const std::vector<std::int64_t> large(100'000, std::int64_t{1} << 62);
    onefold::fused<op::min, op::sum>(large, support::on_backend(accuracy::exact));
  });
  const int list[] = {onefold::operation_index<op::sum>, onefold::operation_index<op::bit_and>};
  check_error(error_code::unsupported, "bit_and", [&] { onefold::dynamic_fused(list, dtype::f32); });
  const std::string_view names[] = {"sum", "mead"};
  check_error(error_code::invalid_argument, "mean", [&] { onefold::dynamic_fused(names, "f32"); });
  onefold::dynamic_fused two(std::span(list, 1), dtype::f32, how);
  const float x = 1;
  check_error(error_code::invalid_argument, "there is 1 operation, but room for 0 results",
              [&] { static_cast<void>(two.run(&x, 1, {})); });
  float room[2];
  void* const null[] = {nullptr};
  check_error(error_code::invalid_argument, "the result pointer is null", [&] { two.run(&x, 1, null); });
  void* const odd[] = {reinterpret_cast<char*>(room) + 1};
  check_error(error_code::invalid_argument, "the result is not aligned", [&] { two.run(&x, 1, odd); });
  check_error(error_code::invalid_argument, "null", [&] { two.run(nullptr, 1); });
}

TEST_CASE("by names, and to another result type") {
  const std::vector<float> x{1, 2, 4};
  const std::string_view names[] = {"Sum", "mean"};
  const auto found = onefold::dynamic_fused(names, "F32", support::on_backend(), "f64").run(x.data(), 3);
  CHECK(found[0].values[0].type == dtype::f64);
  CHECK(found[0].values[0].text() == "7");
  CHECK(found[1].values[0].text() == "2.3333333333333335");
  const bool in_one_pass = found[0].ran.why.find("in one pass with 1 other reduction") != std::string::npos;
  CHECK(in_one_pass == (support::backend_under_test() != onefold::backend::cuda));
}

TEST_CASE("computed elements are computed once, and have the bits of each operation alone") {
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{4096}, std::int64_t{4097}, std::int64_t{100'003}}) {
    const auto x = support::normal_data<float>(n, 3), y = support::normal_data<float>(n, 4);
    for (const int threads : {1, 3}) {
      const auto how = support::on_backend(onefold::accuracy::native, threads);
      std::atomic<std::int64_t> calls = 0;
      const auto product = [&calls](float a, float b) {
        ++calls;
        return a * b;
      };
      const auto elements = onefold::mapped(product, x, y);
      if (onefold::is_accelerator(support::backend_under_test())) {
        CHECK_THROWS_AS((onefold::fused<op::min, op::sum>(elements, how)), onefold::error);
        continue;
      }
      const auto [least, total, variance, place] =
          onefold::fused<op::min, op::sum, op::variance, op::argmax>(elements, how);
      CHECK(calls == n);
      CHECK(bits_of(least) == bits_of(onefold::min(elements, how)));
      CHECK(bits_of(total) == bits_of(onefold::sum(elements, how)));
      CHECK(bits_of(variance) == bits_of(onefold::variance(elements, how)));
      CHECK(place == onefold::argmax(elements, how));
      const onefold::array_view<float> columns(x.data(), {n, 1}, {1, 1});
      const auto [most, mean] =
          onefold::fused<op::max, op::mean>(onefold::mapped([](float a) { return -a; }, columns), how);
      CHECK(bits_of(most) == bits_of(onefold::max(
                                 x, [](float a) { return -a; }, how)));
      CHECK(bits_of(mean) == bits_of(onefold::mean(
                                 x, [](float a) { return -a; }, how)));
    }
  }
  const std::vector<float> none;
  CHECK(support::error_of([&] {
          onefold::fused<op::sum, op::min>(onefold::mapped([](float a) { return a; }, none));
        }) == onefold::error_code::empty_input);
  const auto [zero, all] = onefold::fused<op::sum, op::all>(onefold::mapped([](float a) { return a; }, none));
  CHECK(zero == 0);
  CHECK(all);
}
