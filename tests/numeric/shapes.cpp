// The slice law: every result of a reduction over some axes has the bits of `reduce` over its own elements alone, for
// any extents, strides and axes, on every backend, with any number of threads, at every instruction set.
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
#include "support/instrumented.hpp"
#include "support/result_bits.hpp"
#include "support/slices.hpp"
#include "support/views.hpp"

namespace {

using onefold::axis;
using support::random_numbers;
using support::random_view;
using support::result_bits;
using support::view_of;

/// An operation over an element type, as functions that know the types.
struct entry : support::described_entry {
  void (*fill)(void* to, std::int64_t n, random_numbers& r);
  std::vector<result_bits> (*reduce)(const void* data, const std::vector<axis>& axes, const onefold::over& along,
                                     const onefold::options& how);
};

template <class Op, class T>
std::vector<result_bits> reduce(const void* data, const std::vector<axis>& axes, const onefold::over& along,
                                const onefold::options& how) {
  std::vector<result_bits> all;
  for (const auto& x : onefold::reduce<T, Op>(view_of<T>(data, axes), along, how)) all.push_back(support::bits_of(x));
  return all;
}

std::vector<entry> entries() {
  std::vector<entry> all;
  support::for_each_described_entry([&]<class Op, class T>(const support::described_entry& e) {
    all.push_back({e, support::fill<T>, reduce<Op, T>});
  });
  return all;
}

}  // namespace

TEST_CASE("every result of a shape has the bits of reduce over its own elements") {
  const std::vector<entry> all = entries();
  // The CPU's backends have 10^5 cases together, a GPU as many alone.
  const onefold::backend backend = support::backend_under_test();
  const std::int64_t most = backend == onefold::backend::cuda ? 100'000 : support::random_cases(27'000);
  random_numbers r(20 + static_cast<std::uint64_t>(backend));
  std::int64_t cases = 0, compared = 0, long_outputs = 0, refused = 0, wrong = 0;
  while (cases < most) {
    const entry& e = all[r.bits() % all.size()];
    const auto how = support::random_options(r, e.operation, e.element, e.takes_init);
    if (!how) continue;
    onefold::options alone = *how;
    if (how->backend == onefold::backend::cuda) alone.backend = onefold::backend::sequential;
    const std::int64_t page = onefold::page_elements(e.size);
    const support::made_up_view s = random_view(r, page);
    ++cases;
    support::placed_elements elements(s.before + s.after, e.size, r);
    e.fill(elements.data(), s.before + s.after, r);
    const char* data = elements.data() + s.before * e.size;
    const std::vector<char> copy = support::slices(data, s, e.size);

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
        found, meant,
        e.name + ' ' + support::text_of(*how) + ": " + support::text_of(s) + ", n " + std::to_string(s.n));
    if (wrong > 5) break;
  }
  CHECK(wrong == 0);
  CHECK(cases == most);
  CHECK(compared > 10 * cases);
  CHECK(long_outputs > support::random_cases(500));
  CHECK((refused > 0 && refused < cases / 20));
}
