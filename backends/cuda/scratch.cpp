#include "scratch.hpp"

#include <cstring>
#include <mutex>

#include "devices.hpp"

namespace onefold::cuda {

namespace {

/// Lets this thread allocate memory while it captures a stream: a plan opens its device at the first call that needs
/// it.
class while_capturing {
 public:
  while_capturing() { exchange(); }
  ~while_capturing() { exchange(); }
  while_capturing(const while_capturing&) = delete;
  while_capturing& operator=(const while_capturing&) = delete;

 private:
  void exchange() { static_cast<void>(cudaThreadExchangeStreamCaptureMode(&mode_)); }
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace

device_memory::~device_memory() { static_cast<void>(cudaFree(data_)); }

void device_memory::grow(std::int64_t bytes) {
  if (bytes <= bytes_) return;
  const while_capturing allowed;
  check(cudaFree(data_), "cudaFree");
  data_ = nullptr;
  bytes_ = 0;
  const std::string what = "cudaMalloc of " + std::to_string(bytes) + " bytes";
  check(cudaMalloc(&data_, static_cast<std::size_t>(bytes)), what.c_str());
  bytes_ = bytes;
  // Other streams may come next, and the legacy one may not be used while others are captured.
  check(cudaMemsetAsync(data_, 0, static_cast<std::size_t>(bytes), cudaStreamPerThread), "cudaMemset");
  check(cudaStreamSynchronize(cudaStreamPerThread), "cudaMemset");
}

void device_memory::limit(std::int64_t bytes) {
  if (bytes_ <= bytes) return;
  check(cudaFree(data_), "cudaFree");
  data_ = nullptr;
  bytes_ = 0;
}

mapped_memory::~mapped_memory() { static_cast<void>(cudaFreeHost(host_)); }

void mapped_memory::grow(std::int64_t bytes) {
  if (bytes <= bytes_) return;
  const while_capturing allowed;
  check(cudaFreeHost(host_), "cudaFreeHost");
  host_ = nullptr;
  bytes_ = 0;
  const std::string what = "cudaHostAlloc of " + std::to_string(bytes) + " bytes";
  check(cudaHostAlloc(&host_, static_cast<std::size_t>(bytes), cudaHostAllocMapped | cudaHostAllocPortable),
        what.c_str());
  bytes_ = bytes;
  std::memset(host_, 0, static_cast<std::size_t>(bytes));
  check(cudaHostGetDevicePointer(&device_, host_, 0), "cudaHostGetDevicePointer");
}

pipeline::pipeline() {
  check(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking), "cudaStreamCreate");
  check(cudaStreamCreateWithFlags(&folds, cudaStreamNonBlocking), "cudaStreamCreate");
  for (int i = 0; i < 2; ++i) {
    check(cudaEventCreateWithFlags(&copied[i], cudaEventDisableTiming), "cudaEventCreate");
    check(cudaEventCreateWithFlags(&folded[i], cudaEventDisableTiming), "cudaEventCreate");
  }
}

pipeline::~pipeline() {
  for (int i = 0; i < 2; ++i) {
    if (copied[i]) static_cast<void>(cudaEventDestroy(copied[i]));
    if (folded[i]) static_cast<void>(cudaEventDestroy(folded[i]));
  }
  if (copies) static_cast<void>(cudaStreamDestroy(copies));
  if (folds) static_cast<void>(cudaStreamDestroy(folds));
}

namespace {

/// What was given back. Made after the first call of the CUDA runtime, so that it ends before the runtime does.
struct scratch_pool {
  std::mutex guard;
  std::vector<std::unique_ptr<scratch>> free;
  ~scratch_pool() {
    for (auto& s : free) {
      try {
        const current_device here(s->device);
        s.reset();
      } catch (const error&) {  // the driver has ended before us: nothing is left to free
        static_cast<void>(s.release());
      }
    }
  }
};

scratch_pool& the_pool() {
  static scratch_pool all;
  return all;
}

}  // namespace

std::unique_ptr<scratch> acquire_scratch(int device) {
  scratch_pool& all = the_pool();
  {
    const std::lock_guard lock(all.guard);
    for (auto i = all.free.rbegin(); i != all.free.rend(); ++i)
      if ((*i)->device == device) {
        auto s = std::move(*i);
        all.free.erase(std::next(i).base());
        return s;
      }
  }
  return std::make_unique<scratch>(device);
}

void release_scratch(std::unique_ptr<scratch> s, bool clean) {
  if (!clean) return;
  // Memory as large as the caller's data is returned to the system.
  constexpr std::int64_t most_kept = 16 << 20;
  for (device_memory* m : {&s->scans, &s->pages, &s->elements, &s->results, &s->offsets, &s->mask, &s->selected,
                           &s->groups, &s->keys, &s->group_keys, &s->sorting, &s->sorted, &s->weights, &s->biases,
                           &s->means, &s->deviations, &s->limits, &s->counts})
    m->limit(most_kept);
  for (device_memory& m : s->arrays) m.limit(most_kept);
  scratch_pool& all = the_pool();
  const std::lock_guard lock(all.guard);
  all.free.push_back(std::move(s));
}

}  // namespace onefold::cuda
