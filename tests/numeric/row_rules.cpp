// What row operations give for NaN, infinities, zeros, equal, single and no elements (docs/semantics.md), and how near
// the exact results they are.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "onefold/row_operations.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace {

using onefold::error_code;
using support::check_error;
using support::on_backend;
using support::values;

constexpr float inf = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();

using line = std::vector<float>;

/// Bit for bit, so that NaN is the canonical one.
bool same(const line& a, const line& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

line softmax(const line& x) { return values(onefold::softmax(x, on_backend())); }
line log_softmax(const line& x) { return values(onefold::log_softmax(x, on_backend())); }
line logsumexp(const line& x) { return {onefold::logsumexp(x, on_backend())}; }
line layer_norm(const line& x, double eps = 1e-5) { return values(onefold::layer_norm(x, {.eps = eps}, on_backend())); }
line rms_norm(const line& x, double eps = 1e-5) { return values(onefold::rms_norm(x, {.eps = eps}, on_backend())); }
line standardize(const line& x) { return values(onefold::standardize(x, on_backend())); }
line normalize(const line& x, onefold::norm kind, double eps = 1e-12) {
  return values(onefold::normalize(x, {.kind = kind, .eps = eps}, on_backend()));
}

constexpr onefold::norm norms[] = {onefold::norm::l1, onefold::norm::l2, onefold::norm::linf};
static_assert(onefold::norm::linf == onefold::norm::max);

}  // namespace

TEST_CASE("softmax, log_softmax and logsumexp: NaN, infinities, single and no elements") {
  CHECK(same(softmax({1, none, 2}), {none, none, none}));
  CHECK(same(softmax({1, inf, 2}), {none, none, none}));
  CHECK(same(softmax({-inf, -inf}), {none, none}));
  CHECK(same(softmax({-inf, 7, -inf}), {0, 1, 0}));
  CHECK(same(softmax({-3}), {1}));
  CHECK(same(softmax({}), {}));
  CHECK(same(softmax({1e30F, 1e30F}), {0.5F, 0.5F}));
  CHECK(same(softmax({0, -1000}), {1, 0}));

  CHECK(same(log_softmax({1, none, 2}), {none, none, none}));
  CHECK(same(log_softmax({1, inf, 2}), {none, none, none}));
  CHECK(same(log_softmax({-inf, -inf}), {none, none}));
  CHECK(same(log_softmax({-inf, 7}), {-inf, 0}));
  CHECK(same(log_softmax({-3}), {0}));
  CHECK(same(log_softmax({}), {}));
  CHECK(same(log_softmax({0, -1000}), {0, -1000}));

  CHECK(same(logsumexp({1, none, inf}), {none}));
  CHECK(same(logsumexp({1, inf, -inf}), {inf}));
  CHECK(same(logsumexp({-inf, -inf}), {-inf}));
  CHECK(same(logsumexp({-3}), {-3}));
  CHECK(same(logsumexp({-0.0F}), {0}));
  CHECK(same(logsumexp({}), {-inf}));
  CHECK(
      same(values(onefold::logsumexp(onefold::array_view<float>(nullptr, {3, 0}), on_backend())), {-inf, -inf, -inf}));
  CHECK(values(onefold::logsumexp(onefold::array_view<float>(nullptr, {0, 3}), on_backend())).empty());
}

TEST_CASE("row operations: no lines, however long") {
  for (const std::int64_t extent : {std::int64_t{1} << 50, std::int64_t{1} << 62}) {
    const onefold::array_view<float> no_lines(nullptr, {extent, 0});
    line out;
    onefold::softmax(no_lines, 0, out, on_backend());
    onefold::logsumexp(no_lines, 0, out, on_backend());
    onefold::layer_norm(no_lines, 0, out, {}, on_backend());
    onefold::normalize(no_lines, 0, out, {}, on_backend());
    CHECK(out.empty());
  }
}

TEST_CASE("softmax and its kin: infinities and NaN in another page than the largest element") {
  line x(3 * 4096, 200);
  std::fill(x.begin(), x.begin() + 4096, -inf);
  CHECK(same(logsumexp(x), {200 + std::log(8192.0F)}));
  CHECK(softmax(x)[0] == 0);
  CHECK(softmax(x).back() == 1 / 8192.0F);
  x[10'000] = inf;
  CHECK(same(logsumexp(x), {inf}));
  CHECK(same(softmax(x), line(x.size(), none)));
  x[0] = none;
  CHECK(same(logsumexp(x), {none}));
  CHECK(same(log_softmax(x), line(x.size(), none)));
}

TEST_CASE("softmax and its kin: infinities and NaN in one page of a column") {
  constexpr std::int64_t rows = 4096 + 5, columns = 20;
  line x(rows * columns);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7);
  const auto at = [&x](std::int64_t row, std::int64_t column) -> float& {
    return x[static_cast<std::size_t>(row * columns + column)];
  };
  at(0, 3) = at(1, 5) = at(2, 7) = inf;
  at(4100, 5) = none;
  at(3, 7) = 200;
  for (std::int64_t r = 0; r < rows; ++r) at(r, 9) = -inf;
  const onefold::array_view<float> view(x.data(), {rows, columns});
  const line sums = values(onefold::logsumexp(view, 0, on_backend())),
             soft = values(onefold::softmax(view, 0, on_backend())),
             logs = values(onefold::log_softmax(view, 0, on_backend()));
  for (std::int64_t c = 0; c < columns; ++c) {
    INFO("column " << c);
    const auto column_of = [c](const line& of) {
      line column;
      for (std::size_t i = static_cast<std::size_t>(c); i < of.size(); i += columns) column.push_back(of[i]);
      return column;
    };
    const line one = column_of(x), sum{sums[static_cast<std::size_t>(c)]};
    CHECK(same(sum, logsumexp(one)));
    CHECK(same(column_of(soft), softmax(one)));
    CHECK(same(column_of(logs), log_softmax(one)));
    if (c == 3 || c == 7) CHECK(same(sum, {inf}));
    if (c == 5) CHECK(same(sum, {none}));
    if (c == 9) CHECK(same(sum, {-inf}));
    if (c == 3 || c == 5 || c == 7 || c == 9) CHECK(same(column_of(soft), line(rows, none)));
  }
}

TEST_CASE("softmax and its kin: infinities and NaN in one page of a line that all threads work on") {
  line x(40 * 4096 + 5, 1);
  x[5] = 200;
  x[9000] = inf;
  CHECK(same(logsumexp(x), {inf}));
  CHECK(same(softmax(x), line(x.size(), none)));
  CHECK(same(log_softmax(x), line(x.size(), none)));
  x.back() = none;
  CHECK(same(logsumexp(x), {none}));
  CHECK(same(softmax(x), line(x.size(), none)));
}

TEST_CASE("layer_norm, rms_norm and standardize: NaN, infinities, equal, single and no elements") {
  CHECK(same(layer_norm({1, none, 2}), {none, none, none}));
  CHECK(same(layer_norm({1, inf, 2}), {none, none, none}));
  CHECK(same(layer_norm({7, 7}), {0, 0}));
  CHECK(same(layer_norm({7, 7}, 0), {none, none}));
  CHECK(same(layer_norm({7}), {0}));
  CHECK(same(layer_norm({}), {}));
  const line weight{2, 3}, bias{5, -1};
  CHECK(same(values(onefold::layer_norm(line{7, 7}, {.weight = weight, .bias = bias}, on_backend())), bias));

  CHECK(same(rms_norm({1, none, 2}), {none, none, none}));
  CHECK(same(rms_norm({1, inf, -2}), {0, none, -0.0F}));
  CHECK(same(rms_norm({0, -0.0F}), {0, -0.0F}));
  CHECK(same(rms_norm({0, 0}, 0), {none, none}));
  CHECK(same(rms_norm({-3}, 0), {-1}));
  CHECK(same(rms_norm({}), {}));

  CHECK(same(standardize({1, none, 2}), {none, none, none}));
  CHECK(same(standardize({1, -inf, 2}), {none, none, none}));
  CHECK(same(standardize({7, 7}), {none, none}));
  CHECK(same(standardize({7}), {none}));
  CHECK(same(standardize({}), {}));
  CHECK(same(standardize({2, 4}), {-1, 1}));
}

TEST_CASE("layer_norm of no elements: mean and rstd of each line are NaN") {
  line mean(3, 7), rstd(3, 7), out;
  const onefold::array_view<float> no_elements(nullptr, {3, 0});
  onefold::layer_norm(no_elements, -1, out, {.mean = mean, .rstd = rstd}, on_backend());
  CHECK(same(mean, line(3, none)));
  CHECK(same(rstd, line(3, none)));
  mean = {7, 7, 7};
  CHECK(values(onefold::layer_norm(no_elements, {.mean = mean, .rstd = rstd}, on_backend())).empty());
  CHECK(same(mean, line(3, none)));
  mean = {7, 7, 7};
  const auto never = [](float, onefold::row_position) { FAIL("there is no result"); };
  onefold::layer_norm(no_elements, -1, never, {.mean = mean, .rstd = rstd}, on_backend());
  CHECK(same(mean, line(3, none)));
  line no_lines;
  onefold::layer_norm(onefold::array_view<float>(nullptr, {0, 3}), -1, out, {.mean = no_lines, .rstd = no_lines},
                      on_backend());
}

TEST_CASE("normalize: NaN, infinities, zeros, single and no elements") {
  for (const onefold::norm kind : norms) {
    CHECK(same(normalize({1, none, 2}, kind), {none, none, none}));
    CHECK(same(normalize({1, -inf, -2}, kind), {0, none, -0.0F}));
    CHECK(same(normalize({0, -0.0F}, kind), {0, -0.0F}));
    CHECK(same(normalize({0, 0}, kind, 0), {none, none}));
    CHECK(same(normalize({-3}, kind), {-1}));
    CHECK(same(normalize({41}, kind), {0x1.fffffep-1F}));  // 1 / 41, rounded
    CHECK(same(normalize({}, kind), {}));
    CHECK(same(normalize({0.25F, 0}, kind, 0.5), {0.5F, 0}));
  }
  CHECK(same(normalize({1, -3}, onefold::norm::l1), {0.25F, -0.75F}));
  CHECK(same(normalize({3, -4}, onefold::norm::l2), {3 * 0.2F, -4 * 0.2F}));
  CHECK(same(normalize({2, -4}, onefold::norm::max), {0.5F, -1}));
}

TEST_CASE("row operations: what is beyond the type is not scaled") {
  using onefold::norm;
  CHECK(same(normalize({3e38F, 3e38F, -1}, norm::l1), {0, 0, -0.0F}));
  CHECK(same(standardize({1e-40F, -1e-40F}), {inf, -inf}));
  CHECK(same(standardize({1e-40F, 0, -1e-40F}), {inf, none, -inf}));
  for (const norm kind : norms) CHECK(same(normalize({1e-40F, 0, -1e-40F}, kind, 0), {inf, none, -inf}));
  CHECK(same(rms_norm({1e-40F, -1e-40F}, 0), {inf, -inf}));
  const line far{3e38F, -3e38F, -3e38F, -3e38F};  // 4.5e38 from the mean
  for (const line& y : {layer_norm(far), standardize(far)}) {
    CHECK(y[0] == inf);
    for (const int i : {1, 2, 3}) CHECK(std::abs(y[static_cast<std::size_t>(i)] + 1 / std::sqrt(3.0F)) < 1e-6F);
  }

  using wide_line = std::vector<double>;
  constexpr double wide_inf = std::numeric_limits<double>::infinity();
  const auto normed = [](const wide_line& x) { return values(onefold::layer_norm(x, on_backend())); };
  const auto standardized = [](const wide_line& x) { return values(onefold::standardize(x, on_backend())); };
  const wide_line infinite{1e160, -1e160, 3e160}, undefined{1e160, -1e160};
  CHECK(std::isinf(onefold::moments(infinite, on_backend()).m2));
  CHECK(normed(infinite) == wide_line{0, 0, 0});
  CHECK(std::signbit(normed(infinite)[1]));
  CHECK(standardized(infinite) == wide_line{0, 0, 0});
  CHECK(std::isnan(onefold::moments(undefined, on_backend()).m2));
  for (const double y : normed(undefined)) CHECK(std::isnan(y));
  const auto far_normed =
      values(onefold::layer_norm(wide_line{1.7e308, -1.7e308, -1.7e308}, on_backend(onefold::accuracy::exact)));
  CHECK(std::isnan(far_normed[0]));
  CHECK(std::signbit(far_normed[1]));
  CHECK(far_normed[1] == 0);
  CHECK(standardized({1e-163, -1e-163}) == wide_line{wide_inf, -wide_inf});
  CHECK(values(onefold::rms_norm(wide_line{1e155, -1}, on_backend())) == wide_line{0, 0});
}

TEST_CASE("softmax is within 4 + |x - largest| ulps, layer_norm within 4 of the larger of x and mean") {
  const auto data = support::normal_data<float>(20'000, 3);
  const auto ulp = [](long double y) { return std::ldexp(1.0L, std::ilogb(y) - 23); };
  for (const std::size_t n : {2u, 32u, 777u, 4096u, 20'000u}) {
    const line x(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(n));
    const line y = softmax(x), z = layer_norm(x);
    const long double largest = *std::ranges::max_element(x);
    long double sum = 0, mean = 0, squares = 0;
    for (const float v : x) {
      sum += std::exp(v - largest);
      mean += v;
    }
    mean /= static_cast<long double>(n);
    for (const float v : x) squares += (v - mean) * (v - mean);
    const long double scale = 1 / std::sqrt(squares / static_cast<long double>(n) + 1e-5L);
    long double worst = 0, worst_norm = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const long double exact = std::exp(x[i] - largest) / sum;
      worst = std::max(worst, std::abs(y[i] - exact) / ulp(exact) / (4 + largest - x[i]));
      const long double size = std::max(std::abs(static_cast<long double>(x[i])), std::abs(mean)) * scale;
      worst_norm = std::max(worst_norm, std::abs(z[i] - (x[i] - mean) * scale) / ulp(size) / 4);
    }
    INFO(n << ": " << static_cast<double>(worst) << ' ' << static_cast<double>(worst_norm));
    CHECK(worst <= 1);
    CHECK(worst_norm <= 1);
    CHECK(worst + worst_norm > 0.1);
  }
}

TEST_CASE("layer_norm of f64 at accuracy exact is within 4 ulps of the larger of x and mean") {
  support::random_numbers random(4);
  long double most = 0;
  for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{1} << 40})
    for (const std::int64_t n : {2, 32, 777, 5000}) {
      std::vector<std::int64_t> whole;  // integers, whose sums and distances from the mean are exact
      for (std::int64_t i = 0; i < n; ++i) whole.push_back(offset + random.integer(-1'000'000, 1'000'000));
      const std::vector<double> x(whole.begin(), whole.end());
      const auto y = values(onefold::layer_norm(x, on_backend(onefold::accuracy::exact)));
      std::int64_t sum = 0;
      for (const std::int64_t v : whole) sum += v;
      const auto count = static_cast<long double>(n);
      const auto distance = [&](std::size_t i) { return static_cast<long double>(n * whole[i] - sum) / count; };
      long double squares = 0, worst = 0;
      for (std::size_t i = 0; i < x.size(); ++i) squares += distance(i) * distance(i);
      const long double scale = 1 / std::sqrt(squares / count + 1e-5L), mean = static_cast<long double>(sum) / count;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const long double size = std::max(std::abs(static_cast<long double>(x[i])), std::abs(mean)) * scale;
        worst = std::max(worst, std::abs(y[i] - distance(i) * scale) / std::ldexp(1.0L, std::ilogb(size) - 52));
      }
      INFO(offset << ' ' << n << ": " << static_cast<double>(worst));
      CHECK(worst <= 4);
      most = std::max(most, worst);
    }
  CHECK(most > 1);
}

TEST_CASE("row operations take no initial value, and a finite eps") {
  const std::vector<float> x{1, 2};
  onefold::options how = on_backend();
  how.init = 3;
  check_error(error_code::invalid_argument, "softmax takes no initial value", [&] { onefold::softmax(x, how); });
  check_error(error_code::invalid_argument, "logsumexp takes no initial value", [&] { onefold::logsumexp(x, how); });
  check_error(error_code::invalid_argument, "rms_norm takes no initial value", [&] { onefold::rms_norm(x, {}, how); });
  for (const double eps : {-1.0, static_cast<double>(inf), static_cast<double>(none)})
    check_error(error_code::invalid_argument, "expected a finite, non-negative number",
                [&] { onefold::rms_norm(x, {.eps = eps}, on_backend()); });
}
