// Operations as text where compilers or headers are missing, or compilers fail. Each case starts processes with an
// environment of its own.
#include <filesystem>
#include <fstream>
#include <string>

#include "dispatch/source_scratch.hpp"

using namespace dispatch;

TEST_CASE("a process that ignores its children's ends compiles as well") {
  const scratch here;
  const process_result r =
      run("/bin/sh", {"CXX=c++", "ONEFOLD_CACHE=none"}, {"-c", "trap '' CHLD; exec" + quoted(setting("PROBE"))});
  CAPTURE(r.text);
  CHECK(r.says("36 by sequential with "));
}

TEST_CASE("a compiler that is missing or fails is an error that says so") {
  const scratch here;
  const auto says = [&](const strings& environment, const std::string& words) {
    const process_result r = here.probe(environment);
    CHECK(r.says(words));
  };
  says({"CXX=", "PATH="},
       "error unsupported: no C++ compiler was found: neither c++ nor g++ nor clang++ is in PATH; install one, or name "
       "it in the environment variable CXX\n");
  says({"CXX=nonesuch -g"},
       "error unsupported: CXX names \"nonesuch\", which is neither the absolute path of a program");
  says({"CXX=./c++"}, "error unsupported: CXX names \"./c++\", which is neither");
  says({"CXX= "}, "error unsupported: CXX names no compiler");
  says({"CXX=/bin/false"},
       "error invalid_argument: operation cubes cannot be compiled by /bin/false: it ended with exit "
       "status 1 and without a message or an object\n");
  says({"CXX=/bin/true"},
       "error invalid_argument: operation cubes cannot be compiled by /bin/true: it ended with exit "
       "status 0 and without a message or an object\n");
  write(here.folder() / "killed", "#!/bin/sh\nkill -KILL $$\n");
  write(here.folder() / "telling", "#!/bin/sh\nexit 137\n");
  for (const char* name : {"killed", "telling"}) {
    const std::string compiler = (here.folder() / name).string();
    fs::permissions(compiler, fs::perms::owner_all);
    says({"CXX=" + compiler},
         "error unsupported: operation cubes cannot be compiled: " + compiler + " was ended by signal 9\n");
  }
  write(here.folder() / "text", "no program");
  fs::permissions(here.folder() / "text", fs::perms::owner_all);
  says({"CXX=" + (here.folder() / "text").string()}, "cannot be started: Exec format error");
  CHECK(here.objects().empty());
}

TEST_CASE("a relative folder in PATH is not looked into") {
  const scratch here;
  fs::create_directories(here.folder() / "bin");
  fs::create_symlink("/bin/false", here.folder() / "bin/c++");
  const process_result r =
      run(setting("PROBE"), {"CXX=", "ONEFOLD_CACHE=none", "PATH=bin:/usr/bin:/bin"}, {}, here.folder().string());
  CAPTURE(r.text);
  CHECK(r.says("36 by sequential with "));
}

TEST_CASE("headers that are missing are an error that says so") {
  const scratch here;
  CHECK(here.probe({"ONEFOLD_INCLUDE=" + here.folder().string()})
            .says("error unsupported: ONEFOLD_INCLUDE: \"" + here.folder().string().substr(0, 20)));
  CHECK(here.probe({"ONEFOLD_INCLUDE=include"})
            .says("error unsupported: ONEFOLD_INCLUDE: \"include\" is not the absolute"));
  fs::copy(ONEFOLD_TEST_INCLUDE, here.folder() / "include", fs::copy_options::recursive);
  const std::string copy = "ONEFOLD_INCLUDE=" + (here.folder() / "include").string();
  here.check_result({copy});
  // Changed headers are other headers.
  const std::size_t before = here.compilations();
  std::ofstream(here.folder() / "include/onefold/detail/custom.hpp", std::ios::app) << "// more\n";
  here.check_result({copy});
  CHECK(here.compilations() == before + 1);
  std::ofstream(here.folder() / "include/onefold/version.hpp", std::ios::app)
      << "#undef ONEFOLD_VERSION_PATCH\n#define ONEFOLD_VERSION_PATCH 99\n";
  CHECK(here.probe({copy}).says("onefold: the headers are those of another version than the library"));
}

TEST_CASE("a text that does not compile is not kept") {
  const scratch here;
  for (int i = 0; i < 2; ++i) {
    const process_result r = here.probe({}, {"broken"});
    CHECK(r.says("error invalid_argument: operation cubes cannot be compiled by "));
    CHECK(r.says("cubes:6:"));
  }
  CHECK(here.compilations() == 2);
  CHECK(here.objects().empty());
}
