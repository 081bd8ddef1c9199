// Starts a program and waits for it: what the library's compilers and the program's Python have in common.
#pragma once

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace onefold::detail {

/// What a program is started with.
struct spawn_request {
  const std::vector<std::string>& words;  ///< the program, looked for in PATH if it has no /, and its arguments
  int in, out, errors;                    ///< the descriptors that become its standard streams
  const char* folder;                     ///< where it runs
  bool apart = false;                     ///< in a group of its own, which Ctrl-C does not reach
};

/// Starts a program; no shell sees its words. Returns its number, or the negative errno of why it does not start. What
/// this process blocks or ignores is not the program's concern: no signal is blocked there, and a reader that is gone
/// ends it (SIGPIPE) and it learns of its children's ends (SIGCHLD).
inline pid_t spawn_program(const spawn_request& what) {
  std::vector<char*> arguments;
  arguments.reserve(what.words.size() + 1);
  for (const std::string& word : what.words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, what.in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, what.out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, what.errors, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, what.folder);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGCHLD);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                           (what.apart ? POSIX_SPAWN_SETPGROUP : 0)));
  pid_t child = 0;
  const int refused = posix_spawnp(&child, arguments.front(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return refused == 0 ? child : -refused;
}

/// A program's exit status, 128 and the number of a signal that ended it, or -1 where the process ignores its children
/// (SIGCHLD), so that the system does not say; nothing where it runs and `how` is WNOHANG, which waitpid takes.
inline std::optional<int> status_of_program(pid_t child, int how) {
  int status = 0;
  pid_t ended = 0;
  do ended = waitpid(child, &status, how);
  while (ended < 0 && errno == EINTR);
  if (ended == 0) return std::nullopt;
  if (ended < 0) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Waits for a program's end, and returns its status.
inline int wait_for_program(pid_t child) { return *status_of_program(child, 0); }

/// The same, but for a time; nothing where it runs then.
inline std::optional<int> wait_for_program(pid_t child, std::chrono::steady_clock::duration most) {
  const auto end = std::chrono::steady_clock::now() + most;
  for (std::chrono::microseconds pause(100);; pause = std::min(2 * pause, std::chrono::microseconds(50'000))) {
    const std::optional<int> status = status_of_program(child, WNOHANG);
    if (status || std::chrono::steady_clock::now() >= end) return status;
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace onefold::detail
