// The cache of operations as text: what is loaded from it, what is not, and compilers that are missing or fail. Each
// case starts processes with an environment of its own; a compiler that counts says whether one was called.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "dispatch/process.hpp"
#include "onefold/onefold.hpp"
#include "support/catch.hpp"

namespace {

namespace fs = std::filesystem;
using dispatch::process_result;
using strings = std::vector<std::string>;

std::string content_of(const fs::path& file) {
  std::ifstream from(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

void write(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

/// A folder with an empty cache and a compiler that counts.
class scratch {
 public:
  scratch() : folder_(dispatch::setting("SCRATCH")) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write(folder_ / "counting", "#!/bin/sh\necho >> " + (folder_ / "count").string() + "\nexec c++ \"$@\"\n");
    fs::permissions(folder_ / "counting", fs::perms::owner_all);
  }
  ~scratch() { fs::remove_all(folder_); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  const fs::path& folder() const { return folder_; }
  fs::path cache() const { return folder_ / "cache"; }

  /// Runs the probe with the counting compiler and this cache, but for what `more` says.
  process_result probe(const strings& more = {}, const strings& arguments = {}) const {
    strings environment{"CXX=" + (folder_ / "counting").string(), "ONEFOLD_CACHE=" + cache().string()};
    environment.insert(environment.end(), more.begin(), more.end());
    process_result r = dispatch::run(dispatch::setting("PROBE"), environment, arguments);
    UNSCOPED_INFO(r.text);
    CHECK(r.status == 0);
    return r;
  }

  /// Runs it, and checks its result.
  void check_result(const strings& more = {}) const { CHECK(probe(more).text.starts_with("36 by sequential with ")); }

  /// How often the compiler was called.
  std::size_t compilations() const { return content_of(folder_ / "count").size(); }

  /// What is in the cache.
  std::vector<fs::path> objects() const {
    std::vector<fs::path> found;
    if (fs::exists(cache()))
      for (const auto& one : fs::directory_iterator(cache())) found.push_back(one.path());
    return found;
  }

  /// The one object that is there.
  fs::path object() const {
    REQUIRE(objects().size() == 1);
    return objects().front();
  }

 private:
  fs::path folder_;
};

}  // namespace

TEST_CASE("a process loads what another has compiled") {
  const scratch here;
  here.check_result();
  here.check_result();
  CHECK(here.compilations() == 1);
  struct stat about {};
  REQUIRE(stat(here.cache().c_str(), &about) == 0);
  CHECK((about.st_mode & 0777) == 0700);
  REQUIRE(stat(here.object().c_str(), &about) == 0);
  CHECK((about.st_mode & 0777) == 0700);
}

TEST_CASE("another instruction set, another compiler or option is another object") {
  const scratch here;
  std::size_t wanted = 0;
  for (const onefold::isa level : onefold::isas()) {
    here.check_result({std::string("ONEFOLD_ISA=") + onefold::name_of(level)});
    CHECK(here.objects().size() == ++wanted);
  }
  here.check_result({"CXX=" + (here.folder() / "counting").string() + " -g"});
  CHECK(here.objects().size() == ++wanted);
  here.check_result({"CXX=c++"});
  CHECK(here.objects().size() == ++wanted);
}

TEST_CASE("a damaged object is compiled again") {
  const scratch here;
  here.check_result();
  const std::string whole = content_of(here.object());
  REQUIRE(whole.size() > 1000);
  std::size_t compiled = 1;
  const auto check_damaged = [&](const std::string& content) {
    write(here.object(), content);
    here.check_result();
    CHECK(here.compilations() == ++compiled);
    CHECK(content_of(here.object()).size() == whole.size());
    here.check_result();
    CHECK(here.compilations() == compiled);
  };
  check_damaged("");
  check_damaged("garbage");
  check_damaged(whole.substr(0, whole.size() / 2));
  check_damaged(whole.substr(0, whole.size() - 1));
  check_damaged(whole + "x");
  for (const std::size_t place : {std::size_t{5}, whole.size() / 2, whole.size() - 20}) {
    std::string changed = whole;
    changed[place] = static_cast<char>(changed[place] ^ 4);
    check_damaged(changed);
  }
}

TEST_CASE("an object that others can write, or that is a link, is not loaded") {
  const scratch here;
  here.check_result();
  for (const mode_t others : {0720, 0702}) {
    REQUIRE(chmod(here.object().c_str(), others) == 0);
    const std::size_t before = here.compilations();
    here.check_result();
    CHECK(here.compilations() == before + 1);
  }
  const fs::path away = here.folder() / "away.so";
  fs::rename(here.object(), away);
  here.check_result();
  const fs::path object = here.object();
  fs::remove(object);
  fs::create_symlink(away, object);
  const std::size_t before = here.compilations();
  here.check_result();
  CHECK(here.compilations() == before + 1);
}

TEST_CASE("a folder that others can write is not used") {
  const scratch here;
  for (const mode_t others : {0720, 0702, 0777}) {
    fs::create_directories(here.cache());
    REQUIRE(chmod(here.cache().c_str(), others) == 0);
    const std::size_t before = here.compilations();
    here.check_result();
    here.check_result();
    CHECK(here.compilations() == before + 2);
    CHECK(here.objects().empty());
  }
}

TEST_CASE("without a cache each process compiles, and leaves nothing") {
  const scratch here;
  fs::create_directories(here.folder() / "temporary");
  write(here.folder() / "file", "");
  const std::string temporary = "TMPDIR=" + (here.folder() / "temporary").string();
  std::size_t wanted = 0;
  strings without{"none", (here.folder() / "file" / "cache").string(), "/proc/onefold"};
  if (geteuid() != 0) {  // root writes anywhere
    fs::create_directories(here.folder() / "sealed");
    REQUIRE(chmod((here.folder() / "sealed").c_str(), 0500) == 0);
    without.push_back((here.folder() / "sealed").string());
  }
  for (const std::string& cache : without) {
    here.check_result({"ONEFOLD_CACHE=" + cache, temporary});
    here.check_result({"ONEFOLD_CACHE=" + cache, temporary});
    CHECK(here.compilations() == (wanted += 2));
    CHECK(fs::is_empty(here.folder() / "temporary"));
  }
  CHECK(
      here.probe({"ONEFOLD_CACHE=none", "TMPDIR=/proc/onefold"})
          .says("error unsupported: an operation as text cannot be compiled: no folder can be made in /proc/onefold"));
  CHECK(here.probe({"ONEFOLD_CACHE=cache"})
            .says("error invalid_argument: ONEFOLD_CACHE: \"cache\" is neither an absolute path nor none"));
}

TEST_CASE("an object that the loader does not load from the cache is loaded from elsewhere") {
  const scratch here;
  fs::create_directories(here.folder() / "temporary");
  // The loader puts a folder's name in the place of $LIB, and finds nothing: as where the cache is mounted noexec.
  const fs::path cache = here.folder() / "$LIB";
  const strings environment{"ONEFOLD_CACHE=" + cache.string(), "TMPDIR=" + (here.folder() / "temporary").string()};
  here.check_result(environment);
  here.check_result(environment);
  CHECK(here.compilations() == 1);
  CHECK(std::distance(fs::directory_iterator(cache), fs::directory_iterator()) == 1);
  CHECK(fs::is_empty(here.folder() / "temporary"));
}

TEST_CASE("the cache is in the user's folder of caches") {
  const scratch here;
  const std::string folder = here.folder().string();
  here.check_result({"ONEFOLD_CACHE=", "XDG_CACHE_HOME=" + folder + "/xdg", "HOME=" + folder + "/home"});
  CHECK(fs::exists(folder + "/xdg/onefold/operations"));
  CHECK(!fs::exists(folder + "/home"));
  here.check_result({"ONEFOLD_CACHE=", "XDG_CACHE_HOME=xdg", "HOME=" + folder + "/home"});
  CHECK(fs::exists(folder + "/home/.cache/onefold/operations"));
  here.check_result({"ONEFOLD_CACHE=" + folder + "/own//"});
  CHECK(fs::status(folder + "/own").permissions() == fs::perms::owner_all);
}

TEST_CASE("processes that compile at once agree, and leave one object") {
  const scratch here;
  std::string command;
  for (int i = 0; i < 6; ++i) command += dispatch::quoted(dispatch::setting("PROBE")) + " & ";
  const process_result r = dispatch::run(
      "/bin/sh", {"CXX=" + (here.folder() / "counting").string(), "ONEFOLD_CACHE=" + here.cache().string()},
      {"-c", command + "wait"});
  CAPTURE(r.text);
  std::size_t results = 0;
  for (std::size_t at = 0; (at = r.text.find("36 by sequential with ", at)) != std::string::npos; ++at) ++results;
  CHECK(results == 6);
  CHECK(std::ranges::count(r.text, '\n') == 6);
  CHECK(here.objects().size() == 1);
  const std::size_t before = here.compilations();
  here.check_result();
  CHECK(here.compilations() == before);
}

TEST_CASE("a process that ignores its children's ends compiles as well") {
  const scratch here;
  const process_result r = dispatch::run("/bin/sh", {"CXX=c++", "ONEFOLD_CACHE=none"},
                                         {"-c", "trap '' CHLD; exec" + dispatch::quoted(dispatch::setting("PROBE"))});
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
  const process_result r = dispatch::run(
      dispatch::setting("PROBE"), {"CXX=", "ONEFOLD_CACHE=none", "PATH=bin:/usr/bin:/bin"}, {}, here.folder().string());
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
      << "#undef ONEFOLD_VERSION\n#define ONEFOLD_VERSION \"0.0.9\"\n";
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
