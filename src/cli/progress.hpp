// A line on the terminal for work that takes longer than two seconds.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "input/tally.hpp"

namespace onefold::cli {

/// Shows a tally on standard error, if that is a terminal, from two seconds on and twice a second; wipes the line at
/// its end. The tally must outlive it.
class progress {
 public:
  explicit progress(const tally& shown);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress();

 private:
  void show();

  const tally& shown_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace onefold::cli
