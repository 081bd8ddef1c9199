// A line on the terminal for work that takes longer than two seconds.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "input/progress_counter.hpp"

namespace onefold::cli {

/// Shows a line on standard error, if that is a terminal, from two seconds on and twice a second; wipes it at its end.
class progress {
 public:
  /// The line that a counter makes; the counter must outlive it.
  explicit progress(const progress_counter& shown);
  /// What `line` says after this many seconds; it is called by another thread.
  explicit progress(std::function<std::string(double seconds)> line);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress();

 private:
  void show();

  std::function<std::string(double)> line_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace onefold::cli
