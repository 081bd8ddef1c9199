// The kernels of the CUDA backend that compute elements by a function, run on the CPU: every function of the library's,
// for every element type, along every kind of axes, computes what it does on the CPU; and chunks of outputs are folded
// to the CPU's bits.
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "map_chunks.hpp"
#include "maps.cuh"
#include "reference.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/special.hpp"

namespace {

using namespace onefold;

/// How arrays lie: the axes that are kept, and those that are reduced, with a stride for each of two arrays.
struct layout {
  std::vector<std::int64_t> kept, kept_strides[2], reduced, reduced_strides[2];

  mapping of(int arrays) const {
    mapping m;
    m.arrays = arrays;
    for (int k = 0; k < arrays; ++k) {
      problem& p = m.of[k];
      p = {};
      p.size = sizeof(problem);
      p.outputs = p.n = 1;
      for (std::size_t i = 0; i < kept.size(); ++i) {
        p.kept[p.kept_axes++] = {kept[i], kept_strides[k][i]};
        p.outputs *= kept[i];
      }
      for (std::size_t i = 0; i < reduced.size(); ++i) {
        p.reduced[p.reduced_axes++] = {reduced[i], reduced_strides[k][i]};
        p.n *= reduced[i];
      }
    }
    return m;
  }
};

/// Elements where both arrays of a layout reach, with room before the first one.
constexpr std::int64_t before = 3000, room = 2 * before;

/// The place of element i of an output, as C order says.
std::int64_t place(const problem& p, std::int64_t output, std::int64_t i) {
  std::int64_t at = 0;
  for (int a = p.kept_axes; a-- > 0; output /= p.kept[a].extent) at += output % p.kept[a].extent * p.kept[a].stride;
  for (int a = p.reduced_axes; a-- > 0; i /= p.reduced[a].extent) at += i % p.reduced[a].extent * p.reduced[a].stride;
  return at;
}

const layout lines[] = {
    {{}, {{}, {}}, {1}, {{1}, {1}}},     {{}, {{}, {}}, {257}, {{1}, {1}}},
    {{}, {{}, {}}, {1024}, {{1}, {-1}}}, {{}, {{}, {}}, {1025}, {{0}, {2}}},
    {{}, {{}, {}}, {2500}, {{-1}, {0}}}, {{}, {{}, {}}, {5, 7, 11}, {{80, 11, 1}, {-1, 5, 35}}},
    {{}, {{}, {}}, {}, {{}, {}}},
};
const layout shapes[] = {
    {{37}, {{41}, {-3}}, {40}, {{1}, {7}}},
    {{64}, {{1}, {1}}, {30}, {{64}, {0}}},
    {{3, 9}, {{300, 1}, {1, 3}}, {31}, {{9}, {27}}},
    {{5}, {{-500}, {100}}, {4, 10}, {{100, 3}, {10, 1}}},
    {{9}, {{1}, {2}}, {}, {{}, {}}},
};

template <class T>
std::vector<T> numbers(std::uint64_t seed) {
  support::random_numbers r(seed);
  std::vector<T> x(static_cast<std::size_t>(room));
  support::fill<T>(x.data(), room, r);
  if constexpr (detail::is_float<T>)
    for (std::size_t i = 0; const T nan : support::all_kinds_of_nan<T>()) x[i += 977] = nan;
  return x;
}

template <class T>
bool same(T a, T b) {
  if constexpr (detail::is_float<T>) {
    const auto f = [](T x) { return static_cast<double>(support::value_of(x)); };
    if (std::isnan(f(a)) || std::isnan(f(b))) return std::isnan(f(a)) && std::isnan(f(b));
  }
  return std::memcmp(&a, &b, sizeof a) == 0;
}

std::int64_t element_size = 0;

/// Stands in for a fold: writes the elements of each output, one after the other.
int copy_elements(const device_fold&, const device_launch& how, const problem& p, std::int32_t distance) {
  const auto size = static_cast<std::size_t>(element_size);
  for (std::int64_t o = 0; o < p.outputs; ++o)
    for (std::int64_t i = 0; i < p.n; ++i)
      std::memcpy(static_cast<char*>(how.out) + o * distance + i * element_size,
                  static_cast<const char*>(how.data) + place(p, o, i) * element_size, size);
  return 0;
}

/// Two arrays, or one, and what a function computes of them.
template <class F, class X, class... Y>
class comparison {
 public:
  using T = decltype(F{}(X{}, Y{}...));

  comparison(known_function function, const layout& l) : m_(l.of(1 + sizeof...(Y))) {
    const dtype types[] = {dtype_of<X>, dtype_of<Y>...};
    map_ = cuda::map_of(function, dtype_of<T>, types);
    REQUIRE(map_ != nullptr);
    const problem& p = m_.of[0];
    for (std::int64_t o = 0; o < p.outputs; ++o)
      for (std::int64_t i = 0; i < p.n; ++i)
        meant_.push_back(
            F{}(x_[static_cast<std::size_t>(before + place(m_.of[0], o, i))],
                std::get<std::vector<Y>>(y_)[static_cast<std::size_t>(before + place(m_.of[1], o, i))]...));
    how_.function = &f_;
    how_.arrays[0] = x_.data() + before;
    std::apply([&](const auto&... y) { ((how_.arrays[1] = y.data() + before), ...); }, y_);
  }

  /// In chunks of so many outputs.
  int in_chunks(std::int64_t outputs) {
    const problem& p = m_.of[0];
    if (p.outputs == 1) return 0;
    const auto size = static_cast<std::int64_t>(sizeof(T));
    const cuda::map_chunks chunks(m_, size, outputs * p.n * size);
    REQUIRE(chunks.outputs() == std::min(outputs, p.outputs));
    std::vector<T> buffer(static_cast<std::size_t>(chunks.outputs() * p.n)), found(meant_.size());
    device_fold copies{};
    copies.launch_shape = copy_elements;
    device_launch fold{};
    fold.out = found.data();
    how_.to = buffer.data();
    element_size = size;
    REQUIRE(chunks.launch(*map_, how_, copies, fold, static_cast<std::int32_t>(p.n * size)) == 0);
    return check(found);
  }

  /// Each output in pieces of so many elements.
  int in_pieces(std::int64_t piece) {
    const problem& p = m_.of[0];
    const cuda::map_chunks chunks(m_, sizeof(T), 0);
    REQUIRE(chunks.outputs() == 0);
    std::vector<T> found(meant_.size());
    for (std::int64_t o = 0; o < p.outputs; ++o)
      for (std::int64_t at = 0; at < p.n; at += piece) {
        chunks.choose_piece(how_, o, at, std::min(piece, p.n - at));
        how_.to = found.data() + o * p.n + at;
        REQUIRE(map_->launch(how_) == 0);
      }
    return check(found);
  }

 private:
  int check(const std::vector<T>& found) const {
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!same(found[i], meant_[i])) {
        FAIL_CHECK("element " << i << " of " << found.size() << " is not that of the CPU");
        break;
      }
    return 1;
  }

  mapping m_;
  const F f_{};
  const device_map* map_;
  std::vector<X> x_ = numbers<X>(1);
  std::tuple<std::vector<Y>...> y_{numbers<Y>(2)...};
  std::vector<T> meant_;
  map_launch how_{};
};

template <class F, class... X>
int compare(known_function function) {
  int compared = 0;
  for (const auto& all : {std::span<const layout>(lines), std::span<const layout>(shapes)})
    for (const layout& l : all) {
      std::string types;
      ((types += std::string(" ") + name_of(dtype_of<X>)), ...);
      INFO("function " << static_cast<int>(function) << " of" << types);
      comparison<F, X...> c(function, l);
      compared += c.in_chunks(1) + c.in_chunks(4) + c.in_chunks(1000) + c.in_pieces(100) + c.in_pieces(5000);
    }
  return compared;
}

}  // namespace

TEST_CASE("the functions of the library, of elements of every type") {
  std::int64_t compared = 0;
  for_each_type(element_types{}, [&]<class X>() {
    compared += compare<detail::same_value, X>(known_function::itself);
    compared += compare<detail::absolute_value, X>(known_function::magnitude);
    for_each_type(element_types{}, [&]<class Y>() {
      if constexpr (std::is_same_v<X, Y> || (detail::is_float<X> && detail::is_float<Y>)) {
        using V = typename detail::common_working<X, Y>::type;
        compared += compare<detail::product_as<V>, X, Y>(known_function::product);
        compared += compare<detail::product_as<double>, X, Y>(known_function::product);
        compared += compare<detail::distance_as<V>, X, Y>(known_function::distance);
        if constexpr (!detail::is_float<V>)
          compared += compare<detail::real_distance_as<V>, X, Y>(known_function::distance);
      }
    });
  });
  // Of 12 layouts, 5 have several outputs: 2 12 functions of one element, 3 16 of two floating-point numbers, 4 8 of
  // integers.
  CHECK(compared == (24 + 48 + 32) * (12 * 2 + 5 * 3));
}

TEST_CASE("parts of products, by function objects with members") {
  const auto x = numbers<double>(5), y = numbers<double>(6);
  const dtype types[] = {dtype::f64, dtype::f64};
  mapping m = lines[2].of(2);
  map_launch how{};
  how.arrays[0] = x.data() + before;
  how.arrays[1] = y.data() + before;
  cuda::map_chunks(m, 8, 0).choose_piece(how, 0, 0, m.of[0].n);
  const auto check = [&]<class F, class T>(known_function function, const F& f, std::vector<T> found) {
    found.resize(static_cast<std::size_t>(m.of[0].n));
    how.function = &f;
    how.to = found.data();
    REQUIRE(cuda::map_of(function, dtype_of<T>, types)->launch(how) == 0);
    for (std::int64_t i = 0; i < m.of[0].n; ++i)
      if (!same(found[static_cast<std::size_t>(i)], f(x[static_cast<std::size_t>(before + place(m.of[0], 0, i))],
                                                      y[static_cast<std::size_t>(before + place(m.of[1], 0, i))])))
        FAIL_CHECK("part " << i << " is not that of the CPU");
  };
  check(known_function::band_of_product, detail::band_of_product{}, std::vector<std::uint8_t>());
  for (int band = 0; band < detail::product_bands; ++band)
    for (const bool high : {false, true})
      check(known_function::part_of_product, detail::part_of_product{band, high}, std::vector<double>());
}

TEST_CASE("functions of other types are not found") {
  const dtype floats[] = {dtype::f32, dtype::f64}, mixed[] = {dtype::f32, dtype::i32}, other[] = {dtype::other};
  CHECK(cuda::map_of(known_function::product, dtype::f32, floats) == nullptr);
  CHECK(cuda::map_of(known_function::product, dtype::f64, floats) != nullptr);
  CHECK(cuda::map_of(known_function::product, dtype::f64, mixed) == nullptr);
  CHECK(cuda::map_of(known_function::itself, dtype::other, other) == nullptr);
  CHECK(cuda::map_of(known_function::magnitude, dtype::f64, floats) == nullptr);
  CHECK(cuda::map_of(known_function::none, dtype::f32, floats) == nullptr);
}

TEST_CASE("chunks of products are summed to the CPU's bits") {
  using base = emulation::reference<op::sum, float, accuracy::native>;
  constexpr device_fold device = detail::make_device_fold<typename base::fold, float>();
  base sums;
  const auto x = numbers<float>(3), y = numbers<float>(4);
  for (const layout& l : shapes)
    for (const std::int64_t outputs : {1, 3, 1000}) {
      const mapping m = l.of(2);
      const problem& p = m.of[0];
      const cuda::map_chunks chunks(m, sizeof(float), outputs * p.n * 4);
      std::vector<float> buffer(static_cast<std::size_t>(chunks.outputs() * p.n + 8)),
          found(static_cast<std::size_t>(p.outputs));
      std::vector<char> slots(
          static_cast<std::size_t>(device.shape_slot_bytes(device, chunks.shape(chunks.outputs())) + 16));
      const detail::product_as<float> multiply;
      map_launch how{};
      how.function = &multiply;
      how.arrays[0] = x.data() + before;
      how.arrays[1] = y.data() + before;
      how.to = buffer.data();
      const dtype types[] = {dtype::f32, dtype::f32};
      REQUIRE(chunks.launch(*cuda::map_of(known_function::product, dtype::f32, types), how, device,
                            base::launch_of(nullptr, 0, slots.data(), found.data()), sizeof(float)) == 0);
      for (std::int64_t o = 0; o < p.outputs; ++o) {
        std::vector<float> products;
        for (std::int64_t i = 0; i < p.n; ++i)
          products.push_back(multiply(x[static_cast<std::size_t>(before + place(p, o, i))],
                                      y[static_cast<std::size_t>(before + place(m.of[1], o, i))]));
        sums.same(found[static_cast<std::size_t>(o)], products.data(), p.n);
      }
    }
  CHECK(sums.compared == 3 * (37 + 64 + 27 + 5 + 9));
}
