// Scans in a session: the lines that it was opened for, from memory of any kind or on a stream.
#pragma once

#include "selecting.hpp"

namespace onefold::cuda {

inline const device_scan& scan_for(const accelerator_work& what) {
  if (what.operation < 0) {
    if (!what.scan->device)
      throw error(
          error_code::unsupported,
          "the operation was not compiled for CUDA: include <onefold/cuda.cuh> in a .cu file and call from there");
    if (what.scan->device->size != sizeof(device_scan))
      throw error(error_code::unsupported, "the operation was compiled against another version of onefold");
    return *what.scan->device;
  }
  const device_scan* found = nullptr;
  for_each_type(type_list<ONEFOLD_BUILT_ELEMENTS>{}, [&]<class T>() {
    if (what.element == dtype_of<T>) found = &scans_over<T>().rows[what.operation][static_cast<int>(what.mode)];
  });
  if (!found || found->size == 0)
    throw error(error_code::unsupported, std::string("backend cuda does not scan with ") + what.host->name + " of " +
                                             name_of(what.element) +
                                             " elements; copy the data to host memory, and scan there");
  return *found;
}

/// A session with scans.
class scanning_session : public selecting_session {
 public:
  /// Scans from and to memory of any kind, and waits.
  void run_scan(const void* op, const void* data, const void* init, void* out) {
    const profiled range("onefold scan");
    const current_device here(device_);
    require_finish(init);
    const bool in_place = data == out;
    const element_reach reach = reach_of(results_, result_size_);
    const void* const elements = on_device(data, reach_of(lines_, host_.element_size), scratch_->elements);
    const bool was_clean = clean_;
    clean_ = false;
    device_launch how = launch_of(op);
    how.stream = cudaStreamLegacy;
    how.data = elements;
    char* const to = static_cast<char*>(out) + reach.first;
    const auto bytes = static_cast<std::size_t>(reach.end - reach.first);
    const bool is_there = memory_kind_of(to, device_) == memory_kind::device;
    void* copy = nullptr;
    if (is_there) {
      how.out = out;
    } else if (in_place) {
      how.out = const_cast<void*>(elements);
      copy = static_cast<char*>(how.out) + reach.first;
    } else {
      scratch_->results.grow(static_cast<std::int64_t>(bytes));
      copy = scratch_->results.data();
      // What is between the results stays.
      if (static_cast<std::int64_t>(bytes) != results_.outputs * results_.n * result_size_)
        check(cudaMemcpy(copy, to, bytes, cudaMemcpyDefault), "a copy");
      how.out = static_cast<char*>(copy) - reach.first;
    }
    launch_scan(how, init);
    if (copy) check(cudaMemcpy(to, copy, bytes, cudaMemcpyDefault), "a copy");
    check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
    clean_ = was_clean;
  }

  void enqueue_scan(const void* op, const void* data, const void* init, void* out, cudaStream_t stream) {
    const profiled range("onefold enqueue scan");
    const current_device here(device_);
    require_device(data, "enqueue takes data in device memory, and this is not");
    launch_scan(enqueued(op, data, init, out, stream), init);
  }

 protected:
  explicit scanning_session(const accelerator_work& what)
      : selecting_session(what), scan_(what.scan ? &scan_for(what) : nullptr) {
    if (!scan_) return;
    if (what.segmented)
      throw error(error_code::unsupported,
                  "backend cuda does not scan segments; copy the data to host memory, and scan there");
    lines_ = *what.shape;
    results_ = *what.results;
    exclusive_ = what.exclusive;
    const current_device here(device_);
    scratch_->pages.grow(scan_->slot_bytes(lines_));
    scratch_->scans.grow(scan_->kept_bytes(lines_));
  }
  /// Whether it was opened for a scan.
  bool scans() const { return scan_ != nullptr; }

 private:
  void launch_scan(device_launch how, const void* init) {
    how.slots = scratch_->pages.data();
    how.kept = scratch_->scans.data();
    how.kept_bytes = scratch_->scans.bytes();
    finish_by(how, true, init);
    check(static_cast<cudaError_t>(scan_->launch(how, lines_, results_, exclusive_, result_size_)),
          "the launch of a kernel");
  }

  const device_scan* scan_;
  problem lines_{}, results_{};
  bool exclusive_ = false;
};

}  // namespace onefold::cuda
