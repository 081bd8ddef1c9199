// An operation that is written when the program runs: the mean of |x|^p, for the power on the command line.
#include <cstdio>
#include <string>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

/// The operation's source: the power is part of it, so that the compiler multiplies without a loop.
onefold::source_operation mean_power(int power) {
  std::string product = "m";
  for (int i = 1; i < power; ++i) product += " * m";
  return {.name = "mean_power", .element = onefold::dtype::f64, .text = R"(
struct mean_power {
  struct state { double sum; };
  static constexpr state identity() { return {0}; }
  static constexpr state lift(double x) {
    const double m = x < 0 ? -x : x;
    return {)" + product + R"(};
  }
  static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
  static constexpr double finish(state s, std::int64_t n) { return s.sum / static_cast<double>(n); }
};
)"};
}

}  // namespace

int main(int count, char** arguments) try {
  const int power = count > 1 ? std::stoi(arguments[1]) : 3;
  if (power < 1 || power > 64) {
    std::fprintf(stderr, "usage: source_operation [POWER, 1 to 64]\n");
    return 2;
  }
  std::vector<double> data(1'000'000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<double>(i % 1000) / 500 - 1;

  const onefold::source_operation operation = mean_power(power);
  std::string first;
  for (const onefold::backend_info& b : onefold::backends()) {
    if (!b.available || onefold::is_accelerator(b.backend)) continue;
    const onefold::dynamic_result r =
        onefold::reduce_dynamic(operation, data.data(), static_cast<std::int64_t>(data.size()), {.backend = b.backend});
    std::printf("%-10s mean of |x|^%d: %s\n", onefold::name_of(b.backend), power, r.values.front().text().c_str());
    if (first.empty()) first = r.values.front().hex();
    if (first != r.values.front().hex()) {
      std::fprintf(stderr, "source_operation: the backends differ\n");
      return 1;
    }
  }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "source_operation: %s\n", e.what());
  return 1;
}
