// Reductions over the ranks of an NCCL communicator, with the bits of one device; needs NCCL, CUDA and the CMake target
// onefold::nccl. docs/nccl.md
//
// Every function is collective: all ranks of the communicator call it, with the same options and operation, each from a
// process or a thread of its own, for a call waits for the others. The communicator and the stream are the caller's. A
// rank's errors are thrown on all ranks alike. Those of NCCL and CUDA themselves, and of memory while the ranks
// exchange their partials, are thrown on the ranks that meet them, while the others wait: call ncclCommAbort then.
#pragma once

#include <optional>

#include "onefold/detail/nccl.hpp"
#include "onefold/nccl_error.hpp"
#include "onefold/partial.hpp"

namespace onefold::nccl {
inline namespace ONEFOLD_LEVEL {

/// The bits of onefold::reduce<T, Op, R> over the elements of all ranks, in the order of ranks, on every rank. `part`
/// is those of this rank, after all work in `stream`: any number of them, including none, in device memory, where they
/// are folded, or in host memory, where the CPU folds them. `how` is as partial's and its initial value as reduce's,
/// folded in once. Throws as partial's constructor and result do, on all ranks alike, and names the rank that could not
/// go on unless it is rank 0; call_error; and an onefold::error with code `device` where CUDA fails.
template <class T, class Op, class R = default_result<T, Op>>
R allreduce(onefold::detail::part_elements<T> part, ncclComm_t comm, cudaStream_t stream, const options& how = {},
            Op op = {}) {
  return detail::reduce_everywhere<T, Op, R>(detail::member(comm, stream), part, how, op);
}

/// As allreduce, but only rank `root` has the result; the others have none. Throws as allreduce, on all ranks too, and
/// invalid_argument for a root that is not a rank of the communicator.
template <class T, class Op, class R = default_result<T, Op>>
std::optional<R> reduce(onefold::detail::part_elements<T> part, int root, ncclComm_t comm, cudaStream_t stream,
                        const options& how = {}, Op op = {}) {
  const detail::member at(comm, stream);
  onefold::detail::require_root(root, at.size());
  const R result = detail::reduce_everywhere<T, Op, R>(at, part, how, op);
  return at.rank() == root ? std::optional<R>(result) : std::nullopt;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::nccl
