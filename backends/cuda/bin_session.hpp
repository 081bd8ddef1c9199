// An accelerator's count of elements in bins.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "device_session.hpp"
#include "histogram.hpp"
#include "host_data.hpp"

namespace onefold::cuda {

/// What accelerator::count_in_bins does.
class bin_session : public device_session {
 public:
  explicit bin_session(const bin_request& what) : device_session(what.device), what_(what) {
    if (what.bins > most_bins)
      throw error(error_code::unsupported, "backend cuda counts in at most " + std::to_string(most_bins) +
                                               " bins, not in " + std::to_string(what.bins) +
                                               "; copy the data to host memory, and use a CPU backend");
  }

  void count(std::int64_t* counts) {
    const profiled range("onefold histogram");
    const current_device here(device_);
    const memory_kind where = memory_kind_of(what_.data, device_);
    const std::int64_t size = size_of(what_.element), bytes = what_.n * size, piece = std::min(bytes, piece_bytes);
    clean_ = false;
    if (where == memory_kind::device) {
      const device_bins bins = bins_in(cudaStreamLegacy);
      check(enqueue_counting(bins, what_.data, what_.n, counting::anew, cudaStreamLegacy), "the launch of a kernel");
      check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
    } else {
      if (where == memory_kind::pageable) require_readable(what_.data, bytes);
      moved_pieces moving(*scratch_, piece, bytes > piece, where == memory_kind::pinned);
      const device_bins bins = bins_in(moving.stream());
      for (std::int64_t at = 0; at < bytes; at += piece) {
        const std::int64_t some = std::min(piece, bytes - at);
        moving.move(static_cast<const char*>(what_.data) + at, some, [&](const void* there) {
          check(enqueue_counting(bins, there, some / size, at == 0 ? counting::anew : counting::on, moving.stream()),
                "the launch of a kernel");
        });
      }
      moving.wait();
    }
    copy_counts(counts);
    clean_ = true;
  }

 private:
  bool counts_values() const { return size_of(what_.element) == 1; }

  /// The bins in device memory, when the stream is there.
  device_bins bins_in(cudaStream_t stream) {
    const std::int64_t slots = slots_of(what_.element, what_.bins);
    scratch_->counts.grow(8 * slots);
    if (!counts_values()) {
      scratch_->limits.grow(8 * what_.bins);
      check(cudaMemcpyAsync(scratch_->limits.data(), what_.limits, static_cast<std::size_t>(8 * what_.bins),
                            cudaMemcpyHostToDevice, stream),
            "a copy from host memory");
    }
    int shared = 0;
    check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device_), "cudaDeviceGetAttribute");
    return {what_.element,
            static_cast<const std::uint64_t*>(scratch_->limits.data()),
            what_.limits[0],
            what_.last,
            what_.bins,
            what_.guess,
            processors(device_),
            shared,
            static_cast<std::int64_t*>(scratch_->counts.data())};
  }

  void copy_counts(std::int64_t* counts) const {
    const std::int64_t slots = slots_of(what_.element, what_.bins);
    const auto copy = [&](std::int64_t* to) {
      check(cudaMemcpy(to, scratch_->counts.data(), static_cast<std::size_t>(8 * slots), cudaMemcpyDeviceToHost),
            "a copy");
    };
    if (!counts_values()) return copy(counts);
    std::vector<std::int64_t> of_values(static_cast<std::size_t>(slots));
    copy(of_values.data());
    copy_bins(what_, of_values.data(), counts);
  }

  bin_request what_;
};

}  // namespace onefold::cuda
