// A folder in which operations as text are compiled by processes: a cache, and a compiler that counts its calls.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "dispatch/process.hpp"
#include "support/catch.hpp"

namespace dispatch {

namespace fs = std::filesystem;
using strings = std::vector<std::string>;

inline std::string content_of(const fs::path& file) {
  std::ifstream from(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

inline void write(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

/// A folder with an empty cache and a compiler that counts.
class scratch {
 public:
  scratch() : folder_(setting("SCRATCH")) {
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
    process_result r = run(setting("PROBE"), environment, arguments);
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

}  // namespace dispatch
