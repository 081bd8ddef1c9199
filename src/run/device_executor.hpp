// Runs a chosen reduction on an accelerator, whose state is finished here.
#pragma once

#include <cstdint>
#include <memory>

#include "choose.hpp"
#include "onefold/detail/keys.hpp"
#include "onefold/detail/selection.hpp"
#include "run/device_team.hpp"
#include "run/partition.hpp"
#include "run/segments.hpp"

struct CUstream_st;  // what cudaStream_t points to

namespace onefold::detail {

/// An accelerator's handle for a choice, or its devices where there are several, and the memory of a state. The caller
/// guards the floating-point environment, and has checked the arguments.
class device_executor {
 public:
  /// `c.device` gets the number of the device. Throws what the accelerator says.
  explicit device_executor(choice& c);
  ~device_executor();
  device_executor(const device_executor&) = delete;
  device_executor& operator=(const device_executor&) = delete;

  /// Reduces n elements in memory of any kind.
  void run(const void* op, const void* data, std::int64_t n, const void* init, void* result);

  /// The state of n > 0 elements, valid until the next call.
  const void* fold(const void* op, const void* data, std::int64_t n);

  /// The same, with the result in memory of any kind.
  void run_anywhere(const void* op, const void* data, std::int64_t n, const void* init, void* result);

  /// Reduces the choice's shape: `results` may be in memory of any kind.
  void run_shape(const void* op, const void* data, const void* init, void* results);

  /// The same of the elements that a function computes from arrays in memory of any kind. Throws unsupported where the
  /// accelerator computes none.
  void run_mapped(const void* op, const mapped_source& from, const void* init, void* results);

  /// The state of the elements that a function computes, of one output, to host memory.
  void fold_mapped(const mapped_source& from, void* state);

  /// Enqueues the reduction of the choice's shape, as engine::enqueue_shape.
  void enqueue_shape(const void* op, const void* data, const void* init, void* results, CUstream_st* stream);

  /// Reduces segments: `results` may be in memory of any kind.
  void run_segments(const void* op, const segment_list& segments, const void* init, void* results);

  /// Enqueues that, as engine::enqueue_segments.
  void enqueue_segments(const void* op, const segment_list& segments, const void* init, void* results,
                        CUstream_st* stream);

  /// Groups elements by keys, in memory of any kind; how many groups there are.
  std::int64_t group(const key_data& from);

  /// Reduces `count` groups, which were made last: results and keys may go to memory of any kind.
  void run_groups(const void* op, std::int64_t count, const void* init, const group_room& to);

  /// Enqueues both, as engine::enqueue_groups.
  void enqueue_groups(const void* op, const key_data& from, const void* init, const group_room& to, std::int64_t* count,
                      CUstream_st* stream);

  /// Reduces the selected elements of the choice's shape: data, mask and results may be in memory of any kind.
  void run_selected(const void* op, const selected_data& from, const void* init, void* results);

  /// Enqueues that, as engine::enqueue_selected.
  void enqueue_selected(const void* op, const selected_data& from, const void* init, void* results,
                        CUstream_st* stream);

  /// Scans the lines of the choice's shape: data and results may be in memory of any kind.
  void run_scan(const void* op, const void* data, const void* init, void* results);

  /// Enqueues that, as scan_engine::enqueue.
  void enqueue_scan(const void* op, const void* data, const void* init, void* results, CUstream_st* stream);

  /// Scans segments: data, offsets and results may be in memory of any kind.
  void run_segment_scan(const void* op, const segment_list& segments, const void* init, void* results);

  /// Enqueues that, as scan_engine::enqueue_segments.
  void enqueue_segment_scan(const void* op, const segment_list& segments, const void* init, void* results,
                            CUstream_st* stream);

  /// Enqueues the reduction, as engine::enqueue.
  void enqueue(const void* op, const void* data, std::int64_t n, const std::int64_t* device_n, const void* init,
               void* result, CUstream_st* stream);

 private:
  void require_accelerator() const;
  void require_aligned(const void* data) const;
  keyed_elements elements_of(const key_data& from) const;
  bool device_finishes(const void* init) const;
  void run_mapped(const void* op, const mapped_source& from, const void* init, bool finished, void* out);
  template <class Run>
  void run_outputs(const void* op, const void* init, void* results, const Run& run);
  template <class Fold, class Count>
  void finish_on_host(const void* op, std::int64_t outputs, const void* init, void* results, const Fold& fold,
                      const Count& count);
  template <class Fold>
  void finish_counted(const void* op, std::int64_t outputs, const void* init, void* results, const Fold& fold);

  const choice& c_;
  void* handle_ = nullptr;             ///< of one device
  std::unique_ptr<device_team> team_;  ///< or several
  state_array states_;
};

}  // namespace onefold::detail
