// What a run needs beside its data: device memory for slots, a mailbox in mapped host memory, buffers and streams for
// data that is on the host. Kept when a plan ends, and used again by the next.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "errors.hpp"
#include "onefold/map_request.hpp"

namespace onefold::cuda {

/// Rounds up, so that what follows in device memory is aligned as cudaMalloc's is.
constexpr std::int64_t rounded_up(std::int64_t bytes) { return (bytes + 255) / 256 * 256; }

/// Memory by cudaMalloc.
class device_memory {
 public:
  device_memory() = default;
  ~device_memory();
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  /// At least this many bytes, all zero where it had to grow. Throws where the device has none left.
  void grow(std::int64_t bytes);
  /// At most this many bytes: more are freed.
  void limit(std::int64_t bytes);
  void* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// Pinned host memory that the device can write.
class mapped_memory {
 public:
  mapped_memory() = default;
  ~mapped_memory();
  mapped_memory(const mapped_memory&) = delete;
  mapped_memory& operator=(const mapped_memory&) = delete;
  void grow(std::int64_t bytes);
  void* host() const { return host_; }
  void* device() const { return device_; }

 private:
  void* host_ = nullptr;
  void* device_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// A stream and the events of a pipeline of two buffers.
struct pipeline {
  pipeline();
  ~pipeline();
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  cudaStream_t copies = nullptr, folds = nullptr;
  cudaEvent_t copied[2] = {}, folded[2] = {};
};

/// The scratch of one run at a time, on one device.
struct scratch {
  explicit scratch(int on) : device(on) {}
  const int device;
  device_memory slots;               ///< for kernel canonical, which leaves them zero
  device_memory levels;              ///< for the other kernels
  mapped_memory mailbox;             ///< a state that comes as flagged words
  std::uint32_t flag = 0;            ///< of the last state that came so
  mapped_memory states;              ///< for host data: one for each piece
  std::unique_ptr<pipeline> moving;  ///< for host data
  device_memory buffers[2];          ///< for host data, and for computed elements
  mapped_memory staging[2];          ///< for pageable host data, and for results that the host finishes
  device_memory scans;               ///< for scans in one pass, which keep it between runs
  device_memory pages;               ///< for shapes and segments: the states of pages
  device_memory elements, results;   ///< for shapes and segments whose data, or results, are in host memory
  device_memory offsets, mask;       ///< for offsets of segments, and for masks, that are in host memory
  device_memory selected;            ///< for selected elements: where they are moved together
  device_memory groups;              ///< for keys: what is found of them, and the groups' offsets
  device_memory keys, group_keys;    ///< for keys that are, or go, to host memory
  device_memory weights, biases;     ///< for rows whose weights or biases are in host memory
  device_memory means, deviations;   ///< for rows whose statistics go to host memory
  device_memory sorting, sorted;     ///< for keys that do not ascend, and their elements with their mask
  device_memory limits, counts;      ///< for histograms: of bins

  device_memory arrays[most_mapped_arrays];  ///< for arrays of functions that are in host memory
};

/// Scratch on a device: one that was given back, or a new one.
std::unique_ptr<scratch> acquire_scratch(int device);

/// Returns it to the pool. One with slots that may not be zero is discarded instead.
void release_scratch(std::unique_ptr<scratch> s, bool clean);

}  // namespace onefold::cuda
