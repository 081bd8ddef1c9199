// Work for several threads of one call, as many as the system starts.
#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

#include "cpu.hpp"

namespace onefold::detail {

/// Calls work(i), which must not throw, for each i in [0, n) and returns when all are done: the first on the calling
/// thread, each other one on a thread of its own, or also on the calling one where the system starts no more threads.
template <class Work>
void work_together(std::size_t n, const Work& work) {
  std::vector<std::jthread> threads;
  threads.reserve(n);
  std::size_t started = 1;
  try {
    for (; started < n; ++started)
      threads.emplace_back([&work, started] {
        const float_environment ieee;
        work(started);
      });
  } catch (const std::system_error&) {  // the calling thread takes the others
  }
  if (n > 0) work(0);
  for (std::size_t i = started; i < n; ++i) work(i);
}

}  // namespace onefold::detail
