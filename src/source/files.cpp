#include "source/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

namespace onefold::detail {
namespace {

class open_file {
 public:
  open_file(const std::filesystem::path& file, int how, mode_t mode = 0)
      : number_(open(file.c_str(), how | O_CLOEXEC | O_NONBLOCK, mode)) {}
  ~open_file() {
    if (number_ >= 0) close(number_);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

std::string read_all(int number, std::size_t most) {
  std::string text(most, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = read(number, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

constexpr mode_t others_write = S_IWGRP | S_IWOTH;

constexpr std::string_view folder_prefix = "onefold-";

/// The process of a temporary folder, by its name; 0 for other names.
pid_t owner_of(std::string_view folder) {
  if (!folder.starts_with(folder_prefix)) return 0;
  folder.remove_prefix(folder_prefix.size());
  pid_t owner = 0;
  const auto [end, failed] = std::from_chars(folder.data(), folder.data() + folder.size(), owner);
  return failed == std::errc() && owner > 0 && end != folder.data() + folder.size() && *end == '-' ? owner : 0;
}

std::string identity_text(const struct stat& about) {
  return std::to_string(about.st_size) + " bytes, changed at " + std::to_string(about.st_mtim.tv_sec) + "." +
         std::to_string(about.st_mtim.tv_nsec);
}

}  // namespace

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  std::uint64_t hash = (seed ^ text.size()) * odd;
  const auto add = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * odd;
    hash ^= hash >> 32;
  };
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, text.data(), 8);
    add(word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, text.data(), text.size());
  add(rest);
  add(0);
  return hash;
}

std::optional<std::string> identity_of(const std::filesystem::path& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  return file.string() + ", " + identity_text(about);
}

std::uint64_t identity_of_files(const std::filesystem::path& folder) {
  std::uint64_t sum = 0;  // in any order: that of a folder's entries is not specified
  std::error_code ignored;
  for (std::filesystem::recursive_directory_iterator i(folder, ignored), end; !ignored && i != end;
       i.increment(ignored))
    if (const auto one = identity_of(i->path())) sum += hash_of(*one);
  return sum;
}

bool is_private(const std::filesystem::path& folder) {
  struct stat about {};
  return lstat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
         (about.st_mode & others_write) == 0 && access(folder.c_str(), W_OK | X_OK) == 0;
}

std::optional<std::string> private_content(const std::filesystem::path& file) {
  const open_file opened(file, O_RDONLY | O_NOFOLLOW);
  struct stat about {};
  if (opened.number() < 0 || fstat(opened.number(), &about) != 0 || !S_ISREG(about.st_mode) ||
      about.st_uid != geteuid() || (about.st_mode & others_write) != 0)
    return std::nullopt;
  return read_all(opened.number(), static_cast<std::size_t>(about.st_size));
}

std::string content_of(const std::filesystem::path& file, std::size_t most) {
  const open_file opened(file, O_RDONLY);
  return opened.number() < 0 ? std::string() : read_all(opened.number(), most);
}

bool write_file(const std::filesystem::path& file, std::string_view text) {
  const open_file opened(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened.number() < 0) return false;
  while (!text.empty()) {
    const ssize_t put = write(opened.number(), text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

temporary_folder::temporary_folder(const std::filesystem::path& parent) {
  std::string name = (parent / (std::string(folder_prefix) + std::to_string(getpid()) + "-XXXXXX")).string();
  if (mkdtemp(name.data())) path_ = name;
}

temporary_folder::temporary_folder(temporary_folder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  if (is_made()) std::filesystem::remove_all(path_, ignored);
}

void remove_abandoned_folders(const std::filesystem::path& parent) {
  constexpr time_t seconds = 3600;
  std::error_code ignored;
  for (std::filesystem::directory_iterator i(parent, ignored), end; !ignored && i != end; i.increment(ignored)) {
    const pid_t owner = owner_of(i->path().filename().native());
    struct stat about {};
    std::error_code unremoved;
    if (owner > 0 && lstat(i->path().c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
        time(nullptr) - about.st_mtim.tv_sec > seconds && kill(owner, 0) != 0 && errno == ESRCH)
      std::filesystem::remove_all(i->path(), unremoved);
  }
}

}  // namespace onefold::detail
