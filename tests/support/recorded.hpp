// Recorded bits: a digest of many results, and a file of them to compare with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <span>
#include <string>

#include "support/catch.hpp"

namespace support {

/// A short name for many bytes: FNV-1a (Fowler, Noll & Vo).
class digest {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) hash_ = (hash_ ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
  }
  std::string text() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_));
    return digits;
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Compares each entry's digest with its line in the file that the environment variable names; with
/// ONEFOLD_TEST_RECORD set the file is written instead.
inline void check_recorded(const char* variable, const std::map<std::string, std::string>& got) {
  const char* path = std::getenv(variable);
  REQUIRE(path != nullptr);
  if (std::getenv("ONEFOLD_TEST_RECORD")) {
    std::ofstream out(path);
    for (const auto& [entry, hash] : got) out << entry << ' ' << hash << '\n';
    REQUIRE(out.flush());
    return;
  }
  std::ifstream in(path);
  REQUIRE(in);
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    const auto space = line.rfind(' ');
    const std::string entry = line.substr(0, space);
    INFO(entry);
    REQUIRE(got.contains(entry));
    CHECK(got.at(entry) == line.substr(space + 1));
  }
  CHECK(lines == got.size());
}

}  // namespace support
