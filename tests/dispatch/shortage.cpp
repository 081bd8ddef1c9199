// Descriptors or memory that are short at the first call disable nothing for good.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "dispatch/process.hpp"
#include "onefold/onefold.hpp"
#include "onefold/profile.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/instrumented.hpp"

#if ONEFOLD_TEST_SANITIZED
TEST_CASE("shortages") { support::skip("a sanitizer takes descriptors and memory of its own"); }
#else

namespace {

using dispatch::process_result;
using strings = std::vector<std::string>;

/// What the system says of each shortage.
const std::vector<std::pair<std::string, std::string> > shortages{{"files", "Too many open files"},
                                                                  {"memory", "failed to map segment"}};

#if defined(ONEFOLD_TEST_STATIC)
/// OpenMP's runtime ends a process that has no memory for a thread; where it is a module, that is not loaded.
bool survives(const std::string& backend, const std::string& what) {
  return (backend != "openmp" && backend != "automatic") || what == "files";
}
#else
bool survives(const std::string& /*backend*/, const std::string& /*what*/) { return true; }
#endif

/// Reduces twice, at first while something is short; the two reports.
std::pair<process_result, process_result> probe(const strings& environment, const strings& arguments) {
  const process_result both = dispatch::run(dispatch::setting("PROBE"), environment, arguments);
  UNSCOPED_INFO(both.text);
  CHECK(both.status == 0);
  CHECK(both.says("afterwards 6\n"));
  const std::size_t end = both.text.find("]\n");
  REQUIRE(end != std::string::npos);
  return {{0, both.text.substr(0, end)}, {0, both.text.substr(end)}};
}

}  // namespace

TEST_CASE("a backend that could not be loaded for want of descriptors or memory is loaded later") {
  for (const auto& b : onefold::backends()) {
    if (!b.available || onefold::is_accelerator(b.backend) || b.backend == onefold::backend::sequential) continue;
    const std::string name = onefold::name_of(b.backend);
    for (const auto& [what, reason] : shortages) {
      if (!survives(name, what)) continue;
      const auto [first, then] = probe({}, {"backend=" + name, "threads=2", "short=" + what});
      INFO(first.text << then.text);
#if defined(ONEFOLD_TEST_STATIC)
      CHECK(first.says("value 524288"));  // nothing is loaded: the caller does what the backend's threads cannot
#else
      CHECK(first.says("error backend_unavailable: backend " + name + " cannot run: "));
      CHECK(first.says(reason));
#endif
      CHECK(then.says("backend " + name + ": requested by the caller\n"));
      CHECK(then.says("\nthreads 2\n"));
    }
  }
}

TEST_CASE("a GPU that could not be started for want of descriptors is started later") {
  if (!onefold::backends()[0].available) return;  // no GPU here
  const auto [first, then] = probe({}, {"backend=cuda", "short=files"});
  INFO(first.text << then.text);
  CHECK(first.says("error backend_unavailable: backend cuda cannot run: "));
  CHECK(then.says("backend cuda: requested by the caller\n"));
}

TEST_CASE("the automatic choice goes on without what is short, and comes back to it") {
  for (const auto& [what, reason] : shortages) {
    if (!survives("automatic", what)) continue;
    const auto [first, then] = probe({}, {"short=" + what, "threads=2"});
    const auto usual = dispatch::run(dispatch::setting("PROBE"), {}, {"threads=2"});
    INFO(first.text << then.text);
    CHECK(first.says("value 524288"));
    CHECK_FALSE(then.says(reason));
    CHECK(then.text.substr(2) == usual.text);
  }
}

TEST_CASE("a profile that could not be opened is read later") {
  const auto file = std::filesystem::temp_directory_path() / ("onefold-profile-" + std::to_string(getpid()));
  std::ofstream(file) << onefold::to_json(onefold::builtin_profile());
  const auto [first, then] = probe({"ONEFOLD_PROFILE=" + file.string()}, {"short=files", "threads=2"});
  INFO(first.text << then.text);
  CHECK(first.says("figures: built in: " + file.string() + " is not used: Too many open files"));
  CHECK(then.says("figures: " + file.string() + "\n"));
  std::filesystem::remove(file);
}
#endif
