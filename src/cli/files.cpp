// A file is written beside its place and moved there, so that a reader never finds half of it.
#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>

#include <fmt/format.h>

#include "input/source.hpp"

namespace onefold::cli {
namespace {

namespace fs = std::filesystem;

std::error_code system_reason() { return {errno, std::generic_category()}; }

/// A new file in a folder. Its name cannot be foreseen, and it is none that was there, nor through a link that was: in
/// a folder that others can write to, they gain nothing by planting one. Removes it at its end, if it was not moved.
class temporary_file {
 public:
  explicit temporary_file(const fs::path& folder) {
    std::random_device random;
    constexpr int attempts = 100;
    for (int i = 0; i < attempts; ++i) {
      path_ = folder / fmt::format(".onefold-{:08x}{:08x}", random(), random());
      descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (descriptor_ >= 0 || errno != EEXIST) break;
    }
    if (descriptor_ < 0) problem_ = system_reason();
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() {
    if (descriptor_ >= 0) close(descriptor_);
    if (created() && !moved_) unlink(path_.c_str());
  }

  /// What the system said against the first thing that failed.
  const std::error_code& problem() const { return problem_; }

  void write_all(std::string_view text) {
    while (!problem_ && !text.empty()) {
      const ssize_t written = write(descriptor_, text.data(), text.size());
      if (written >= 0)
        text.remove_prefix(static_cast<std::size_t>(written));
      else if (errno != EINTR)
        problem_ = system_reason();
    }
  }

  /// Takes the place of the file there, with its permissions; of none with those that umask leaves.
  void move_to(const fs::path& place) {
    struct stat there {};
    if (!problem_ && stat(place.c_str(), &there) == 0 && fchmod(descriptor_, there.st_mode & 0777) != 0)
      problem_ = system_reason();
    if (!problem_) fs::rename(path_, place, problem_);
    moved_ = !problem_;
  }

 private:
  bool created() const { return descriptor_ >= 0; }

  fs::path path_;
  int descriptor_ = -1;
  bool moved_ = false;
  std::error_code problem_;
};

/// The folder that a file is in.
fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

}  // namespace

failure unwritable(const std::string& path, std::string_view why) {
  return {exit_code::failed, fmt::format("{} cannot be written: {}", shown_name(path), why)};
}

void require_replaceable(const std::string& path) {
  std::error_code none;
  const auto there = fs::status(path, none);
  if (fs::is_directory(there)) throw unwritable(path, "it is a directory");
  if (!fs::exists(there) && fs::is_symlink(fs::symlink_status(path, none)))
    throw unwritable(path, "it is a dangling link");
  if (fs::exists(there) && !fs::is_regular_file(there)) throw unwritable(path, "it is not a regular file");
}

void require_folder(const std::string& folder) {
  if (const temporary_file trial(folder); trial.problem()) throw unwritable(folder, trial.problem().message());
}

void make_folder(const std::string& folder) {
  fs::path path = folder;
  if (!path.has_filename()) path = path.parent_path();  // "today/"
  std::error_code problem, none;
  fs::create_directory(path, problem);
  if (problem && !fs::exists(folder_of(path), none))
    throw unwritable(folder, fmt::format("the folder {} does not exist", shown_name(folder_of(path))));
  if (problem) throw unwritable(folder, problem.message());
  require_folder(folder);
}

void write_file(const std::string& path, std::string_view text) { write_file(path, std::span(&text, 1)); }

void write_file(const std::string& path, std::span<const std::string_view> pieces) {
  require_replaceable(path);
  std::error_code problem;
  fs::path place = fs::canonical(path, problem);
  if (problem) place = path;
  temporary_file made(folder_of(place));
  for (const std::string_view piece : pieces) made.write_all(piece);
  made.move_to(place);
  if (made.problem()) throw unwritable(path, made.problem().message());
}

std::string read_file(const std::string& path) {
  if (path.empty()) throw failure(exit_code::wrong_usage, "expected a file, found an empty name");
  try {
    progress_counter counted;
    source file(path, counted);
    file.at_least(most_bytes_of_a_text + 1);
    const auto bytes = file.bytes();
    if (bytes.size() > most_bytes_of_a_text)
      throw failure(exit_code::bad_data,
                    fmt::format("it has more than {} bytes, too many for a report or a partial", most_bytes_of_a_text));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  } catch (const failure& f) {
    throw failure(f.code(), shown_name(path) + ": " + f.what());
  }
}

}  // namespace onefold::cli
