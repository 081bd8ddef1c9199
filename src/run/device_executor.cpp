#include "run/device_executor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "fork.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/cpu_executor.hpp"
#include "run/mapping.hpp"

namespace onefold::detail {
namespace {

// The most bytes of an initial value that a device takes: device_launch::init.
constexpr int most_device_init = 16;

/// Bytes for states or results.
class host_memory {
 public:
  host_memory(std::int64_t bytes, std::size_t align)
      : align_(std::max<std::size_t>(align, alignof(std::max_align_t))),
        data_(static_cast<char*>(::operator new (static_cast<std::size_t>(bytes), std::align_val_t{align_}))) {}
  ~host_memory() { ::operator delete (data_, std::align_val_t{align_}); }
  host_memory(const host_memory&) = delete;
  host_memory& operator=(const host_memory&) = delete;
  char* data() const { return data_; }

 private:
  std::size_t align_;
  char* data_;
};

device_segments device_segments_of(const segment_list& s) { return {s.all, s.elements(), s.offsets, s.count, s.wide}; }

}  // namespace

device_executor::device_executor(choice& c) : c_(c), states_(*c.recipe, 0, 1) {
  if (c.devices.size() > 0) {
    team_ = std::make_unique<device_team>(c);
    return;
  }
  accelerator_failure failed{};
  if (!c.accelerator->open(work_of(c, c.device), &handle_, &c.device, &failed)) fail(failed);
}

device_executor::~device_executor() {
  if (!team_ && !accelerator_lost()) c_.accelerator->close(handle_);
}

/// A device cannot load elements that are not aligned to their size: the context would be lost. A host's are copied.
void device_executor::require_aligned(const void* data) const {
  require_aligned_on_device(*c_.accelerator, c_.element, data);
}

void device_executor::require_accelerator() const { detail::require_accelerator(c_.backend); }

const void* device_executor::fold(const void* op, const void* data, std::int64_t n) {
  require_accelerator();
  require_aligned(data);
  if (team_) return team_->fold(op, data, n);
  accelerator_failure failed{};
  if (!c_.accelerator->run(handle_, op, data, n, states_.data(), &failed)) fail(failed);
  return states_.data();
}

void device_executor::run(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
  const recipe& r = *c_.recipe;
  if (n == 0 && is_small(r, n)) return run_small(c_, op, data, n, init, result);
  const void* state = states_.data();
  if (n == 0)
    r.fold(op, {data, n, 0}, 0, 1, 0, states_.data(), states_.room(0));
  else
    state = fold(op, data, n);
  check_result(r, r.finish(op, state, n, init, c_.result, result, states_.room(0)));
}

void device_executor::enqueue(const void* op, const void* data, std::int64_t n, const std::int64_t* device_n,
                              const void* init, void* result, CUstream_st* stream) {
  if (team_)
    throw error(error_code::unsupported,
                "devices " + text_of(c_.devices) + ": a stream belongs to one device; make a plan for that one alone");
  require_aligned(data);
  accelerator_failure failed{};
  if (!c_.accelerator->enqueue(handle_, op, data, n, device_n, init, result, stream, &failed)) fail(failed);
}

void device_executor::run_anywhere(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
  if (c_.accelerator->kind_of(result) != accelerator_memory::device) return run(op, data, n, init, result);
  const host_memory here(c_.result_size, static_cast<std::size_t>(result_align(c_)));
  run(op, data, n, init, here.data());
  accelerator_failure failed{};
  if (!c_.accelerator->copy(result, here.data(), c_.result_size, &failed)) fail(failed);
}

bool device_executor::device_finishes(const void* init) const {
  return c_.result == dtype::other && !c_.recipe->may_refuse && (!init || c_.result_size <= most_device_init);
}

/// For results that a device does not finish: rounded ones, those that may not exist, and those with an initial value
/// that is too large for it. fold(states) has the states of all outputs written there; count(i) is how many elements
/// output i has.
template <class Fold, class Count>
void device_executor::finish_on_host(const void* op, std::int64_t outputs, const void* init, void* results,
                                     const Fold& fold, const Count& count) {
  const recipe& r = *c_.recipe;
  const host_memory states(outputs * r.state_size, r.state_align);
  accelerator_failure failed{};
  fold(states.data());
  const bool copied = c_.accelerator->kind_of(results) == accelerator_memory::device;
  const host_memory copies(copied ? outputs * c_.result_size : 1, static_cast<std::size_t>(result_align(c_)));
  if (copied) std::memset(copies.data(), 0, static_cast<std::size_t>(outputs * c_.result_size));  // where there is none
  char* const to = copied ? copies.data() : static_cast<char*>(results);
  const char* why = nullptr;
  for (std::int64_t i = 0; i < outputs; ++i)
    if (const char* none = r.finish(op, states.data() + i * r.state_size, count(i), init, c_.result,
                                    to + i * c_.result_size, states_.room(0)))
      why = none;
  if (copied && !c_.accelerator->copy(results, to, outputs * c_.result_size, &failed)) fail(failed);
  check_result(r, why);
}

/// The same where fold(states, offsets) also has the number of elements before each output written, and in all.
template <class Fold>
void device_executor::finish_counted(const void* op, std::int64_t outputs, const void* init, void* results,
                                     const Fold& fold) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(outputs + 1));
  finish_on_host(
      op, outputs, init, results, [&](void* states) { fold(states, offsets.data()); },
      [&](std::int64_t i) { return offsets[static_cast<std::size_t>(i + 1)] - offsets[static_cast<std::size_t>(i)]; });
}

/// The results of the choice's shape: run(init, finished, out) writes them, or their states, to `out`.
template <class Run>
void device_executor::run_outputs(const void* op, const void* init, void* results, const Run& run) {
  if (device_finishes(init)) return run(init, true, results);
  finish_on_host(
      op, c_.shape->outputs, init, results, [&](void* states) { run(nullptr, false, states); },
      [&](std::int64_t) { return c_.shape->n; });
}

void device_executor::run_shape(const void* op, const void* data, const void* init, void* results) {
  require_accelerator();
  require_aligned(data);
  run_outputs(op, init, results, [&](const void* with_init, bool finished, void* to) {
    accelerator_failure failed{};
    if (!c_.accelerator->run_shape(handle_, op, data, with_init, finished, to, &failed)) fail(failed);
  });
}

void device_executor::run_mapped(const void* op, const mapped_source& from, const void* init, void* results) {
  run_outputs(op, init, results,
              [&](const void* with_init, bool finished, void* to) { run_mapped(op, from, with_init, finished, to); });
}

void device_executor::fold_mapped(const mapped_source& from, void* state) {
  run_mapped(nullptr, from, nullptr, false, state);
}

/// As accelerator::run_mapped.
void device_executor::run_mapped(const void* op, const mapped_source& from, const void* init, bool finished,
                                 void* out) {
  require_accelerator();
  if (!c_.accelerator->run_mapped)
    throw error(error_code::unsupported, std::string("backend ") + name_of(c_.backend) +
                                             " does not compute elements by functions; copy the data to host memory, "
                                             "and use a CPU backend");
  for (int k = 0; k < c_.maps->arrays; ++k)
    require_aligned_on_device(*c_.accelerator, from.arrays[k].element_align, from.arrays[k].data,
                              "the data" + number_of_array(*c_.maps, k));
  accelerator_failure failed{};
  if (!c_.accelerator->run_mapped(handle_, op, from, init, finished, out, &failed)) fail(failed);
}

void device_executor::run_segments(const void* op, const segment_list& segments, const void* init, void* results) {
  require_accelerator();
  require_aligned(segments.values);
  const device_segments s = device_segments_of(segments);
  const auto run = [&](bool finished, void* to, std::int64_t* selected) {
    accelerator_failure failed{};
    if (!c_.accelerator->run_segments(handle_, op, segments.values, s, segments.selects, init, finished, to, selected,
                                      &failed))
      fail(failed);
  };
  if (device_finishes(init)) return run(true, results, nullptr);
  if (segments.selects.kind != mask_kind::all)
    return finish_counted(op, s.count, init, results,
                          [&](void* states, std::int64_t* offsets) { run(false, states, offsets); });
  segment_list here = segments;
  const std::int64_t bytes = (s.count + 1) * (s.wide ? 8 : 4);
  const host_memory offsets(segments.far ? bytes : 1, alignof(std::int64_t));
  const auto fold = [&](void* states) {
    run(false, states, nullptr);  // which checks offsets that are far
    if (!segments.far) return;
    accelerator_failure failed{};
    if (!c_.accelerator->copy(offsets.data(), s.offsets, bytes, &failed)) fail(failed);
    here.offsets = offsets.data();
  };
  finish_on_host(op, s.count, init, results, fold, [&](std::int64_t i) { return here.size(i); });
}

/// Elements and keys as the device is given them. Throws invalid_argument where elements are not aligned to their size.
keyed_elements device_executor::elements_of(const key_data& from) const {
  require_aligned(from.values);
  return {from.values, from.keys, from.elements, from.runs, from.selects};
}

std::int64_t device_executor::group(const key_data& from) {
  require_accelerator();
  std::int64_t count = 0;
  accelerator_failure failed{};
  if (!c_.accelerator->group(handle_, elements_of(from), &count, &failed)) fail(failed);
  return count;
}

void device_executor::run_groups(const void* op, std::int64_t count, const void* init, const group_room& to) {
  const auto run = [&](bool finished, void* results, std::int64_t* offsets) {
    accelerator_failure failed{};
    if (!c_.accelerator->run_groups(handle_, op, init, finished, results, to.keys, offsets, &failed)) fail(failed);
  };
  if (device_finishes(init)) return run(true, to.results, nullptr);
  finish_counted(op, count, init, to.results,
                 [&](void* states, std::int64_t* offsets) { run(false, states, offsets); });
}

void device_executor::enqueue_groups(const void* op, const key_data& from, const void* init, const group_room& to,
                                     std::int64_t* count, CUstream_st* stream) {
  accelerator_failure failed{};
  const group_outputs out{to.keys, to.results, std::min(to.of_keys, to.of_results), count};
  if (!c_.accelerator->enqueue_groups(handle_, op, elements_of(from), init, out, stream, &failed)) fail(failed);
}

void device_executor::run_selected(const void* op, const selected_data& from, const void* init, void* results) {
  require_accelerator();
  require_aligned(from.data);
  const std::int64_t outputs = c_.shape->outputs;
  const auto run = [&](bool finished, void* to, std::int64_t* offsets) {
    accelerator_failure failed{};
    if (!c_.accelerator->run_selected(handle_, op, from.data, from.mask, init, finished, to, offsets, &failed))
      fail(failed);
  };
  if (device_finishes(init)) return run(true, results, nullptr);
  finish_counted(op, outputs, init, results, [&](void* states, std::int64_t* offsets) { run(false, states, offsets); });
}

void device_executor::enqueue_selected(const void* op, const selected_data& from, const void* init, void* results,
                                       CUstream_st* stream) {
  require_aligned(from.data);
  accelerator_failure failed{};
  if (!c_.accelerator->enqueue_selected(handle_, op, from.data, from.mask, init, results, stream, &failed))
    fail(failed);
}

void device_executor::enqueue_segments(const void* op, const segment_list& segments, const void* init, void* results,
                                       CUstream_st* stream) {
  require_aligned(segments.values);
  const device_segments s = device_segments_of(segments);
  accelerator_failure failed{};
  if (!c_.accelerator->enqueue_segments(handle_, op, segments.values, s, segments.selects, init, results, stream,
                                        &failed))
    fail(failed);
}

void device_executor::enqueue_shape(const void* op, const void* data, const void* init, void* results,
                                    CUstream_st* stream) {
  require_aligned(data);
  accelerator_failure failed{};
  if (!c_.accelerator->enqueue_shape(handle_, op, data, init, results, stream, &failed)) fail(failed);
}

void device_executor::run_scan(const void* op, const void* data, const void* init, void* results) {
  require_accelerator();
  require_aligned(data);
  accelerator_failure failed{};
  if (!c_.accelerator->run_scan(handle_, op, data, init, results, &failed)) fail(failed);
}

void device_executor::enqueue_scan(const void* op, const void* data, const void* init, void* results,
                                   CUstream_st* stream) {
  require_aligned(data);
  accelerator_failure failed{};
  if (!c_.accelerator->enqueue_scan(handle_, op, data, init, results, stream, &failed)) fail(failed);
}

void device_executor::run_segment_scan(const void* op, const segment_list& segments, const void* init, void* results) {
  require_accelerator();
  require_aligned(segments.values);
  accelerator_failure failed{};
  if (!c_.accelerator->run_segment_scan(handle_, op, segments.values, device_segments_of(segments), init, results,
                                        &failed))
    fail(failed);
}

void device_executor::enqueue_segment_scan(const void* op, const segment_list& segments, const void* init,
                                           void* results, CUstream_st* stream) {
  require_aligned(segments.values);
  accelerator_failure failed{};
  if (!c_.accelerator->enqueue_segment_scan(handle_, op, segments.values, device_segments_of(segments), init, results,
                                            stream, &failed))
    fail(failed);
}

}  // namespace onefold::detail
