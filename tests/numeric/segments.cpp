// The slice law of segments: every result has the bits of `reduce` over its own segment alone, or over what a mask
// selects of it, for any offsets, on every backend, with any number of threads, at every instruction set.
#include "onefold/segments.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/entries.hpp"
#include "support/instrumented.hpp"
#include "support/masks.hpp"
#include "support/result_bits.hpp"
#include "support/slices.hpp"

namespace {

using onefold::dtype;
using support::random_numbers;
using support::result_bits;

/// Where segments begin and end in an array, before the offsets get a type.
using bounds = std::vector<std::int64_t>;

/// An operation over an element type, as functions that know the types; `planned`: by a plan for more than there is.
struct entry : support::described_entry {
  void (*fill)(void* to, std::int64_t n, random_numbers& r);
  void (*fill_nan)(void* to, std::int64_t n, random_numbers& r);
  bool (*selects)(const support::list_mask& mask, std::int64_t i, const void* element);
  std::vector<result_bits> (*reduce)(const void* data, std::int64_t n, const bounds& at, const support::list_mask* mask,
                                     const onefold::options& how, bool planned);
  decltype(reduce) reduce_to_f64;  ///< null where the operation does not round
};

template <class Op, class T, class Offset, class R>
std::vector<result_bits> reduce(const void* data, std::int64_t n, const bounds& at, const support::list_mask* mask,
                                const onefold::options& how, bool planned) {
  const std::vector<Offset> offsets(at.begin(), at.end());
  auto segments = onefold::segments(std::span(static_cast<const T*>(data), static_cast<std::size_t>(n)), offsets);
  if (mask) segments = support::masked(segments, *mask);
  onefold::result_array<R> out({segments.size()});
  if (planned) {
    onefold::segmented_plan<T, Op, R> plan(segments.size() + 3, at.back() - at.front() + 10, how);
    for (int i = 0; i < 2; ++i) plan(segments, std::span(out.data(), out.size()));
  } else {
    out = onefold::reduce<T, Op, R>(segments, how);
  }
  std::vector<result_bits> all;
  for (const R& x : out) all.push_back(support::bits_of(x));
  return all;
}

template <class T>
bool selects(const support::list_mask& mask, std::int64_t i, const void* element) {
  return mask.selects(i, static_cast<const T*>(element));
}

std::vector<entry> entries() {
  std::vector<entry> all;
  support::for_each_described_entry([&]<class Op, class T>(const support::described_entry& e) {
    // Each entry has one type of offsets, the entries together have all.
    using offset_types = onefold::type_list<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>;
    int i = 0;
    onefold::for_each_type(offset_types{}, [&]<class Offset>() {
      if (i++ != (e.operation + static_cast<int>(e.element)) % 4) return;
      all.push_back({e, support::fill<T>, support::fill_nan<T>, selects<T>,
                     reduce<Op, T, Offset, onefold::default_result<T, Op>>, nullptr});
      if constexpr (Op::rounded) all.back().reduce_to_f64 = reduce<Op, T, Offset, double>;
    });
  });
  return all;
}

/// How long a segment is: mostly short, at times around the borders of pages, or of several.
std::int64_t random_length(random_numbers& r, std::int64_t page, bool with_long) {
  if (with_long && r.integer(0, 3) == 0)
    return r.integer(0, 1) == 0 ? r.integer(1, 4) * page + r.integer(-2, 2) : r.integer(1, 5 * static_cast<int>(page));
  switch (r.integer(0, 5)) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return r.integer(2, 8);
    case 3:
      return r.integer(1, 70);
    default:
      return r.integer(1, r.integer(0, 9) == 0 ? 2000 : 300);
  }
}

bounds random_bounds(random_numbers& r, std::int64_t page) {
  const bool with_long = r.integer(0, 7) == 0;
  const bool many = !with_long && r.integer(0, 30) == 0;  // of up to 20 elements: several pages together
  const int count = r.integer(0, 20) == 0 ? 0 : r.integer(1, many ? 3000 : with_long ? 8 : 40);
  bounds at{r.integer(0, 2) == 0 ? r.integer(1, 100) : 0};
  const int equal = r.integer(0, 7) == 0 ? r.integer(0, 40) : -1;  // now and then all of one length
  const bool none_empty = r.integer(0, 1) == 0;
  for (int i = 0; i < count; ++i) {
    const std::int64_t n = equal >= 0 ? equal : many ? r.integer(0, 20) : random_length(r, page, with_long);
    at.push_back(at.back() + (none_empty ? std::max<std::int64_t>(n, 1) : n));
  }
  return at;
}

float ripple(std::size_t i) { return static_cast<float>(i % 1013) * 0.37f - 100; }

}  // namespace

TEST_CASE("every result of segments has the bits of reduce over its own elements") {
  const std::vector<entry> all = entries();
  random_numbers r(14);
  std::int64_t cases = 0, compared = 0, long_segments = 0, empty = 0, refused = 0, wrong = 0, moved = 0;
  while (cases < support::random_cases(36'000)) {
    const entry& e = all[r.bits() % all.size()];
    const auto how = support::random_options(r, e.operation, e.element, e.takes_init);
    if (!how) continue;
    const bool planned = r.integer(0, 2) == 0, to_f64 = e.reduce_to_f64 && r.integer(0, 3) == 0;
    const std::int64_t page = onefold::page_elements(e.size);
    const bounds at = random_bounds(r, page);
    const std::int64_t n = at.back() + r.integer(0, 9);
    ++cases;
    const bool is_masked = r.integer(0, 2) == 0;
    const support::list_mask mask = is_masked ? support::random_list_mask(r, n) : support::list_mask{};
    support::placed_elements elements(n, e.size, r);
    const char* const data = elements.data();
    e.fill(elements.data(), n, r);
    if (is_masked && mask.as == support::mask_form::not_nan) e.fill_nan(elements.data(), n, r);
    std::vector<char> copy(static_cast<std::size_t>(n * e.size) + 1);

    const auto found = support::outcome_of([&](std::vector<result_bits>& results) {
      results = (to_f64 ? e.reduce_to_f64 : e.reduce)(data, n, at, is_masked ? &mask : nullptr, *how, planned);
    });
    const auto meant = support::outcome_of([&](std::vector<result_bits>& results) {
      for (std::size_t i = 0; i + 1 < at.size(); ++i) {
        std::vector<std::int64_t> places;
        for (std::int64_t k = at[i]; k < at[i + 1]; ++k) {
          const char* const x = data + k * e.size;
          if (is_masked && !e.selects(mask, k, x)) continue;
          std::memcpy(copy.data() + places.size() * static_cast<std::size_t>(e.size), x,
                      static_cast<std::size_t>(e.size));
          places.push_back(k - at[i]);
        }
        const auto size = static_cast<std::int64_t>(places.size());
        result_bits bits = support::run(e.operation, e.element, copy.data(), size, *how,
                                        to_f64 ? std::optional(dtype::f64) : std::nullopt);
        if (e.gives_index) {
          const auto number = static_cast<std::size_t>(bits[0]);
          moved += places[number] != static_cast<std::int64_t>(number);
          bits[0] = static_cast<std::uint64_t>(places[number]);
        }
        results.push_back(bits);
        long_segments += size > page;
        empty += size == 0;
      }
    });
    refused += found.error.has_value();
    compared += static_cast<std::int64_t>(meant.results.size());
    wrong += !support::check_outcome(found, meant,
                                     e.name + ' ' + support::text_of(*how) + (planned ? ", planned" : "") +
                                         (to_f64 ? ", to f64" : "") + ", " + std::to_string(at.size() - 1) +
                                         " segments of " + std::to_string(n) + " elements" +
                                         (is_masked ? ", " + mask.text() : ""));
    if (wrong > 5) break;
  }
  CHECK(wrong == 0);
  CHECK(cases == support::random_cases(36'000));
  CHECK(moved > support::random_cases(500));
  CHECK(compared > 10 * cases);
  CHECK(long_segments > support::random_cases(2000));
  CHECK(empty > support::random_cases(10'000));
  CHECK((refused > support::random_cases(100) && refused < cases / 3));
}

TEST_CASE("a long segment among many short ones is shared out, and keeps its bits") {
  const std::int64_t page = onefold::page_elements(sizeof(float)), longest = 40 * page + 77;
  for (const std::int64_t before : {0, 1, 5000})
    for (const std::int64_t after : {0, 1, 5000}) {
      std::vector<std::uint32_t> at{0};
      const auto add = [&](std::int64_t n) { at.push_back(at.back() + static_cast<std::uint32_t>(n)); };
      for (std::int64_t i = 0; i < before; ++i) add(i % 5);
      add(longest);
      for (std::int64_t i = 0; i < after; ++i) add(i % 7);
      std::vector<float> x(at.back());
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = ripple(i);
      for (const int threads : {1, 2, 3, 4}) {
        const auto how = support::on_backend(onefold::accuracy::native, threads);
        const auto found = onefold::sum(onefold::segments(x, at), how);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i + 1 < at.size(); ++i) {
          const float meant = onefold::sum(std::span(x).subspan(at[i], at[i + 1] - at[i]), how);
          wrong += support::bits_of(found[i]) != support::bits_of(meant);
        }
        CHECK(wrong == 0);
      }
    }
}
