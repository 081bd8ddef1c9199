#include "host_data.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>

namespace onefold::cuda {

/// Threads that copy together: one core reads host memory at a fraction of what the bus to the device takes.
class copying_team {
 public:
  explicit copying_team(int threads) {
    try {
      for (int i = 1; i < threads; ++i)
        workers_.emplace_back([this, i](const std::stop_token& stop) { serve(stop, i); });
    } catch (const std::system_error&) {  // fewer threads will do
    }
  }
  ~copying_team() {
    for (auto& w : workers_) w.request_stop();
    {
      const std::lock_guard lock(guard_);
      ++round_;
    }
    wake_.notify_all();
  }
  copying_team(const copying_team&) = delete;
  copying_team& operator=(const copying_team&) = delete;

  void copy(void* to, const void* from, std::size_t bytes) {
    {
      const std::lock_guard lock(guard_);
      to_ = static_cast<char*>(to);
      from_ = static_cast<const char*>(from);
      bytes_ = bytes;
      left_ = static_cast<int>(workers_.size());
      ++round_;
    }
    wake_.notify_all();
    share(0);
    std::unique_lock lock(guard_);
    done_.wait(lock, [this] { return left_ == 0; });
  }

 private:
  void share(int i) {
    const std::size_t team = workers_.size() + 1, at = static_cast<std::size_t>(i);
    const std::size_t from = bytes_ * at / team, to = bytes_ * (at + 1) / team;
    std::memcpy(to_ + from, from_ + from, to - from);
  }
  void serve(const std::stop_token& stop, int i) {
    int seen = 0;
    while (true) {
      {
        std::unique_lock lock(guard_);
        wake_.wait(lock, [&] { return round_ != seen; });
        seen = round_;
      }
      if (stop.stop_requested()) return;
      share(i);
      const std::lock_guard lock(guard_);
      if (--left_ == 0) done_.notify_one();
    }
  }

  std::mutex guard_;
  std::condition_variable wake_, done_;
  char* to_ = nullptr;
  const char* from_ = nullptr;
  std::size_t bytes_ = 0;
  int round_ = 0, left_ = 0;
  std::vector<std::jthread> workers_;  // last: they use what is above
};

namespace {

pipeline& pipeline_of(scratch& s) {
  if (!s.moving) s.moving = std::make_unique<pipeline>();
  return *s.moving;
}

}  // namespace

moved_pieces::moved_pieces(scratch& s, std::int64_t bytes, bool several, bool pinned)
    : scratch_(s), moving_(pipeline_of(s)) {
  for (int i = 0; i < (several ? 2 : 1); ++i) {
    s.buffers[i].grow(bytes);
    if (!pinned) s.staging[i].grow(bytes);
  }
  if (pinned) return;
  const int threads =
      bytes < (1 << 20) ? 1 : std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 2, 1, 8);
  team_ = std::make_unique<copying_team>(threads);
}

moved_pieces::~moved_pieces() = default;

void moved_pieces::move(const void* from, std::int64_t bytes, const std::function<void(const void*)>& launch) {
  pipeline& p = moving_;
  const auto b = static_cast<std::size_t>(moved_ % 2), size = static_cast<std::size_t>(bytes);
  if (team_) {
    if (moved_ >= 2) check(cudaEventSynchronize(p.copied[b]), "a copy from host memory");
    team_->copy(scratch_.staging[b].host(), from, size);
    from = scratch_.staging[b].host();
  }
  if (moved_ >= 2) check(cudaStreamWaitEvent(p.copies, p.folded[b]), "cudaStreamWaitEvent");
  check(cudaMemcpyAsync(scratch_.buffers[b].data(), from, size, cudaMemcpyHostToDevice, p.copies),
        "a copy from host memory");
  check(cudaEventRecord(p.copied[b], p.copies), "cudaEventRecord");
  check(cudaStreamWaitEvent(p.folds, p.copied[b]), "cudaStreamWaitEvent");
  launch(scratch_.buffers[b].data());
  check(cudaEventRecord(p.folded[b], p.folds), "cudaEventRecord");
  ++moved_;
}

void moved_pieces::wait() const { check(cudaStreamSynchronize(moving_.folds), "a kernel"); }

void run_host_data(scratch& s, const recipe& host, const device_fold& fold, device_launch launch,
                   std::span<const node_run> runs, bool pinned) {
  std::int64_t longest = 0, total = 0;
  for (const node_run& r : runs) {
    longest = std::max(longest, r.n);
    total += r.n;
  }
  const std::int64_t piece = piece_of(host, longest), size = host.element_size;
  moved_pieces moving(s, std::min(piece, longest) * size, total > piece || runs.size() > 1, pinned);
  launch.stream = moving.stream();
  fold_pieces(s, host, fold, launch, runs, piece,
              [&](const node_run& r, std::int64_t at, std::int64_t n, const auto& fold_there) {
                moving.move(static_cast<const char*>(r.data) + at * size, n * size, fold_there);
              });
}

}  // namespace onefold::cuda
