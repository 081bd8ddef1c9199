// A file is written beside its place and moved there, so that nobody finds half of it.
#include "report/files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/source.hpp"

namespace onefold::cli {
namespace {

failure unwritable(const std::string& path, const std::string& why) {
  return {exit_code::failed, fmt::format("--output: {} cannot be written: {}", shown_name(path), why)};
}

}  // namespace

void prepare_folder(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) throw unwritable(folder, problem.message());
  std::filesystem::remove(write_file(folder, ".onefold-report", ""), problem);
}

std::string write_file(const std::string& folder, const std::string& name, std::string_view text) {
  const std::string path = std::filesystem::path(folder) / name, made = path + ".part";
  errno = 0;
  std::ofstream file(made, std::ios::binary);
  file << text;
  file.close();
  std::error_code problem;
  if (!file) {
    const std::string why = std::strerror(errno);
    std::filesystem::remove(made, problem);
    throw unwritable(path, why);
  }
  std::filesystem::rename(made, path, problem);
  if (problem) throw unwritable(path, problem.message());
  return path;
}

std::string read_file(const std::string& path) {
  try {
    tally counted;
    source file(path, counted);
    file.to_end();
    const auto bytes = file.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  } catch (const failure& f) {
    throw failure(f.code(), shown_name(path) + ": " + f.what());
  }
}

}  // namespace onefold::cli
