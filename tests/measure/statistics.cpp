// Medians, quartiles and spread of known samples.
#include <stdexcept>

#include "measure/statistics.hpp"
#include "support/catch.hpp"

using onefold::measure::joined;
using onefold::measure::summary;
using onefold::measure::summary_of;

TEST_CASE("a summary is that of the sorted sample") {
  const summary s = summary_of({5, 1, 4, 2, 3});
  CHECK(s.samples == 5);
  CHECK(s.minimum == 1);
  CHECK(s.lower_quartile == 2);
  CHECK(s.median == 3);
  CHECK(s.upper_quartile == 4);
  CHECK(s.maximum == 5);
  CHECK(s.spread() == 2.0 / 3);
}

TEST_CASE("between two values a quantile is on the line through them") {
  const summary s = summary_of({10, 20, 30, 40});
  CHECK(s.lower_quartile == 17.5);
  CHECK(s.median == 25);
  CHECK(s.upper_quartile == 32.5);
}

TEST_CASE("one outlier moves neither the median nor the spread") {
  const summary s = summary_of({1, 1, 1, 1, 1, 1, 1000});
  CHECK(s.median == 1);
  CHECK(s.spread() == 0);
  CHECK(s.maximum == 1000);
}

TEST_CASE("a sample of one value, and of none") {
  const summary s = summary_of({7});
  CHECK((s.minimum == 7 && s.lower_quartile == 7 && s.median == 7 && s.upper_quartile == 7 && s.maximum == 7));
  CHECK(s.spread() == 0);
  CHECK(summary_of({0, 0}).spread() == 0);
  CHECK_THROWS_AS(summary_of({}), std::invalid_argument);
}

TEST_CASE("two samples as one") {
  const summary s = joined(summary_of({1, 5, 3}), summary_of({4, 2}));
  CHECK((s.samples == 5 && s.minimum == 1 && s.lower_quartile == 2 && s.median == 3 && s.upper_quartile == 4));
  CHECK((s.maximum == 5 && s.values == std::vector<double>{1, 2, 3, 4, 5}));
}
