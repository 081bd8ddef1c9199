// Scans in a session: the lines, or segments, that it was opened for, from memory of any kind or on a stream.
#pragma once

#include <limits>

#include "onefold/order.hpp"
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
                                             name_of(what.element) + " elements at accuracy " + name_of(what.mode) +
                                             "; copy the data to host memory, and scan there");
  if (what.result != dtype::other)
    throw error(error_code::unsupported, std::string("backend cuda scans with ") + what.host->name +
                                             " to its own result type only, not to " + name_of(what.result) +
                                             "; copy the data to host memory, and scan there");
  return *found;
}

/// A session with scans.
class scanning_session : public selecting_session {
 public:
  /// Scans from and to memory of any kind, and waits.
  void run_scan(const void* op, const void* data, const void* init, void* out) {
    const profiled range("onefold scan");
    const current_device here(device_);
    require_finish(init, "a scan on a GPU");
    device_launch how = launch_of(op);
    how.data = on_device(data, reach_of(lines_, host_.element_size), scratch_->elements);
    finish_by(how, true, init);
    run_into(out, reach_of(results_, result_size_), results_.outputs * results_.n * result_size_, data == out, how,
             [&] { launch_lines(how, lines_, results_); });
  }

  void enqueue_scan(const void* op, const void* data, const void* init, void* out, cudaStream_t stream) {
    const profiled range("onefold enqueue scan");
    const current_device here(device_);
    require_device(data, "enqueue takes data in device memory, and this is not");
    launch_lines(enqueued(op, data, init, out, stream), lines_, results_);
  }

  /// As run_scan, of segments.
  void run_segment_scan(const void* op, const void* data, device_segments segments, const void* init, void* out) {
    const profiled range("onefold scan segments");
    const current_device here(device_);
    require_finish(init, "a scan on a GPU");
    const bool is_far = memory_kind_of(segments.offsets, device_) == memory_kind::device;
    if (is_far) static_cast<void>(require_offsets(segments));
    const auto offset = [&](std::int64_t i) { return is_far ? copied_offset(segments, i) : offset_of(segments, i); };
    const std::int64_t first = offset(0), past = offset(segments.count);
    if (past == first) return;
    const device_segments given = segments;
    segments.total = past - first;
    if (!is_far)
      segments.offsets = on_device(segments.offsets, {0, (segments.count + 1) * (segments.wide ? 8 : 4)},
                                   segments.wide ? 8 : 4, scratch_->offsets, "offsets'");
    device_launch how = launch_of(op);
    how.data = on_device(data, {first * host_.element_size, past * host_.element_size}, scratch_->elements);
    finish_by(how, true, init);
    run_into(out, {first * result_size_, past * result_size_}, segments.total * result_size_, data == out, how, [&] {
      if (is_far)
        launch_segments(how, segments, std::numeric_limits<std::int64_t>::max());
      else
        launch_by_length(how, segments, given);
    });
  }

  void enqueue_segment_scan(const void* op, const void* data, const device_segments& segments, const void* init,
                            void* out, cudaStream_t stream) {
    const profiled range("onefold enqueue scan of segments");
    const current_device here(device_);
    require_device(data, "enqueue takes data in device memory, and this is not");
    require_device(segments.offsets, "enqueue takes offsets in device memory, and these are not");
    launch_segments(enqueued(op, data, init, out, stream), segments, std::numeric_limits<std::int64_t>::max());
  }

 protected:
  explicit scanning_session(const accelerator_work& what)
      : selecting_session(what), scan_(what.scan ? &scan_for(what) : nullptr) {
    if (!scan_) return;
    lines_ = what.segmented ? line_of(what.n) : *what.shape;  // the longest segment is scanned as a line
    results_ = what.segmented ? lines_ : *what.results;
    exclusive_ = what.exclusive;
    const current_device here(device_);
    scratch_->pages.grow(scan_->slot_bytes(lines_));
    scratch_->scans.grow(scan_->kept_bytes(lines_));
  }
  /// Whether it was opened for a scan.
  bool scans() const { return scan_ != nullptr; }

 private:
  /// Neighboring elements.
  static problem line_of(std::int64_t n) { return {sizeof(problem), 0, 1, {}, {{n, 1}}, 1, n}; }

  /// Calls launch() with how.out set to memory of the device for results within reach of `out`, which may be in memory
  /// of any kind, and waits. `written`: how many bytes of them are results; in_place: they go where the elements are.
  template <class Launch>
  void run_into(void* out, const element_reach& reach, std::int64_t written, bool in_place, device_launch& how,
                const Launch& launch) {
    const bool was_clean = clean_;
    clean_ = false;
    how.stream = cudaStreamLegacy;
    char* const to = static_cast<char*>(out) + reach.first;
    const std::int64_t bytes = reach.end - reach.first;
    void* copy = nullptr;
    if (memory_kind_of(to, device_) == memory_kind::device) {
      how.out = out;
    } else if (in_place) {
      how.out = const_cast<void*>(how.data);
      copy = static_cast<char*>(how.out) + reach.first;
    } else {
      scratch_->results.grow(bytes);
      copy = scratch_->results.data();
      // What is between the results stays.
      if (bytes != written) check(cudaMemcpy(copy, to, static_cast<std::size_t>(bytes), cudaMemcpyDefault), "a copy");
      how.out = static_cast<char*>(copy) - reach.first;
    }
    launch();
    if (copy) check(cudaMemcpy(to, copy, static_cast<std::size_t>(bytes), cudaMemcpyDefault), "a copy");
    check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
    clean_ = was_clean;
  }

  void launch_lines(device_launch how, const problem& from, const problem& to) {
    how.slots = scratch_->pages.data();
    how.kept = scratch_->scans.data();
    how.kept_bytes = scratch_->scans.bytes();
    check(static_cast<cudaError_t>(scan_->launch(how, from, to, exclusive_, result_size_)), "the launch of a kernel");
  }

  void launch_segments(const device_launch& how, const device_segments& segments, std::int64_t longest) {
    check(static_cast<cudaError_t>(scan_->launch_segments(how, segments, longest, exclusive_, result_size_)),
          "the launch of a kernel");
  }

  /// Scans segments together, each by a warp, but those of more than p pages as lines, each by the whole device: there
  /// are at most p of them. `here`: the same segments, with offsets that the host can read.
  void launch_by_length(device_launch how, const device_segments& segments, const device_segments& here) {
    const auto size = [&](std::int64_t i) { return offset_of(here, i + 1) - offset_of(here, i); };
    const std::int64_t page = page_elements(host_.element_size);
    std::int64_t pages = fewest_pages, longer = 0;
    for (;; pages *= 2) {
      longer = 0;
      if (segments.total > pages * page)
        for (std::int64_t i = 0; i < here.count; ++i) longer += size(i) > pages * page;
      if (longer <= pages) break;
    }
    if (longer < here.count) launch_segments(how, segments, pages * page);
    const auto* const elements = static_cast<const char*>(how.data);
    auto* const results = static_cast<char*>(how.out);
    for (std::int64_t i = 0; longer > 0 && i < here.count; ++i) {
      if (size(i) <= pages * page) continue;
      how.data = elements + offset_of(here, i) * host_.element_size;
      how.out = results + offset_of(here, i) * result_size_;
      launch_lines(how, line_of(size(i)), line_of(size(i)));
      --longer;
    }
  }

  /// Pages of a segment that a warp scans in any case.
  static constexpr std::int64_t fewest_pages = 64;

  const device_scan* scan_;
  problem lines_{}, results_{};
  bool exclusive_ = false;
};

}  // namespace onefold::cuda
