// Starts a program and waits for it: what the library's compilers and the program's Python have in common.
#pragma once

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
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

/// Waits for a program's end. Returns its exit status, 128 and the number of a signal that ended it, or -1 where the
/// process ignores its children (SIGCHLD), so that the system does not say.
inline int wait_for_program(pid_t child) {
  int status = 0;
  pid_t ended = 0;
  do ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace onefold::detail
