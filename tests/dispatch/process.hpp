// Starts a program with another environment and working directory, and keeps what it prints.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace dispatch {

struct process_result {
  int status;        ///< its exit status; 128 and more: a signal
  std::string text;  ///< what it printed, on both streams

  bool says(const std::string& words) const { return text.find(words) != std::string::npos; }
};

/// The word as the shell takes it, after a space.
inline std::string quoted(const std::string& word) {
  std::string q = " '";
  for (const char c : word) c == '\'' ? q.append("'\\''") : q.append(1, c);
  return q.append("'");
}

/// Runs `program` with arguments in `folder`, with `environment` (NAME=value) and no other ONEFOLD_ variable
/// but ONEFOLD_PROFILE=none.
inline process_result run(const std::string& program, const std::vector<std::string>& environment,
                          const std::vector<std::string>& arguments = {}, const std::string& folder = ".") {
  std::string command = "cd";
  command += quoted(folder);
  command += " && exec env -u OMP_NUM_THREADS";
  for (const char* name : {"BACKEND", "BACKEND_PATH", "NUM_THREADS", "ISA"})
    command.append(" -u ONEFOLD_").append(name);
  command += " ONEFOLD_PROFILE=none";  // not the user's
  for (const auto& e : environment) command += quoted(e);
  command += quoted(program);
  for (const auto& a : arguments) command += quoted(a);
  command += " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot start " + command);
  process_result r{};
  char part[4096];
  while (const std::size_t n = std::fread(part, 1, sizeof part, pipe)) r.text.append(part, n);
  const int status = pclose(pipe);
  r.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return r;
}

/// An environment variable that the CTest entry must set.
inline std::string setting(const char* name) {
  const char* value = std::getenv(name);
  if (!value) throw std::runtime_error(std::string(name) + " is not set: run this through ctest");
  return value;
}

}  // namespace dispatch
