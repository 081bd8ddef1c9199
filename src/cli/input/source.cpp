// Opening, mapping and reading, with the system's reason in every message.
#include "input/source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "files/descriptor.hpp"
#include "interrupt.hpp"
#include "quantity.hpp"

namespace onefold::cli {
namespace {

/// Bytes that one read asks for: a pipe gives what it holds at most, a file what it is asked for.
constexpr std::size_t block = std::size_t{1} << 20;

/// Bytes of a mapped file that the system is asked to read at once: of more, Linux reads its read-ahead window only.
constexpr std::size_t advice_bytes = std::size_t{128} << 10;

/// Bytes of a mapped file that are read ahead of the window in use.
constexpr std::size_t bytes_ahead = 2 * source::window_bytes;

/// Bytes that the addresses of mappings are multiples of, on every machine.
constexpr std::size_t most_page_bytes = std::size_t{64} << 10;

/// A failure that carries the system's reason.
failure refused(exit_code code, const char* what, int reason) {
  return {code, fmt::format("{}: {}", what, std::strerror(reason))};
}

/// Bytes of a file that is mapped at most while it may still be read in pieces: threads and buffers need addresses,
/// too.
rlim_t most_mapped() {
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur == RLIM_INFINITY) return RLIM_INFINITY;
  return addresses.rlim_cur / 2;
}

/// Whether the system has most of a mapped file in memory, by 64 places in it.
bool mostly_in_memory(std::byte* map, std::size_t size) {
  constexpr std::size_t places = 64;
  std::size_t found = 0;
  for (std::size_t i = 0; i < places; ++i) {
    unsigned char here = 0;
    if (mincore(map + size / places * i / most_page_bytes * most_page_bytes, 1, &here) == 0) found += here & 1u;
  }
  return found > places / 2;
}

}  // namespace

std::string known_name(const std::string& path) {
  return path == "-" ? "standard input" : path.empty() ? "\"\"" : path;
}

std::string shown_name(const std::string& path) {
  return path == "-" || path.empty() ? known_name(path) : spelled_out(path);
}

std::string shown_names(const std::vector<std::string>& paths) {
  std::string first = shown_name(paths.front());
  if (paths.size() == 1) return first;
  if (paths.size() == 2) return fmt::format("{} and {}", first, shown_name(paths.back()));
  return fmt::format("{} and {} more files", first, paths.size() - 1);
}

std::uint64_t bytes_of_regular(const std::string& path) {
  struct stat status;
  const bool given = path == "-";
  if ((given ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status)) != 0 || !S_ISREG(status.st_mode)) return 0;
  const off_t at = given ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
  return static_cast<std::uint64_t>(std::max<off_t>(status.st_size - at, 0));
}

source::source(std::unique_ptr<decoder> unpacked, progress_counter& counted)
    : unpacked_(std::move(unpacked)), counted_(counted) {}

source::source(int pipe, progress_counter& counted) : descriptor_(pipe), owns_descriptor_(true), counted_(counted) {
  detail::enlarge_pipe(pipe);
}

source::source(const std::string& path, progress_counter& counted) : name_(shown_name(path)), counted_(counted) {
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
    open_regular();
  } catch (...) {
    if (owns_descriptor_) close(descriptor_);
    throw;
  }
}

void source::open_regular() {
  struct stat status;
  if (fstat(descriptor_, &status) != 0) throw refused(exit_code::bad_data, "cannot be read", errno);
  if (S_ISDIR(status.st_mode)) throw failure(exit_code::bad_data, "expected a file, found a directory");
  if (S_ISFIFO(status.st_mode)) detail::enlarge_pipe(descriptor_);
  // Files of the system's own (/proc) say that they have no bytes, and have some: they are read as streams.
  if (!S_ISREG(status.st_mode) || status.st_size <= 0) return;
  const off_t at = owns_descriptor_ ? 0 : lseek(descriptor_, 0, SEEK_CUR);
  if (at < 0 || at >= status.st_size) return;
  size_ = static_cast<std::size_t>(status.st_size);
  if (static_cast<rlim_t>(status.st_size) > most_mapped()) return;
  map(size_, static_cast<std::size_t>(at), false);
}

/// Maps a file of this size, to be read from `at` on, if that is possible; unless it is `wanted`, only if that is
/// faster than to read it: a long file must be in memory already.
void source::map(std::size_t size, std::size_t at, bool wanted) {
  void* mapping = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (mapping == MAP_FAILED) return;  // a file system without maps: read as a stream
  if (!wanted && size > window_bytes && !mostly_in_memory(static_cast<std::byte*>(mapping), size)) {
    munmap(mapping, size);
    return;
  }
  madvise(mapping, size, MADV_SEQUENTIAL);
  map_ = static_cast<std::byte*>(mapping);
  map_size_ = size;
  released_ = advised_ = at / most_page_bytes * most_page_bytes;
  map_at_ = at;
  ended_ = true;
  watched_ = std::make_unique<watched_range>(name_, map_, size);
}

source::~source() {
  stop();
  ahead_.reset();
  watched_.reset();
  if (map_ != nullptr) munmap(map_, map_size_);
  if (owns_descriptor_) close(descriptor_);
}

std::span<const std::byte> source::bytes() const {
  return map_ != nullptr ? std::span<const std::byte>(map_ + map_at_, map_size_ - map_at_) : buffer_.bytes();
}

/// What reads on, also in a thread ahead of the caller, who writes ended_ meanwhile.
detail::read_ahead::read source::reading() {
  return [this, over = ended_](std::span<std::byte> room) {
    stop_if_interrupted();
    return over ? 0 : unpacked_ ? unpacked_->read(room) : read_some(room);
  };
}

bool source::more() {
  if (ended_) return false;
  if (ahead_) {
    const std::span<const std::byte> next = ahead_->next();
    buffer_.append(next);
    ended_ = next.empty();
  } else {
    const std::size_t got = reading()({buffer_.room(block), block});
    buffer_.grow(got);
    ended_ = got == 0;
  }
  if (ended_) stop_if_interrupted();
  return !ended_;
}

// Also where a stream ends: Ctrl-C ends the program that writes to a pipe, too.
void source::stop_if_interrupted() const {
  if (stopped_ || interrupt::wanted()) throw interrupted_reading();
}

std::size_t source::read_some(std::span<std::byte> room) {
  const ssize_t got = detail::read_some(descriptor_, room, [this] { stop_if_interrupted(); });
  if (got < 0) throw refused(errno == EBADF ? exit_code::bad_data : exit_code::failed, "cannot be read", errno);
  counted_.bytes += static_cast<std::uint64_t>(got);
  return static_cast<std::size_t>(got);
}

void source::at_least(std::size_t count) {
  stop_if_interrupted();
  while (bytes().size() < count && more()) {
  }
}

void source::keep(std::size_t count) {
  struct stat status;
  if (count > window_bytes && map_ == nullptr && !unpacked_ && !ended_ && !ahead_ && fstat(descriptor_, &status) == 0 &&
      S_ISREG(status.st_mode)) {
    const off_t read = lseek(descriptor_, 0, SEEK_CUR);
    const off_t at = read - static_cast<off_t>(buffer_.size());
    if (read >= 0 && at < status.st_size)
      map(static_cast<std::size_t>(status.st_size), static_cast<std::size_t>(at), true);
    if (map_ != nullptr) buffer_ = {};
  }
  at_least(count);
}

std::span<const std::byte> source::peek(std::size_t count) {
  try {
    at_least(count);
  } catch (const interrupted_reading&) {
    // There may be enough to tell what it is.
  }
  return bytes();
}

std::optional<seekable_file> source::opened_for_seeking() const {
  struct stat status;
  if (unpacked_ || fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0)
    return std::nullopt;
  const off_t at = map_ != nullptr ? static_cast<off_t>(map_at_)
                                   : lseek(descriptor_, 0, SEEK_CUR) - static_cast<off_t>(buffer_.size());
  if (at < 0) return std::nullopt;
  const int again = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  std::FILE* const file = again < 0 ? nullptr : fdopen(again, "rb");
  if (file != nullptr) return seekable_file{file, static_cast<std::uint64_t>(at)};
  const int reason = errno;
  if (again >= 0) close(again);
  throw refused(exit_code::failed, "cannot be read", reason);
}

void source::to_end() {
  while (more()) {
  }
}

void source::drop(std::size_t count) {
  if (map_ == nullptr) return buffer_.drop(count);
  map_at_ += count;
  if (map_at_ - released_ < window_bytes) return;
  const std::size_t end = map_at_ / most_page_bytes * most_page_bytes;
  madvise(map_ + released_, end - released_, MADV_DONTNEED);  // the file's pages stay in the system's cache
  released_ = end;
}

void source::start_reading_ahead() {
  if (map_ == nullptr && !ahead_) ahead_ = std::make_unique<detail::read_ahead>(reading());
}

std::span<const std::byte> source::next_block() {
  if (map_ != nullptr) {
    stop_if_interrupted();
    drop(block_);
    block_ = std::min(bytes().size(), window_bytes);
    advise();
    return bytes().first(block_);
  }
  if (!ahead_) {
    ahead_ = std::make_unique<detail::read_ahead>(reading(), bytes());
    buffer_ = {};
  }
  const std::span<const std::byte> next = ahead_->next();
  if (next.empty()) stop_if_interrupted();
  return next;
}

/// Asks the system to read the windows after the one in use. Where it has the first page of a step, it has the step.
void source::advise() {
  const std::size_t end = std::min(map_size_, map_at_ + block_ + bytes_ahead);
  for (advised_ = std::max(advised_, released_); advised_ < end; advised_ += advice_bytes) {
    unsigned char in_memory = 0;
    if (mincore(map_ + advised_, 1, &in_memory) == 0 && (in_memory & 1) != 0) continue;
    madvise(map_ + advised_, std::min(advice_bytes, map_size_ - advised_), MADV_WILLNEED);
  }
}

void source::stop() {
  stopped_ = true;
  if (unpacked_) unpacked_->stop();
}

void source::check_unchanged() const {
  if (unpacked_) return unpacked_->check_unchanged();
  struct stat status;
  if (fstat(descriptor_, &status) != 0 || static_cast<std::size_t>(status.st_size) >= size_) return;
  throw bad_data(fmt::format("byte offset {}", status.st_size), detail::quantity(size_, "byte"),
                 "the end: the file became shorter while it was read");
}

}  // namespace onefold::cli
