// An operation of a user's that takes exp and log1p has the same bits at every level and on every backend.
#include <bit>
#include <cmath>
#include <string>

#include "functions.hpp"
#include "operation.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"

TEST_CASE("a sum of softplus has the recorded bits at every level") {
  std::vector<float> x(100'003);
  double about = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(static_cast<int>(i * 7919 % 4001) - 2000) / 64.0f;
    about += std::log1p(std::exp(-std::abs(static_cast<double>(x[i])))) + std::max(0.0, static_cast<double>(x[i]));
  }
  const auto how = support::on_backend();
  const float baseline = math_operation_baseline(x, how);
  CHECK(std::abs(baseline - about) < 1e-6 * about);
  CHECK(std::bit_cast<std::uint32_t>(baseline) == 0x493f7907);
#ifdef __x86_64__
  for (const math::level& l : math::levels()) {
    if (!l.runs) continue;
    const std::string name = l.name;
    const auto run = name == "v2"   ? math_operation_v2
                     : name == "v3" ? math_operation_v3
                     : name == "v4" ? math_operation_v4
                                    : math_operation_baseline;
    INFO("level " << name);
    CHECK(std::bit_cast<std::uint32_t>(run(x, how)) == std::bit_cast<std::uint32_t>(baseline));
  }
#endif
}
