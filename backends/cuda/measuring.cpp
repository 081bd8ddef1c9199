#include "measuring.hpp"

#include <vector>

#include "devices.hpp"
#include "memory_kind.hpp"

namespace onefold::cuda {
namespace {

/// A stream and two events; and, once recorded, the calls between them as a graph.
class recording {
 public:
  recording() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    check(cudaEventCreate(&from_), "cudaEventCreate");
    check(cudaEventCreate(&to_), "cudaEventCreate");
  }
  ~recording() {
    if (replayed_) static_cast<void>(cudaGraphExecDestroy(replayed_));
    if (graph_) static_cast<void>(cudaGraphDestroy(graph_));
    if (from_) static_cast<void>(cudaEventDestroy(from_));
    if (to_) static_cast<void>(cudaEventDestroy(to_));
    if (stream_) static_cast<void>(cudaStreamDestroy(stream_));
  }
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;

  template <class Calls>
  void record(Calls&& calls) {
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    const bool all = calls(stream_);
    check(cudaStreamEndCapture(stream_, &graph_), "cudaStreamEndCapture");
    if (!all) throw error(error_code::device, "a call could not be enqueued");
  }

  void prepare() { check(cudaGraphInstantiate(&replayed_, graph_, 0), "cudaGraphInstantiate"); }

  /// The first kernel that was recorded.
  cudaKernelNodeParams first_kernel() const {
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph_, nullptr, &count), "cudaGraphGetNodes");
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(graph_, nodes.data(), &count), "cudaGraphGetNodes");
    for (const cudaGraphNode_t node : nodes) {
      cudaGraphNodeType type{};
      check(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
      if (type != cudaGraphNodeTypeKernel) continue;
      cudaKernelNodeParams kernel{};
      check(cudaGraphKernelNodeGetParams(node, &kernel), "cudaGraphKernelNodeGetParams");
      return kernel;
    }
    throw error(error_code::device, "no kernel was enqueued");
  }

  /// Seconds between the events around one replay.
  double seconds() {
    check(cudaEventRecord(from_, stream_), "cudaEventRecord");
    check(cudaGraphLaunch(replayed_, stream_), "cudaGraphLaunch");
    check(cudaEventRecord(to_, stream_), "cudaEventRecord");
    check(cudaStreamSynchronize(stream_), "a kernel");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, from_, to_), "cudaEventElapsedTime");
    return double{milliseconds} / 1e3;
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t from_ = nullptr, to_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t replayed_ = nullptr;
};

int chosen(int device) { return device < 0 ? current() : device; }

}  // namespace

bool allocate(accelerator_memory kind, int device, std::int64_t bytes, void** memory, accelerator_failure* failed) {
  return guarded(failed, [&] {
    const current_device here(chosen(device));
    const auto size = static_cast<std::size_t>(bytes);
    const std::string what = "room for " + std::to_string(bytes) + " bytes";
    check(kind == accelerator_memory::pinned ? cudaHostAlloc(memory, size, cudaHostAllocPortable)
                                             : cudaMalloc(memory, size),
          what.c_str());
  });
}

void release(accelerator_memory kind, void* memory) {
  static_cast<void>(kind == accelerator_memory::pinned ? cudaFreeHost(memory) : cudaFree(memory));
}

bool copy(void* to, const void* from, std::int64_t bytes, accelerator_failure* failed) {
  return guarded(failed, [&] {
    const int from_device = device_of(from), owner = from_device >= 0 ? from_device : device_of(to);
    const current_device here(owner >= 0 ? owner : current());  // in order with the work on that device
    check(cudaMemcpy(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault), "cudaMemcpy");
    check(cudaStreamSynchronize(cudaStreamLegacy), "cudaMemcpy");  // copies within the device return early
  });
}

bool replay(int device, bool (*enqueue)(void* context, int i, CUstream_st* stream), void* context, int calls,
            int rounds, double* seconds, accelerator_failure* failed) {
  return guarded(failed, [&] {
    const current_device here(chosen(device));
    recording r;
    r.record([&](cudaStream_t stream) {
      for (int i = 0; i < calls; ++i)
        if (!enqueue(context, i, stream)) return false;
      return true;
    });
    r.prepare();
    for (int i = 0; i < 3; ++i) r.seconds();  // the clock frequency rises, the graph is uploaded
    for (int i = 0; i < rounds; ++i) seconds[i] = r.seconds() / calls;
  });
}

bool occupancy(int device, bool (*enqueue)(void* context, int i, CUstream_st* stream), void* context,
               accelerator_occupancy* found, accelerator_failure* failed) {
  return guarded(failed, [&] {
    const current_device here(chosen(device));
    recording r;
    r.record([&](cudaStream_t stream) { return enqueue(context, 0, stream); });
    const cudaKernelNodeParams kernel = r.first_kernel();
    const dim3 block = kernel.blockDim;
    found->block_threads = static_cast<int>(block.x * block.y * block.z);
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&found->blocks, kernel.func, found->block_threads,
                                                        kernel.sharedMemBytes),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    check(cudaDeviceGetAttribute(&found->most_threads, cudaDevAttrMaxThreadsPerMultiProcessor, chosen(device)),
          "cudaDeviceGetAttribute");
  });
}

}  // namespace onefold::cuda
