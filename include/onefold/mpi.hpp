// Reductions over the ranks of an MPI communicator, with the bits of one process; needs MPI 3 and the CMake target
// onefold::mpi. docs/mpi.md
//
// Every function is collective: all ranks of the communicator call it, with the same options and operation, between
// MPI_Init and MPI_Finalize. The first call on a communicator duplicates it (MPI_Comm_dup), and the duplicate is freed
// with it; so the caller's own messages are never touched. A rank's errors are thrown on all ranks alike. Those of MPI
// are handled by the communicator's error handler; where that returns, call_error is thrown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "onefold/detail/mpi.hpp"
#include "onefold/mpi_error.hpp"
#include "onefold/partial.hpp"

namespace onefold::mpi {
inline namespace ONEFOLD_LEVEL {

/// The bits of onefold::reduce<T, Op, R> over the elements of all ranks, in the order of ranks, on every rank. `part`
/// is those of this rank: any number of them, including none, in host memory or on a device, which folds them. `how` is
/// as partial's and its initial value as reduce's, folded in once. Throws as partial's constructor and result do, on
/// all ranks alike, and names the rank that could not go on unless it is rank 0; unsupported for partials of 2 GiB or
/// more, which do not fit into a message; std::bad_alloc where a rank has no memory; call_error.
template <class T, class Op, class R = default_result<T, Op>>
R allreduce(onefold::detail::part_elements<T> part, MPI_Comm comm, const options& how = {}, Op op = {}) {
  return detail::reduce_everywhere<T, Op, R>(detail::member(comm), part, how, op);
}

/// The bits of onefold::reduce<T, Op, R> over axes of an array of which each rank has a part, on every rank: parts
/// follow each other, in the order of ranks, along the first of the axes that are reduced, and agree in the others. For
/// the sums of the rows of a matrix of which each rank has some columns, `allreduce<float, op::sum>(columns, {.axes =
/// {1}}, comm)`. Throws as partial_array's constructor and result do, on all ranks alike, and as allreduce.
template <class T, class Op, class R = default_result<T, Op>>
result_array<R> allreduce(const array_view<std::type_identity_t<T>>& part, const over& along, MPI_Comm comm,
                          const options& how = {}, Op op = {}) {
  return detail::reduce_everywhere<T, Op, R>(detail::member(comm), part, along, how, op);
}

/// As allreduce, but only rank `root` has the result; the others have none. Throws as allreduce, on all ranks too, and
/// invalid_argument for a root that is not a rank of the communicator.
template <class T, class Op, class R = default_result<T, Op>>
std::optional<R> reduce(onefold::detail::part_elements<T> part, int root, MPI_Comm comm, const options& how = {},
                        Op op = {}) {
  const detail::member at(comm);
  onefold::detail::require_root(root, at.size);
  const R result = detail::reduce_everywhere<T, Op, R>(at, part, how, op);
  return at.rank == root ? std::optional<R>(result) : std::nullopt;
}
/// The same over axes, as allreduce over axes.
template <class T, class Op, class R = default_result<T, Op>>
std::optional<result_array<R>> reduce(const array_view<std::type_identity_t<T>>& part, const over& along, int root,
                                      MPI_Comm comm, const options& how = {}, Op op = {}) {
  const detail::member at(comm);
  onefold::detail::require_root(root, at.size);
  auto results = detail::reduce_everywhere<T, Op, R>(at, part, along, how, op);
  return at.rank == root ? std::optional(std::move(results)) : std::nullopt;
}

/// The partial of the elements of all ranks before this one, which begins at 0: its result has the bits of
/// onefold::reduce over them, and an accumulator goes on from it. That of rank 0 has no elements. The initial value of
/// `how` is not used. Throws as partial's constructor does, on all ranks alike, unsupported as allreduce, and
/// call_error.
template <class T, class Op>
partial<T, Op> exscan(onefold::detail::part_elements<T> part, MPI_Comm comm, const options& how = {}, Op op = {}) {
  const detail::member at(comm);
  return detail::scan_before(at, detail::part_of<T, Op>(at, part, how, op), op,
                             [&] { return partial<T, Op>(0, how.accuracy, op); });
}
/// The same over axes, as allreduce over axes: of the parts of all ranks before this one.
template <class T, class Op>
partial_array<T, Op> exscan(const array_view<std::type_identity_t<T>>& part, const over& along, MPI_Comm comm,
                            const options& how = {}, Op op = {}) {
  const detail::member at(comm);
  const auto mine = detail::part_of<T, Op>(at, part, along, how, op);
  return detail::scan_before(at, mine, op, [&] {
    problem shape{};
    return partial_array<T, Op>(onefold::detail::make_problem(part.axes(), along, &shape), 0, how.accuracy, op);
  });
}

/// @cond
// Diagnostics for two iterators.
template <class T, class Op, verb_argument First>
void allreduce(const First&, onefold::detail::range_end, MPI_Comm, const options& = {}) {
  static_cast<void>(onefold::detail::explained<First>{});
}
template <class T, class Op, verb_argument First>
void reduce(const First&, onefold::detail::range_end, int, MPI_Comm, const options& = {}) {
  static_cast<void>(onefold::detail::explained<First>{});
}
template <class T, class Op, verb_argument First>
void exscan(const First&, onefold::detail::range_end, MPI_Comm, const options& = {}) {
  static_cast<void>(onefold::detail::explained<First>{});
}
/// @endcond

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::mpi
