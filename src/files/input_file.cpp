// Opening, reading and stepping over bytes, with the system's reason in every message.
#include "files/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "files/descriptor.hpp"
#include "files/unexpected.hpp"
#include "quantity.hpp"

namespace onefold::detail {
namespace {

error refused(const char* what, int reason) {
  return {error_code::invalid_argument, std::string(what) + ": " + std::strerror(reason)};
}

int open_to_read(const std::string& path) {
  int descriptor;
  do {
    descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) throw refused("cannot be opened", errno);
  return descriptor;
}

}  // namespace

input_file::input_file(const std::string& path) : descriptor_(open_to_read(path)), owned_(true) {
  enlarge_pipe(descriptor_);
}

input_file::input_file(int descriptor) : descriptor_(descriptor), owned_(false) { enlarge_pipe(descriptor); }

input_file::~input_file() {
  if (owned_) close(descriptor_);
}

std::size_t input_file::read(std::span<std::byte> room) {
  const ssize_t got = read_some(descriptor_, room, [this] {
    if (stopped_) throw error(error_code::invalid_argument, "is not read on");
  });
  if (got < 0) throw refused("cannot be read", errno);
  return static_cast<std::size_t>(got);
}

std::size_t input_file::fill(std::span<std::byte> room) {
  std::size_t size = 0;
  while (size < room.size()) {
    const std::size_t got = read(room.subspan(size));
    if (got == 0) break;
    size += got;
  }
  return size;
}

std::optional<std::uint64_t> input_file::left() const {
  struct stat status;
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const off_t at = lseek(descriptor_, 0, SEEK_CUR);
  if (at < 0) return std::nullopt;
  return at < status.st_size ? static_cast<std::uint64_t>(status.st_size - at) : 0;
}

void input_file::skip(std::uint64_t count) {
  if (left() >= count && lseek(descriptor_, static_cast<off_t>(count), SEEK_CUR) >= 0) return;
  std::vector<std::byte> skipped(static_cast<std::size_t>(std::min<std::uint64_t>(count, std::uint64_t{1} << 20)));
  for (std::uint64_t left = count; left > 0;) {
    const std::span room =
        std::span(skipped).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, skipped.size())));
    const std::size_t got = fill(room);
    left -= got;
    if (got < room.size())
      throw unexpected(count - left, quantity(count, "byte") + " before the first element", "the end");
  }
}

}  // namespace onefold::detail
