// An opened reduction: its fold, its kernel, its device and scratch, and the runs of it.
#pragma once

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>

#include "capture.hpp"
#include "devices.hpp"
#include "host_data.hpp"
#include "instances.hpp"
#include "keys.hpp"
#include "offsets.hpp"
#include "places.hpp"
#include "select.hpp"

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

/// What accelerator::open makes.
class opened {
 public:
  explicit opened(const accelerator_work& what)
      : host_(*what.host),
        fold_(fold_for(what)),
        kernel_(static_cast<int>(what.kernel)),
        operation_(what.operation),
        result_(what.result),
        result_size_(what.result_size),
        device_(chosen_device(what.device)),
        gives_index_(what.gives_index),
        shape_(what.shape ? std::optional(*what.shape) : std::nullopt),
        selector_(what.selects ? std::optional<selector>(std::in_place, *what.shape, *what.selects, host_.element_size)
                               : std::nullopt),
        grouper_(what.keys != dtype::other ? std::optional<grouper>(std::in_place, what.n, what.keys) : std::nullopt) {
    if ((shape_ || what.segmented) && kernel_ > static_cast<int>(kernel::canonical))
      throw error(error_code::unsupported, what.segmented ? "only kernel canonical reduces segments"
                                                          : "only kernel canonical reduces over axes");
    if (const char* why = fold_.why_not(kernel_)) {
      const std::string name = host_.name;
      throw error(error_code::unsupported,
                  "the chosen kernel cannot run " + name + ": " + why + "; the nearest is canonical");
    }
    const current_device here(device_);
    scratch_ = take_scratch(device_);
    if (selector_) {
      scratch_->selected.grow(selector_->bytes());
      scratch_->pages.grow(fold_.segment_slot_bytes(shape_->outputs, selector_->elements()));
      return;
    }
    if (grouper_) {
      scratch_->selected.grow(grouper_->bytes());
      scratch_->pages.grow(fold_.segment_slot_bytes(what.n, what.n));
      return;
    }
    if (shape_ || what.segmented) {
      scratch_->pages.grow(shape_ ? fold_.shape_slot_bytes(*shape_) : fold_.segment_slot_bytes(what.segments, what.n));
      return;
    }
    memory().grow(fold_.slot_bytes(what.n, kernel_));
    scratch_->letter.grow(std::max<std::int64_t>(8 * words(), 4096));
  }
  ~opened() {
    try {
      const current_device here(device_);
      give_back(std::move(scratch_), clean_);
    } catch (...) {  // a device that is lost: its scratch is, too
    }
  }
  opened(const opened&) = delete;
  opened& operator=(const opened&) = delete;

  int device() const { return device_; }

  void run(const void* op, const void* data, std::int64_t n, void* state) {
    const profiled range("onefold reduce");
    const current_device here(device_);
    const place where = place_of(data, device_);
    device_launch how = launch_of(op);
    const bool was_clean = clean_;  // work that was enqueued may hold the scratch still
    clean_ = false;
    if (where == place::device) {
      if (++scratch_->flag == 0) scratch_->flag = 1;
      how.data = data;
      how.n = n;
      how.out = scratch_->letter.device();
      how.mail = scratch_->flag;
      how.stream = cudaStreamLegacy;
      check(static_cast<cudaError_t>(fold_.launch(how)), "the launch of a kernel");
      read_letter(static_cast<char*>(state));
    } else {
      if (where == place::pageable) require_readable(data, n * host_.element_size);
      run_host_data(*scratch_, host_, fold_, how, data, n, where == place::pinned, state);
    }
    clean_ = was_clean;
  }

  void enqueue(const void* op, const void* data, std::int64_t n, const std::int64_t* device_n, const void* init,
               void* result, cudaStream_t stream) {
    const profiled range("onefold enqueue");
    const current_device here(device_);
    const graph_place before = graph_place::of(stream);
    if (before.capture == 0) require_stream(stream);  // else it cannot be asked for its device
    require_finish(init);
    if (n > 0) require_device(data, "enqueue takes data in device memory, and this is not");
    require_device(result, "enqueue writes its result to device memory, and this is not");
    if (device_n) {
      if (kernel_ > static_cast<int>(kernel::canonical))
        throw error(error_code::unsupported,
                    "the kernels of the ladder take the number of elements from the host; the nearest is canonical");
      require_device(device_n, "the number of elements is to be in device memory, and is not");
    }
    device_launch how = launch_of(op);
    how.data = data;
    how.n = n;
    how.device_n = device_n;
    how.out = result;
    finish_by(how, true, init);
    how.stream = stream;
    // After other work than ours an early beginning costs more than it saves, and outside of graphs nobody knows.
    how.follows =
        before.node != nullptr && before.capture == last_captured.capture && before.node == last_captured.node;
    clean_ = false;  // the work may be under way when the plan ends, or be captured
    check(static_cast<cudaError_t>(fold_.launch(how)), "the launch of a kernel");
    if (before.capture != 0) last_captured = graph_place::of(stream);
  }

  /// Data and results in host memory go through device memory.
  void run_shape(const void* op, const void* data, const void* init, bool finished, void* out) {
    const profiled range("onefold reduce over axes");
    const current_device here(device_);
    const void* const elements =
        shape_->n == 0 ? data : on_device(data, reach_of(*shape_, host_.element_size), scratch_->elements);
    run_outputs(
        op, elements, shape_->outputs, init, finished, out,
        [&](const device_launch& how, std::int32_t distance) { return fold_.launch_shape(how, *shape_, distance); });
  }

  void run_segments(const void* op, const void* data, device_segments segments, const void* init, bool finished,
                    void* out) {
    const profiled range("onefold reduce segments");
    const current_device here(device_);
    const std::int64_t offset_bytes = (segments.count + 1) * (segments.wide ? 8 : 4);
    element_reach reach{0, segments.elements * host_.element_size};
    if (place_of(segments.offsets, device_) == place::device) {
      require_segments(segments, init);
    } else {
      const auto offset = [&](std::int64_t i) {
        return segments.wide ? static_cast<const std::int64_t*>(segments.offsets)[i]
                             : std::int64_t{static_cast<const std::uint32_t*>(segments.offsets)[i]};
      };
      reach = {offset(0) * host_.element_size, offset(segments.count) * host_.element_size};
      segments.offsets = on_device(segments.offsets, {0, offset_bytes}, scratch_->offsets);
    }
    const void* const elements = reach.first == reach.end ? data : on_device(data, reach, scratch_->elements);
    run_outputs(op, elements, segments.count, init, finished, out,
                [&](const device_launch& how, std::int32_t distance) {
                  return fold_.launch_segments(how, segments, distance);
                });
  }

  void enqueue_segments(const void* op, const void* data, const device_segments& segments, const void* init,
                        void* results, cudaStream_t stream) {
    const profiled range("onefold enqueue segments");
    const current_device here(device_);
    if (segments.elements > 0) require_device(data, "enqueue takes data in device memory, and this is not");
    require_device(segments.offsets, "enqueue takes offsets in device memory, and these are not");
    const device_launch how = enqueued(op, data, init, results, stream);
    check(static_cast<cudaError_t>(fold_.launch_segments(how, segments, result_size_)), "the launch of a kernel");
  }

  void enqueue_shape(const void* op, const void* data, const void* init, void* results, cudaStream_t stream) {
    const profiled range("onefold enqueue over axes");
    const current_device here(device_);
    if (shape_->n > 0) require_device(data, "enqueue takes data in device memory, and this is not");
    const device_launch how = enqueued(op, data, init, results, stream);
    check(static_cast<cudaError_t>(fold_.launch_shape(how, *shape_, result_size_)), "the launch of a kernel");
  }

  /// The selected elements are moved together, so that each output is a segment.
  void run_selected(const void* op, const void* data, const void* mask, const void* init, bool finished, void* out,
                    std::int64_t* offsets) {
    const profiled range("onefold reduce selected");
    const current_device here(device_);
    const selector& by = *selector_;
    const bool any = by.elements() > 0;
    const void* const elements =
        any ? on_device(data, reach_of(*shape_, host_.element_size), scratch_->elements) : data;
    if (any && mask) mask = on_device(mask, by.mask_reach(), scratch_->offsets);
    const device_segments segments = by.launch(elements, mask, scratch_->selected.data(), cudaStreamLegacy);
    if (!host_.empty_allowed && !init) {
      scratch_->results.grow(sizeof(segment_faults));
      const std::int64_t empty = find_faults(segments, scratch_->results.data()).empty_segment;
      if (empty < segments.count)
        throw error(error_code::empty_input, std::string(host_.name) + " of no elements has no value: no element" +
                                                 (segments.count == 1 ? "" : " of result " + std::to_string(empty)) +
                                                 " is selected");
    }
    if (offsets)
      check(
          cudaMemcpy(offsets, segments.offsets, static_cast<std::size_t>(8 * (segments.count + 1)), cudaMemcpyDefault),
          "a copy");
    run_outputs(op, by.selected(scratch_->selected.data()), segments.count, init, finished, out,
                [&](const device_launch& how, std::int32_t distance) {
                  return launch_selected(how, segments, elements, mask, distance);
                });
  }

  void enqueue_selected(const void* op, const void* data, const void* mask, const void* init, void* results,
                        cudaStream_t stream) {
    const profiled range("onefold enqueue selected");
    const current_device here(device_);
    const bool any = selector_->elements() > 0;
    if (any) require_device(data, "enqueue takes data in device memory, and this is not");
    if (any && mask) require_device(mask, "enqueue takes a mask in device memory, and this is not");
    device_launch how = enqueued(op, data, init, results, stream);
    const device_segments segments = selector_->launch(data, mask, scratch_->selected.data(), stream);
    how.data = selector_->selected(scratch_->selected.data());
    check(static_cast<cudaError_t>(launch_selected(how, segments, data, mask, result_size_)), "the launch of a kernel");
  }

  /// Groups elements by their keys, and waits; how many groups there are.
  std::int64_t group(const keyed_elements& what) {
    const profiled range("onefold group by key");
    const current_device here(device_);
    const std::int64_t key_size = size_of(grouper_->key_type());
    given_ = what;
    given_.keys = on_device(what.keys, {0, what.n * key_size}, scratch_->keys, "keys'");
    const std::int64_t bytes = what.n * host_.element_size;
    groups_ = grouper_->group(given_.keys, what.n, what.runs, scratch_->selected.data(), scratch_->sorting);
    given_.elements = on_device(what.elements, {0, bytes}, scratch_->elements);
    if (groups_.order) {
      scratch_->sorted.grow(bytes);
      gather_elements(given_.elements, host_.element_size, groups_.order, what.n, scratch_->sorted.data());
      check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
      given_.elements = scratch_->sorted.data();
    }
    return groups_.count;
  }

  /// Reduces the groups that were made last.
  void run_groups(const void* op, const void* init, bool finished, void* out, void* keys, std::int64_t* offsets) {
    const profiled range("onefold reduce groups");
    const current_device here(device_);
    void* const memory = scratch_->selected.data();
    const std::int64_t key_bytes = groups_.count * size_of(grouper_->key_type());
    const bool in_place = place_of(keys, device_) == place::device;
    if (!in_place) scratch_->group_keys.grow(key_bytes);
    void* const to = in_place ? keys : scratch_->group_keys.data();
    grouper_->gather_keys(given_.keys, groups_, memory, to);
    if (!in_place) check(cudaMemcpy(keys, to, static_cast<std::size_t>(key_bytes), cudaMemcpyDefault), "a copy");
    const device_segments segments = grouper_->segments(groups_, given_.n, memory);
    if (offsets) read_offsets(segments, offsets);
    run_outputs(op, given_.elements, segments.count, init, finished, out,
                [&](const device_launch& how, std::int32_t distance) {
                  return fold_.launch_segments(how, segments, distance);
                });
  }

  void enqueue_groups(const void* op, const keyed_elements& what, const void* init, const group_outputs& to,
                      cudaStream_t stream) {
    const profiled range("onefold enqueue groups");
    const current_device here(device_);
    if (!what.runs)
      throw error(
          error_code::unsupported,
          "enqueue groups runs of equal keys only: whether keys have to be sorted is not known before the stream "
          "gets there; use runs_by_key");
    require_device(to.count, "enqueue writes the number of groups to device memory, and this is not");
    if (what.n > 0) {
      require_device(what.elements, "enqueue takes data in device memory, and this is not");
      require_device(what.keys, "enqueue takes keys in device memory, and these are not");
      if (to.room > 0) require_device(to.keys, "enqueue writes the groups' keys to device memory, and this is not");
    }
    // Without room for results nothing is reduced, but the stream is looked at all the same.
    const device_launch how = enqueued(op, what.elements, init, to.room > 0 ? to.results : to.count, stream);
    if (what.n == 0) {
      check(cudaMemsetAsync(to.count, 0, sizeof *to.count, stream), "a memset");
      return;
    }
    const device_segments segments =
        grouper_->enqueue_runs(what.keys, what.n, scratch_->selected.data(), {to.keys, to.room, to.count}, stream);
    if (to.room > 0)
      check(static_cast<cudaError_t>(fold_.launch_segments(how, segments, result_size_)), "the launch of a kernel");
  }

 private:
  /// Segments' offsets, in 64 bits, to host memory.
  static void read_offsets(const device_segments& segments, std::int64_t* to) {
    const std::int64_t count = segments.count + 1;
    const auto bytes = static_cast<std::size_t>(count * (segments.wide ? 8 : 4));
    auto* const from = reinterpret_cast<std::uint32_t*>(to);
    check(cudaMemcpy(to, segments.offsets, bytes, cudaMemcpyDefault), "a copy");
    if (segments.wide) return;
    for (std::int64_t i = count - 1; i >= 0; --i) {  // from the end: each goes where those were that were read
      std::uint32_t offset = 0;
      std::memcpy(&offset, from + i, sizeof offset);
      to[i] = offset;
    }
  }

  /// Reduces the segments of selected elements; indices are then those in `data`.
  int launch_selected(const device_launch& how, const device_segments& segments, const void* data, const void* mask,
                      std::int32_t distance) {
    if (const int e = fold_.launch_segments(how, segments, distance); e != cudaSuccess || !gives_index_) return e;
    selector_->launch_indices(data, mask, scratch_->selected.data(), static_cast<std::int64_t*>(how.out), how.stream);
    return cudaSuccess;
  }

  device_memory& memory() const {
    return kernel_ <= static_cast<int>(kernel::canonical) ? scratch_->slots : scratch_->levels;
  }

  std::int64_t words() const { return (host_.state_size + 3) / 4; }

  void require_stream(cudaStream_t stream) const {
    int of_stream = device_;
    check(cudaStreamGetDevice(stream, &of_stream), "cudaStreamGetDevice");
    if (of_stream != device_)
      throw error(error_code::invalid_argument, "the stream is of device " + std::to_string(of_stream) +
                                                    ", and the plan is for device " + std::to_string(device_));
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
    if (place_of(static_cast<const char*>(data) + reach.first, device_) == place::device) return data;
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
    const bool in_place = finished && place_of(out, device_) == place::device;
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
    if (place_of(p, device_) == place::pageable) throw error(error_code::invalid_argument, otherwise);
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
  void read_letter(char* state) {
    const auto* letter = static_cast<const std::uint64_t*>(scratch_->letter.host());
    for (std::int64_t i = 0; i < words(); ++i) {
      std::uint64_t word = 0;
      for (int spins = 1; (word = __atomic_load_n(letter + i, __ATOMIC_ACQUIRE)) >> 32 != scratch_->flag; ++spins) {
        if (spins % 4096 != 0) continue;
        const cudaError_t e = cudaStreamQuery(cudaStreamLegacy);  // a long wait asks whether the kernel still lives
        if (e == cudaErrorNotReady) {                             // which CUDA keeps as its last error
          static_cast<void>(cudaGetLastError());
          continue;
        }
        check(e, "a kernel");
        if (__atomic_load_n(letter + i, __ATOMIC_ACQUIRE) >> 32 != scratch_->flag)
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
  bool gives_index_;
  std::optional<problem> shape_;
  std::optional<selector> selector_;
  std::optional<grouper> grouper_;
  keyed_elements given_{};  ///< what was grouped last, in device memory, and in the groups' order
  key_runs groups_{};
  bool clean_ = true;  ///< whether nothing of ours is under way on the device
  std::unique_ptr<scratch> scratch_;
};

}  // namespace onefold::cuda
