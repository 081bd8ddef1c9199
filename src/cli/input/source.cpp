// Opening, mapping and reading, with the system's reason in every message.
#include "input/source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "quantity.hpp"

namespace onefold::cli {
namespace {

/// Bytes that one read asks for: a pipe gives 64 KiB at most, a file what it is asked for.
constexpr std::size_t block = std::size_t{1} << 20;

/// A failure that carries the system's reason.
failure refused(exit_code code, const char* what, int reason) {
  return {code, fmt::format("{}: {}", what, std::strerror(reason))};
}

}  // namespace

std::string known_name(const std::string& path) {
  return path == "-" ? "standard input" : path.empty() ? "\"\"" : path;
}

std::string shown_name(const std::string& path) {
  return path == "-" || path.empty() ? known_name(path) : spelled_out(path);
}

source::source(std::unique_ptr<decoder> unpacked, progress_counter& counted)
    : unpacked_(std::move(unpacked)), counted_(counted) {}

source::source(const std::string& path, progress_counter& counted) : counted_(counted) {
  if (path.empty()) throw failure(exit_code::bad_data, "cannot be opened: the file's name is empty");
  if (path == "-") {
    descriptor_ = STDIN_FILENO;
  } else {
    descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) {
      const int reason = errno, input = fcntl(STDIN_FILENO, F_GETFL);
      if (reason == ELOOP && input != -1 && (input & O_PATH) != 0 && path.starts_with("/dev/"))
        throw failure(exit_code::bad_data, "cannot be opened: standard input is closed");
      throw refused(exit_code::bad_data, "cannot be opened", reason);
    }
    owns_descriptor_ = true;
  }
  try {
    map_regular(shown_name(path));
  } catch (...) {
    if (owns_descriptor_) close(descriptor_);
    throw;
  }
}

void source::map_regular(const std::string& name) {
  struct stat status;
  if (fstat(descriptor_, &status) != 0) throw refused(exit_code::bad_data, "cannot be read", errno);
  if (S_ISDIR(status.st_mode)) throw failure(exit_code::bad_data, "expected a file, found a directory");
  // Files of the system's own (/proc) say that they have no bytes, and have some: they are read as streams.
  if (!S_ISREG(status.st_mode) || status.st_size <= 0) return;
  const off_t at = owns_descriptor_ ? 0 : lseek(descriptor_, 0, SEEK_CUR);
  if (at < 0 || at >= status.st_size) return;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* mapping = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (mapping == MAP_FAILED) return;  // a file system without maps: read as a stream
  madvise(mapping, size, MADV_SEQUENTIAL);
  map_ = static_cast<std::byte*>(mapping);
  map_size_ = size;
  map_at_ = static_cast<std::size_t>(at);
  ended_ = true;
  counted_.expected += size - map_at_;
  watched_ = std::make_unique<watched_range>(name, map_, size);
}

source::~source() {
  watched_.reset();
  if (map_ != nullptr) munmap(map_, map_size_);
  if (owns_descriptor_) close(descriptor_);
}

std::span<const std::byte> source::bytes() const {
  return map_ != nullptr ? std::span<const std::byte>(map_ + map_at_, map_size_ - map_at_) : buffer_.bytes();
}

bool source::more() {
  if (ended_) return false;
  std::byte* room = buffer_.room(block);
  const std::size_t got = unpacked_ ? unpacked_->read({room, block}) : read_some(room, block);
  ended_ = got == 0;
  buffer_.grow(got);
  return !ended_;
}

std::size_t source::read_some(std::byte* room, std::size_t size) {
  ssize_t got;
  do {
    got = read(descriptor_, room, size);
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw refused(errno == EBADF ? exit_code::bad_data : exit_code::failed, "cannot be read", errno);
  counted_.bytes += static_cast<std::uint64_t>(got);
  return static_cast<std::size_t>(got);
}

void source::at_least(std::size_t count) {
  while (bytes().size() < count && more()) {
  }
}

void source::to_end() {
  while (more()) {
  }
}

void source::drop(std::size_t count) {
  if (map_ != nullptr)
    map_at_ += count;
  else
    buffer_.drop(count);
}

void source::check_unchanged() const {
  if (unpacked_) return unpacked_->check_unchanged();
  struct stat status;
  if (map_ == nullptr || fstat(descriptor_, &status) != 0 || static_cast<std::size_t>(status.st_size) >= map_size_)
    return;
  throw bad_data(fmt::format("byte offset {}", status.st_size), detail::quantity(map_size_, "byte"),
                 "the end: the file became shorter while it was read");
}

}  // namespace onefold::cli
