// The slice law of selected elements: every result has the bits of `reduce` over its selected elements alone, in their
// order, for any extents, strides, axes and masks, on every backend, with any number of threads.
#include "onefold/where.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "onefold/custom.hpp"
#include "onefold/exact_dot.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/entries.hpp"
#include "support/instrumented.hpp"
#include "support/masks.hpp"
#include "support/result_bits.hpp"
#include "support/slices.hpp"
#include "support/views.hpp"

namespace {

using onefold::axis;
using support::error_of;
using support::made_up_mask;
using support::made_up_view;
using support::random_numbers;
using support::result_bits;
using support::view_of;

/// An operation over an element type, as functions that know the types.
struct entry : support::described_entry {
  void (*fill)(void* to, std::int64_t n, random_numbers& r);
  void (*fill_nan)(void* to, std::int64_t n, random_numbers& r);
  bool (*is_nan)(const void* element);
  std::vector<result_bits> (*reduce)(const void* data, const std::vector<axis>& axes, const made_up_mask& mask,
                                     const onefold::over& along, const onefold::options& how, bool planned);
};

template <class Op, class T>
std::vector<result_bits> reduce(const void* data, const std::vector<axis>& axes, const made_up_mask& mask,
                                const onefold::over& along, const onefold::options& how, bool planned) {
  using R = onefold::default_result<T, Op>;
  const auto what = support::selected(view_of<T>(data, axes), mask);
  onefold::result_array<R> out{{}};
  if (planned) {
    onefold::selected_plan<T, Op> plan(what, along, how);
    out = onefold::result_array<R>(plan.extents());
    for (int i = 0; i < 2; ++i) plan(what, std::span(out.data(), out.size()));
  } else {
    out = onefold::reduce<T, Op>(what, along, how);
  }
  std::vector<result_bits> all;
  for (const R& x : out) all.push_back(support::bits_of(x));
  return all;
}

std::vector<entry> entries() {
  std::vector<entry> all;
  support::for_each_described_entry([&]<class Op, class T>(const support::described_entry& e) {
    all.push_back({e, support::fill<T>, support::fill_nan<T>, support::is_nan<T>, reduce<Op, T>});
  });
  return all;
}

/// A mask for a view, which lies in memory in its own way.
made_up_mask random_mask(random_numbers& r, const made_up_view& s) {
  made_up_view places = s;
  lay_out(places, r);
  return {support::random_mask(r, places.before + places.after), places};
}

/// Reduces selected rows and columns of several masks with a user-defined operation, and compares with reduce over
/// copies; how many results were compared.
template <class T, class Op, class Fill>
int compare(Fill fill, Op op = {}) {
  using R = onefold::default_result<T, Op>;
  int compared = 0;
  const auto page = static_cast<std::int64_t>(onefold::page_elements(sizeof(T)));
  for (const std::int64_t n : {std::int64_t{1}, std::int64_t{130}, 2 * page + 9})
    for (const std::int64_t outer : {1, 3})
      for (const int threads : {1, 3})
        for (const int step : {1, 2, 7}) {
          std::vector<T> x(static_cast<std::size_t>(outer * n));
          std::vector<std::uint8_t> mask(x.size());
          for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = fill(i);
            mask[i] = step == 1 || i % static_cast<std::size_t>(step) != 0 || n == 1;
          }
          const onefold::extents extents{outer, n};
          for (const onefold::strides& strides : {onefold::strides{n, 1}, onefold::strides{1, outer}}) {
            const onefold::array_view<T> view(x.data(), extents, strides);
            const auto how = support::on_backend(onefold::accuracy::native, threads);
            const auto found = onefold::reduce<T, Op>(
                onefold::where(view, onefold::array_view<std::uint8_t>(mask.data(), extents)), {.axes = 1}, how, op);
            for (std::int64_t o = 0; o < outer; ++o) {
              std::vector<T> slice;
              for (std::int64_t i = 0; i < n; ++i)
                if (mask[static_cast<std::size_t>(o * n + i)])
                  slice.push_back(x[static_cast<std::size_t>(o * strides[0] + i * strides[1])]);
              const R meant = onefold::reduce<T, Op>(slice, how, op);
              CHECK(std::memcmp(&found[static_cast<std::size_t>(o)], &meant, sizeof(R)) == 0);
              ++compared;
            }
          }
        }
  return compared;
}

float ripple(std::size_t i) { return static_cast<float>(i % 1013) * 0.37f - 100; }

/// Elements that want more alignment than memory has by itself.
struct alignas(512) wide_element {
  std::int64_t value;
};
/// Counts elements that lie where none may.
struct misaligned_count {
  using state = std::int64_t;
  static state lift(const wide_element& x) { return reinterpret_cast<std::uintptr_t>(&x) % alignof(wide_element) != 0; }
  static state combine(state a, state b) { return a + b; }
  static state identity() { return 0; }
  static std::int64_t finish(state s) { return s; }
};

}  // namespace

TEST_CASE("every result under a mask has the bits of reduce over its selected elements") {
  const std::vector<entry> all = entries();
  random_numbers r(41);
  std::int64_t cases = 0, compared = 0, long_outputs = 0, refused = 0, wrong = 0, moved = 0;
  while (cases < support::random_cases(24'000)) {
    const entry& e = all[r.bits() % all.size()];
    const auto how = support::random_options(r, e.operation, e.element, e.takes_init);
    if (!how) continue;
    const std::int64_t page = onefold::page_elements(e.size);
    const made_up_view s = support::random_view(r, page);
    const made_up_mask mask = random_mask(r, s);
    ++cases;
    support::placed_elements memory(s.before + s.after, e.size, r);
    e.fill(memory.data(), s.before + s.after, r);
    if (mask.as == support::mask_form::not_nan) e.fill_nan(memory.data(), s.before + s.after, r);
    const char* data = memory.data() + s.before * e.size;
    const std::vector<char> elements = support::slices(data, s, e.size);
    const std::vector<char> selects =
        support::slices(reinterpret_cast<const char*>(mask.bytes.data()) + mask.places.before, mask.places, 1);

    const onefold::over along{.axes = std::span<const int>(s.reduced), .keep = r.integer(0, 1) == 0};
    const bool planned = r.integer(0, 3) == 0;
    const auto found = support::outcome_of(
        [&](std::vector<result_bits>& results) { results = e.reduce(data, s.axes, mask, along, *how, planned); });
    const auto meant = support::outcome_of([&](std::vector<result_bits>& results) {
      for (std::int64_t o = 0; o < s.outputs; ++o) {
        std::vector<char> copy;
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < s.n; ++i) {
          const char* const x = elements.data() + (o * s.n + i) * e.size;
          if (mask.as == support::mask_form::not_nan ? e.is_nan(x)
                                                     : selects[static_cast<std::size_t>(o * s.n + i)] == 0)
            continue;
          copy.insert(copy.end(), x, x + e.size);
          places.push_back(i);
        }
        const auto n = static_cast<std::int64_t>(places.size());
        copy.resize(copy.size() + 1);  // a pointer to no elements, too
        result_bits bits = support::run(e.operation, e.element, copy.data(), n, *how);
        if (e.gives_index) {
          const auto at = static_cast<std::size_t>(bits[0]);
          moved += places[at] != static_cast<std::int64_t>(at);
          bits[0] = static_cast<std::uint64_t>(places[at]);
        }
        results.push_back(bits);
        long_outputs += n > page;
      }
    });
    refused += found.error.has_value();
    compared += static_cast<std::int64_t>(meant.results.size());
    wrong += !support::check_outcome(found, meant,
                                     e.name + ' ' + support::text_of(*how) + ": " + support::text_of(s) + ", mask " +
                                         std::to_string(static_cast<int>(mask.as)) + ' ' +
                                         support::text_of(mask.places) + ", n " + std::to_string(s.n));
    if (wrong > 5) break;
  }
  CHECK(wrong == 0);
  CHECK(cases == support::random_cases(24'000));
  CHECK(compared > 10 * cases);
  CHECK(long_outputs > support::random_cases(500));
  CHECK(moved > support::random_cases(500));
  CHECK((refused > cases / 50 && refused < cases / 3));
}

TEST_CASE("user-defined operations obey the slice law under a mask") {
  const auto floats = [](std::size_t i) { return ripple(i); };
  CHECK(compare<float, support::absolute_sum>(floats) == 3 * (1 + 3) * 2 * 3 * 2);
  compare<float, support::absolute_sum_packs>(floats);
  compare<float, support::affine_floats>(floats);
  compare<std::int32_t, support::index_sum>([](std::size_t i) { return static_cast<std::int32_t>(i % 777) - 300; });
  compare<std::uint8_t, support::histogram>([](std::size_t i) { return static_cast<std::uint8_t>(i * 37); });
  compare<std::uint8_t, support::histogram_in_place>([](std::size_t i) { return static_cast<std::uint8_t>(i * 91); });
  compare<float, support::large_sums<4096>>(floats);
  const auto records = []<int Bytes>(std::size_t i) { return support::record<Bytes>{ripple(i), {}, ripple(i + 3)}; };
  compare<support::record<12>, support::record_box<12>>([&](std::size_t i) { return records.operator()<12>(i); });
  compare<support::record<1000>, support::record_box<1000>>([&](std::size_t i) { return records.operator()<1000>(i); });
}

TEST_CASE("the exact dot product of selected pairs is that of compressed copies") {
  random_numbers r(77);
  int compared = 0;
  const auto compare_dots = [&]<class T>(std::int64_t n) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<T> x(size), y(size), some_x, some_y, numbers_x, numbers_y;
    support::fill<T>(x.data(), n, r);
    support::fill_nan<T>(x.data(), n, r);
    support::fill<T>(y.data(), n, r);
    std::vector<std::uint8_t> mask(size), bits(size / 8 + 2);
    for (std::size_t i = 0; i < size; ++i) {
      mask[i] = static_cast<std::uint8_t>(r.integer(0, 2));
      bits[(i + 5) / 8] = static_cast<std::uint8_t>(bits[(i + 5) / 8] | (mask[i] != 0) << (i + 5) % 8);
      const auto add = [&](std::vector<T>& to_x, std::vector<T>& to_y) {
        to_x.push_back(x[i]);
        to_y.push_back(y[i]);
      };
      if (mask[i] != 0) add(some_x, some_y);
      if (!support::is_nan<T>(&x[i])) add(numbers_x, numbers_y);
    }
    const auto how = support::on_backend(onefold::accuracy::native, r.integer(1, 4));
    const auto meant = support::bits_of(onefold::exact_dot<T>(some_x, some_y, how));
    CHECK(support::bits_of(onefold::exact_dot<T>(onefold::where(x, mask), y, how)) == meant);
    CHECK(support::bits_of(onefold::exact_dot<T>(onefold::where(x, onefold::bitmap(bits.data(), 5, {n})), y, how)) ==
          meant);
    CHECK(support::bits_of(onefold::exact_dot<T>(onefold::where(x, onefold::not_nan), y, how)) ==
          support::bits_of(onefold::exact_dot<T>(numbers_x, numbers_y, how)));
    ++compared;
  };
  for (int i = 0; i < support::random_cases(40); ++i) {
    const std::int64_t n = i % 4 == 0 ? r.integer(0, 40'000) : r.integer(0, 300);
    compare_dots.operator()<float>(n);
    compare_dots.operator()<double>(n);
    compare_dots.operator()<onefold::f16>(n);
  }
  CHECK(compared == 3 * support::random_cases(40));
  const std::vector<float> x(6, 1);
  const auto code = error_of(
      [&] { onefold::exact_dot<float>(onefold::where(x, std::span(static_cast<const bool*>(nullptr), 6)), x); });
  CHECK(code == onefold::error_code::invalid_argument);
}

TEST_CASE("elements are folded where they are aligned, also after they were gathered or packed") {
  const std::vector<wide_element> x(6000, {1});
  std::vector<std::uint8_t> mask(x.size());
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 3 != 0;
  const auto how = support::on_backend(onefold::accuracy::native, 3);
  CHECK(onefold::reduce<wide_element, misaligned_count>(onefold::where(x, mask), how) == 0);
  const onefold::array_view<wide_element> view(x.data(), {20, 30, 10});
  for (const int axis : {0, 1, 2})
    for (const std::int64_t misaligned : onefold::reduce<wide_element, misaligned_count>(view, {.axes = axis}, how))
      CHECK(misaligned == 0);
}
