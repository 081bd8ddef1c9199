// The CUDA backend: the record that the library loads.
#include "bin_session.hpp"
#include "measuring.hpp"
#include "onefold/catalog.hpp"
#include "row_session.hpp"
#include "session.hpp"
#include "text_fold.hpp"

namespace onefold::cuda {
namespace {

bool open(const accelerator_work& what, void** handle, int* device, accelerator_failure* failed) {
  return guarded(failed, [&] {
    if (what.size != sizeof(accelerator_work))
      throw error(error_code::unsupported, "the CUDA module was built for another version of onefold");
    auto made = std::make_unique<session>(what);
    *device = made->device();
    *handle = made.release();
  });
}

void close(void* handle) { const std::unique_ptr<session> ended(static_cast<session*>(handle)); }

bool run(void* handle, const void* op, const void* data, std::int64_t n, void* state, accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->run(op, data, n, state); });
}

bool start_nodes(void* handle, const void* op, const node_run* runs, int count, accelerator_failure* failed) {
  return guarded(failed, [&] {
    static_cast<session*>(handle)->start_nodes(op, {runs, static_cast<std::size_t>(count)});
  });
}

bool finish_nodes(void* handle, void* states, accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->finish_nodes(states); });
}

bool enqueue(void* handle, const void* op, const void* data, std::int64_t n, const std::int64_t* device_n,
             const void* init, void* result, CUstream_st* stream, accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->enqueue(op, data, n, device_n, init, result, stream); });
}

bool run_shape(void* handle, const void* op, const void* data, const void* init, bool finished, void* out,
               accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->run_shape(op, data, init, finished, out); });
}

bool enqueue_shape(void* handle, const void* op, const void* data, const void* init, void* results, CUstream_st* stream,
                   accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->enqueue_shape(op, data, init, results, stream); });
}

bool run_segments(void* handle, const void* op, const void* data, const device_segments& segments,
                  const list_selection& selects, const void* init, bool finished, void* out, std::int64_t* selected,
                  accelerator_failure* failed) {
  return guarded(failed, [&] {
    static_cast<session*>(handle)->run_segments(op, data, segments, selects, init, finished, out, selected);
  });
}

bool enqueue_segments(void* handle, const void* op, const void* data, const device_segments& segments,
                      const list_selection& selects, const void* init, void* results, CUstream_st* stream,
                      accelerator_failure* failed) {
  return guarded(failed, [&] {
    static_cast<session*>(handle)->enqueue_segments(op, data, segments, selects, init, results, stream);
  });
}

bool run_selected(void* handle, const void* op, const void* data, const void* mask, const void* init, bool finished,
                  void* out, std::int64_t* offsets, accelerator_failure* failed) {
  return guarded(failed,
                 [&] { static_cast<session*>(handle)->run_selected(op, data, mask, init, finished, out, offsets); });
}

bool enqueue_selected(void* handle, const void* op, const void* data, const void* mask, const void* init, void* results,
                      CUstream_st* stream, accelerator_failure* failed) {
  return guarded(failed,
                 [&] { static_cast<session*>(handle)->enqueue_selected(op, data, mask, init, results, stream); });
}

bool group(void* handle, const keyed_elements& what, std::int64_t* count, accelerator_failure* failed) {
  return guarded(failed, [&] { *count = static_cast<session*>(handle)->group(what); });
}

bool run_groups(void* handle, const void* op, const void* init, bool finished, void* out, void* keys,
                std::int64_t* offsets, accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->run_groups(op, init, finished, out, keys, offsets); });
}

bool enqueue_groups(void* handle, const void* op, const keyed_elements& what, const void* init, const group_outputs& to,
                    CUstream_st* stream, accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->enqueue_groups(op, what, init, to, stream); });
}

bool run_scan(void* handle, const void* op, const void* data, const void* init, void* out,
              accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->run_scan(op, data, init, out); });
}

bool enqueue_scan(void* handle, const void* op, const void* data, const void* init, void* out, CUstream_st* stream,
                  accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->enqueue_scan(op, data, init, out, stream); });
}

bool run_segment_scan(void* handle, const void* op, const void* data, const device_segments& segments, const void* init,
                      void* out, accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->run_segment_scan(op, data, segments, init, out); });
}

bool enqueue_segment_scan(void* handle, const void* op, const void* data, const device_segments& segments,
                          const void* init, void* out, CUstream_st* stream, accelerator_failure* failed) {
  return guarded(failed,
                 [&] { static_cast<session*>(handle)->enqueue_segment_scan(op, data, segments, init, out, stream); });
}

bool open_rows(const row_problem& what, int asked_device, void** handle, int* device, accelerator_failure* failed) {
  return guarded(failed, [&] {
    if (what.what.size != sizeof(row_request))
      throw error(error_code::unsupported, "the CUDA module was built for another version of onefold");
    auto made = std::make_unique<row_session>(what, asked_device);
    *device = made->device();
    *handle = made.release();
  });
}

void close_rows(void* handle) { const std::unique_ptr<row_session> ended(static_cast<row_session*>(handle)); }

bool run_rows(void* handle, const row_memory& memory, const row_extras& extras, accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<row_session*>(handle)->run(memory, extras); });
}

bool enqueue_rows(void* handle, const row_memory& memory, const row_extras& extras, CUstream_st* stream,
                  accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<row_session*>(handle)->enqueue(memory, extras, stream); });
}

bool count_in_bins(const bin_request& what, int* device, std::int64_t* counts, accelerator_failure* failed) {
  return guarded(failed, [&] {
    if (what.size != sizeof(bin_request))
      throw error(error_code::unsupported, "the CUDA module was built for another version of onefold");
    bin_session counting(what);
    *device = counting.device();
    counting.count(counts);
  });
}

bool run_mapped(void* handle, const void* op, const mapped_source& from, const void* init, bool finished, void* out,
                accelerator_failure* failed) {
  return guarded(failed, [&] { static_cast<session*>(handle)->run_mapped(op, from, init, finished, out); });
}

bool load_kernels(const loadable_kernels& from, const device_fold** loaded, accelerator_failure* failed) {
  return guarded(failed, [&] {
    if (from.size != sizeof(loadable_kernels))
      throw error(error_code::unsupported, "the CUDA module was built for another version of onefold");
    *loaded = &load_text_fold(from);
  });
}

constinit const accelerator_bench bench = {sizeof(accelerator_bench), allocate, release, replay, occupancy};

constinit const accelerator cuda = {
    sizeof(accelerator),
    "cuda",
    version,
    why_not,
    devices,
    describe,
    kind_of,
    device_of,
    specifications,
    open,
    close,
    run,
    start_nodes,
    finish_nodes,
    enqueue,
    run_shape,
    enqueue_shape,
    run_segments,
    enqueue_segments,
    run_selected,
    enqueue_selected,
    copy,
    group,
    run_groups,
    enqueue_groups,
    run_scan,
    enqueue_scan,
    run_segment_scan,
    enqueue_segment_scan,
    open_rows,
    close_rows,
    run_rows,
    enqueue_rows,
    count_in_bins,
    run_mapped,
    load_kernels,
    &bench,
};

}  // namespace
}  // namespace onefold::cuda

ONEFOLD_EXPORT_ACCELERATOR(cuda) { return &onefold::cuda::cuda; }
