// A program of which one rank ends before a reduction of all.
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "onefold/mpi.hpp"

// dead_rank exit|abort|returned: how rank 1 ends; returned: as exit, while MPI's errors are returned.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string_view how = argc > 1 ? argv[1] : "";
  if (how == "returned") MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 && how == "abort") std::abort();
  if (rank == 1 && !how.empty()) _exit(3);
  const std::vector<float> x(5000, 1.0f);
  onefold::mpi::allreduce<float, onefold::op::sum>(x, MPI_COMM_WORLD);
  MPI_Finalize();
}
