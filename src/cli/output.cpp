// Unbuffered writing: what is written once is seen at once, and a full disk is noticed.
#include "output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "input/failure.hpp"

namespace onefold::cli {
namespace {

/// Writes all; returns 0 or the system's reason.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

void settle_standard_streams() {
  // Then a reader that is gone and a limit of file sizes are reasons that write returns.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // a parent may have left it ignored, and then nobody learns how a child ended
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free number is this one; opened so that its use fails. Standard input is a link that cannot be
    // followed: whoever opens /dev/stdin opens again what is there, and /dev/null would be an empty file.
    if (descriptor == STDIN_FILENO && open("/proc/self", O_PATH | O_NOFOLLOW) >= 0) continue;
    if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;  // nor can the others
  }
}

void write_output(std::string_view text) {
  if (const int reason = write_all(STDOUT_FILENO, text); reason != 0)
    throw failure(exit_code::failed, std::string("standard output cannot be written: ") + std::strerror(reason));
}

void write_error(std::string_view message) {
  const std::string line = "onefold: " + one_line(message) + "\n";
  write_all(STDERR_FILENO, line);  // there is nobody left to tell if this fails
}

}  // namespace onefold::cli
