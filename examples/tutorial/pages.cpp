// The sum of exp(x - C) in two passes over a line, and in one: pages of the line, each with a maximum of its own.
#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

#include "onefold/math.hpp"
#include "onefold/onefold.hpp"

namespace {

/// The sum of exp(x - largest), and the largest x.
struct state {
  float largest, sum;
};

/// The state of a page, which stays in the cache between its two loops.
state of_page(std::span<const float> x) {
  const float largest = onefold::max(x);
  std::vector<float> e;
  for (const float v : x) e.push_back(onefold::exp_nonpositive(v - largest));
  return {largest, onefold::sum(e)};
}

/// The state of two neighbors: both sums as if the larger maximum had been subtracted from the start.
state join(state a, state b) {
  const float largest = std::max(a.largest, b.largest);
  const auto scaled = [largest](state s) { return s.sum * onefold::exp_nonpositive(s.largest - largest); };
  return {largest, scaled(a) + scaled(b)};
}

}  // namespace

int main() {
  constexpr std::size_t page = 4096, pages = 4;
  std::vector<float> x(page * pages);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 20.0f * static_cast<float>(i * 7919 % 10007) / 10007.0f;
  x[9000] = 25;  // in page 2

  const float largest = onefold::max(x);  // pass 1
  double twice = 0;
  for (const float v : x) twice += onefold::exp(static_cast<double>(v) - static_cast<double>(largest));  // pass 2
  std::printf("two passes: largest %g, sum %.6g\n", static_cast<double>(largest), twice);

  std::vector<state> of;
  for (std::size_t i = 0; i < pages; ++i) {
    of.push_back(of_page(std::span(x).subspan(i * page, page)));
    std::printf("page %zu:     largest %g, sum %.6g\n", i, static_cast<double>(of[i].largest),
                static_cast<double>(of[i].sum));
  }
  const state line = join(join(of[0], of[1]), join(of[2], of[3]));
  std::printf("one pass:   largest %g, sum %.6g\n", static_cast<double>(line.largest), static_cast<double>(line.sum));

  const float by_hand = line.largest + onefold::log(line.sum), library = onefold::logsumexp(x);
  std::printf("logsumexp by hand %.6g, by onefold %.6g: %s\n", static_cast<double>(by_hand),
              static_cast<double>(library), by_hand == library ? "the same bits" : "DIFFERENT");
}
