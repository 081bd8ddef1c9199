// How long the Python that reads a column is waited for, by scripts in its place.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>

#include "input/columnar.hpp"
#include "input/failure.hpp"
#include "support/catch.hpp"

using namespace onefold::cli;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

/// A folder with a script in the place of Python.
class stand_in {
 public:
  explicit stand_in(const std::string& script) : folder_(fs::temp_directory_path() / "onefold-test-XXXXXX") {
    std::string name = folder_.string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    const fs::path python = folder_ / "python";
    std::ofstream(python) << "#!/bin/sh\ncd '" << name << "'\n" << script << "\n";
    fs::permissions(python, fs::perms::owner_all);
    REQUIRE(setenv("ONEFOLD_PYTHON", python.c_str(), 1) == 0);
  }
  ~stand_in() { fs::remove_all(folder_); }
  stand_in(const stand_in&) = delete;
  stand_in& operator=(const stand_in&) = delete;

  /// The number that the script wrote to a file.
  pid_t number_in(const char* file) const {
    pid_t number = 0;
    std::ifstream(folder_ / file) >> number;
    return number;
  }

 private:
  fs::path folder_;
};

/// How many values of a column are null, after its elements.
std::int64_t nulls_of(column_child& child) {
  progress_counter counted;
  const std::unique_ptr<source> elements = child.open(counted);
  while (elements->more()) {
  }
  return child.end();
}

std::span<const std::byte> parquet() {
  static constexpr std::byte start[]{std::byte{'P'}, std::byte{'A'}, std::byte{'R'}, std::byte{'1'}, std::byte{0}};
  return start;
}

}  // namespace

TEST_CASE("a Python that closes its output and does not end is stopped after a time") {
  const stand_in python("echo $$ >number; echo f64; exec >&-; exec sleep 1000");
  {
    column_child child("x", parquet(), {}, 200ms);
    const auto start = std::chrono::steady_clock::now();
    try {
      nulls_of(child);
      FAIL("it was not stopped");
    } catch (const failure& f) {
      CHECK(std::string(f.what()) ==
            "found a Parquet file, which Python could not read: it did not end within 0.2 "
            "seconds after its last output, and was stopped");
    }
    CHECK(std::chrono::steady_clock::now() - start < 5s);
  }
  const pid_t number = python.number_in("number");
  REQUIRE(number > 0);
  CHECK(kill(number, 0) == -1);
  CHECK(errno == ESRCH);
}

TEST_CASE("a Python that ends soon after it closes its output is waited for") {
  const stand_in python("echo u8; exec >&-; sleep 0.1; echo 2 >&2");
  column_child child("x", parquet(), {});
  CHECK(nulls_of(child) == 2);
}
