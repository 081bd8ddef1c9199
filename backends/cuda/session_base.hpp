// An accelerator's session: its fold, its kernel, its device and scratch, and what all runs of it have in common.
#pragma once

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "capture.hpp"
#include "devices.hpp"
#include "instances.hpp"
#include "memory_kind.hpp"
#include "offsets.hpp"
#include "scratch.hpp"

namespace onefold::cuda {

/// A range on the timeline of NVIDIA's profilers; nothing with -DNVTX_DISABLE.
class profiled {
 public:
  explicit profiled(const char* name) { nvtxRangePushA(name); }
  ~profiled() { nvtxRangePop(); }
  profiled(const profiled&) = delete;
  profiled& operator=(const profiled&) = delete;
};

inline const device_fold& fold_for(const accelerator_work& what) {
  if (what.operation < 0) {
    if (!what.host->device)
      throw error(
          error_code::unsupported,
          "the operation was not compiled for CUDA: include <onefold/cuda.cuh> in a .cu file and call from there");
    if (what.host->device->size != sizeof(device_fold))
      throw error(error_code::unsupported, "the operation was compiled against another version of onefold");
    return *what.host->device;
  }
  const fold_table* table = nullptr;
  for_each_type(type_list<ONEFOLD_BUILT_ELEMENTS>{}, [&]<class T>() {
    if (what.element == dtype_of<T>) table = &folds_over<T>();
  });
  if (!table)
    throw error(error_code::unsupported, std::string("this build of backend cuda has no folds of ") +
                                             name_of(what.element) + " elements (CMake option ONEFOLD_ELEMENTS)");
  const auto row = [&](const fold_table& of) -> const device_fold& {
    return of.rows[what.operation][static_cast<int>(what.mode)];
  };
  if (row(*table).size != 0) return row(*table);
  const fold_table* of_unsigned = nullptr;
  for_each_type(type_list<ONEFOLD_BUILT_ELEMENTS>{}, [&]<class T>() {
    if constexpr (detail::is_integer<T> && !detail::is_signed<T>)
      if (size_of(dtype_of<T>) == size_of(what.element)) of_unsigned = &folds_over<T>();
  });
  return row(*of_unsigned);
}

inline int chosen_device(int asked) {
  if (asked == -1) return current();
  const int count = devices();
  if (asked < 0 || asked >= count)
    throw error(error_code::invalid_argument,
                "device = " + std::to_string(asked) + " is out of range; there " +
                    (count == 1 ? "is one device, 0" : "are devices 0 to " + std::to_string(count - 1)));
  return asked;
}

/// What every session has, and what its runs are made of.
class session_base {
 public:
  int device() const { return device_; }

 protected:
  explicit session_base(const accelerator_work& what)
      : host_(*what.host),
        fold_(fold_for(what)),
        kernel_(static_cast<int>(what.kernel)),
        operation_(what.operation),
        result_(what.result),
        result_size_(what.result_size),
        device_(chosen_device(what.device)) {
    if ((what.shape || what.segmented) && kernel_ > static_cast<int>(kernel::canonical))
      throw error(error_code::unsupported, what.segmented ? "only kernel canonical reduces segments"
                                                          : "only kernel canonical reduces over axes");
    if (const char* why = fold_.why_not(kernel_)) {
      const std::string name = host_.name;
      throw error(error_code::unsupported,
                  "the chosen kernel cannot run " + name + ": " + why + "; the nearest is canonical");
    }
    const current_device here(device_);
    scratch_ = acquire_scratch(device_);
  }
  ~session_base() {
    try {
      const current_device here(device_);
      release_scratch(std::move(scratch_), clean_);
    } catch (...) {  // a device that is lost: its scratch is, too
    }
  }
  session_base(const session_base&) = delete;
  session_base& operator=(const session_base&) = delete;

  device_memory& memory() const {
    return kernel_ <= static_cast<int>(kernel::canonical) ? scratch_->slots : scratch_->levels;
  }

  std::int64_t words() const { return (host_.state_size + 3) / 4; }

  void require_stream(cudaStream_t stream) const {
    int of_stream = device_;
    check(cudaStreamGetDevice(stream, &of_stream), "cudaStreamGetDevice");
    if (of_stream != device_)
      throw error(error_code::invalid_argument, "the stream belongs to device " + std::to_string(of_stream) +
                                                    ", but the plan is for device " + std::to_string(device_));
  }

  void require_finish(const void* init) const {
    if (result_ != dtype::other)
      throw error(error_code::unsupported, "enqueue writes the operation's own result type only");
    if (init && result_size_ > static_cast<int>(sizeof(device_launch::init)))
      throw error(error_code::unsupported, "enqueue takes an initial value of at most 16 bytes");
  }

  /// What is at `data`, as far as `reach` says in bytes: where it is in device memory, after a copy into `room` if it
  /// was in host memory. `what` it is, for an error.
  const void* on_device(const void* data, const element_reach& reach, device_memory& room, const char* what = "data") {
    if (memory_kind_of(static_cast<const char*>(data) + reach.first, device_) == memory_kind::device) return data;
    const std::int64_t bytes = reach.end - reach.first;
    const char* const from = static_cast<const char*>(data) + reach.first;
    require_readable(from, bytes, what);
    room.grow(bytes + 32);  // as whole words of 16 bytes
    // As far from 16 bytes as on the host, but aligned to an element's size, as it need not be there.
    const auto size = static_cast<std::uintptr_t>(host_.element_size),
               far = reinterpret_cast<std::uintptr_t>(from) % 16;
    char* const to = static_cast<char*>(room.data()) + (std::has_single_bit(size) ? far / size * size : far);
    check(cudaMemcpy(to, from, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice), "a copy");
    return to - reach.first;
  }

  /// Launches by launch(how, distance) what writes results, or states, to memory of any kind, and waits.
  template <class Launch>
  void run_outputs(const void* op, const void* data, std::int64_t outputs, const void* init, bool finished, void* out,
                   const Launch& launch) {
    const bool was_clean = clean_;
    clean_ = false;
    device_launch how = launch_of(op);
    how.slots = scratch_->pages.data();
    how.stream = cudaStreamLegacy;
    how.data = data;
    const std::int32_t distance = finished ? result_size_ : static_cast<std::int32_t>(host_.state_size);
    const std::int64_t bytes = outputs * distance;
    const bool in_place = finished && memory_kind_of(out, device_) == memory_kind::device;
    if (!in_place) scratch_->results.grow(bytes);
    how.out = in_place ? out : scratch_->results.data();
    finish_by(how, finished, init);
    check(static_cast<cudaError_t>(launch(how, distance)), "the launch of a kernel");
    if (!in_place) check(cudaMemcpy(out, how.out, static_cast<std::size_t>(bytes), cudaMemcpyDefault), "a copy");
    check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
    clean_ = was_clean;
  }

  /// What enqueues many results: the arguments that are no types, checked.
  device_launch enqueued(const void* op, const void* data, const void* init, void* results, cudaStream_t stream) {
    if (graph_place::of(stream).capture == 0) require_stream(stream);  // else it cannot be asked for its device
    require_device(results, "enqueue writes its results to device memory, and this is not");
    require_finish(init);
    device_launch how = launch_of(op);
    how.slots = scratch_->pages.data();
    how.data = data;
    how.out = results;
    how.stream = stream;
    finish_by(how, true, init);
    clean_ = false;
    return how;
  }

  /// Checks offsets in device memory.
  void require_segments(const device_segments& segments, const void* init) {
    scratch_->results.grow(sizeof(segment_faults));
    const segment_faults found = find_faults(segments, scratch_->results.data());
    if (found.bad_offset <= segments.count)
      throw error(error_code::invalid_argument,
                  "offset " + std::to_string(found.bad_offset) +
                      " is less than the one before it, or beyond the end of the array; offsets must not decrease");
    if (found.empty_segment < segments.count && !host_.empty_allowed && !init)
      throw error(error_code::empty_input, std::string(host_.name) + " of no elements has no value: segment " +
                                               std::to_string(found.empty_segment) + " is empty");
  }

  void finish_by(device_launch& how, bool finished, const void* init) const {
    how.finish = finished;
    how.has_init = init != nullptr;
    if (finished && init) std::memcpy(how.init, init, static_cast<std::size_t>(result_size_));
  }

  void require_device(const void* p, const char* otherwise) const {
    if (memory_kind_of(p, device_) == memory_kind::pageable) throw error(error_code::invalid_argument, otherwise);
  }

  device_launch launch_of(const void* op) const {
    device_launch how{};
    how.op = op;
    how.slots = memory().data();
    how.operation = operation_;
    how.processors = processors(device_);
    how.rung = kernel_;
    how.in_integers = adds_exactly_in_integers(device_);
    return how;
  }

  /// Waits for the state: words that carry the run's flag, so that seeing them is having them.
  void wait_for_state(char* state) {
    const auto* flagged = static_cast<const std::uint64_t*>(scratch_->mailbox.host());
    for (std::int64_t i = 0; i < words(); ++i) {
      std::uint64_t word = 0;
      for (int spins = 1; (word = __atomic_load_n(flagged + i, __ATOMIC_ACQUIRE)) >> 32 != scratch_->flag; ++spins) {
        if (spins % 4096 != 0) continue;
        const cudaError_t e = cudaStreamQuery(cudaStreamLegacy);  // a long wait asks whether the kernel still lives
        if (e == cudaErrorNotReady) {                             // which CUDA keeps as its last error
          static_cast<void>(cudaGetLastError());
          continue;
        }
        check(e, "a kernel");
        if (__atomic_load_n(flagged + i, __ATOMIC_ACQUIRE) >> 32 != scratch_->flag)
          throw error(error_code::device, "CUDA: a kernel ended without a result");
      }
      const auto payload = static_cast<std::uint32_t>(word);
      std::memcpy(state + 4 * i, &payload,
                  static_cast<std::size_t>(std::min<std::int64_t>(4, host_.state_size - 4 * i)));
    }
  }

  const recipe& host_;
  const device_fold& fold_;
  int kernel_, operation_;
  dtype result_;
  int result_size_;
  int device_;
  bool clean_ = true;  ///< whether nothing of ours is under way on the device
  std::unique_ptr<scratch> scratch_;
};

}  // namespace onefold::cuda
