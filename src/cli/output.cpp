// Writing to descriptors without stdio: a full disk is noticed, and an error needs no memory.
#include "output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include "input/failure.hpp"
#include "input/unpack.hpp"
#include "one_line.hpp"

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

/// Text on its way to a descriptor, escaped, by way of a buffer of its own: it works when no memory is left.
class escaped_stream {
 public:
  explicit escaped_stream(int descriptor) : descriptor_(descriptor) {}

  /// Appends the text.
  void add(std::string_view text, detail::escaped kind) {
    detail::escape(text, kind, [this](std::string_view piece) { add_safe(piece); });
  }

  /// Appends text of the program's own as it is.
  void add_safe(std::string_view piece) {
    while (!piece.empty()) {
      const std::size_t count = piece.copy(buffer_ + size_, sizeof buffer_ - size_);
      size_ += count;
      piece.remove_prefix(count);
      if (size_ == sizeof buffer_) flush();
    }
  }

  /// Writes what is left; returns 0 or the system's first reason.
  int flush() {
    if (reason_ == 0) reason_ = write_all(descriptor_, {buffer_, size_});
    size_ = 0;
    return reason_;
  }

 private:
  int descriptor_;
  int reason_ = 0;
  std::size_t size_ = 0;
  char buffer_[8192];
};

constexpr const char* bold_red = "\x1b[1;31m";
constexpr const char* plain = "\x1b[m";
bool errors_in_color = false;

/// Writes "onefold: ", the message and a line end to standard error; the program's name in the color, if there is one.
void write_line(std::string_view color, std::string_view message) noexcept {
  escaped_stream out(STDERR_FILENO);
  out.add_safe(color);
  out.add_safe("onefold:");
  if (!color.empty()) out.add_safe(plain);
  out.add_safe(" ");
  out.add(message, detail::escaped::message);
  out.add_safe("\n");
  out.flush();  // where this fails, the exit code is what remains
}

}  // namespace

void settle_standard_streams() {
  // Then a reader that is gone and a limit of file sizes are reasons that write returns.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // a parent may have left it ignored, and then no parent learns how a child ended
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free number is this one; opened so that its use fails. Standard input is a link that cannot be
    // followed: opening /dev/stdin opens again what is there, and /dev/null would be an empty file.
    if (descriptor == STDIN_FILENO && open("/proc/self", O_PATH | O_NOFOLLOW) >= 0) continue;
    if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;  // nor can the others
  }
}

void write_output(std::string_view text) {
  escaped_stream out(STDOUT_FILENO);
  out.add(text, detail::escaped::lines);
  if (const int reason = out.flush(); reason != 0)
    throw failure(exit_code::failed, std::string("cannot write to standard output: ") + std::strerror(reason));
}

output_pieces& output_pieces::operator<<(std::string_view text) {
  constexpr std::size_t enough = 1 << 16;
  waiting_ += text;
  if (waiting_.size() >= enough) finish();
  return *this;
}

void output_pieces::finish() {
  write_output(waiting_);
  waiting_.clear();
}

void announce_terminal(std::span<const std::string> files) {
  if (std::ranges::any_of(files, is_standard_input) && isatty(STDIN_FILENO))
    write_note("reading from the terminal; end with Ctrl-D");
}

void write_note(std::string_view message) noexcept { write_line("", message); }

void color_errors(color_choice choice) noexcept {
  const auto set = [](const char* name) {
    const char* value = secure_getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  errors_in_color = choice == color_choice::automatic
                        ? isatty(STDERR_FILENO) != 0 && set("NO_COLOR").empty() && set("TERM") != "dumb"
                        : choice == color_choice::always;
}

void write_error(std::string_view message) noexcept { write_line(errors_in_color ? bold_red : "", message); }

}  // namespace onefold::cli
