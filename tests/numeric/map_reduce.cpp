// The law of computed elements: every result has the bits of `reduce` over an array that the function's values were
// written to, for any function, arrays, extents, strides and axes, on every backend, with any number of threads.
#include "onefold/map_reduce.hpp"

#include <cmath>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "onefold/custom.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/entries.hpp"
#include "support/errors.hpp"
#include "support/instrumented.hpp"
#include "support/result_bits.hpp"
#include "support/slices.hpp"
#include "support/views.hpp"

namespace {

using onefold::mapped;
using support::made_up_view;
using support::random_numbers;
using support::result_bits;
using support::view_of;

/// A struct with an element in its middle.
template <class T>
struct order {
  std::uint8_t flags;
  T price;
  std::uint16_t amount;
};

/// The function of each number of arrays.
template <class T>
T chosen(const order<T>& a, const T& b) {
  return a.flags % 2 == 0 ? a.price : b;
}
template <class T>
T chosen_of_three(const order<T>& a, const T& b, std::uint8_t c) {
  return c % 3 == 0 ? b : chosen<T>(a, b);
}

/// Three arrays with the same extents, each in its own memory.
struct made_up_arrays {
  made_up_view places[3];
  std::vector<char> memory[3];
  const char* data(int k, std::int64_t size) const { return memory[k].data() + places[k].before * size; }
};

/// An operation over an element type, as functions that know the types.
struct entry : support::described_entry {
  std::int64_t sizes[3];  ///< of the elements of each array
  void (*fill)(made_up_arrays& a, random_numbers& r);
  void (*compute)(int arrays, const std::vector<char>* slices, std::int64_t n, char* to);
  std::vector<result_bits> (*reduce)(int arrays, const made_up_arrays& a, const onefold::over& along,
                                     const onefold::options& how);
};

template <class T>
void fill(made_up_arrays& a, random_numbers& r) {
  const auto places = [&](int k) { return a.places[k].before + a.places[k].after; };
  const auto prepare = [&](int k, std::size_t size) { a.memory[k].resize(static_cast<std::size_t>(places(k)) * size); };
  prepare(0, sizeof(order<T>));
  prepare(1, sizeof(T));
  prepare(2, 1);
  std::vector<T> prices(static_cast<std::size_t>(places(0)));
  support::fill<T>(prices.data(), places(0), r);
  for (std::size_t i = 0; i < prices.size(); ++i) {
    order<T> x{};
    x.flags = static_cast<std::uint8_t>(r.bits());
    x.price = prices[i];
    std::memcpy(a.memory[0].data() + i * sizeof x, &x, sizeof x);
  }
  support::fill<T>(a.memory[1].data(), places(1), r);
  for (char& c : a.memory[2]) c = static_cast<char>(r.bits());
}

/// The function's values of n elements of each array, in a plain loop.
template <class T>
void compute(int arrays, const std::vector<char>* slices, std::int64_t n, char* to) {
  const auto* const a = reinterpret_cast<const order<T>*>(slices[0].data());
  const auto* const b = reinterpret_cast<const T*>(slices[1].data());
  const auto* const c = reinterpret_cast<const std::uint8_t*>(slices[2].data());
  for (std::int64_t i = 0; i < n; ++i) {
    const T x = arrays == 1 ? a[i].price : arrays == 2 ? chosen<T>(a[i], b[i]) : chosen_of_three<T>(a[i], b[i], c[i]);
    std::memcpy(to + i * static_cast<std::int64_t>(sizeof x), &x, sizeof x);
  }
}

/// One array by a call, two by a plan that is run twice, three by a call of the function as a lambda.
template <class Op, class T>
std::vector<result_bits> reduce(int arrays, const made_up_arrays& all, const onefold::over& along,
                                const onefold::options& how) {
  using R = onefold::default_result<T, Op>;
  const auto a = view_of<order<T>>(all.data(0, sizeof(order<T>)), all.places[0].axes);
  const auto b = view_of<T>(all.data(1, sizeof(T)), all.places[1].axes);
  const auto c = view_of<std::uint8_t>(all.data(2, 1), all.places[2].axes);
  onefold::result_array<R> out{{}};
  if (arrays == 1) {
    out = onefold::map_reduce<Op>(&order<T>::price, a, along, how);
  } else if (arrays == 2) {
    const auto what = mapped(chosen<T>, a, b);
    onefold::mapped_plan<T, Op> plan(what, along, how);
    out = onefold::result_array<R>(plan.extents());
    for (int i = 0; i < 2; ++i) plan(what, std::span(out.data(), out.size()));
  } else {
    out = onefold::map_reduce<Op>(chosen_of_three<T>, a, b, c, along, how);
  }
  std::vector<result_bits> bits;
  for (const R& x : out) bits.push_back(support::bits_of(x));
  return bits;
}

std::vector<entry> entries() {
  std::vector<entry> all;
  support::for_each_described_entry([&]<class Op, class T>(const support::described_entry& e) {
    all.push_back({e, {sizeof(order<T>), sizeof(T), 1}, fill<T>, compute<T>, reduce<Op, T>});
  });
  return all;
}

/// Rows and columns of computed records and floats, by a user-defined operation.
template <class Op, class F, class X>
void compare(const F& f, const std::vector<X>& x, Op op = {}) {
  using T = std::remove_cvref_t<std::invoke_result_t<F, const X&>>;
  const auto all = static_cast<std::int64_t>(x.size());
  for (const int threads : {1, 3})
    for (const std::int64_t outer : {std::int64_t{1}, std::int64_t{3}, all / 7, all}) {
      const onefold::extents extents{outer, all / outer};
      const std::int64_t n = extents[1];
      for (const onefold::strides& strides : {onefold::strides{n, 1}, onefold::strides{1, outer}}) {
        const auto how = support::on_backend(onefold::accuracy::native, threads);
        const auto found = onefold::map_reduce<Op>(f, onefold::array_view<X>(x.data(), extents, strides),
                                                   onefold::over{.axes = 1}, how, op);
        for (std::int64_t o = 0; o < outer; ++o) {
          std::vector<T> values;
          for (std::int64_t i = 0; i < n; ++i)
            values.push_back(f(x[static_cast<std::size_t>(o * strides[0] + i * strides[1])]));
          const auto meant = onefold::reduce<T, Op>(values, how, op);
          REQUIRE(std::memcmp(&found[static_cast<std::size_t>(o)], &meant, sizeof meant) == 0);
        }
      }
    }
}

}  // namespace

TEST_CASE("every result has the bits of reduce over the values of the function") {
  const std::vector<entry> all = entries();
  random_numbers r(59);
  std::int64_t cases = 0, compared = 0, long_outputs = 0, refused = 0, wrong = 0;
  while (cases < support::random_cases(20'000)) {
    const entry& e = all[r.bits() % all.size()];
    const auto how = support::random_options(r, e.operation, e.element, e.takes_init);
    if (!how) continue;
    const std::int64_t page = onefold::page_elements(e.size);
    made_up_arrays a;
    for (made_up_view& places : a.places) {
      if (&places == a.places) {
        places = support::random_view(r, page);
      } else {
        places = a.places[0];
        if (r.integer(0, 1) == 0) lay_out(places, r);
      }
    }
    ++cases;
    e.fill(a, r);
    const int arrays = r.integer(1, 3);
    const made_up_view& s = a.places[0];
    std::vector<char> slices[3], values(static_cast<std::size_t>(s.outputs * s.n * e.size) + 1);
    for (int k = 0; k < 3; ++k) slices[k] = support::slices(a.data(k, e.sizes[k]), a.places[k], e.sizes[k]);
    e.compute(arrays, slices, s.outputs * s.n, values.data());

    const onefold::over along{.axes = std::span<const int>(s.reduced), .keep = r.integer(0, 1) == 0};
    const auto found =
        support::outcome_of([&](std::vector<result_bits>& results) { results = e.reduce(arrays, a, along, *how); });
    const auto meant = support::outcome_of([&](std::vector<result_bits>& results) {
      for (std::int64_t o = 0; o < s.outputs; ++o) {
        results.push_back(support::run(e.operation, e.element, values.data() + o * s.n * e.size, s.n, *how));
        long_outputs += s.n > page;
      }
    });
    refused += found.error.has_value();
    compared += static_cast<std::int64_t>(meant.results.size());
    wrong +=
        !support::check_outcome(found, meant,
                                e.name + ' ' + support::text_of(*how) + ", " + std::to_string(arrays) +
                                    " arrays: " + support::text_of(a.places[0]) + ", " + support::text_of(a.places[1]) +
                                    ", " + support::text_of(a.places[2]) + ", n " + std::to_string(s.n));
    if (wrong > 5) break;
  }
  CHECK(wrong == 0);
  CHECK(cases == support::random_cases(20'000));
  CHECK(compared > 10 * cases);
  CHECK(long_outputs > support::random_cases(500));
  CHECK((refused > support::random_cases(100) && refused < cases / 3));
}

TEST_CASE("whole arrays around a page, to every result type, with values in arithmetic of their own") {
  const auto page = static_cast<std::int64_t>(onefold::page_elements(sizeof(float)));
  const auto f = [](float a, float b) { return a * b; };
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{15}, std::int64_t{16}, std::int64_t{17},
                               page - 1, page, page + 1, 7 * page + 3, 100 * page}) {
    const auto x = support::normal_data<float>(n, 3), y = support::wide_data<float>(n, 4);
    std::vector<float> xy(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) xy[i] = f(x[i], y[i]);
    for (const int threads : {1, 2, 3})
      for (const auto mode :
           {onefold::accuracy::native, onefold::accuracy::wide, onefold::accuracy::kahan, onefold::accuracy::exact}) {
        auto how = support::on_backend(mode, threads);
        using onefold::op::sum;
        const auto check = [&]<class R>() {
          CHECK(support::bits_of(onefold::map_reduce<sum, R>(f, x, y, how)) ==
                support::bits_of(onefold::reduce<float, sum, R>(xy, how)));
        };
        check.operator()<float>();
        check.operator()<double>();
        check.operator()<onefold::f16>();
        how.init = 0.5;
        check.operator()<double>();
      }
  }
}

TEST_CASE("user-defined operations over computed elements") {
  std::vector<float> x(14'000);
  std::vector<std::uint16_t> words(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i % 1013) * 0.37f - 100;
    words[i] = static_cast<std::uint16_t>(i * 37);
  }
  const auto halved = [](float a) { return a / 2; };
  compare<support::absolute_sum>(halved, x);
  compare<support::absolute_sum_packs>(halved, x);
  compare<support::affine_floats>(halved, x);
  compare<support::large_sums<4096>>(halved, x);
  const auto low = [](std::uint16_t w) { return static_cast<std::uint8_t>(w); };
  compare<support::histogram>(low, words);
  compare<support::histogram_in_place>(low, words);
  const auto record = [](float a) { return support::record<1000>{a, {}, a + 3}; };
  compare<support::record_box<1000>>(record, x);
}

TEST_CASE("functions of computed elements have the bits of one function") {
  support::random_numbers r(29);
  struct item {
    double price;
    bool sold;
  };
  std::vector<float> x(30'000), y(x.size());
  support::fill<float>(x.data(), 30'000, r);
  support::fill<float>(y.data(), 30'000, r);
  std::vector<item> items;
  for (const float a : x) items.push_back({a / 3.0, a > 0});
  const auto half = [](float a) { return a / 2; };
  const auto times = [](float a, float b) { return a * b; };
  const auto minus = [](double a, double b) { return a - b; };
  const auto how = support::on_backend(onefold::accuracy::native, 3);
  const auto alike = [&](const auto& composed, const auto& at_once) {
    CHECK(support::bits_of(onefold::sum(composed, how)) == support::bits_of(onefold::sum(at_once, how)));
    CHECK(onefold::argmax(composed, how) == onefold::argmax(at_once, how));
  };
  using onefold::mapped;
  alike(mapped(half, mapped(half, x)), mapped([=](float a) { return half(half(a)); }, x));
  alike(mapped(minus, mapped(times, x, y), x), mapped([=](float a, float b) { return minus(times(a, b), a); }, x, y));
  alike(mapped(minus, y, mapped(times, x, y)), mapped([=](float a, float b) { return minus(b, times(a, b)); }, x, y));
  alike(mapped(minus, mapped(half, y), mapped(&item::price, items)),
        mapped([=](float b, const item& i) { return minus(half(b), i.price); }, y, items));
  alike(mapped(&item::price, mapped([](const item& i) { return i; }, items)), mapped(&item::price, items));
  alike(mapped([](bool sold) { return sold ? 2.0f : 1.0f; }, mapped(&item::sold, items)),
        mapped([](const item& i) { return i.sold ? 2.0f : 1.0f; }, items));
  CHECK(support::bits_of(onefold::sum(mapped(half, x), half, how)) ==
        support::bits_of(onefold::sum(
            x, [=](float a) { return half(half(a)); }, how)));
  const onefold::array_view<float> table(x.data(), {300, 100}), turned(y.data(), {300, 100}, {1, 300});
  const auto rows = onefold::max(mapped(minus, mapped(half, table), turned), 1, how),
             at_once = onefold::max(mapped([=](float a, float b) { return minus(half(a), b); }, table, turned), 1, how);
  for (std::size_t i = 0; i < 300; ++i) CHECK(support::bits_of(rows[i]) == support::bits_of(at_once[i]));
  support::check_error(onefold::error_code::invalid_argument, "must be equal",
                       [&] { mapped(minus, mapped(half, x), std::vector<double>{1}); });
}

TEST_CASE("ranges with random access, and functions of every kind") {
  const auto how = support::on_backend(onefold::accuracy::native, 3);
  using onefold::op::count;
  using onefold::op::max;
  using onefold::op::sum;
  std::deque<int> numbers;
  std::vector<bool> bits;
  std::vector<std::int64_t> squares;
  for (int i = 0; i < 20'000; ++i) {
    numbers.push_back(i);
    bits.push_back(i % 3 == 0);
    squares.push_back(std::int64_t{i} * i);
  }
  const auto square = [](int i) { return std::int64_t{i} * i; };
  const std::int64_t all = onefold::sum(squares);
  CHECK(onefold::map_reduce<sum>(square, numbers, how) == all);
  CHECK(onefold::map_reduce<count>([](bool b) { return b; }, bits, how) == 6667);
#if !defined(__clang__) || __clang_major__ >= 16  // older ones do not compile libstdc++'s views
  CHECK(onefold::map_reduce<sum>(square, std::views::iota(0, 20'000), how) == all);
  CHECK(onefold::map_reduce<sum>([](std::int64_t x, std::int64_t i) { return x - i * i; }, squares,
                                 std::views::iota(std::int64_t{0}, std::int64_t{20'000}), how) == 0);
  CHECK(onefold::map_reduce<sum>([](std::int64_t x) { return x; }, numbers | std::views::transform(square), how) ==
        all);
#endif

  struct item {
    double price;
    int amount;
    double total() const { return price * amount; }
  };
  const std::vector<item> items{{1.5, 2}, {2.5, 3}};
  const std::vector<const item*> places{&items[1], &items[0]};
  CHECK(onefold::map_reduce<sum>(&item::price, items, how) == 4);
  CHECK(onefold::map_reduce<sum>(&item::total, items, how) == 10.5);
  CHECK(onefold::map_reduce<sum>(&item::amount, places, how) == 5);
  CHECK(onefold::map_reduce<onefold::op::argmax>(&item::total, places, how) == 0);
  int added = 7;
  CHECK(onefold::map_reduce<max>([&](const item& x) { return x.amount + added; }, items, how) == 10);
  float (*const root)(float) = std::sqrt;
  CHECK(onefold::map_reduce<sum>(root, std::vector<float>{4, 9}, how) == 5);
}
