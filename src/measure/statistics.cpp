#include "measure/statistics.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "measure/noise.hpp"

namespace onefold::measure {
namespace {

/// Of sorted values: the one at `part` of the way from the first to the last.
double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

double summary::spread() const { return median == 0 ? 0 : (upper_quartile - lower_quartile) / median; }
bool summary::noisy() const { return is_noisy(waited, spread()); }
std::string summary::noise() const { return noise_text(waited, spread()); }

summary summary_of(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("a summary of no values");
  std::ranges::sort(values);
  summary s{values.size(),
            values.front(),
            quantile(values, 0.25),
            quantile(values, 0.5),
            quantile(values, 0.75),
            values.back(),
            {}};
  s.values = std::move(values);
  return s;
}

summary joined(const summary& a, const summary& b) {
  std::vector<double> both = a.values;
  both.insert(both.end(), b.values.begin(), b.values.end());
  summary s = summary_of(std::move(both));
  s.waited = (a.waited * static_cast<double>(a.samples) + b.waited * static_cast<double>(b.samples)) /
             static_cast<double>(s.samples);
  return s;
}

}  // namespace onefold::measure
