// What onefold::mpi adds to a fold: its allreduce beside a local fold and MPI_Allreduce(MPI_SUM) of one double.
//
// usage: mpirun -n RANKS onefold_mpi_cost [ELEMENTS of f32 per rank] [RUNS]. One thread a rank; the two take turns, and
// the time of the slowest rank counts. Prints least and median times in microseconds; with 2 ranks or more also those
// of a message from rank 0 to rank 1 and back, halved.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "onefold/mpi.hpp"
#include "onefold/reduce.hpp"

namespace {

namespace op = onefold::op;

/// Seconds of a call that all ranks begin together: of the slowest.
template <class F>
double seconds(F call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  call();
  double slowest = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

struct times {
  std::vector<double> all;
  void print(const char* name) {
    std::sort(all.begin(), all.end());
    std::printf("%-28s least %10.1f  median %10.1f us\n", name, 1e6 * all.front(), 1e6 * all[all.size() / 2]);
  }
};

/// The time that a message of some bytes takes between ranks 0 and 1: on rank 0.
times messages(int rank, std::size_t bytes, int runs) {
  times taken;
  std::vector<char> room(bytes);
  const int n = static_cast<int>(bytes);
  for (int i = 0; i < runs && rank < 2; ++i) {
    const double begin = MPI_Wtime();
    if (rank == 0) MPI_Send(room.data(), n, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(room.data(), n, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(room.data(), n, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    taken.all.push_back((MPI_Wtime() - begin) / 2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return taken;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const long n = argc > 1 ? std::atol(argv[1]) : 1 << 24;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 50;
  const std::vector<float> part(static_cast<std::size_t>(n), 0.1f);
  onefold::options how;
  how.backend = onefold::backend::sequential;

  double sink = 0;
  const auto fold_and_sum = [&] {
    const double sum = static_cast<double>(onefold::reduce<float, op::sum>(part, how));
    double all = 0;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    sink += all;
  };
  const auto joined = [&] {
    sink += static_cast<double>(onefold::mpi::allreduce<float, op::sum>(part, MPI_COMM_WORLD, how));
  };
  times by_mpi, by_onefold;
  fold_and_sum();
  joined();
  for (int i = 0; i < runs; ++i) {
    by_mpi.all.push_back(seconds(fold_and_sum));
    by_onefold.all.push_back(seconds(joined));
  }
  if (rank == 0) {
    by_mpi.print("fold and MPI_Allreduce");
    by_onefold.print("onefold::mpi::allreduce");
    std::printf("ratio                        least %10.3f  median %10.3f\n",
                by_onefold.all.front() / by_mpi.all.front(),
                by_onefold.all[by_onefold.all.size() / 2] / by_mpi.all[by_mpi.all.size() / 2]);
  }
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 1)
    for (const std::size_t bytes : {8, 128, 1024, 16384, 65536}) {
      times taken = messages(rank, bytes, 20 * runs);
      const std::string name = "message of " + std::to_string(bytes) + " bytes";
      if (rank == 0) taken.print(name.c_str());
    }
  MPI_Finalize();
  return sink == 0;
}
