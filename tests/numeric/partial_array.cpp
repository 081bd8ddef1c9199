// Arrays of partials: of any parts of an array, cut along the first of the reduced axes and joined in any grouping,
// with the bits of a reduction over axes of the whole.
#include "onefold/partial_array.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "onefold/custom.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/instrumented.hpp"
#include "support/partial_bytes.hpp"
#include "support/result_bits.hpp"

namespace {

namespace op = onefold::op;
using onefold::accuracy;
using onefold::array_view;
using onefold::error_code;
using onefold::over;
using support::random_numbers;

/// A view of the indices [first, last) along an axis.
template <class T>
array_view<T> cut(const array_view<T>& whole, std::size_t axis, std::int64_t first, std::int64_t last) {
  onefold::extents extents;
  onefold::strides strides;
  for (std::size_t i = 0; i < whole.rank(); ++i) {
    extents.push_back(i == axis ? last - first : whole.extent(i));
    strides.push_back(whole.axes()[i].stride);
  }
  return {whole.data() + (first < last ? first * whole.axes()[axis].stride : 0), extents, strides};
}

template <class R>
bool same_bits(const onefold::result_array<R>& a, const onefold::result_array<R>& b) {
  return std::ranges::equal(a.extents(), b.extents()) &&
         std::ranges::equal(a, b, [](const R& x, const R& y) { return support::bits_of(x) == support::bits_of(y); });
}

/// Cuts the array at random along the first reduced axis, joins the parts' partials in a random grouping, some of them
/// by way of their bytes, and compares with the reduction of the whole.
template <class T, class Op>
void check(const array_view<T>& whole, const std::vector<int>& axes, accuracy mode, random_numbers& r) {
  const over along{.axes = axes};
  const auto how = support::on_backend(mode, 2);
  const auto first = static_cast<std::size_t>(axes.front());
  const std::int64_t extent = whole.extent(first);
  std::int64_t inner = 1;  // elements of a result for each index along the first axis
  for (std::size_t i = 1; i < axes.size(); ++i) inner *= whole.extent(static_cast<std::size_t>(axes[i]));
  std::vector<std::int64_t> cuts{0, extent};
  for (int i = r.integer(0, 4); i > 0; --i) cuts.push_back(r.integer(0, static_cast<int>(extent)));
  std::ranges::sort(cuts);
  std::vector<onefold::partial_array<T, Op>> parts;
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    parts.emplace_back(cut(whole, first, cuts[i - 1], cuts[i]), along, cuts[i - 1] * inner, how);
    if (r.integer(0, 1) == 0) parts.back() = onefold::partial_array<T, Op>::load(parts.back().save());
    CHECK(parts.back().count() == (cuts[i] - cuts[i - 1]) * inner);
  }
  while (parts.size() > 1) {
    const auto at = static_cast<std::size_t>(r.integer(0, static_cast<int>(parts.size()) - 2));
    parts[at] = join(std::move(parts[at]), parts[at + 1]);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  INFO("accuracy " << onefold::name_of(mode) << " over " << axes.size() << " axes, in " << cuts.size() - 1 << " parts");
  CHECK(parts.front().end() == extent * inner);
  CHECK(same_bits(parts.front().result(), onefold::reduce<T, Op>(whole, along, how)));
}

template <class T, class Op>
void check_shapes(accuracy mode) {
  random_numbers r(static_cast<std::uint64_t>(mode) + 40);
  const std::int64_t page = onefold::page_elements(sizeof(T));
  const auto x = support::normal_data<T>(6 * page + 500, 11);
  const T* const data = x.data();
  for (int turn = 0; turn < 6; ++turn) {
    const std::int64_t columns = 2 * page + r.integer(-3, 70);
    check<T, Op>({data, {3, columns}}, {1}, mode, r);                      // rows of pages
    check<T, Op>({data, {50, r.integer(1, 40)}}, {1}, mode, r);            // short rows
    check<T, Op>({data, {page / 8 + r.integer(0, 9), 41}}, {0}, mode, r);  // columns
    check<T, Op>({data, {7, 40, 31}}, {0, 2}, mode, r);                    // outer and inner axes
    check<T, Op>({data, {5, 9, 20}}, {0, 1, 2}, mode, r);                  // one result
    check<T, Op>({data + 4 * page, {4, 3000}, {-page, 1}}, {1}, mode, r);  // backwards
    check<T, Op>({data, {4, 500}, {0, 2}}, {1}, mode, r);                  // repeated, every second
  }
}

/// An element at addresses that are multiples of its size.
struct alignas(512) wide_element {
  std::int64_t value;
};
/// Counts the elements at other addresses.
struct misaligned {
  using state = std::int64_t;
  static state identity() { return 0; }
  static state lift(const wide_element& x) {
    return reinterpret_cast<std::uintptr_t>(&x) % alignof(wide_element) == 0 ? 0 : 1;
  }
  static state combine(state a, state b) { return a + b; }
  static std::int64_t finish(state s) { return s; }
};

/// Counts elements; the thread that folds a page leaves its number.
struct page_recorder {
  std::thread::id* by;
  using state = std::int64_t;
  static state identity() { return 0; }
  state lift(float, std::int64_t index) const {
    constexpr std::int64_t page = onefold::page_elements(sizeof(float));
    if (index % page == 0) by[index / page] = std::this_thread::get_id();
    return 1;
  }
  static state combine(state a, state b) { return a + b; }
  static state finish(state s) { return s; }
};

}  // namespace

TEST_CASE("partials of rows, columns and other axes have the bits of reductions over them") {
  check_shapes<float, op::sum>(accuracy::native);
  check_shapes<float, op::sum>(accuracy::wide);
  check_shapes<double, op::sum>(accuracy::kahan);
  check_shapes<float, op::sum>(accuracy::exact);
  check_shapes<double, op::variance>(accuracy::native);
  check_shapes<float, op::minmax>(accuracy::native);
  check_shapes<onefold::f16, op::mean>(accuracy::native);
  check_shapes<std::int32_t, op::sum>(accuracy::native);
}

TEST_CASE("positions count along the rows") {
  random_numbers r(3);
  const auto x = support::normal_data<float>(20'000, 5);
  check<float, op::argmax>({x.data(), {4, 5000}}, {1}, accuracy::native, r);
  check<float, op::argmin>({x.data(), {400, 50}}, {0}, accuracy::native, r);
}

TEST_CASE("arrays of partials of user-defined operations") {
  random_numbers r(4);
  const auto x = support::normal_data<float>(30'000, 6);
  check<float, support::absolute_sum>({x.data(), {6, 5000}}, {1}, accuracy::native, r);
  check<float, support::absolute_sum>({x.data(), {500, 60}}, {0}, accuracy::native, r);
}

TEST_CASE("arrays of partials without elements") {
  using sums = onefold::partial_array<float, op::sum>;
  const std::vector<float> x(12, 1.5F);
  const sums none({x.data(), {3, 0}}, {.axes = {1}}, 7);
  CHECK((none.size() == 3 && none.begin() == 7 && none.end() == 7 && none.count() == 0));
  const sums some = join(sums({3}, 0), sums({x.data(), {3, 4}}, {.axes = {1}}));
  CHECK(std::ranges::equal(some.result(), std::vector<float>(3, 6)));
  CHECK(std::ranges::equal(some.result(1), std::vector<float>(3, 7)));
  const sums no_rows({x.data(), {0, 4}}, {.axes = {1}});
  CHECK((no_rows.size() == 0 && sums::load(no_rows.save()).extents().size() == 1));
  CHECK(sums({x.data(), {3, 4}}, {.axes = {0, 1}}).result()[0] == 18);
}

TEST_CASE("an array of partials that was moved from is refused") {
  const std::vector<float> x(12, 1);
  const array_view<float> rows(x.data(), {3, 4});
  onefold::partial_array<float, op::sum> from(rows, {.axes = {1}});
  const auto to = std::move(from);
  CHECK(to.size() == 3);
  const auto refused = [&](auto f) {
    support::check_error(error_code::invalid_argument, "the array of partials was moved from; assign another one", f);
  };
  refused([&] { join(to, from); });
  refused([&] { join(from, to); });
  refused([&] { static_cast<void>(from.result()); });
  refused([&] { static_cast<void>(from.save()); });
  refused([&] { static_cast<void>(from.extents()); });
  refused([&] { static_cast<void>(from.size()); });
  refused([&] { static_cast<void>(from.begin()); });
  refused([&] { static_cast<void>(from.end()); });
  refused([&] { static_cast<void>(from.count()); });
  refused([&] { static_cast<void>(from.accuracy()); });
  from = to;
  CHECK(std::ranges::equal(from.result(), std::vector<float>(3, 4)));
}

TEST_CASE("arrays of partials without results follow the rules of partials") {
  using sums = onefold::partial_array<float, op::sum>;
  using support::check_error;
  const auto none = [](std::int64_t begin, std::int64_t n, accuracy mode = accuracy::native) {
    return sums({nullptr, {0, n}}, {.axes = {1}}, begin, {.accuracy = mode});
  };
  CHECK((join(none(0, 4), none(4, 5)).begin() == 0 && join(none(0, 4), none(4, 5)).count() == 9));
  check_error(error_code::invalid_argument, "a partial of the elements [4, 50) between them",
              [&] { join(none(0, 4), none(50, 4)); });
  check_error(error_code::invalid_argument, "at accuracy exact",
              [&] { join(none(0, 4), none(4, 4, accuracy::exact)); });
  using minima = onefold::partial_array<float, op::min>;
  const auto least = [](std::int64_t begin, std::int64_t n) { return minima({nullptr, {0, n}}, {.axes = {1}}, begin); };
  CHECK((join(least(9, 4), least(3, 4)).begin() == 3 && join(least(9, 4), least(3, 0)).begin() == 9));
  minima many = least(0, std::int64_t{1} << 62);
  check_error(error_code::overflow, "beyond position 2^63 - 1", [&] { many = join(many, many); });
  CHECK(many.count() == std::int64_t{1} << 62);

  for (const auto mode : {accuracy::native, accuracy::wide, accuracy::kahan, accuracy::exact}) {
    const sums read = sums::load(none(3, 4, mode).save());
    CHECK((read.accuracy() == mode && read.begin() == 3 && read.count() == 4));
  }
  auto changed = none(3, 4).save();
  changed[6] = std::byte{onefold::accuracy_count};
  support::seal_partial(changed);
  check_error(error_code::invalid_argument, "holds a value that is never written", [&] { sums::load(changed); });

  const sums tall({std::int64_t{1} << 62, 4, 0});
  CHECK(std::ranges::equal(sums::load(tall.save()).extents(), tall.extents()));
}

TEST_CASE("an array of partials with results has its accuracy in them alone") {
  using sums = onefold::partial_array<float, op::sum>;
  const std::vector<float> x(12, 1);
  auto saved = sums({x.data(), {3, 4}}, {.axes = {1}}, 0, {.accuracy = accuracy::exact}).save();
  CHECK((saved[6] == std::byte{} && sums::load(saved).accuracy() == accuracy::exact));
  saved[6] = std::byte{3};
  constexpr std::size_t checksum = 8 + 8 * (1 + 2 + 3);
  onefold::detail::write_bytes(&saved[checksum], onefold::detail::crc32c(saved.data(), checksum), 4);
  support::check_error(error_code::invalid_argument, "holds a value that is never written", [&] { sums::load(saved); });
}

TEST_CASE("more results than arrays of partials can have") {
  using sums = onefold::partial_array<float, op::sum>;
  using support::check_error;
#if !ONEFOLD_TEST_SANITIZED  // which end a program that asks for so much
  check_error(error_code::invalid_argument, "not enough memory for", [] { sums({std::int64_t{1} << 45}); });
  check_error(error_code::invalid_argument, "not enough memory for", [] { sums({std::int64_t{1} << 59}); });
#endif
  const onefold::extents nine{1, 1, 1, 1, 1, 1, 1, 1, 5};
  check_error(error_code::invalid_argument, "an array of 9 axes is not supported; at most 8", [&] { sums{nine}; });
  check_error(error_code::invalid_argument, "an array of 9 axes is not supported; at most 8",
              [&] { onefold::result_array<float>{nine}; });
  const array_view<float> none(nullptr, {std::int64_t{1} << 62, 4, 0});
  check_error(error_code::invalid_argument, "a result has more elements than there are addresses", [&] {
    sums(none, {.axes = {0, 1}});
  });
  check_error(error_code::invalid_argument, "the reduction has more results than there are addresses",
              [&] { sums(none, {.axes = {2}}); });
}

TEST_CASE("elements that lie apart are folded at addresses of their alignment") {
  const std::vector<wide_element> x(std::size_t{64} * 64);
  for (int turn = 0; turn < 20; ++turn) {
    const onefold::partial_array<wide_element, misaligned> p({x.data(), {64, 64}}, {.axes = {0}}, 0,
                                                             support::on_backend(accuracy::native, 1));
    CHECK(std::ranges::equal(p.result(), std::vector<std::int64_t>(64)));
  }
}

TEST_CASE("a device does not matter where there are many rows") {
  const std::vector<float> x(std::size_t{1} << 19, 1);
  const onefold::partial_array<float, op::sum> p({x.data(), {64, 1 << 13}}, {.axes = {1}}, 0,
                                                 {.threads = 2, .device = 0});
  CHECK(std::ranges::equal(p.result(), std::vector<float>(64, 1 << 13)));
}

TEST_CASE("few results are folded by several threads, each from elements to results") {
  constexpr std::int64_t n = 1 << 20, page = onefold::page_elements(sizeof(float));
  const std::vector<float> x(2 * n);
  for (const bool neighbors : {true, false}) {
    INFO("elements are neighbors: " << neighbors);
    const array_view<float> rows(x.data(), {2, n}), columns(x.data(), {n, 2});
    std::vector<std::thread::id> by(n / page);
    const onefold::partial_array<float, page_recorder> p(neighbors ? rows : columns, {.axes = {neighbors ? 1 : 0}}, 0,
                                                         support::on_backend(accuracy::native, 2), {by.data()});
    CHECK(std::ranges::equal(p.result(), std::vector<std::int64_t>{n, n}));
    int changes = 0;
    for (std::size_t i = 1; i < by.size(); ++i) changes += by[i] != by[i - 1];
    // Of the other backends, one thread may take both shares.
    const bool takes_two = support::backend_under_test() == onefold::backend::openmp;
    CHECK(changes <= 1);
    CHECK(changes >= (takes_two ? 1 : 0));
  }
}

TEST_CASE("what arrays of partials refuse") {
  using sums = onefold::partial_array<float, op::sum>;
  using support::check_error;
  const std::vector<float> x(5000, 1);
  const array_view<float> rows(x.data(), {5, 1000});
  const over along{.axes = {1}};
  const sums first(rows, along);
  check_error(error_code::invalid_argument, "arrays of partials with different extents cannot be joined", [&] {
    join(first, sums({x.data(), {4, 1000}}, along, 1000));
  });
  check_error(error_code::invalid_argument, "they are not adjacent", [&] { join(first, sums(rows, along, 1001)); });
  check_error(error_code::invalid_argument, "at accuracy kahan",
              [&] { join(first, sums(rows, along, 1000, {.accuracy = accuracy::kahan})); });
  check_error(error_code::invalid_argument, "is negative", [&] { sums(rows, along, -1); });
  check_error(error_code::overflow, "", [&] {
    sums(rows, along, std::int64_t{1} << 62);
    sums(rows, along, INT64_MAX);
  });
  check_error(error_code::invalid_argument, "axis 2 is out of range", [&] { sums(rows, {.axes = {2}}); });
  check_error(error_code::invalid_argument, "the data pointer is null", [&] {
    sums(array_view<float>(nullptr, {5, 1000}), along);
  });
  check_error(error_code::unsupported, "on CPUs only",
              [&] { sums(rows, along, 0, {.backend = onefold::backend::cuda}); });
  check_error(error_code::invalid_argument, "elements before",
              [&] { static_cast<void>(sums(rows, along, 5).result()); });

  const auto saved = first.save();
  CHECK(sums::load(saved).save() == saved);
  const auto refused = [&](const std::string& words, std::vector<std::byte> bytes) {
    CAPTURE(words);
    check_error(error_code::invalid_argument, words, [&] { sums::load(bytes); });
  };
  refused("they do not begin with 1fxa", {});
  refused("they do not begin with 1fxa", onefold::partial<float, op::sum>(x).save());
  for (const std::size_t cut : {std::size_t{11}, std::size_t{20}, std::size_t{60}, saved.size() - 1})
    refused("", {saved.begin(), saved.begin() + static_cast<std::ptrdiff_t>(cut)});
  auto longer = saved;
  longer.push_back({});
  refused("more bytes follow", longer);
  for (std::size_t i = 0; i < saved.size(); i += i < 200 ? 1 : 97) {
    auto changed = saved;
    changed[i] ^= std::byte{0x41};
    refused("", changed);
  }
  check_error(error_code::invalid_argument, "not a max of f32",
              [&] { onefold::partial_array<float, op::max>::load(saved); });
}
