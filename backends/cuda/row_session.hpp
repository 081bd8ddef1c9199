// An accelerator's session of an operation on rows.
#pragma once

#include "capture.hpp"
#include "device_session.hpp"
#include "instances.hpp"
#include "mapped_arrays.hpp"
#include "pieces.hpp"
#include "row_parts.hpp"

namespace onefold::cuda {

inline const row_kernels& rows_for(dtype element) {
  const row_kernels* found = nullptr;
  for_each_type(type_list<ONEFOLD_BUILT_ELEMENTS>{}, [&]<class T>() {
    if constexpr (detail::is_float<T>)
      if (element == dtype_of<T>) found = &rows_over<T>();
  });
  if (!found)
    throw error(error_code::unsupported, std::string("this build of backend cuda does not work on rows of ") +
                                             name_of(element) + " elements (CMake option ONEFOLD_ELEMENTS)");
  return *found;
}

/// What accelerator::open_rows makes.
class row_session : public device_session {
 public:
  row_session(const row_problem& p, int asked_device)
      : device_session(asked_device),
        p_(p),
        what_(p_.what),
        rows_(rows_for(what_.element)),
        parts_(p_, piece_bytes),
        size_(size_of(what_.element)) {
    if (what_.from.outputs == 0) return;
    if (p_.selects.kind != mask_kind::all && what_.from.n > most_places)
      throw error(error_code::unsupported, "backend cuda selects from lines of at most 2^32 elements");
    const current_device here(device_);
    scratch_->pages.grow(rows_.slot_bytes(parts_.first()));
    scratch_->buffers[0].grow(parts_.buffer_bytes());
    scratch_->selected.grow(parts_.selected_bytes());
  }

  void run(const row_memory& memory, const row_extras& extras) {
    const profiled range("onefold rows");
    const current_device here(device_);
    const std::int64_t n = what_.from.n, lines = what_.from.outputs;
    if (lines == 0) return;
    const bool was_clean = clean_;
    clean_ = false;
    row_memory there = memory;
    row_run r = run_of(extras);
    if (p_.maps.arrays > 0)
      r.computes = launch_on_device(p_.maps, extras.from);
    else if (n > 0)
      there.data = on_device(memory.data, reach_of(what_.from, size_), size_, scratch_->elements);
    if (is_in_memory(p_.selects.kind) && n > 0)
      r.mask = on_device(extras.mask, mask_reach_of(p_.selects), 1, scratch_->mask, "mask's");
    const auto parameters = [&](const void* p, device_memory& room, const char* name) {
      return p && n > 0 ? on_device(p, {0, n * size_}, size_, room, name) : nullptr;
    };
    there.weight = parameters(memory.weight, scratch_->weights, "weights");
    there.bias = parameters(memory.bias, scratch_->biases, "biases");
    output results, mean, rstd;
    if (!p_.stores)
      results = memory.results == memory.data && there.data != memory.data
                    ? in_copy(memory.results, const_cast<void*>(there.data), reach_of(what_.to, size_))
                    : output_for(memory.results, results_reach(), lines * written_of_line(), scratch_->results);
    const std::int64_t bytes = lines * (what_.element == dtype::f64 ? 8 : 4);
    if (memory.mean) {
      mean = output_for(memory.mean, {0, bytes}, bytes, scratch_->means);
      rstd = output_for(memory.rstd, {0, bytes}, bytes, scratch_->deviations);
    }
    there.results = results.there;
    there.mean = mean.there;
    there.rstd = rstd.there;
    r.memory = there;
    launch(r, cudaStreamLegacy);
    for (const output& o : {results, mean, rstd})
      if (o.copy) check(cudaMemcpy(o.to, o.copy, o.bytes, cudaMemcpyDefault), "a copy");
    check(cudaStreamSynchronize(cudaStreamLegacy), "a kernel");
    clean_ = was_clean;
  }

  void enqueue(const row_memory& memory, const row_extras& extras, cudaStream_t stream) {
    const profiled range("onefold enqueue rows");
    const current_device here(device_);
    if (graph_place::of(stream).capture == 0) require_stream(stream);  // else it cannot be asked for its device
    if (what_.from.outputs == 0) return;
    const auto require = [&](const void* p) {
      if (p) require_device(p, "enqueue works on rows in device memory, with weights, masks and results there, too");
    };
    row_run r = run_of(extras);
    r.memory = memory;
    if (what_.from.n > 0) {
      require(memory.data);
      require(r.mask);
      for (int k = 0; k < p_.maps.arrays; ++k) require(r.computes.arrays[k] = extras.from.arrays[k].data);
    }
    for (const void* p : {static_cast<const void*>(memory.results), memory.weight, memory.bias,
                          static_cast<const void*>(memory.mean), static_cast<const void*>(memory.rstd)})
      require(p);
    clean_ = false;
    launch(r, stream);
  }

 private:
  /// Where a kernel writes, and what is copied afterwards to memory that it cannot write.
  struct output {
    void* there = nullptr;
    void *to = nullptr, *copy = nullptr;
    std::size_t bytes = 0;
  };
  static output in_copy(void* out, void* there, const element_reach& reach) {
    return {there, static_cast<char*>(out) + reach.first, static_cast<char*>(there) + reach.first,
            static_cast<std::size_t>(reach.end - reach.first)};
  }
  /// For `written` bytes within reach of `out`; what lies between them stays.
  output output_for(void* out, const element_reach& reach, std::int64_t written, device_memory& room) const {
    char* const to = static_cast<char*>(out) + reach.first;
    if (memory_kind_of(to, device_) == memory_kind::device) return {out};
    const std::int64_t bytes = reach.end - reach.first;
    room.grow(bytes);
    if (bytes != written)
      check(cudaMemcpy(room.data(), to, static_cast<std::size_t>(bytes), cudaMemcpyDefault), "a copy");
    return in_copy(out, static_cast<char*>(room.data()) - reach.first, reach);
  }

  bool gives_one() const { return what_.operation == row_operation::logsumexp; }
  std::int64_t written_of_line() const { return (gives_one() ? 1 : what_.to.n) * size_; }
  element_reach results_reach() const {
    problem to = what_.to;
    if (gives_one()) to.n = 1, to.reduced_axes = 0;
    return reach_of(to, size_);
  }

  /// A run without its memory.
  row_run run_of(const row_extras& extras) const {
    row_run r{
        rows_, {}, nullptr, {}, extras.store, extras.mask, scratch_->buffers[0].data(), scratch_->selected.data()};
    if (p_.maps.arrays > 0) r.map = &map_for(extras.from, p_.maps.arrays);
    r.computes.function = extras.from.device.function;
    if (p_.stores && r.store.device->size != sizeof(device_store))
      throw error(error_code::unsupported,
                  "the function that takes the results was compiled against another version of onefold");
    return r;
  }

  void launch(const row_run& r, cudaStream_t stream) const {
    if (what_.from.n == 0 && !gives_one() && !what_.gives_statistics) return;
    device_launch how{};
    how.slots = scratch_->pages.data();
    how.processors = processors(device_);
    how.stream = stream;
    check(static_cast<cudaError_t>(parts_.launch(r, how)), "the launch of a kernel");
  }

  row_problem p_;
  const row_request& what_;  ///< its request
  const row_kernels& rows_;
  row_parts parts_;
  std::int64_t size_;
};

}  // namespace onefold::cuda
