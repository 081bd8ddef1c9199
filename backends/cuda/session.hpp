// A session of an accelerator, and the runs of it: arrays, shapes, segments, selected and computed elements, groups by
// key, scans.
#pragma once

#include <optional>

#include "keys.hpp"
#include "scanning.hpp"

namespace onefold::cuda {

/// What accelerator::open makes.
class session : public scanning_session {
 public:
  explicit session(const accelerator_work& what)
      : scanning_session(what),
        shape_(what.shape ? std::optional(*what.shape) : std::nullopt),
        selector_(what.selects ? std::optional<selector>(std::in_place, *what.shape, *what.selects, host_.element_size)
                               : std::nullopt),
        grouper_(what.keys != dtype::other ? std::optional<grouper>(std::in_place, what.n, what.keys) : std::nullopt) {
    if (scans() || maps()) return;
    const current_device here(device_);
    if (selector_) {
      scratch_->selected.grow(selector_->bytes());
      scratch_->pages.grow(fold_.segment_slot_bytes(fold_, shape_->outputs, selector_->elements()));
    } else if (grouper_) {
      scratch_->groups.grow(grouper_->bytes());
      scratch_->pages.grow(fold_.segment_slot_bytes(fold_, what.n, what.n));
    } else if (shape_ || what.segmented) {
      scratch_->pages.grow(shape_ ? fold_.shape_slot_bytes(fold_, *shape_)
                                  : fold_.segment_slot_bytes(fold_, what.segments, what.n));
    } else {
      reserve_for_state(what.n);
    }
  }

  void run(const void* op, const void* data, std::int64_t n, void* state) {
    const profiled range("onefold reduce");
    const current_device here(device_);
    const memory_kind where = memory_kind_of(data, device_);
    device_launch how = launch_of(op);
    const bool was_clean = clean_;  // work that was enqueued may hold the scratch still
    clean_ = false;
    if (where == memory_kind::device) {
      how.data = data;
      how.n = n;
      run_state(how, static_cast<char*>(state), [&](const device_launch& to) { return fold_.launch(fold_, to); });
    } else {
      if (where == memory_kind::pageable) require_readable(data, n * host_.element_size);
      const node_run all{data, 0, n};
      run_host_data(*scratch_, host_, fold_, how, {&all, 1}, where == memory_kind::pinned);
      std::memcpy(state, scratch_->states.host(), host_.state_size);
    }
    clean_ = was_clean;
  }

  void enqueue(const void* op, const void* data, std::int64_t n, const std::int64_t* device_n, const void* init,
               void* result, cudaStream_t stream) {
    const profiled range("onefold enqueue");
    const current_device here(device_);
    const graph_place before = graph_place::of(stream);
    if (before.capture == 0) require_stream(stream);  // else it cannot be asked for its device
    require_finish(init, "enqueue");
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
    // After foreign work an early start costs more than it saves, and outside of graphs what came before is unknown.
    how.follows =
        before.node != nullptr && before.capture == last_captured.capture && before.node == last_captured.node;
    clean_ = false;  // the work may be under way when the plan ends, or be captured
    check(static_cast<cudaError_t>(fold_.launch(fold_, how)), "the launch of a kernel");
    if (before.capture != 0) last_captured = graph_place::of(stream);
  }

  /// Data and results in host memory go through device memory.
  void run_shape(const void* op, const void* data, const void* init, bool finished, void* out) {
    const profiled range("onefold reduce over axes");
    const current_device here(device_);
    const void* const elements =
        shape_->n == 0 ? data : on_device(data, reach_of(*shape_, host_.element_size), scratch_->elements);
    run_outputs(op, elements, shape_->outputs, init, finished, out,
                [&](const device_launch& how, std::int32_t distance) {
                  return fold_.launch_shape(fold_, how, *shape_, distance);
                });
  }

  void run_segments(const void* op, const void* data, device_segments segments, const list_selection& selects,
                    const void* init, bool finished, void* out, std::int64_t* selected) {
    const profiled range("onefold reduce segments");
    const current_device here(device_);
    const std::int64_t offset_bytes = (segments.count + 1) * (segments.wide ? 8 : 4);
    std::int64_t first = 0, n = segments.elements;
    if (memory_kind_of(segments.offsets, device_) == memory_kind::device) {
      require_segments(segments, init);
    } else {
      first = offset_of(segments, 0);
      n = offset_of(segments, segments.count) - first;
      segments.offsets = on_device(segments.offsets, {0, offset_bytes}, scratch_->offsets);
    }
    const std::int64_t before = first * host_.element_size;
    const void* const elements =
        n == 0 ? data : on_device(data, {before, before + n * host_.element_size}, scratch_->elements);
    if (selects.kind != mask_kind::all) {
      const list_selection of_first = selects.from(first);
      const selector by(segments, first, n, of_first, host_.element_size);
      reserve_for_segments();
      // Offsets that only the device may read can leave out elements, which the plan then has no room for.
      scratch_->selected.grow(by.bytes());
      scratch_->pages.grow(fold_.segment_slot_bytes(fold_, segments.count, n));
      return run_selector(by, op, static_cast<const char*>(elements) + before, mask_on_device(by, of_first.mask),
                          "segment", init, finished, out, selected);
    }
    run_outputs(op, elements, segments.count, init, finished, out,
                [&](const device_launch& how, std::int32_t distance) {
                  return fold_.launch_segments(fold_, how, segments, distance);
                });
  }

  void enqueue_segments(const void* op, const void* data, const device_segments& segments,
                        const list_selection& selects, const void* init, void* results, cudaStream_t stream) {
    const profiled range("onefold enqueue segments");
    const current_device here(device_);
    if (segments.elements > 0) require_device(data, "enqueue takes data in device memory, and this is not");
    require_device(segments.offsets, "enqueue takes offsets in device memory, and these are not");
    require_device_mask(segments.elements, selects.mask);
    const device_launch how = enqueued(op, data, init, results, stream);
    enqueue_all_or_selected(how, segments, selects);
  }

  void enqueue_shape(const void* op, const void* data, const void* init, void* results, cudaStream_t stream) {
    const profiled range("onefold enqueue over axes");
    const current_device here(device_);
    if (shape_->n > 0) require_device(data, "enqueue takes data in device memory, and this is not");
    const device_launch how = enqueued(op, data, init, results, stream);
    check(static_cast<cudaError_t>(fold_.launch_shape(fold_, how, *shape_, result_size_)), "the launch of a kernel");
  }

  void run_selected(const void* op, const void* data, const void* mask, const void* init, bool finished, void* out,
                    std::int64_t* offsets) {
    const profiled range("onefold reduce selected");
    const current_device here(device_);
    const selector& by = *selector_;
    const void* const elements =
        by.elements() > 0 ? on_device(data, reach_of(*shape_, host_.element_size), scratch_->elements) : data;
    run_selector(by, op, elements, mask_on_device(by, mask), shape_->outputs == 1 ? nullptr : "result", init, finished,
                 out, offsets);
  }

  void enqueue_selected(const void* op, const void* data, const void* mask, const void* init, void* results,
                        cudaStream_t stream) {
    const profiled range("onefold enqueue selected");
    const current_device here(device_);
    const selector& by = *selector_;
    if (by.elements() > 0) require_device(data, "enqueue takes data in device memory, and this is not");
    require_device_mask(by.elements(), mask);
    enqueue_selector(by, enqueued(op, data, init, results, stream), data, mask);
  }

  /// Groups elements by their keys, and waits; how many groups there are.
  std::int64_t group(const keyed_elements& what) {
    const profiled range("onefold group by key");
    const current_device here(device_);
    const std::int64_t key_size = size_of(grouper_->key_type());
    given_ = what;
    given_.keys = on_device(what.keys, {0, what.n * key_size}, scratch_->keys, "keys'");
    const std::int64_t bytes = what.n * host_.element_size;
    groups_ = grouper_->group(given_.keys, what.n, what.runs, scratch_->groups.data(), scratch_->sorting);
    given_.elements = on_device(what.elements, {0, bytes}, scratch_->elements);
    const bool has_mask = is_in_memory(what.selects.kind);
    if (has_mask)
      given_.selects.mask =
          mask_on_device(selector({}, 0, what.n, what.selects, host_.element_size), what.selects.mask);
    if (groups_.order) {
      scratch_->sorted.grow(bytes + (has_mask ? what.n : 0));
      gather_elements(given_.elements, host_.element_size, groups_.order, what.n, scratch_->sorted.data());
      given_.elements = scratch_->sorted.data();
      if (has_mask) {
        auto* const mask = static_cast<unsigned char*>(scratch_->sorted.data()) + bytes;
        gather_mask(given_.selects, groups_.order, what.n, mask);
        given_.selects = {mask_kind::bytes, dtype::other, mask};
      }
      check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
    }
    return groups_.count;
  }

  /// Reduces the groups that were made last.
  void run_groups(const void* op, const void* init, bool finished, void* out, void* keys, std::int64_t* offsets) {
    const profiled range("onefold reduce groups");
    const current_device here(device_);
    void* const memory = scratch_->groups.data();
    const device_segments segments = grouper_->segments(groups_, given_.n, memory);
    if (given_.selects.kind != mask_kind::all) {
      reserve_for_segments();
      run_selector(selector(segments, 0, given_.n, given_.selects, host_.element_size), op, given_.elements,
                   given_.selects.mask, "group", init, finished, out, offsets);
    } else {
      if (offsets) read_offsets(segments, offsets);
      run_outputs(op, given_.elements, segments.count, init, finished, out,
                  [&](const device_launch& how, std::int32_t distance) {
                    return fold_.launch_segments(fold_, how, segments, distance);
                  });
    }
    const std::int64_t key_bytes = groups_.count * size_of(grouper_->key_type());
    const bool in_place = memory_kind_of(keys, device_) == memory_kind::device;
    if (!in_place) scratch_->group_keys.grow(key_bytes);
    void* const to = in_place ? keys : scratch_->group_keys.data();
    grouper_->gather_keys(given_.keys, groups_, memory, to);
    if (!in_place) check(cudaMemcpy(keys, to, static_cast<std::size_t>(key_bytes), cudaMemcpyDefault), "a copy");
    check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
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
      require_device_mask(what.n, what.selects.mask);
      if (to.room > 0) require_device(to.keys, "enqueue writes the groups' keys to device memory, and this is not");
    }
    // Without room for results nothing is reduced, but the stream is looked at all the same.
    const device_launch how = enqueued(op, what.elements, init, to.room > 0 ? to.results : to.count, stream);
    if (what.n == 0) {
      check(cudaMemsetAsync(to.count, 0, sizeof *to.count, stream), "a memset");
      return;
    }
    const device_segments segments =
        grouper_->enqueue_runs(what.keys, what.n, scratch_->groups.data(), {to.keys, to.room, to.count}, stream);
    if (to.room > 0) enqueue_all_or_selected(how, segments, what.selects);
  }

 private:
  /// Enqueues the reduction of segments in device memory, or of what is selected of them.
  void enqueue_all_or_selected(const device_launch& how, const device_segments& segments,
                               const list_selection& selects) {
    if (selects.kind == mask_kind::all)
      return check(static_cast<cudaError_t>(fold_.launch_segments(fold_, how, segments, result_size_)),
                   "the launch of a kernel");
    reserve_for_segments();
    enqueue_selector(selector(segments, 0, segments.elements, selects, host_.element_size), how, how.data,
                     selects.mask);
  }

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

  std::optional<problem> shape_;
  std::optional<selector> selector_;
  std::optional<grouper> grouper_;
  keyed_elements given_{};  ///< what was grouped last, in device memory, and in the groups' order
  key_runs groups_{};
};

}  // namespace onefold::cuda
