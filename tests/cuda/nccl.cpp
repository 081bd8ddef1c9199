// onefold::nccl: the ranks of a communicator, a GPU and a thread each, have the bits of one process. Needs two GPUs.
#include <nccl.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "memory.hpp"
#include "onefold/nccl.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
namespace op = onefold::op;

/// The communicators of all GPUs, 4 at most; none where there are fewer than two.
class world {
 public:
  world() {
    int count = 0;
    static_cast<void>(cudaGetDeviceCount(&count));
    static_cast<void>(cudaGetLastError());
    if (count < 2) {
      support::skip("ranks need two GPUs, and there are " + std::to_string(count));
      return;
    }
    comms_.resize(static_cast<std::size_t>(std::min(count, 4)));
    onefold::nccl::detail::check(ncclCommInitAll(comms_.data(), static_cast<int>(comms_.size()), nullptr));
  }
  ~world() {
    for (const ncclComm_t c : comms_) ncclCommDestroy(c);
  }
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  int size() const { return static_cast<int>(comms_.size()); }

  /// Calls f(rank, communicator, stream) for all ranks at once, each with its GPU current.
  template <class F>
  void run(const F& f) const {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size(); ++rank)
      threads.emplace_back([&, rank] {
        support::cuda(cudaSetDevice(rank));
        const support::stream s;
        f(rank, comms_[static_cast<std::size_t>(rank)], s);
      });
  }

 private:
  std::vector<ncclComm_t> comms_;
};

std::vector<std::size_t> random_cuts(std::size_t n, int ranks, support::random_numbers& r) {
  std::vector<std::size_t> cuts{0, n};
  for (int i = 1; i < ranks; ++i)
    cuts.push_back(r.integer(0, 2) == 0 ? 0 : static_cast<std::size_t>(r.bits() % (n + 1)));
  std::ranges::sort(cuts);
  return cuts;
}

}  // namespace

TEST_CASE("ranks have the bits of one process, however the elements are cut") {
  const world all;
  if (all.size() == 0) return;
  support::random_numbers r(9);
  const auto check = [&]<class Op>(accuracy mode) {
    for (const std::int64_t n : {0, 3, 4096, 100'000, 1'000'000}) {
      if (n == 0 && !Op::empty_allowed) continue;
      const auto x = support::normal_data<float>(n, 10);
      const auto cuts = random_cuts(x.size(), all.size(), r);
      const auto wanted =
          support::bits_of(onefold::reduce<float, Op>(x, {.backend = backend::sequential, .accuracy = mode}));
      std::atomic<int> right = 0, at_root = 0;
      all.run([&](int rank, ncclComm_t comm, cudaStream_t s) {
        const auto at = static_cast<std::size_t>(rank);
        const auto part = std::span<const float>(x).subspan(cuts[at], cuts[at + 1] - cuts[at]);
        const support::copied<float> there(part, support::memory_kind::device, 4 * (rank % 3));
        const std::span<const float> mine(there.data(), part.size());
        const onefold::options how{.accuracy = mode};
        right += support::bits_of(onefold::nccl::allreduce<float, Op>(mine, comm, s, how)) == wanted;
        const auto root = onefold::nccl::reduce<float, Op>(mine, 1, comm, s, how);
        at_root += rank == 1 ? root && support::bits_of(*root) == wanted : !root;
      });
      CHECK(right == all.size());
      CHECK(at_root == all.size());
    }
  };
  check.operator()<op::sum>(accuracy::native);
  check.operator()<op::sum>(accuracy::kahan);
  check.operator()<op::sum>(accuracy::exact);
  check.operator()<op::variance>(accuracy::native);
  check.operator()<op::argmax>(accuracy::native);
  check.operator()<op::max>(accuracy::native);
}

TEST_CASE("work in the stream comes first") {
  const world all;
  if (all.size() == 0) return;
  std::atomic<int> right = 0;
  all.run([&](int, ncclComm_t comm, cudaStream_t s) {
    constexpr std::size_t n = 1 << 24;
    const support::memory there(support::memory_kind::device, n);
    support::cuda(cudaMemsetAsync(there.at(), 0, n, s));
    support::cuda(cudaMemsetAsync(there.at(), 1, n, s));
    const auto sum = onefold::nccl::allreduce<std::int8_t, op::sum>(std::span(there.at<std::int8_t>(), n), comm, s);
    right += sum == static_cast<std::int64_t>(n) * all.size();
  });
  CHECK(right == all.size());
}

TEST_CASE("errors are thrown on all ranks, and later calls work") {
  const world all;
  if (all.size() == 0) return;
  const auto on_all = [&](onefold::error_code code, const std::string& words, const auto& call) {
    std::atomic<int> thrown = 0;
    all.run([&](int rank, ncclComm_t comm, cudaStream_t s) {
      try {
        call(rank, comm, s);
      } catch (const onefold::error& e) {
        thrown += e.code() == code && std::string(e.what()).find(words) != std::string::npos;
      }
    });
    INFO(words);
    CHECK(thrown == all.size());
  };
  const std::span<const float> none;
  on_all(onefold::error_code::empty_input, "min of no elements has no value",
         [&](int, ncclComm_t comm, cudaStream_t s) { onefold::nccl::allreduce<float, op::min>(none, comm, s); });
  on_all(onefold::error_code::invalid_argument, "the root is rank 9; the communicator has the ranks 0 to ",
         [&](int, ncclComm_t comm, cudaStream_t s) { onefold::nccl::reduce<float, op::sum>(none, 9, comm, s); });
  on_all(onefold::error_code::unsupported, "rank 1: ", [&](int rank, ncclComm_t comm, cudaStream_t s) {
    onefold::options how;
    if (rank == 1) how.backend = backend::cuda;  // of elements on the host
    const std::vector<float> x{1, 2};
    onefold::nccl::allreduce<float, op::sum>(x, comm, s, how);
  });
  std::atomic<int> right = 0;
  all.run([&](int, ncclComm_t comm, cudaStream_t s) {
    const std::vector<float> x{1, 2};
    right += onefold::nccl::allreduce<float, op::sum>(x, comm, s, {.init = 1}) ==
             1.0f + 3.0f * static_cast<float>(all.size());
  });
  CHECK(right == all.size());
}
