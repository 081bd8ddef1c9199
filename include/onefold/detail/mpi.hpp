// What ranks tell each other: a partial or why there is none, as bytes; and errors that all ranks throw alike.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "onefold/detail/ranks.hpp"
#include "onefold/mpi_error.hpp"
#include "onefold/partial.hpp"
#include "onefold/partial_array.hpp"

namespace onefold::mpi::detail {

using onefold::detail::attempt;
using onefold::detail::failure;
using onefold::detail::message;
using onefold::detail::part;

/// The most bytes of a message, which MPI counts by int.
inline constexpr std::size_t most_bytes = std::numeric_limits<int>::max();

inline void check(int code) {
  if (code != MPI_SUCCESS) throw call_error(code);
}

/// What f returns. Other ranks wait for what f tells them: a rank that has no memory for so little ends the program.
template <class Function>
auto or_abort(MPI_Comm comm, Function f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    MPI_Abort(comm, 1);
    throw;
  }
}

/// Ends with the communicator that it is an attribute of, or with MPI.
inline int free_duplicate(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<MPI_Comm> duplicate(static_cast<MPI_Comm*>(attribute));
  int finalized = 0;
  MPI_Finalized(&finalized);
  return finalized ? MPI_SUCCESS : MPI_Comm_free(duplicate.get());
}

/// The communicator's duplicate, which keeps messages apart from the caller's: made by the first call, with the error
/// handler that the communicator has now. Throws invalid_argument for an intercommunicator, whose ranks have no order.
inline MPI_Comm duplicate_of(MPI_Comm comm) {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_duplicate, &made, nullptr));
    return made;
  }();
  void* attribute = nullptr;
  int found = 0;
  check(MPI_Comm_get_attr(comm, key, &attribute, &found));
  if (!found) {
    int between_groups = 0;
    check(MPI_Comm_test_inter(comm, &between_groups));
    if (between_groups)
      throw error(
          error_code::invalid_argument,
          "the communicator is an intercommunicator, whose ranks have no order; MPI_Intercomm_merge gives them one");
    auto made = or_abort(comm, [] { return std::make_unique<MPI_Comm>(MPI_COMM_NULL); });
    check(MPI_Comm_dup(comm, made.get()));
    check(MPI_Comm_set_attr(comm, key, made.get()));
    attribute = made.release();
  }
  const MPI_Comm duplicate = *static_cast<MPI_Comm*>(attribute);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  check(MPI_Comm_get_errhandler(comm, &handler));
  check(MPI_Comm_set_errhandler(duplicate, handler));
  check(MPI_Errhandler_free(&handler));
  return duplicate;
}

/// A rank of a communicator of onefold's own.
struct member {
  MPI_Comm comm;
  int rank = 0, size = 0;

  explicit member(MPI_Comm of) : comm(duplicate_of(of)) {
    check(MPI_Comm_rank(comm, &rank));
    check(MPI_Comm_size(comm, &size));
  }

  /// A rank's number, or that of no rank.
  int neighbor(std::int64_t other) const {
    return other >= 0 && other < size ? static_cast<int>(other) : MPI_PROC_NULL;
  }

  /// The sum of the counts of all ranks before this one.
  std::int64_t begin(std::int64_t count) const {
    std::int64_t before = 0;
    check(MPI_Exscan(&count, &before, 1, MPI_INT64_T, MPI_SUM, comm));
    return rank == 0 ? 0 : before;
  }
};

/// Throws on all ranks what rank `root` gives.
[[noreturn]] inline void raise_everywhere(failure why, int root, MPI_Comm comm) {
  std::int64_t header[2] = {why.kind, std::ssize(why.text)};
  check(MPI_Bcast(header, 2, MPI_INT64_T, root, comm));
  why.kind = static_cast<std::uint8_t>(header[0]);
  or_abort(comm, [&] { why.text.resize(static_cast<std::size_t>(header[1])); });
  check(MPI_Bcast(why.text.data(), static_cast<int>(header[1]), MPI_CHAR, root, comm));
  why.raise();
}

inline void send(const message& bytes, int to, MPI_Comm comm) {
  check(MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, 0, comm));
}

/// The next message of a rank; an empty one from no rank.
inline message receive(int from, MPI_Comm comm) {
  MPI_Status status;
  int bytes = 0;
  check(MPI_Probe(from, 0, comm, &status));
  check(MPI_Get_count(&status, MPI_BYTE, &bytes));
  message got = or_abort(comm, [&] { return message(static_cast<std::size_t>(bytes)); });
  check(MPI_Recv(got.data(), bytes, MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE));
  return got;
}

/// Sends to one rank, if it is one, while it receives from another.
inline message send_and_receive(const message& bytes, int to, int from, MPI_Comm comm) {
  MPI_Request sent = MPI_REQUEST_NULL;
  check(MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, 0, comm, &sent));
  try {
    message got = receive(from, comm);
    check(MPI_Wait(&sent, MPI_STATUS_IGNORE));
    return got;
  } catch (...) {  // MPI must not read bytes that are gone
    if (sent != MPI_REQUEST_NULL) {
      MPI_Cancel(&sent);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
    throw;
  }
}

inline namespace ONEFOLD_LEVEL {

/// The partial of a rank's elements, at their position among those of all ranks.
template <class T, class Op>
part<partial<T, Op>, Op> part_of(const member& at, std::span<const T> elements, const options& how, const Op& op) {
  const std::int64_t begin = at.begin(std::ssize(elements));
  return {at.rank, [&] { return partial<T, Op>(elements, begin, how, op); }};
}
/// The partials of the results of a rank's part of an array, likewise.
template <class T, class Op>
part<partial_array<T, Op>, Op> part_of(const member& at, const array_view<T>& elements, const over& along,
                                       const options& how, const Op& op) {
  problem shape{};
  // A rank whose axes are wrong has none: it fails below, where other ranks are told.
  static_cast<void>(attempt(at.rank, [&] { onefold::detail::make_problem(elements.axes(), along, &shape); }));
  const std::int64_t begin = at.begin(shape.n);
  return {at.rank, [&] { return partial_array<T, Op>(elements, along, begin, how, op); }};
}

/// The message that tells another rank of a communicator.
template <class Partial, class Op>
message pack(const part<Partial, Op>& p, MPI_Comm comm) {
  return or_abort(comm, [&] { return p.pack(most_bytes); });
}

/// Joins the partials of all ranks at rank 0 by a binomial tree of messages. MPI's own reductions would not do: their
/// operations take messages of one size, and know neither the members of an operation nor errors.
template <class Partial, class Op>
void gather(const member& at, part<Partial, Op>& mine, const Op& op) {
  for (std::int64_t step = 1; step < at.size; step *= 2) {
    if (at.rank & step) return send(pack(mine, at.comm), static_cast<int>(at.rank - step), at.comm);
    if (at.rank + step < at.size) mine.append({at.rank, op, receive(static_cast<int>(at.rank + step), at.comm)});
  }
}

/// Sends a part to the rank `step` after this one, where there is one, while it receives the message of the one as far
/// before.
template <class Partial, class Op>
message exchange(const member& at, const part<Partial, Op>& mine, std::int64_t step) {
  const int to = at.neighbor(at.rank + step);
  return send_and_receive(to == MPI_PROC_NULL ? message() : pack(mine, at.comm), to, at.neighbor(at.rank - step),
                          at.comm);
}

/// What is known of the elements of all ranks before this one; what `none` makes of no elements on rank 0.
template <class Partial, class Op, class None>
Partial scan_before(const member& at, const part<Partial, Op>& mine, const Op& op, const None& none) {
  using part_type = part<Partial, Op>;
  // First each rank has the part before its own, then those of twice as many ranks in every step.
  message got = exchange(at, mine, 1);
  part_type before = at.rank == 0 ? part_type(0, none) : part_type(at.rank, op, std::move(got));
  for (std::int64_t step = 1; step < at.size; step *= 2) {
    got = exchange(at, before, step);
    if (!got.empty()) before.prepend(part_type(at.rank, op, std::move(got)));
  }
  const failure& why = mine.why() ? mine.why() : before.why();
  int first = why ? at.rank : at.size;
  check(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, at.comm));
  if (first < at.size) raise_everywhere(why, first, at.comm);
  return std::move(before.value());
}

/// The result of all ranks' elements, on all ranks.
template <class T, class Op, class R>
R reduce_everywhere(const member& at, std::span<const T> elements, const options& how, const Op& op) {
  static_assert(std::is_trivially_copyable_v<R>,
                "onefold: a result that is sent to all ranks must be trivially copyable");
  struct {
    R result;
    bool failed;
  } verdict;
  auto mine = part_of<T, Op>(at, elements, how, op);
  gather(at, mine, op);
  failure why = mine.why();
  if (at.rank == 0 && !why) why = attempt(0, [&] { verdict.result = mine.value().template result<R>(how.init); });
  verdict.failed = static_cast<bool>(why);
  check(MPI_Bcast(&verdict, static_cast<int>(sizeof verdict), MPI_BYTE, 0, at.comm));
  if (verdict.failed) raise_everywhere(std::move(why), 0, at.comm);
  return verdict.result;
}

/// The results of all ranks' parts of an array, on all ranks.
template <class T, class Op, class R>
result_array<R> reduce_everywhere(const member& at, const array_view<T>& elements, const over& along,
                                  const options& how, const Op& op) {
  static_assert(std::is_trivially_copyable_v<R>,
                "onefold: results that are sent to all ranks must be trivially copyable");
  auto mine = part_of<T, Op>(at, elements, along, how, op);
  gather(at, mine, op);
  failure why = mine.why();
  std::optional<result_array<R>> results;
  if (at.rank == 0 && !why) why = attempt(0, [&] { results.emplace(mine.value().template result<R>(how.init)); });
  int failed = why ? 1 : 0;
  check(MPI_Bcast(&failed, 1, MPI_INT, 0, at.comm));
  if (failed != 0) raise_everywhere(std::move(why), 0, at.comm);
  if (at.rank != 0) or_abort(at.comm, [&] { results.emplace(mine.value().extents()); });
  auto* to = reinterpret_cast<std::byte*>(results->data());
  for (std::size_t left = results->size() * sizeof(R); left > 0;) {
    const std::size_t some = std::min(left, most_bytes);
    check(MPI_Bcast(to, static_cast<int>(some), MPI_BYTE, 0, at.comm));
    to += some;
    left -= some;
  }
  return std::move(*results);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::mpi::detail
