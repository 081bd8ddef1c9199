// The slice law: every result of a reduction over some axes has the bits of `reduce` over its own elements alone, for
// any extents, strides and axes, on every backend, with any number of threads, at every instruction set.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "onefold/shapes.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/entries.hpp"
#include "support/result_bits.hpp"
#include "support/slices.hpp"

namespace {

using onefold::axis;
using onefold::dtype;
using support::random_numbers;
using support::result_bits;

/// An operation over an element type, as functions that know the types.
struct entry {
  std::string name;
  int operation;
  dtype element;
  std::int64_t size;
  bool takes_init;
  void (*fill)(void* to, std::int64_t n, random_numbers& r);
  std::vector<result_bits> (*reduce)(const void* data, const std::vector<axis>& axes, const onefold::over& along,
                                     const onefold::options& how);
};

/// The view's elements start at data.
template <class T>
onefold::array_view<T> view_of(const void* data, const std::vector<axis>& axes) {
  onefold::extents extents;
  onefold::strides strides;
  for (const axis& a : axes) {
    extents.push_back(a.extent);
    strides.push_back(a.stride);
  }
  return {static_cast<const T*>(data), extents, strides};
}

template <class Op, class T>
std::vector<result_bits> reduce(const void* data, const std::vector<axis>& axes, const onefold::over& along,
                                const onefold::options& how) {
  std::vector<result_bits> all;
  for (const auto& x : onefold::reduce<T, Op>(view_of<T>(data, axes), along, how)) all.push_back(support::bits_of(x));
  return all;
}

std::vector<entry> entries() {
  std::vector<entry> all;
  onefold::for_each_entry([&]<class Op, class T>() {
    if (!onefold::why_not(onefold::operation_index<Op>, onefold::dtype_of<T>, onefold::accuracy::native) ||
        !onefold::why_not(onefold::operation_index<Op>, onefold::dtype_of<T>, onefold::accuracy::exact))
      all.push_back({std::string(Op::name) + ' ' + onefold::name_of(onefold::dtype_of<T>), onefold::operation_index<Op>,
                     onefold::dtype_of<T>, sizeof(T), Op::takes_init, support::fill<T>, reduce<Op, T>});
  });
  return all;
}

/// A view that was made up: its axes, those that are reduced, and how many elements lie before and after its data.
struct shape {
  std::vector<axis> axes;
  std::vector<int> reduced;
  std::int64_t before = 0, after = 0;  ///< elements from the first to data, and from data to the end
  std::int64_t outputs = 1, n = 1;
};

std::string text_of(const shape& s) {
  std::string text;
  for (const axis& a : s.axes) text += '(' + std::to_string(a.extent) + " by " + std::to_string(a.stride) + ") ";
  text += "over";
  for (const int a : s.reduced) text += ' ' + std::to_string(a);
  return text;
}

shape random_shape(random_numbers& r, std::int64_t page) {
  shape s;
  const int rank = r.integer(0, 5);
  std::int64_t most = r.integer(0, 9) == 0 ? 4 * page + 1000 : r.integer(0, 3) == 0 ? 3000 : 200;
  std::vector<int> order;
  for (int i = 0; i < rank; ++i) {
    order.push_back(i);
    const auto largest = static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(most, 1 << 20)));
    const int kind = r.integer(0, 9);
    std::int64_t extent = kind == 0 ? 1 : kind <= 5 ? r.integer(1, std::min(largest, 40)) : r.integer(1, largest);
    if (r.integer(0, 60) == 0) extent = 0;
    s.axes.push_back({extent, 0});
    most = std::max<std::int64_t>(1, most / std::max<std::int64_t>(extent, 1));
    if (r.integer(0, 1) == 0) s.reduced.push_back(r.integer(0, 1) == 0 ? i : i - rank);
  }
  // Now and then a few outputs of several pages each.
  if (rank > 0 && r.integer(0, 15) == 0) {
    const int longest = r.integer(0, rank - 1);
    for (axis& a : s.axes) a.extent = std::min<std::int64_t>(a.extent, rank > 3 ? 2 : 5);
    s.axes[static_cast<std::size_t>(longest)].extent = r.integer(static_cast<int>(page), 5 * static_cast<int>(page));
    if (std::ranges::none_of(s.reduced, [&](int a) { return (a + rank) % rank == longest; }))
      s.reduced.push_back(longest);
  }
  // The axes in any order in memory, some of them padded, backwards, or of one place.
  for (int i = rank - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(r.integer(0, i))]);
  if (r.integer(0, 1) == 0) std::ranges::sort(order);
  std::int64_t step = r.integer(0, 5) == 0 ? r.integer(2, 3) : 1;
  for (int i = rank - 1; i >= 0; --i) {
    axis& a = s.axes[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
    a.stride = step;
    step *= std::max<std::int64_t>(a.extent, 1);
    if (r.integer(0, 4) == 0) step += r.integer(1, 9);
    if (r.integer(0, 4) == 0) a.stride = -a.stride;
    if (r.integer(0, 15) == 0) a.stride = 0;
    const std::int64_t far = std::max<std::int64_t>(a.extent - 1, 0) * a.stride;
    (far < 0 ? s.before : s.after) += far < 0 ? -far : far;
  }
  s.after += 1;
  for (int i = 0; i < rank; ++i) {
    const bool is = std::ranges::any_of(s.reduced, [&](int a) { return (a + rank) % rank == i; });
    (is ? s.n : s.outputs) *= s.axes[static_cast<std::size_t>(i)].extent;
  }
  return s;
}

/// The elements of each output one after the other.
std::vector<char> slices(const char* data, const shape& s, std::int64_t size) {
  const int rank = static_cast<int>(s.axes.size());
  std::vector<axis> axes[2];  // kept, reduced
  for (int i = 0; i < rank; ++i)
    axes[std::ranges::any_of(s.reduced, [&](int a) { return (a + rank) % rank == i; })].push_back(
        s.axes[static_cast<std::size_t>(i)]);
  const auto place = [](std::int64_t number, const std::vector<axis>& in) {
    std::int64_t offset = 0;
    for (std::size_t i = in.size(); i-- > 0; number /= in[i].extent) offset += number % in[i].extent * in[i].stride;
    return offset;
  };
  std::vector<char> all(static_cast<std::size_t>(s.outputs * s.n * size) + 1);
  char* to = all.data();
  for (std::int64_t o = 0; o < s.outputs; ++o)
    for (std::int64_t i = 0; i < s.n; ++i, to += size)
      std::memcpy(to, data + (place(o, axes[0]) + place(i, axes[1])) * size, static_cast<std::size_t>(size));
  return all;
}

}  // namespace

TEST_CASE("every result of a shape has the bits of reduce over its own elements") {
  const std::vector<entry> all = entries();
  random_numbers r(20);
  std::int64_t cases = 0, compared = 0, long_outputs = 0, refused = 0, wrong = 0;
  while (cases < 27'000) {
    const entry& e = all[r.bits() % all.size()];
    const auto how = support::random_options(r, e.operation, e.element, e.takes_init);
    if (!how) continue;
    onefold::options alone = *how;
    if (how->backend == onefold::backend::cuda) alone.backend = onefold::backend::sequential;
    const std::int64_t page = onefold::page_elements(e.size);
    const shape s = random_shape(r, page);
    ++cases;
    support::placed_elements elements(s.before + s.after, e.size, r);
    e.fill(elements.data(), s.before + s.after, r);
    const char* data = elements.data() + s.before * e.size;
    const std::vector<char> copy = slices(data, s, e.size);

    const onefold::over along{.axes = std::span<const int>(s.reduced), .keep = r.integer(0, 1) == 0};
    const auto found =
        support::outcome_of([&](std::vector<result_bits>& results) { results = e.reduce(data, s.axes, along, *how); });
    const auto meant = support::outcome_of([&](std::vector<result_bits>& results) {
      for (std::int64_t o = 0; o < s.outputs; ++o)
        results.push_back(support::run(e.operation, e.element, copy.data() + o * s.n * e.size, s.n, alone));
    });
    long_outputs += s.n > page && s.outputs > 1;
    refused += found.error.has_value();
    compared += static_cast<std::int64_t>(meant.results.size());
    wrong += !support::check_outcome(
        found, meant, e.name + ' ' + support::text_of(*how) + ": " + text_of(s) + ", n " + std::to_string(s.n));
    if (wrong > 5) break;
  }
  CHECK(wrong == 0);
  CHECK(cases == 27'000);
  CHECK(compared > 10 * cases);
  CHECK(long_outputs > 500);
  CHECK((refused > 0 && refused < cases / 20));
}
