// A file is written beside its place and moved there, so that nobody finds half of it.
#include "files.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/source.hpp"

namespace onefold::cli {
namespace {

/// Writes the text to `place`, or nothing. What the system says against it.
std::error_code replaced(const std::string& place, std::string_view text) {
  const std::string made = fmt::format("{}.{}.part", place, getpid());  // two processes may write at once
  errno = 0;
  std::ofstream file(made, std::ios::binary);
  file << text;
  file.close();
  std::error_code problem, none;
  if (!file) {
    problem.assign(errno != 0 ? errno : EIO, std::generic_category());
  } else {
    if (const auto there = std::filesystem::status(place, none); std::filesystem::exists(there))
      std::filesystem::permissions(made, there.permissions(), none);
    std::filesystem::rename(made, place, problem);
  }
  if (problem) std::filesystem::remove(made, none);
  return problem;
}

failure unwritable(const std::string& path, const std::string& why) {
  return {exit_code::failed, fmt::format("{} cannot be written: {}", shown_name(path), why)};
}

}  // namespace

void require_replaceable(const std::string& path) {
  std::error_code none;
  const auto there = std::filesystem::status(path, none);
  if (std::filesystem::is_directory(there)) throw unwritable(path, "it is a directory");
  if (!std::filesystem::exists(there) && std::filesystem::is_symlink(std::filesystem::symlink_status(path, none)))
    throw unwritable(path, "it is a link to what is not there");
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    throw unwritable(path, "it is no regular file, and would be replaced by one");
}

void prepare_folder(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  const std::string trial = std::filesystem::path(folder) / ".onefold-trial";
  if (!problem) problem = replaced(trial, "");
  if (problem) throw unwritable(folder, problem.message());
  std::filesystem::remove(trial, problem);
}

void write_file(const std::string& path, std::string_view text) {
  require_replaceable(path);
  std::error_code problem;
  std::string place = std::filesystem::canonical(path, problem);  // a link stays, and what it names is written
  if (problem) place = path;
  problem = replaced(place, text);
  if (problem) throw unwritable(path, problem.message());
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
