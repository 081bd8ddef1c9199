// Adds 1 + 1/2 + 1/3 + ... over all GPUs of this machine, with a thread and a rank for each: what ncclSum of the ranks'
// sums gives depends on how many there are, what onefold gives does not.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <thread>
#include <vector>

#include "onefold/nccl.hpp"
#include "onefold/reduce.hpp"

namespace {

constexpr std::int64_t n = 10'000'000;

float term(std::int64_t i) { return 1 / static_cast<float>(i + 1); }

/// One rank: its elements are any cut of the array, in the memory of its device.
float sum_of_rank(int rank, int ranks, ncclComm_t comm) {
  std::vector<float> part;
  for (std::int64_t i = n * rank / ranks; i < n * (rank + 1) / ranks; ++i) part.push_back(term(i));
  cudaSetDevice(rank);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  float* data = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&data), part.size() * sizeof(float));
  cudaMemcpyAsync(data, part.data(), part.size() * sizeof(float), cudaMemcpyHostToDevice, stream);
  const float sum = onefold::nccl::allreduce<float, onefold::op::sum>(std::span(data, part.size()), comm, stream);
  cudaFree(data);
  cudaStreamDestroy(stream);
  return sum;
}

}  // namespace

int main() {
  int ranks = 0;
  if (cudaGetDeviceCount(&ranks) != cudaSuccess || ranks == 0) {
    std::puts("skipped: no GPU");
    return 0;
  }
  std::vector<ncclComm_t> comms(static_cast<std::size_t>(ranks));
  if (ncclCommInitAll(comms.data(), ranks, nullptr) != ncclSuccess) {
    std::puts("NCCL cannot start");
    return 1;
  }
  std::vector<float> sums(comms.size());
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank)
      threads.emplace_back([&, rank] {
        const auto at = static_cast<std::size_t>(rank);
        try {
          sums[at] = sum_of_rank(rank, ranks, comms[at]);
        } catch (const std::exception& e) {
          std::printf("rank %d: %s\n", rank, e.what());
        }
      });
  }
  for (const ncclComm_t comm : comms) ncclCommDestroy(comm);

  std::vector<float> whole;
  for (std::int64_t i = 0; i < n; ++i) whole.push_back(term(i));
  const auto alone = std::bit_cast<std::uint32_t>(onefold::reduce<float, onefold::op::sum>(whole));
  bool same = true;
  for (std::size_t rank = 0; rank < sums.size(); ++rank) {
    const auto bits = std::bit_cast<std::uint32_t>(sums[rank]);
    std::printf("rank %zu of %d  %.9g  bits %08x\n", rank, ranks, static_cast<double>(sums[rank]), bits);
    same = same && bits == alone;
  }
  std::printf("the same bits as one device: %s\n", same ? "yes" : "no");
  return same ? 0 : 1;
}
