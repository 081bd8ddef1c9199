// What goes wrong goes wrong on all ranks alike, and nothing hangs; the communicator stays the caller's.
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "onefold/mpi.hpp"
#include "ranks.hpp"
#include "support/backend.hpp"
#include "support/errors.hpp"

namespace {

namespace op = onefold::op;
using onefold::accuracy;
using onefold::error_code;
using support::check_error;

const MPI_Comm world = MPI_COMM_WORLD;

/// The sum of the ranks' numbers from 1 on: what all still agree on.
void check_goes_on(MPI_Comm comm = world) {
  const int size = support::size_of(comm);
  const std::vector<std::int32_t> x{support::rank_in(comm) + 1};
  CHECK(onefold::mpi::allreduce<std::int32_t, op::sum>(x, comm) == size * (size + 1) / 2);
}

/// Checks that all functions throw the error on every rank.
template <class T, class Op>
void check_refused(error_code code, const std::string& words, const std::vector<T>& x, const onefold::options& how) {
  check_error(code, words, [&] { onefold::mpi::allreduce<T, Op>(x, world, how); });
  check_error(code, words, [&] { onefold::mpi::reduce<T, Op>(x, 0, world, how); });
  check_error(code, words, [&] { onefold::mpi::exscan<T, Op>(x, world, how); });
  check_goes_on();
}

}  // namespace

TEST_CASE("errors of all ranks are those of reduce") {
  const std::vector<float> x{1, 2};
  check_refused<float, op::product>(error_code::unsupported, "product", x, support::on_backend(accuracy::exact));
  check_error(error_code::empty_input, "", [] { onefold::mpi::allreduce<float, op::max>({}, world); });
  check_error(error_code::empty_input, "", [] { onefold::mpi::reduce<float, op::max>({}, 0, world); });
  CHECK(onefold::mpi::allreduce<float, op::sum>({}, world) == 0);
  check_goes_on();
}

TEST_CASE("an error of one rank is thrown on all") {
  const int rank = support::rank_in(world), last = support::size_of(world) - 1;
  const std::vector<float> x{1, 2};
  auto how = support::on_backend();
  if (rank == last) how.threads = -1;
  const std::string name = last == 0 ? "" : "rank " + std::to_string(last) + ": ";
  check_refused<float, op::sum>(error_code::invalid_argument, name + "threads", x, how);

  // Where all but the first fail, the first of them is named.
  how.threads = rank == 0 ? 0 : -1;
  if (last > 0) check_refused<float, op::sum>(error_code::invalid_argument, "rank 1: threads", x, how);
}

TEST_CASE("ranks at different accuracies are refused") {
  if (support::size_of(world) < 3) return;  // exscan does not look at the last rank
  const std::vector<float> x{1, 2};
  auto how = support::on_backend();
  if (support::rank_in(world) == 1) how.accuracy = accuracy::wide;
  check_refused<float, op::sum>(error_code::invalid_argument, "at accuracy wide", x, how);
}

TEST_CASE("a root that is not a rank is refused") {
  const std::vector<float> x{1};
  for (const int root : {-1, support::size_of(world)})
    check_error(error_code::invalid_argument, "the root is rank " + std::to_string(root),
                [&] { onefold::mpi::reduce<float, op::sum>(x, root, world); });
  check_goes_on();
}

TEST_CASE("an intercommunicator is refused") {
  if (support::size_of(world) < 2) return;  // there is none: each side has ranks of its own
  const int rank = support::rank_in(world);
  MPI_Comm side, between;
  MPI_Comm_split(world, rank % 2, rank, &side);
  MPI_Intercomm_create(side, 0, world, 1 - rank % 2, 5, &between);
  const std::vector<float> x{1};
  check_error(error_code::invalid_argument, "intercommunicator",
              [&] { onefold::mpi::allreduce<float, op::sum>(x, between); });
  MPI_Comm_free(&between);
  MPI_Comm_free(&side);
}

TEST_CASE("exceptions of other kinds are thrown on all ranks") {
  namespace detail = onefold::mpi::detail;
  const detail::member at(world);
  const int last = at.size - 1;
  const auto thrown = [&](auto raise) {
    detail::failure why;
    if (at.rank == last) why = detail::attempt(at.rank, raise);
    detail::raise_everywhere(why, last, at.comm);
  };
  CHECK_THROWS_AS(thrown([] { throw std::bad_alloc(); }), std::bad_alloc);
  CHECK_THROWS_AS(thrown([] { throw std::out_of_range("too far"); }), std::runtime_error);
  CHECK_THROWS_AS(thrown([] { throw 1; }), std::runtime_error);
  check_goes_on();
}

TEST_CASE("messages of the caller's are left alone") {
  const int rank = support::rank_in(world), size = support::size_of(world);
  int got = -1;
  MPI_Request pending = MPI_REQUEST_NULL;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &pending);
  const std::vector<float> x(5000, 1.0f);
  CHECK(onefold::mpi::allreduce<float, op::sum>(x, world) == 5000.0f * static_cast<float>(size));
  CHECK(onefold::mpi::exscan<float, op::sum>(x, world).count() == 5000 * rank);
  MPI_Barrier(world);
  CHECK(got == -1);
  MPI_Barrier(world);  // no rank sends before all have looked
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 3, world);
  MPI_Wait(&pending, MPI_STATUS_IGNORE);
  CHECK(got == (rank + size - 1) % size);
}

TEST_CASE("the order is that of the communicator's ranks") {
  const int rank = support::rank_in(world), size = support::size_of(world);
  MPI_Comm reversed = MPI_COMM_NULL, half = MPI_COMM_NULL;
  MPI_Comm_split(world, 0, -rank, &reversed);
  MPI_Comm_split(world, rank % 2, rank, &half);
  const std::vector<float> x{static_cast<float>(rank == size - 1)};
  CHECK(onefold::mpi::allreduce<float, op::argmax>(x, world) == size - 1);
  CHECK(onefold::mpi::allreduce<float, op::argmax>(x, reversed) == 0);
  check_goes_on(half);
  MPI_Comm_free(&half);
  check_goes_on(reversed);
  MPI_Comm_free(&reversed);
  check_goes_on(MPI_COMM_SELF);
}

// MPICH has 2048 communicators at a time.
TEST_CASE("a communicator's duplicate ends with it") {
  for (int i = 0; i < 3000; ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    onefold::mpi::allreduce<float, op::sum>({}, comm);
    MPI_Comm_free(&comm);
  }
  check_goes_on();
}

TEST_CASE("MPI's errors are left to the error handler") {
  for (const MPI_Comm comm : {world, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const std::vector<float> x{1};
  try {
    onefold::mpi::allreduce<float, op::sum>(x, MPI_COMM_NULL);
    FAIL_CHECK("there was no error");
  } catch (const onefold::mpi::call_error& e) {
    int kind = MPI_SUCCESS;
    MPI_Error_class(e.code(), &kind);
    CHECK(kind == MPI_ERR_COMM);
    CHECK_FALSE(std::string(e.what()).empty());
  }
  for (const MPI_Comm comm : {world, MPI_COMM_SELF}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}
