// Finds the profile of this machine and reads it, or says why not.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>
#include <stdexcept>

#include "cpu.hpp"
#include "environment.hpp"
#include "onefold/profile.hpp"
#include "planner/profile_age.hpp"
#include "planner/profile_json.hpp"
#include "shortage.hpp"

namespace onefold {
namespace {

// A profile has about 2 KB.
constexpr std::size_t most_bytes = 64 << 10;

class descriptor {
 public:
  /// Does not wait, whatever the path leads to.
  explicit descriptor(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail(int reason) {
  detail::note_failure(reason);
  throw std::runtime_error(std::strerror(reason));
}

std::string content_of(const std::string& path) {
  const descriptor file(path);
  struct stat about {};
  if (file.number() < 0 || fstat(file.number(), &about) != 0) fail(errno);
  if (!S_ISREG(about.st_mode)) throw std::runtime_error("it is not a file");
  std::string content(most_bytes + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const ssize_t got = read(file.number(), content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > most_bytes) throw std::runtime_error("it has more than " + std::to_string(most_bytes) + " bytes");
  content.resize(size);
  return content;
}

used_profile read_profile() {
  const machine_profile builtin = builtin_profile();
  const std::string& named = detail::the_environment().profile;
  if (named == "none") return {builtin, "built in: ONEFOLD_PROFILE is none", {}, {}};
  const std::string path = named.empty() ? profile_path() : named;
  if (path.empty()) return {builtin, "built in: the environment names no folder for a profile", {}, {}};
  try {
    const machine_profile read = detail::profile_from_json(content_of(path));
    if (read.cpu != builtin.cpu || read.processors != builtin.processors)
      throw std::runtime_error("it was measured on another machine: " + std::to_string(read.processors) +
                               " processors " + read.cpu + ", and this one has " + std::to_string(builtin.processors) +
                               " " + builtin.cpu);
    return {read, path, detail::age_of(read.measured, std::time(nullptr)), detail::warning_of(read.measured)};
  } catch (const std::bad_alloc&) {
    detail::note_failure(ENOMEM);
    throw;
  } catch (const std::exception& e) {
    if (named.empty() && access(path.c_str(), F_OK) != 0 && errno == ENOENT)
      return {builtin, "built in: this machine has no profile; run onefold calibrate", {}, {}};
    return {builtin, "built in: " + path + " is not used: " + e.what(), {}, {}};
  }
}

}  // namespace

std::string profile_path() {
  const detail::environment& e = detail::the_environment();
  // A folder that is not absolute counts for nothing, says the XDG base directory specification.
  const std::string cache = e.xdg_cache_home.starts_with('/') ? e.xdg_cache_home
                            : e.home.starts_with('/')         ? e.home + "/.cache"
                                                              : "";
  return cache.empty() ? "" : cache + "/onefold/profile.json";
}

const used_profile& profile() {
  static constinit detail::found_once<used_profile> used;
  return used.get(
      [] {
        const detail::float_environment ieee;
        return read_profile();
      },
      [](const used_profile& a, const used_profile& b) { return a.source == b.source; });
}

}  // namespace onefold
