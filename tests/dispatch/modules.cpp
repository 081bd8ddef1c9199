// Loading of backend modules: where they are looked for, and what is said of those that are missing or unfit.
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>

#include "dispatch/process.hpp"
#include "support/catch.hpp"

namespace {

using dispatch::process_result;
using strings = std::vector<std::string>;

process_result probe(const char* which, const strings& environment, const strings& arguments = {},
                     const std::string& folder = ".") {
  const process_result r = dispatch::run(dispatch::setting(which), environment, arguments, folder);
  UNSCOPED_INFO(r.text);
  CHECK(r.status == 0);
  CHECK(r.says("afterwards 6\n"));
  return r;
}

std::string fakes(const std::string& name) { return dispatch::setting("FAKES") + "/" + name; }

/// OpenMP asked for by name, with the modules of one of the folders of fakes.
process_result with_fake(const std::string& name) {
  return probe("PROBE", {"ONEFOLD_BACKEND_PATH=" + fakes(name)}, {"backend=openmp"});
}

}  // namespace

TEST_CASE("ONEFOLD_BACKEND_PATH comes before the folder beside the library") {
  CHECK(with_fake("good").says("backend openmp: requested by the caller\n"));
  // The fake has two threads whatever the environment of OpenMP says.
  CHECK(probe("PROBE", {"ONEFOLD_BACKEND_PATH=" + fakes("good"), "OMP_NUM_THREADS=7"}, {"backend=openmp"})
            .says("\nthreads 2\n"));
  CHECK(probe("PROBE", {"ONEFOLD_BACKEND_PATH=" + fakes("empty") + ":" + fakes("good"), "OMP_NUM_THREADS=7"},
              {"backend=openmp"})
            .says("\nthreads 2\n"));
}

TEST_CASE("the library works without any module, and says where it looked") {
  const auto automatic = probe("PROBE_ALONE", {});
  CHECK(automatic.says("backend sequential: "));
  CHECK(automatic.says("not openmp: module libonefold_openmp.so not found in "));
  CHECK(automatic.says("not tbb: module libonefold_tbb.so not found in "));
  CHECK(automatic.says("not threads: module libonefold_threads.so not found in "));
  const auto forced = probe("PROBE_ALONE", {"ONEFOLD_BACKEND_PATH=/nowhere"}, {"backend=tbb"});
  CHECK(forced.says(
      "error backend_unavailable: backend tbb cannot run: module libonefold_tbb.so not found in /nowhere, "));
  CHECK(forced.says(
      "/alone/onefold; install it, or name its folder in ONEFOLD_BACKEND_PATH; the nearest choice is sequential\n"));
}

TEST_CASE("a module directory elsewhere") {
  CHECK(probe("PROBE_ALONE", {"ONEFOLD_BACKEND_PATH=" + fakes("good")}, {"backend=openmp"}).says("backend openmp: "));
}

TEST_CASE("modules are never taken from the working directory") {
  for (const char* path : {"", ":", "::"}) {
    const auto r =
        probe("PROBE_ALONE", {std::string("ONEFOLD_BACKEND_PATH=") + path}, {"backend=openmp"}, fakes("here"));
    CHECK(r.says("error backend_unavailable: backend openmp cannot run: module libonefold_openmp.so not found"));
  }
  CHECK(probe("PROBE_ALONE", {}, {}, fakes("here")).says("backend sequential: "));
  CHECK(probe("PROBE_ALONE", {"LD_LIBRARY_PATH=" + fakes("good")}, {}, fakes("here")).says("backend sequential: "));
}

TEST_CASE("relative folders in ONEFOLD_BACKEND_PATH are ignored, and the error says so") {
  for (const char* path : {".", "onefold", "./", "./onefold", "..", "../here", ".:onefold", "~"}) {
    INFO(path);
    const auto r =
        probe("PROBE_ALONE", {std::string("ONEFOLD_BACKEND_PATH=") + path}, {"backend=openmp"}, fakes("here"));
    CHECK(r.says("error backend_unavailable: backend openmp cannot run: module libonefold_openmp.so not found"));
    CHECK(r.says("in ONEFOLD_BACKEND_PATH (relative folders there are ignored);"));
  }
  CHECK(probe("PROBE_ALONE", {"ONEFOLD_BACKEND_PATH=.:" + fakes("good")}, {"backend=openmp"}, fakes("here"))
            .says("backend openmp: "));
}

TEST_CASE("a program with more privileges than its caller obeys no environment variable") {
  // Another group than the caller's is enough: it starts the program in secure mode, which the kernel tells it.
  const std::string folder = std::filesystem::temp_directory_path() / ("onefold-rights-" + std::to_string(getpid()));
  const std::string copy = folder + "/probe";
  std::filesystem::create_directory(folder);
  std::filesystem::copy_file(dispatch::setting("PROBE"), copy);
  const gid_t other = getegid() == 65534u ? 1u : 65534u;
  struct statvfs mount {};
  const bool possible = chown(copy.c_str(), getuid(), other) == 0 && chmod(copy.c_str(), 02755) == 0 &&
                        statvfs(copy.c_str(), &mount) == 0 && !(mount.f_flag & ST_NOSUID);
  if (possible) {
    const strings hostile = {"ONEFOLD_BACKEND_PATH=" + fakes("declines"), "ONEFOLD_BACKEND=nonsense",
                             "ONEFOLD_ISA=nonsense", "ONEFOLD_NUM_THREADS=nonsense", "ONEFOLD_PROFILE=/nonsense"};
    const auto automatic = dispatch::run(copy, hostile);
    INFO(automatic.text);
    CHECK(automatic.status == 0);
    CHECK(automatic.says("value "));
    CHECK_FALSE(automatic.says("nonsense"));
    const auto forced = dispatch::run(copy, hostile, {"backend=openmp"});
    INFO(forced.text);
    CHECK(forced.status == 0);
    CHECK_FALSE(forced.says("this module never runs"));
    // The same without the privileges.
    REQUIRE(chmod(copy.c_str(), 0755) == 0);
    CHECK(dispatch::run(copy, {"ONEFOLD_BACKEND=nonsense"}).says("\"nonsense\""));
    CHECK(dispatch::run(copy, {"ONEFOLD_BACKEND_PATH=" + fakes("declines")}, {"backend=openmp"})
              .says("this module never runs"));
  } else {
    WARN("not tested: this user cannot give a program another group");
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("a module of another version is refused") {
  const auto name = with_fake("other_abi");
  CHECK(name.says("error backend_unavailable: backend openmp cannot run: module " + fakes("other_abi") +
                  "/libonefold_openmp.so"));
  CHECK(name.says(" was built for another version of onefold: it has no onefold_openmp_backend_abi"));
  CHECK(with_fake("other_size").says("libonefold_openmp.so was built for another version of onefold;"));
  CHECK(with_fake("no_record").says("libonefold_openmp.so was built for another version of onefold;"));
}

TEST_CASE("a module that cannot be loaded is refused with the loader's reason") {
  for (const char* name : {"garbage", "truncated", "cut", "folder"}) {
    const auto r = with_fake(name);
    CHECK(r.says("error backend_unavailable: backend openmp cannot run: module " + fakes(name) +
                 "/libonefold_openmp.so cannot be loaded: "));
    CHECK(r.says("the nearest choice is "));
    // The loader says the path too; once is enough.
    const std::size_t first = r.text.find("/libonefold_openmp.so");
    CHECK(r.text.find("/libonefold_openmp.so", first + 1) == std::string::npos);
  }
}

TEST_CASE("a named pipe in a module's place is refused, and not waited for") {
  const std::string folder = std::filesystem::temp_directory_path() / ("onefold-pipe-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string pipe = folder + "/libonefold_openmp.so";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  // Ends this test where the program waits for the pipe.
  const auto waiting = alarm(20);
  const auto r = probe("PROBE", {"ONEFOLD_BACKEND_PATH=" + folder}, {"backend=openmp"});
  alarm(waiting);
  CHECK(r.says("module " + pipe + " cannot be loaded: not a regular file"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("a module that declines is refused with its own reason") {
  CHECK(with_fake("declines").says("backend openmp cannot run: this module never runs; the nearest choice is "));
}

TEST_CASE("automatic goes on after an unfit module, and keeps the reason") {
  for (const char* name : {"other_abi", "garbage", "declines"}) {
    const auto r = probe("PROBE_ALONE", {"ONEFOLD_BACKEND_PATH=" + fakes(name)});
    CHECK(r.says("backend sequential: "));
    CHECK(r.says("not openmp: "));
  }
  CHECK(
      probe("PROBE_ALONE", {"ONEFOLD_BACKEND_PATH=" + fakes("declines")}).says("not openmp: this module never runs\n"));
}
