// The cache of operations as text: what is loaded from it, and what is not. Each case starts processes with an
// environment of its own; a compiler that counts says whether one was called.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <string>

#include "dispatch/source_scratch.hpp"
#include "onefold/onefold.hpp"

using namespace dispatch;

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
  for (const mode_t others : {0720u, 0702u}) {
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
  for (const mode_t others : {0720u, 0702u, 0777u}) {
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
  for (int i = 0; i < 6; ++i) command += quoted(setting("PROBE")) + " & ";
  const process_result r =
      run("/bin/sh", {"CXX=" + (here.folder() / "counting").string(), "ONEFOLD_CACHE=" + here.cache().string()},
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

TEST_CASE("what a killed process left in the cache is removed once it is an hour old") {
  const scratch here;
  write(here.folder() / "killing", "#!/bin/sh\nkill -KILL $PPID\n");
  fs::permissions(here.folder() / "killing", fs::perms::owner_all);
  const strings killing{"CXX=" + (here.folder() / "killing").string(), "ONEFOLD_CACHE=" + here.cache().string()};
  run(setting("PROBE"), killing, {});
  const fs::path left = here.object();
  REQUIRE(fs::is_directory(left));
  const auto made_by = [&](const std::string& owner) {
    const fs::path folder = here.cache() / ("onefold-" + owner + "-abcdef");
    fs::create_directory(folder);
    return folder;
  };
  const fs::path living = made_by(std::to_string(getpid())), nobodys = made_by("x");
  const auto age = [](const fs::path& folder, std::chrono::minutes by) {
    fs::last_write_time(folder, fs::file_time_type::clock::now() - by);
  };
  age(left, std::chrono::minutes(50));
  age(living, std::chrono::minutes(90));
  age(nobodys, std::chrono::minutes(90));
  here.check_result();
  CHECK(fs::exists(left / "operation.cpp"));
  age(left, std::chrono::minutes(70));
  here.check_result({"CXX=" + (here.folder() / "counting").string() + " -g"});
  CHECK(here.compilations() == 2);
  CHECK(!fs::exists(left));
  CHECK(fs::exists(living));
  CHECK(fs::exists(nobodys));
}
