// Where work stands in a graph that is being captured from a stream.
#pragma once

#include "errors.hpp"

namespace onefold::cuda {

/// A place in a graph that is being captured: the one node on which the stream's next work will depend, if it is one.
struct graph_place {
  unsigned long long capture = 0;  ///< 0: nothing is captured
  cudaGraphNode_t node = nullptr;

  static graph_place of(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    graph_place p;
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    std::size_t count = 0;
#if CUDART_VERSION >= 13000
    check(cudaStreamGetCaptureInfo(stream, &status, &p.capture, nullptr, &nodes, &edges, &count),
          "cudaStreamGetCaptureInfo");
#else
    check(cudaStreamGetCaptureInfo_v3(stream, &status, &p.capture, nullptr, &nodes, &edges, &count),
          "cudaStreamGetCaptureInfo");
#endif
    if (status != cudaStreamCaptureStatusActive) return {};
    if (count == 1) p.node = nodes[0];
    return p;
  }
};

/// The reduction that this thread captured last.
inline thread_local graph_place last_captured;

}  // namespace onefold::cuda
