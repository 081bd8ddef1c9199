// CUDA graphs of what is enqueued on a stream, for the tests of the CUDA backend.
#pragma once

#include "memory.hpp"

namespace support {

/// What `enqueue` puts on a stream while that is captured; nothing runs before a launch.
class graph {
 public:
  template <class Enqueue>
  graph(cudaStream_t s, const Enqueue& enqueue, cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal) {
    cuda(cudaStreamBeginCapture(s, mode));
    enqueue();
    cuda(cudaStreamEndCapture(s, &captured_));
    cuda(cudaGraphInstantiate(&ready_, captured_, 0));
  }
  ~graph() {
    static_cast<void>(cudaGraphExecDestroy(ready_));
    static_cast<void>(cudaGraphDestroy(captured_));
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  operator cudaGraph_t() const { return captured_; }
  void launch(cudaStream_t s) const { cuda(cudaGraphLaunch(ready_, s)); }

 private:
  cudaGraph_t captured_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
};

}  // namespace support
