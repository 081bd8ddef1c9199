// Plans made before the process loads CUDA: a pointer that comes afterwards is looked at, on the short way too.
//
// The driver is a library of its name, and the stand-in for CUDA says of all memory that it is what FAKE_MEMORY names.
#include <cstdlib>
#include <string>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "onefold/onefold.hpp"
#include "support/catch.hpp"

namespace {

using plan = onefold::plan<float, onefold::op::sum>;

/// 1 MiB of ones, and nothing near it.
std::vector<float> ones() { return std::vector<float>(1 << 18, 1.0f); }

}  // namespace

// One case: a driver is loaded once in a process.
TEST_CASE("plans made before CUDA was loaded know its memory") {
  const auto host = ones(), device = ones();
  plan free(1 << 18), small(4), tiny(1 << 18), forced(1 << 18, {.backend = onefold::backend::cpu});
  for (const std::int64_t n : {1, 4, 4096}) {
    CHECK(free(host.data(), n) == static_cast<float>(n));
    CHECK(tiny(host.data(), n) == static_cast<float>(n));
    CHECK(forced(host.data(), n) == static_cast<float>(n));
  }
  for (int i = 0; i < 100; ++i) CHECK(small(host.data() + 1024 * i, 4) == 4);
  // Nothing is there to read, whatever was known before.
  CHECK(tiny(reinterpret_cast<const float*>(64), 0) == 0);
  CHECK_THROWS_AS(tiny(nullptr, 1), onefold::error);

  REQUIRE(setenv("FAKE_MEMORY", "device", 1) == 0);
  dispatch::load_driver();

  CHECK(small(device.data(), 4) == 4);
  CHECK(small.report().backend == onefold::backend::cuda);
  CHECK(small.report().why == "the data is in device memory");
  // From now on every pointer is looked at.
  CHECK(free(device.data(), 4) == 4);
  CHECK(free.report().backend == onefold::backend::cuda);
  CHECK(tiny(device.data(), 100'000) == 100'000);
  CHECK(tiny.report().backend == onefold::backend::cuda);
  for (const std::int64_t n : {1, 4096, 100'000}) {
    try {
      forced(device.data(), n);
      FAIL_CHECK("there was no error");
    } catch (const onefold::error& e) {
      CHECK(e.code() == onefold::error_code::invalid_argument);
      CHECK(std::string(e.what()).find("the data is in device memory") != std::string::npos);
    }
  }
  REQUIRE(setenv("FAKE_MEMORY", "pageable", 1) == 0);
  CHECK(small(host.data(), 4) == 4);
  CHECK(small.report().backend == onefold::backend::sequential);
}
