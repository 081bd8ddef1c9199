#include "source/run_program.hpp"

#include <fcntl.h>

#include <cerrno>

#include "spawn.hpp"

namespace onefold::detail {
namespace {

/// A file that is open while this lives.
class held_file {
 public:
  held_file(const char* path, int flags) : number_(open(path, flags | O_CLOEXEC, 0600)) {}
  ~held_file() {
    if (number_ >= 0) close(number_);
  }
  held_file(const held_file&) = delete;
  held_file& operator=(const held_file&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

program_end run_program(const std::vector<std::string>& words, const std::filesystem::path& folder,
                        const std::filesystem::path& output) {
  const held_file nothing("/dev/null", O_RDONLY);
  if (nothing.number() < 0) return {errno, 0};
  const held_file messages(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  if (messages.number() < 0) return {errno, 0};
  const pid_t child = spawn_program({words, nothing.number(), messages.number(), messages.number(), folder.c_str()});
  if (child < 0) return {-child, 0};
  return {0, wait_for_program(child)};
}

}  // namespace onefold::detail
