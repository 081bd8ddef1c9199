// The folds of the CUDA backend that compute their elements, run on the CPU: of every function of the library's that
// has some, they have the bits of a fold over what the function returns, wherever the arrays begin.
#include <string>
#include <vector>

#include "map_chunks.hpp"
#include "maps.cuh"
#include "reference.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/special.hpp"

namespace {

using namespace onefold;

constexpr std::int64_t most = 3 * page_elements(2) + 40;

template <class T>
std::vector<T> numbers(std::uint64_t seed, bool with_nan) {
  support::random_numbers r(seed);
  std::vector<T> x(static_cast<std::size_t>(most));
  support::fill<T>(x.data(), most, r);
  if (with_nan)
    for (std::size_t i = 0; const T nan : support::all_kinds_of_nan<T>()) x[i += 977] = nan;
  return x;
}

/// Folds by an operation of what F returns for elements of Arrays arrays of X.
template <class Op, class F, class X, int Arrays, accuracy Mode = accuracy::native>
class comparison {
  static auto value(X x, X y) {
    if constexpr (Arrays == 1)
      return F{}(x);
    else
      return F{}(x, y);
  }

 public:
  using T = decltype(value(X{}, X{}));
  using base = emulation::reference<Op, T, Mode>;

  explicit comparison(known_function function) {
    const dtype types[] = {dtype_of<X>, dtype_of<X>};
    const device_map* const map = cuda::map_of(function, dtype_of<T>, {types, Arrays});
    REQUIRE(map != nullptr);
    fold_ = map->fold_of(operation_index<Op>, Mode);
    REQUIRE(fold_ != nullptr);
    CHECK(map->fold_of(operation_index<Op>, accuracy::kahan) == nullptr);
  }

  int at_some_places() {
    for (const bool with_nan : {false, true}) {
      x_ = numbers<X>(1, with_nan);
      y_ = numbers<X>(2, with_nan);
      constexpr std::int64_t page = page_elements(sizeof(T)), lanes = 512 / sizeof(T);
      for (const std::int64_t n : {std::int64_t{8}, lanes, 4 * lanes + 8, page, 2 * page + 24})
        if (fold_->launch_outputs) outputs(n);
      for (const std::int64_t n : {std::int64_t{1}, std::int64_t{7}, lanes - 1, lanes, 8 * lanes + 3, page - 1, page,
                                   page + 1, 2 * page, 3 * page + 17})
        for (const std::int64_t of_x : {0, 1})
          for (const std::int64_t of_y : {0, 3}) of(n, of_x, of_y);
    }
    return sums_.compared;
  }

 private:
  void of(std::int64_t n, std::int64_t of_x, std::int64_t of_y) {
    INFO(Op::name << " of " << n << " values of f of " << name_of(dtype_of<X>) << " from " << of_x << " and " << of_y);
    const emulation::placed<X> x(x_.data(), n, of_x), y(y_.data(), n, of_y);
    std::vector<T> values;
    for (std::int64_t i = 0; i < n; ++i) values.push_back(value(x.first()[i], y.first()[i]));
    std::vector<char> slots(
        static_cast<std::size_t>(detail::device_strategy<typename base::fold, T>::slot_bytes(n) + 16));
    typename base::R found{};
    mapping m;
    m.arrays = Arrays;
    for (int k = 0; k < Arrays; ++k) {
      m.of[k].n = n;
      m.of[k].outputs = m.of[k].reduced_axes = 1;
      m.of[k].reduced[0] = {n, 1};
    }
    map_launch from{};
    const F f{};
    from.function = &f;
    from.arrays[0] = x.first();
    from.arrays[1] = y.first();
    const cuda::map_chunks chunks(m, sizeof(T), 0);
    REQUIRE(chunks.are_contiguous());
    chunks.choose_piece(from, 0, 0, n);
    REQUIRE(fold_->launch(base::launch_of(nullptr, n, slots.data(), &found), from) == 0);
    sums_.same(found, values.data(), n);
    if (std::ranges::count(slots, 0) != std::ssize(slots)) FAIL_CHECK("slots are not zero again");
  }

  /// Rows of x with a few elements between them, each with the same row y.
  void outputs(std::int64_t n) {
    INFO(Op::name << " of rows of " << n << " values of f of " << name_of(dtype_of<X>));
    constexpr std::int64_t rows = 3;
    const std::int64_t pitch = n + 16;
    std::vector<X> all;
    for (std::int64_t r = 0; r < rows; ++r) all.insert(all.end(), x_.begin() + r, x_.begin() + r + pitch);
    const emulation::placed<X> x(all.data(), std::ssize(all), 0), y(y_.data(), n, 0);
    mapping m;
    m.arrays = Arrays;
    for (int k = 0; k < Arrays; ++k) {
      problem& p = m.of[k];
      p.n = n;
      p.outputs = rows;
      p.reduced_axes = p.kept_axes = 1;
      p.reduced[0] = {n, 1};
      p.kept[0] = {rows, k == 0 ? pitch : 0};
    }
    map_launch from{};
    const F f{};
    from.function = &f;
    from.arrays[0] = x.first();
    from.arrays[1] = y.first();
    mapped_source of{};
    for (mapped_array& a : of.arrays) a.element_size = sizeof(X);
    const cuda::map_chunks chunks(m, sizeof(T), 1 << 20);
    REQUIRE(chunks.are_rows_of_words(from, of));
    chunks.choose_all(from);
    std::vector<char> slots(static_cast<std::size_t>(
        detail::shape_slot_bytes(detail::fold_layout_of<typename base::fold, T>, m.of[0]) + 64));
    std::vector<typename base::R> found(rows);
    REQUIRE(fold_->launch_outputs(base::launch_of(nullptr, 0, slots.data(), found.data()), from,
                                  sizeof(typename base::R)) == 0);
    for (std::int64_t r = 0; r < rows; ++r) {
      std::vector<T> values;
      for (std::int64_t i = 0; i < n; ++i) values.push_back(value(x.first()[r * pitch + i], y.first()[i]));
      sums_.same(found[static_cast<std::size_t>(r)], values.data(), n);
    }
  }

  const mapped_fold* fold_;
  std::vector<X> x_, y_;
  base sums_;
};

template <class Op, class F, class X, int Arrays>
int compare(known_function function) {
  return comparison<Op, F, X, Arrays>(function).at_some_places();
}

}  // namespace

TEST_CASE("folds compute what the functions of the library return") {
  int compared = 0;
  for_each_type(type_list<f16, bf16, float, double>{}, [&]<class X>() {
    using V = typename detail::common_working<X, X>::type;
    compared += compare<op::sum, detail::product_as<V>, X, 2>(known_function::product);
    compared += compare<op::sum, detail::product_as<double>, X, 2>(known_function::product);
    compared += compare<op::sum, detail::distance_as<V>, X, 2>(known_function::distance);
    compared += compare<op::norm2, detail::distance_as<V>, X, 2>(known_function::distance);
    compared += compare<op::max, detail::distance_as<V>, X, 2>(known_function::distance);
    compared += compare<op::sum, detail::absolute_value, X, 1>(known_function::magnitude);
    compared += compare<op::max, detail::absolute_value, X, 1>(known_function::magnitude);
    compared += compare<op::sum, detail::same_value, X, 1>(known_function::itself);
  });
  CHECK(compared == 4 * 8 * 2 * (10 * 4 + 5 * 3));
}

TEST_CASE("exact sums compute products and parts of products") {
  int compared = 0;
  const auto compare_exactly = [&]<class F, class X>(known_function function, const F&, X) {
    compared += comparison<op::sum, F, X, 2, accuracy::exact>(function).at_some_places();
  };
  compare_exactly(known_function::product, detail::product_as<double>{}, f16{});
  compare_exactly(known_function::product, detail::product_as<double>{}, bf16{});
  compare_exactly(known_function::product, detail::product_as<double>{}, float{});
  compare_exactly(known_function::rounded_product, detail::rounded_product{}, double{});
  compare_exactly(known_function::lost_product, detail::lost_product{}, double{});
  CHECK(compared == 5 * 2 * 10 * 4);
}

TEST_CASE("other types, operations and functions have no such folds") {
  const dtype mixed[] = {dtype::f32, dtype::f64}, integers[] = {dtype::i32, dtype::i32},
              floats[] = {dtype::f32, dtype::f32};
  const auto finds = [](known_function function, dtype result, std::span<const dtype> arrays, int operation) {
    return cuda::map_of(function, result, arrays)->fold_of(operation, accuracy::native) != nullptr;
  };
  CHECK(finds(known_function::product, dtype::f32, floats, operation_index<op::sum>));
  CHECK(!finds(known_function::product, dtype::f64, mixed, operation_index<op::sum>));
  CHECK(!finds(known_function::product, dtype::i64, integers, operation_index<op::sum>));
  CHECK(!finds(known_function::product, dtype::f32, floats, operation_index<op::max>));
}
