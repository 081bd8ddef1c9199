// A prepared reduction has the results of reduce_dynamic, for the whole catalog.
#include "measure/prepared.hpp"

#include <cstring>

#include "onefold/error.hpp"
#include "onefold/reduce.hpp"
#include "onefold/shapes.hpp"
#include "support/catch.hpp"

using namespace onefold;

TEST_CASE("every entry of the catalog, as reduce_dynamic") {
  constexpr std::int64_t n = 1000;
  measure::arena data(measure::location::host, n * 8, 2);
  std::memset(data.first(), 1, n * 8);
  data.fill(data.first());
  for (int op = 0; op < operations::size; ++op)
    for (int type = 0; type < element_types::size; ++type) {
      const auto element = static_cast<dtype>(type);
      if (why_not(op, element, accuracy::native)) {
        CHECK_THROWS_AS(measure::prepared(op, element, n, {}), error);
        continue;
      }
      measure::prepared p(op, element, n, {});
      p.repeat(data, n, 3);
      const auto expected = reduce_dynamic(op, element, data.first(), n);
      CHECK(measure::same_bits(p.result(), expected.values));
      CHECK(p.report().backend == expected.ran.backend);
      p.run(data.first(), 1);
      CHECK(measure::same_bits(p.result(), reduce_dynamic(op, element, data.first(), 1).values));
    }
}

TEST_CASE("a prepared reduction over axes has the results of reduce over a view, without the bytes between members") {
  constexpr std::int64_t n = 6;
  measure::arena data(measure::location::host, n * 4, 2);
  const float values[n] = {1, 5, 2, 8, 3, 0};
  std::memcpy(data.first(), values, sizeof values);
  data.fill(data.first());
  const array_view<float> view(values, {2, 3});
  measure::prepared_shape p(operation_index<op::sum_with_bound>, dtype::f32, view.axes(), {.axes = 1},
                            {.backend = backend::sequential});
  p.repeat(data, 3);
  const auto expected = sum_with_bound(view, 1);
  std::vector<std::byte> bits(2 * 20);
  for (std::size_t i = 0; i < 2; ++i) {
    std::memcpy(bits.data() + 20 * i, &expected[i].value, 4);
    std::memcpy(bits.data() + 20 * i + 4, &expected[i].bound, 8);
    std::memcpy(bits.data() + 20 * i + 12, &expected[i].condition, 8);
  }
  CHECK(p.bits() == bits);
  CHECK(p.report().backend == backend::sequential);
}

TEST_CASE("other bits, another type or another number of values is not the same") {
  const scalar x{"value", dtype::f32, 1}, y{"value", dtype::f32, 2}, z{"value", dtype::u32, 1};
  CHECK(measure::same_bits({x}, {x}));
  CHECK_FALSE(measure::same_bits({x}, {y}));
  CHECK_FALSE(measure::same_bits({x}, {z}));
  CHECK_FALSE(measure::same_bits({x}, {x, x}));
}
