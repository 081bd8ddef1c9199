// A child by posix_spawn. Its streams are files without a name, so that neither side waits for the other.
#include "child.hpp"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "input/failure.hpp"

extern char** environ;

namespace onefold::cli {
namespace {

struct file_close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using file = std::unique_ptr<std::FILE, file_close>;

/// A file in memory, which no folder has.
file nameless_file() {
  const int descriptor = memfd_create("onefold", MFD_CLOEXEC);
  file f(descriptor >= 0 ? fdopen(descriptor, "w+b") : nullptr);
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

}  // namespace

std::string child_result::last_line() const {
  std::string text = errors;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t start = text.rfind('\n');
  return start == std::string::npos ? text : text.substr(start + 1);
}

child_result run_child(const std::vector<std::string>& words, const std::string& input) {
  const file in = nameless_file(), out = nameless_file(), errors = nameless_file();
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0)
    throw failure(exit_code::failed, "cannot write to a temporary file");
  std::rewind(in.get());

  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(errors.get()), STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  pid_t child = 0;
  const int refused = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (refused != 0) return {127, "", ""};

  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out.get()), text_of(errors.get())};
}

}  // namespace onefold::cli
