// What the ranks of an NCCL communicator tell each other: the same number of bytes from each, to all.
#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "onefold/detail/ranks.hpp"
#include "onefold/error.hpp"
#include "onefold/nccl_error.hpp"
#include "onefold/partial.hpp"

namespace onefold::nccl::detail {

using onefold::detail::message;
using onefold::detail::part;

inline void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  throw error(error_code::device,
              std::string("CUDA: ") + what + " failed: " + cudaGetErrorString(e) + " (" + cudaGetErrorName(e) + ")");
}
inline void check(ncclResult_t code) {
  if (code != ncclSuccess) throw call_error(code);
}

/// A rank of the caller's communicator, whose device is current while this lives.
class member {
 public:
  member(ncclComm_t comm, cudaStream_t stream) : comm_(comm), stream_(stream) {
    int device = 0;
    check(ncclCommUserRank(comm, &rank_));
    check(ncclCommCount(comm, &size_));
    check(ncclCommCuDevice(comm, &device));
    check(cudaGetDevice(&before_), "cudaGetDevice");
    check(cudaSetDevice(device), "cudaSetDevice");
  }
  ~member() { static_cast<void>(cudaSetDevice(before_)); }
  member(const member&) = delete;
  member& operator=(const member&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// The bytes of all ranks, each of which gives as many, one after another. Comes after all work in the stream.
  message gather(std::span<const std::byte> mine) const {
    const std::size_t bytes = mine.size();
    message all(bytes * static_cast<std::size_t>(size_));
    const device_bytes there(all.size(), stream_);
    std::byte* const own = there.data + bytes * static_cast<std::size_t>(rank_);
    check(cudaMemcpyAsync(own, mine.data(), bytes, cudaMemcpyHostToDevice, stream_), "a copy to the device");
    settle(ncclAllGather(own, there.data, bytes, ncclUint8, comm_, stream_));
    wait();
    check(cudaMemcpyAsync(all.data(), there.data, all.size(), cudaMemcpyDeviceToHost, stream_),
          "a copy from the device");
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    return all;
  }

 private:
  /// Device memory in the order of a stream.
  struct device_bytes {
    device_bytes(std::size_t bytes, cudaStream_t stream) : in(stream) {
      void* p = nullptr;
      check(cudaMallocAsync(&p, bytes, stream), "cudaMallocAsync");
      data = static_cast<std::byte*>(p);
    }
    ~device_bytes() { static_cast<void>(cudaFreeAsync(data, in)); }
    device_bytes(const device_bytes&) = delete;
    device_bytes& operator=(const device_bytes&) = delete;
    cudaStream_t in;
    std::byte* data = nullptr;
  };

  /// Waits for a call of a communicator that does not block.
  void settle(ncclResult_t code) const {
    while (code == ncclInProgress) {
      std::this_thread::yield();
      check(ncclCommGetAsyncError(comm_, &code));
    }
    check(code);
  }

  /// Waits for the stream, unless the communicator fails: then it would wait without end.
  void wait() const {
    for (;;) {
      const cudaError_t e = cudaStreamQuery(stream_);
      if (e == cudaSuccess) return;
      if (e != cudaErrorNotReady) check(e, "an all-gather");
      static_cast<void>(cudaGetLastError());
      ncclResult_t code = ncclSuccess;
      check(ncclCommGetAsyncError(comm_, &code));
      if (code != ncclInProgress) check(code);
      std::this_thread::yield();
    }
  }

  ncclComm_t comm_;
  cudaStream_t stream_;
  int rank_ = 0, size_ = 0, before_ = 0;
};

/// The sum of the counts of all ranks before this one.
inline std::int64_t begin_of(const member& at, std::int64_t count) {
  const message all = at.gather(std::as_bytes(std::span(&count, 1)));
  std::int64_t begin = 0;
  for (int r = 0; r < at.rank(); ++r) {
    std::int64_t before = 0;
    std::memcpy(&before, all.data() + static_cast<std::size_t>(r) * sizeof before, sizeof before);
    begin += before;
  }
  return begin;
}

/// The messages of all ranks. Short ones, of partials without raw elements, come with their lengths in one gathering;
/// longer ones need another.
inline std::vector<message> gather_messages(const member& at, const message& mine) {
  constexpr std::size_t block = 1024;
  std::uint64_t length = mine.size();
  message first(block);
  std::memcpy(first.data(), &length, sizeof length);
  std::copy_n(mine.data(), std::min(mine.size(), block - sizeof length), first.data() + sizeof length);
  const message all = at.gather(first);
  const auto size = static_cast<std::size_t>(at.size());
  std::vector<std::size_t> lengths(size);
  for (std::size_t r = 0; r < size; ++r) {
    std::memcpy(&length, all.data() + r * block, sizeof length);
    lengths[r] = length;
  }
  const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
  const bool is_short = longest <= block - sizeof length;
  message rest;
  if (!is_short) {
    message padded = mine;
    padded.resize(longest);
    rest = at.gather(padded);
  }
  std::vector<message> found;
  for (std::size_t r = 0; r < size; ++r) {
    const std::byte* const from = is_short ? all.data() + r * block + sizeof length : rest.data() + r * longest;
    found.emplace_back(from, from + lengths[r]);
  }
  return found;
}

inline namespace ONEFOLD_LEVEL {

/// The result of all ranks' elements, on all ranks: each joins the partials of all, in the order of ranks.
template <class T, class Op, class R>
R reduce_everywhere(const member& at, std::span<const T> elements, const options& how, const Op& op) {
  const std::int64_t begin = begin_of(at, std::ssize(elements));
  using part_type = part<partial<T, Op>, Op>;
  const part_type mine(at.rank(), [&] { return partial<T, Op>(elements, begin, how, op); });
  std::vector<message> all = gather_messages(at, mine.pack(std::numeric_limits<std::size_t>::max() / 2));
  part_type joined(0, op, std::move(all.front()));
  for (int r = 1; r < at.size(); ++r) joined.append({r, op, std::move(all[static_cast<std::size_t>(r)])});
  if (joined.why()) joined.why().raise();
  return joined.value().template result<R>(how.init);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::nccl::detail
