// The main function of every test program: skips with the reason when the backend under test cannot run.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <iostream>
#include <string>

#include "support/backend.hpp"

namespace support {
namespace {
std::string skip_reason;
}

void skip(const std::string& reason) { skip_reason = reason; }
}  // namespace support

int main(int argc, char** argv) {
  constexpr int skipped = 77;  // as SKIP_RETURN_CODE in tests.cmake
  try {
    const auto who = support::backend_under_test();
    for (const auto& b : onefold::backends()) {
      if (b.backend == who && !b.available) {
        std::cout << "skipped: backend " << onefold::name_of(who) << " cannot run: " << b.detail << '\n';
        return skipped;
      }
    }
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 2;
  }
  const int failed = Catch::Session().run(argc, argv);
  if (failed != 0 || support::skip_reason.empty()) return failed;
  std::cout << "skipped: " << support::skip_reason << '\n';
  return skipped;
}
