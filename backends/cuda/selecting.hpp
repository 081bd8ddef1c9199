// A session that reduces selected elements: of a shape's outputs, of segments, and of groups.
#pragma once

#include "map_session.hpp"
#include "select.hpp"

namespace onefold::cuda {

/// The selected elements are moved together, so that each output is a segment.
class selecting_session : public map_session {
 protected:
  explicit selecting_session(const accelerator_work& what)
      : map_session(what), gives_index_(what.gives_index), most_elements_(what.n), most_outputs_(what.segments) {}

  /// The mask of a selector's elements in device memory; null without one.
  const void* mask_on_device(const selector& by, const void* mask) {
    if (by.elements() == 0 || !mask) return mask;
    return on_device(mask, by.mask_reach(), scratch_->mask, "mask's");
  }

  /// Memory for the most segments, or groups, on the first need: none that is in use is lost.
  void reserve_for_segments() {
    scratch_->selected.grow(selector::bytes(most_elements_, most_outputs_, host_.element_size));
  }

  /// Reduces what a selector, whose elements and mask are in device memory, leaves of its outputs. `output` is what
  /// errors call one of them: "result", ...; null where there is only one. Else as accelerator::run_selected.
  void run_selector(const selector& by, const void* op, const void* elements, const void* mask, const char* output,
                    const void* init, bool finished, void* out, std::int64_t* offsets) {
    const device_segments segments = by.launch(elements, mask, scratch_->selected.data(), cudaStreamLegacy);
    if (!host_.empty_allowed && !init) {
      scratch_->results.grow(sizeof(segment_faults));
      const std::int64_t empty = find_faults(segments, scratch_->results.data()).empty_segment;
      if (empty < segments.count)
        throw error(error_code::empty_input,
                    std::string(host_.name) + " of no elements has no value: no element" +
                        (output ? std::string(" of ") + output + " " + std::to_string(empty) : std::string()) +
                        " is selected");
    }
    if (offsets)
      check(
          cudaMemcpy(offsets, segments.offsets, static_cast<std::size_t>(8 * (segments.count + 1)), cudaMemcpyDefault),
          "a copy");
    run_outputs(op, scratch_->selected.data(), segments.count, init, finished, out,
                [&](const device_launch& how, std::int32_t distance) {
                  return launch_selected(by, how, segments, elements, mask, distance);
                });
  }

  /// Enqueues the same as `how`, which `enqueued` has made, says.
  void enqueue_selector(const selector& by, device_launch how, const void* elements, const void* mask) {
    const device_segments segments = by.launch(elements, mask, scratch_->selected.data(), how.stream);
    how.data = scratch_->selected.data();
    check(static_cast<cudaError_t>(launch_selected(by, how, segments, elements, mask, result_size_)),
          "the launch of a kernel");
  }

  void require_device_mask(std::int64_t elements, const void* mask) const {
    if (elements > 0 && mask) require_device(mask, "enqueue takes a mask in device memory, and this is not");
  }

 private:
  /// Reduces the segments of selected elements; indices are then those in `elements`.
  int launch_selected(const selector& by, const device_launch& how, const device_segments& segments,
                      const void* elements, const void* mask, std::int32_t distance) {
    if (const int e = fold_.launch_segments(fold_, how, segments, distance); e != cudaSuccess || !gives_index_)
      return e;
    by.launch_indices(elements, mask, scratch_->selected.data(), static_cast<std::int64_t*>(how.out), how.stream);
    return cudaSuccess;
  }

  bool gives_index_;
  std::int64_t most_elements_, most_outputs_;  ///< of segments, or groups
};

}  // namespace onefold::cuda
