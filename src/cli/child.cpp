// A child by posix_spawn. Its streams are files without a name, so that neither side waits for the other, but for a
// pipe where its output is read at once.
#include "child.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "spawn.hpp"

namespace onefold::cli {
namespace {

using stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// A file in memory, which no folder has.
stream nameless_file() {
  const int descriptor = memfd_create("onefold", MFD_CLOEXEC);
  stream f(descriptor >= 0 ? fdopen(descriptor, "w+b") : nullptr, &std::fclose);
  if (f) return f;
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  throw failure(exit_code::failed, fmt::format("cannot create a temporary file: {}", std::strerror(reason)));
}

/// All that was written to it.
std::string text_of(std::FILE* f) {
  std::rewind(f);
  std::string text;
  char block[4096];
  for (std::size_t got; (got = std::fread(block, 1, sizeof block, f)) > 0;) text.append(block, got);
  return text;
}

/// Starts words[0] with these streams; the negative errno if it could not be. `apart` as in spawn_request.
pid_t start(const std::vector<std::string>& words, int in, int out, int errors, bool apart) {
  return detail::spawn_program({words, in, out, errors, "/", apart});
}

}  // namespace

std::string child_result::last_line() const {
  std::string text = errors;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t start = text.rfind('\n');
  return start == std::string::npos ? text : text.substr(start + 1);
}

child_result run_child(const std::vector<std::string>& words, const std::string& input) {
  const stream in = nameless_file(), out = nameless_file(), errors = nameless_file();
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0)
    throw failure(exit_code::failed, "cannot write to a temporary file");
  std::rewind(in.get());

  const pid_t child = start(words, fileno(in.get()), fileno(out.get()), fileno(errors.get()), false);
  if (child < 0) return {not_started, "", std::strerror(-child)};
  const int status = detail::wait_for_program(child);
  return {status, text_of(out.get()), text_of(errors.get())};
}

running_child::running_child(const std::vector<std::string>& words) : errors_(nameless_file()) {
  const stream in = nameless_file();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw failure(exit_code::failed, fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  output_ = ends[0];
  child_ = start(words, fileno(in.get()), ends[1], fileno(errors_.get()), true);
  close(ends[1]);
}

running_child::~running_child() {
  if (output_ >= 0) close(output_);
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  detail::wait_for_program(child_);
}

int running_child::take_output() { return std::exchange(output_, -1); }

std::optional<child_result> running_child::wait(std::chrono::milliseconds most) {
  if (child_ < 0) return child_result{not_started, "", std::strerror(-child_)};
  const std::optional<int> status = detail::wait_for_program(child_, most);
  if (!status) return std::nullopt;
  child_ = -ECHILD;
  return child_result{*status, "", text_of(errors_.get())};
}

}  // namespace onefold::cli
