// Elements of a rank as two iterators.
// says: onefold: a verb takes a range, not a pair of iterators: write sum(std::span(first, last))
#include <vector>

#include "onefold/mpi.hpp"

void f(const std::vector<float>& x) {
#ifdef ONEFOLD_MISTAKE
  onefold::mpi::allreduce<float, onefold::op::sum>(x.begin(), x.end(), MPI_COMM_WORLD);
#else
  onefold::mpi::allreduce<float, onefold::op::sum>(std::span(x.begin(), x.end()), MPI_COMM_WORLD);
#endif
}
