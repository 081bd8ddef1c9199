#include "device_time.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "measure/statistics.hpp"

namespace bench {
namespace {

constexpr std::int64_t beyond_cache = std::int64_t{512} << 20;  // bytes: several times the second-level cache

}  // namespace

arena::arena(std::int64_t bytes) : room_(std::max(2 * bytes, beyond_cache)) {
  check(cudaMalloc(reinterpret_cast<void**>(&data_), static_cast<std::size_t>(room_)));
}
arena::~arena() { static_cast<void>(cudaFree(data_)); }

void arena::fill(const void* host, std::int64_t bytes) {
  stride_ = (bytes + 255) / 256 * 256;
  copies_ = std::min<std::int64_t>(room_ / stride_, 4096);
  for (std::int64_t i = 0; i < copies_; ++i)
    check(i == 0 ? cudaMemcpy(data_, host, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice)
                 : cudaMemcpy(data_ + i * stride_, data_, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice));
}

const void* arena::copy(int i) const { return data_ + i % copies_ * stride_; }

double device_microseconds(std::int64_t bytes, const std::function<void(cudaStream_t, int)>& call) {
  const int calls = static_cast<int>(std::clamp<std::int64_t>((std::int64_t{1} << 30) / bytes, 4, 200));
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  call(stream, 0);
  check(cudaStreamSynchronize(stream));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < calls; ++i) call(stream, i);
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t replay = nullptr;
  check(cudaGraphInstantiate(&replay, graph, 0));
  cudaEvent_t from = nullptr, to = nullptr;
  check(cudaEventCreate(&from));
  check(cudaEventCreate(&to));
  std::vector<double> times;
  for (int i = 0; i < 10; ++i) {
    check(cudaEventRecord(from, stream));
    check(cudaGraphLaunch(replay, stream));
    check(cudaEventRecord(to, stream));
    check(cudaStreamSynchronize(stream));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, from, to));
    if (i >= 3) times.push_back(1000.0 * double{ms} / calls);  // the first warm up
  }
  check(cudaEventDestroy(from));
  check(cudaEventDestroy(to));
  check(cudaGraphExecDestroy(replay));
  check(cudaGraphDestroy(graph));
  check(cudaStreamDestroy(stream));
  return onefold::measure::summary_of(std::move(times)).median;
}

double host_microseconds(int calls, const std::function<void(int)>& call) {
  using clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int i = 0; i < calls + calls / 10; ++i) {
    const auto start = clock::now();
    call(i);
    if (i >= calls / 10) times.push_back(std::chrono::duration<double, std::micro>(clock::now() - start).count());
  }
  return onefold::measure::summary_of(std::move(times)).median;
}

}  // namespace bench
