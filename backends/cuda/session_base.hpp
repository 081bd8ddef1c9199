// An accelerator's session of a fold: its kernel, and what all runs of it have in common.
#pragma once

#include <algorithm>
#include <cstring>

#include "capture.hpp"
#include "device_session.hpp"
#include "instances.hpp"
#include "offsets.hpp"

namespace onefold::cuda {

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

/// What every session has, and what its runs are made of.
class session_base : public device_session {
 protected:
  explicit session_base(const accelerator_work& what)
      : device_session(what.device),
        host_(*what.host),
        fold_(fold_for(what)),
        kernel_(static_cast<int>(what.kernel)),
        operation_(what.operation),
        result_(what.result),
        result_size_(what.result_size) {
    if ((what.shape || what.segmented) && kernel_ > static_cast<int>(kernel::canonical))
      throw error(error_code::unsupported, what.segmented ? "only kernel canonical reduces segments"
                                           : what.maps    ? "only kernel canonical reduces computed elements"
                                                          : "only kernel canonical reduces over axes");
    if (const char* why = fold_.why_not(fold_, kernel_)) {
      const std::string name = host_.name;
      throw error(error_code::unsupported,
                  "the chosen kernel cannot run " + name + ": " + why + "; the nearest is canonical");
    }
  }

  device_memory& memory() const {
    return kernel_ <= static_cast<int>(kernel::canonical) ? scratch_->slots : scratch_->levels;
  }

  std::int64_t words() const { return (host_.state_size + 3) / 4; }

  /// `what`: who finishes results on the device, for messages.
  void require_finish(const void* init, const std::string& what) const {
    if (result_ != dtype::other)
      throw error(error_code::unsupported, what + " writes the operation's own result type only");
    if (init && result_size_ > static_cast<int>(sizeof(device_launch::init)))
      throw error(error_code::unsupported, what + " takes an initial value of at most 16 bytes");
  }

  using device_session::on_device;
  const void* on_device(const void* data, const element_reach& reach, device_memory& room, const char* what = "data") {
    return on_device(data, reach, host_.element_size, room, what);
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
    require_finish(init, "enqueue");
    device_launch how = launch_of(op);
    how.slots = scratch_->pages.data();
    how.data = data;
    how.out = results;
    how.stream = stream;
    finish_by(how, true, init);
    clean_ = false;
    return how;
  }

  /// Checks offsets in device memory; what else was found of them.
  segment_faults require_offsets(const device_segments& segments) {
    scratch_->results.grow(sizeof(segment_faults));
    const segment_faults found = find_faults(segments, scratch_->results.data());
    if (found.bad_offset <= segments.count)
      throw error(error_code::invalid_argument,
                  "offset " + std::to_string(found.bad_offset) +
                      " is less than the one before it, or beyond the end of the array; offsets must not decrease");
    return found;
  }
  /// The same, and where a segment has no result for it.
  void require_segments(const device_segments& segments, const void* init) {
    const segment_faults found = require_offsets(segments);
    if (found.empty_segment < segments.count && !host_.empty_allowed && !init)
      throw error(error_code::empty_input, std::string(host_.name) + " of no elements has no value: segment " +
                                               std::to_string(found.empty_segment) + " is empty");
  }

  void finish_by(device_launch& how, bool finished, const void* init) const {
    how.finish = finished;
    how.has_init = init != nullptr;
    if (finished && init) std::memcpy(how.init, init, static_cast<std::size_t>(result_size_));
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

  /// Launches by launch(how) what writes one state, and waits for it, in host memory.
  template <class Launch>
  void run_state(device_launch how, char* state, const Launch& launch) {
    if (++scratch_->flag == 0) scratch_->flag = 1;
    how.out = scratch_->mailbox.device();
    how.mailbox_flag = scratch_->flag;
    how.stream = cudaStreamLegacy;
    check(static_cast<cudaError_t>(launch(how)), "the launch of a kernel");
    wait_for_state(state);
  }

  /// Takes scratch for runs over up to n elements to one state.
  void reserve_for_state(std::int64_t n) {
    memory().grow(fold_.slot_bytes(fold_, n, kernel_));
    scratch_->mailbox.grow(std::max<std::int64_t>(8 * words(), 4096));
  }

  const recipe& host_;
  const device_fold& fold_;
  int kernel_, operation_;
  dtype result_;
  int result_size_;

 private:
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
};

}  // namespace onefold::cuda
