// Reading a descriptor that may have nothing to read yet.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>

namespace onefold::detail {

/// Reads what there is as soon as there is something: returns the number of bytes, 0 at the end, or -1 with errno.
/// Until then it calls waiting() ten times a second, which may throw: a thread must not wait where nothing can reach
/// it.
template <class Waiting>
ssize_t read_some(int descriptor, std::span<std::byte> room, Waiting waiting) {
  constexpr int milliseconds = 100;
  for (;;) {
    waiting();
    pollfd input{descriptor, POLLIN, 0};
    const int ready = descriptor < 0 ? 1 : poll(&input, 1, milliseconds);  // which ignores a negative one
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = read(descriptor, room.data(), room.size());
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
  }
}

/// Asks for more room in a pipe, so that its writer goes on while a block is used. The request may be refused: Linux
/// limits each user's pages for pipes.
inline void enlarge_pipe(int pipe) {
  constexpr int bytes = 1 << 20;  // the most that Linux lets every user have; 64 KiB are usual
  if (fcntl(pipe, F_GETPIPE_SZ) < bytes) fcntl(pipe, F_SETPIPE_SZ, bytes);
}

}  // namespace onefold::detail
