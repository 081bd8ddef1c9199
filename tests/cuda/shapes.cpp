// Reductions over axes of data on the device: every schedule and entry has the bits of the sequential backend; streams,
// graphs, and extents beyond 32 bits.
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "onefold/shapes.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::array_view;
using onefold::backend;
using onefold::options;
namespace op = onefold::op;

/// An array of two or three axes, which of them is reduced, and how far its rows lie apart.
struct shape {
  std::vector<std::int64_t> extents;
  int axis;
  std::int64_t padding = 0;  ///< elements after each row
};

template <class T>
array_view<T> view_of(const T* data, const shape& s) {
  onefold::extents e{std::span<const std::int64_t>(s.extents)};
  std::vector<std::int64_t> strides(s.extents.size());
  std::int64_t step = 1;
  for (std::size_t i = strides.size(); i-- > 0;) {
    strides[i] = step;
    step = (step * s.extents[i]) + (i + 1 == strides.size() ? s.padding : 0);
  }
  return {data, e, onefold::strides{std::span<const std::int64_t>(strides)}};
}

std::int64_t elements(const shape& s) {
  std::int64_t n = 1;
  for (const std::int64_t e : s.extents) n *= e;
  return n + s.padding * (n / s.extents.back());
}

std::string text_of(const shape& s) {
  std::string text;
  for (const std::int64_t e : s.extents) text += std::to_string(e) + ' ';
  return text + "axis " + std::to_string(s.axis) + ", padding " + std::to_string(s.padding);
}

/// Shapes that take each schedule: tiles of many outputs, of a few, pages; columns by one thread, by several, of
/// several pages; gathers; joins by a warp and by a block.
template <class T>
std::vector<shape> shapes() {
  constexpr std::int64_t lanes = 512 / sizeof(T), page = 32 * lanes;
  return {{{300, 1}, 1},
          {{1000, 3}, 1},
          {{513, 8}, 1},
          {{100, 16}, 1, 3},
          {{77, 33}, 1},
          {{40, lanes - 1}, 1},
          {{9, 4 * lanes + 1}, 1, 1},
          {{5, 8 * lanes + 7}, 1, 2},
          {{3, page}, 1},
          {{3, page - 1}, 1},
          {{2, 3 * page + 5}, 1, 5},
          {{2, 140 * page + 9}, 1},
          {{1, 300}, 0},
          {{7, 70}, 0},
          {{65, 129}, 0},
          {{lanes + 3, 40}, 0, 1},
          {{page + 11, 66}, 0},
          {{2 * page + 1, 3}, 0},
          {{12 * page + 7, 2}, 0},
          {{4, 5, 6}, 1},
          {{3, 200, 35}, 1},
          {{50, 6, 2}, 0}};
}

template <class Op, class T, accuracy A>
void compare(const std::vector<T>& x, const T* there, const shape& s, const options& more = {}) {
  options here = more, on_device = more;
  here.accuracy = on_device.accuracy = A;
  here.backend = backend::sequential;
  on_device.backend = backend::cuda;
  const auto wanted = onefold::reduce<T, Op>(view_of(x.data(), s), {.axes = s.axis}, here);
  const auto found = onefold::reduce<T, Op>(view_of(there, s), {.axes = s.axis}, on_device);
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (support::bits_of(found[i]) != support::bits_of(wanted[i])) {
      FAIL_CHECK(support::entry_name<Op, T>(A) << ' ' << text_of(s) << ": result " << i << " is not the CPU's");
      return;
    }
}

}  // namespace

TEST_CASE("every schedule once", "[small]") {
  const auto over_all = [&]<class Op, class T, accuracy A>() {
    for (const shape& s : shapes<T>()) {
      const auto x = support::summable_data<T>(elements(s), 50);
      const support::copied<T> there(x, support::memory_kind::device, sizeof(T));
      compare<Op, T, A>(x, there.data(), s);
    }
  };
  over_all.template operator()<op::sum, float, accuracy::native>();
  over_all.template operator()<op::moments, float, accuracy::native>();
  over_all.template operator()<op::argmax, double, accuracy::native>();
  over_all.template operator()<op::sum, std::int8_t, accuracy::native>();
  over_all.template operator()<op::sum, double, accuracy::exact>();
}

TEST_CASE("exact sums over shapes, of elements of every exponent and some that are not finite", "[small]") {
  const auto over_all = [&]<class Op, class T>() {
    for (const shape& s : shapes<T>()) {
      auto x = support::wide_data<T>(elements(s), 55);
      for (const bool finite : {true, false}) {
        if (!finite)
          for (std::size_t i = 70; i < x.size(); i += 611) x[i] = std::numeric_limits<T>::infinity();
        const support::copied<T> there(x, support::memory_kind::device, sizeof(T));
        compare<Op, T, accuracy::exact>(x, there.data(), s);
      }
    }
  };
  over_all.template operator()<op::sum, double>();
  over_all.template operator()<op::sum, float>();
  over_all.template operator()<op::moments, float>();
}

TEST_CASE("every entry over every schedule has the bits of the sequential backend") {
  int compared = 0;
  support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
    const std::vector<shape> all = shapes<T>();
    std::int64_t most = 0;
    for (const shape& s : all) most = std::max(most, elements(s));
    const auto x = support::summable_data<T>(most, 51);
    const support::copied<T> there(x, support::memory_kind::device, sizeof(T));
    for (const shape& s : all) {
      compare<Op, T, A>(x, there.data(), s);
      ++compared;
    }
  });
  CHECK(compared > 5000);
}

TEST_CASE("shapes with initial values, rounded results and no elements") {
  const auto x = support::normal_data<float>(6000, 52);
  const support::copied<float> there(x);
  options with_init;
  with_init.init = 1.5;
  for (const shape& s : {shape{{60, 100}, 1}, shape{{100, 60}, 0}, shape{{0, 7}, 0}, shape{{7, 0}, 1}}) {
    compare<op::sum, float, accuracy::native>(x, there.data(), s);
    compare<op::sum, float, accuracy::native>(x, there.data(), s, with_init);
    compare<op::sum, float, accuracy::exact>(x, there.data(), s, with_init);
    compare<op::max, float, accuracy::native>(x, there.data(), s, with_init);
    options here = with_init, on_device = with_init;
    here.backend = backend::sequential;
    on_device.backend = backend::cuda;
    const auto wanted = onefold::reduce<float, op::sum, double>(view_of(x.data(), s), {.axes = s.axis}, here);
    const auto found = onefold::reduce<float, op::sum, double>(view_of(there.data(), s), {.axes = s.axis}, on_device);
    REQUIRE(found.size() == wanted.size());
    CHECK(std::memcmp(found.data(), wanted.data(), found.size() * sizeof(double)) == 0);
  }
  CHECK_THROWS_AS(onefold::max(view_of(there.data(), {{0, 7}, 0}), 0), onefold::error);
}

TEST_CASE("an index counts from the beginning of its own output, in the last page, too") {
  const std::int64_t page = 4096;
  for (const std::int64_t n : {page + 1, 2 * page + 70, 3 * page - 1})
    for (const bool columns : {true, false}) {
      const shape s = columns ? shape{{n, 5}, 0} : shape{{5, n}, 1};
      std::vector<float> x(static_cast<std::size_t>(5 * n));
      for (std::int64_t i = 0; i < 5; ++i)
        x[static_cast<std::size_t>(columns ? (n - 1 - i) * 5 + i : i * n + n - 1 - i)] = 1;
      const support::copied<float> there(x);
      const auto found = onefold::argmax(view_of(there.data(), s), s.axis, {.backend = backend::cuda});
      for (std::size_t i = 0; i < 5; ++i) CHECK(found[i] == n - 1 - static_cast<std::int64_t>(i));
    }
}

TEST_CASE("an array is a shape with one result, which may go to the device") {
  const auto x = support::normal_data<float>(1000, 55);
  const support::copied<float> there(x);
  const float wanted = onefold::sum(x);
  const support::on_device<float> out;
  const array_view<float> view(there.data(), {1, 1000});
  onefold::reduce<float, op::sum>(view, {.axes = 1}, std::span<float>(out.data(), 1));
  CHECK(out.get() == wanted);
  onefold::shaped_plan<float, op::sum> plan(view);
  const support::on_device<float> planned, enqueued;
  plan(there.data(), std::span<float>(planned.data(), 1));
  CHECK(planned.get() == wanted);
  const support::stream stream;
  plan.enqueue(there.data(), std::span<float>(enqueued.data(), 1), stream);
  stream.wait();
  CHECK(enqueued.get() == wanted);
  CHECK_THROWS_AS(plan.enqueue(there.data(), std::span<float>(out.data(), 0), stream), onefold::error);
  CHECK_THROWS_AS(plan(x.data(), std::span<float>(out.data(), 1)), onefold::error);
}

TEST_CASE("results of shapes go to the device, by calls, streams and graphs") {
  const shape rows{{1000, 50}, 1}, columns{{50, 1000}, 0}, pages{{3, 20'000}, 1};
  const auto x = support::normal_data<float>(60'000, 53);
  const support::copied<float> there(x);
  const support::stream stream;
  for (const auto& [s, mode] :
       {std::pair(rows, accuracy::native), std::pair(columns, accuracy::native), std::pair(pages, accuracy::native),
        std::pair(rows, accuracy::exact), std::pair(pages, accuracy::exact)}) {
    const auto wanted = onefold::reduce<float, op::sum>(view_of(x.data(), s), {.axes = s.axis}, {.accuracy = mode});
    const std::size_t count = wanted.size();
    onefold::shaped_plan<float, op::sum> plan(view_of(there.data(), s), {.axes = s.axis},
                                              {.backend = backend::cuda, .accuracy = mode});
    std::vector<float> found(count);
    const support::copied<float> out(std::vector<float>(count + 1, -7));
    const auto same = [&] {
      std::vector<float> all(count + 1);
      support::cuda(cudaMemcpy(all.data(), out.data(), all.size() * sizeof(float), cudaMemcpyDefault));
      return std::memcmp(all.data(), wanted.data(), count * sizeof(float)) == 0 && all[count] == -7;
    };
    const auto clear = [&] { support::cuda(cudaMemset(out.data(), 0xa5, count * sizeof(float))); };
    const std::span<float> to(out.data(), count);
    plan(there.data(), found);
    CHECK(std::memcmp(found.data(), wanted.data(), count * sizeof(float)) == 0);
    plan(there.data(), to);
    CHECK(same());
    CHECK(plan.report().backend == backend::cuda);
    clear();
    plan.enqueue(there.data(), to, stream);
    stream.wait();
    CHECK(same());
    clear();
    const support::graph graph(stream, [&] {
      plan.enqueue(there.data(), to, stream);
      plan.enqueue(there.data(), to, stream);
    });
    for (int i = 0; i < 3; ++i) graph.launch(stream);
    stream.wait();
    CHECK(same());
    CHECK_THROWS_AS(plan.enqueue(x.data(), to, stream), onefold::error);
    CHECK_THROWS_AS(plan.enqueue(there.data(), std::span<float>(found), stream), onefold::error);
    CHECK_THROWS_AS(plan.enqueue(there.data(), to.first(count - 1), stream), onefold::error);
  }
  // The CPU cannot write there, and the library does not guess that the data is to be copied.
  const support::copied<float> out(std::vector<float>(1000));
  CHECK_THROWS_AS(
      (onefold::reduce<float, op::sum>(view_of(x.data(), rows), {.axes = 1}, std::span<float>(out.data(), 1000))),
      onefold::error);
}

TEST_CASE("who reduces a shape follows its data") {
  const auto x = support::normal_data<float>(1000, 54);
  const support::copied<float> there(x), managed(x, support::memory_kind::managed),
      pinned(x, support::memory_kind::pinned);
  const shape s{{10, 100}, 1};
  const auto wanted = onefold::sum(view_of(x.data(), s), 1);
  for (const float* data : {there.data(), managed.data(), pinned.data()}) {
    const auto found = onefold::sum(view_of(data, s), 1);
    CHECK(std::memcmp(found.data(), wanted.data(), 10 * sizeof(float)) == 0);
  }
  onefold::shaped_plan<float, op::sum> plan(view_of(x.data(), s), {.axes = 1});
  std::vector<float> out(10);
  plan(there.data(), out);
  CHECK(plan.report().backend == backend::cuda);
  plan(x.data(), out);
  CHECK(plan.report().backend != backend::cuda);
  CHECK_THROWS_AS(onefold::sum(view_of(there.data(), s), 1, {.backend = backend::sequential}), onefold::error);
  CHECK_THROWS_AS(
      onefold::sum(view_of(there.data(), s), 1, {.backend = backend::cuda, .kernel = onefold::kernel::shuffle}),
      onefold::error);
}

TEST_CASE("more outputs, and elements, than 16 and 32 bits count") {
  const std::int64_t n = (std::int64_t{1} << 32) + 4096;
  const support::memory there(support::memory_kind::device, n);
  support::cuda(cudaMemset(there.at(), 1, static_cast<std::size_t>(n)));
  const auto* const x = there.at<std::int8_t>();
  const options how{.backend = backend::cuda};
  for (const std::int64_t columns : {std::int64_t{1} << 13, std::int64_t{1} << 21}) {
    const std::int64_t rows = (std::int64_t{1} << 32) / columns;
    const array_view<std::int8_t> view(x, {rows, columns});
    for (const int axis : {0, 1}) {
      const auto sums = onefold::sum(view, axis, how);
      std::int64_t wrong = 0;
      for (const std::int64_t s : sums) wrong += s != (axis == 0 ? rows : columns);
      CHECK(wrong == 0);
    }
  }
  // Axes of more than 2^31 and 2^32 elements.
  const std::int64_t two31 = std::int64_t{1} << 31;
  CHECK(onefold::sum(array_view<std::int8_t>(x, {two31 + 1, 1}), 0, how)[0] == two31 + 1);
  CHECK(onefold::sum(array_view<std::int8_t>(x, {1, 2 * two31 + 7}), 1, how)[0] == 2 * two31 + 7);
}
