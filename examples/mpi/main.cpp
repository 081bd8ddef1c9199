// Adds 1 + 1/2 + 1/3 + ... over the ranks of MPI: what a loop on each and MPI_SUM give depends on how many ranks there
// are, what onefold gives does not. Run it with any number: mpirun -n 3 mpi_sum
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "onefold/mpi.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  // The elements of this rank: any cut has the same bits.
  constexpr std::int64_t n = 1'000'000;
  const std::int64_t begin = n * rank / ranks, end = n * (rank + 1) / ranks;
  std::vector<float> part;
  for (std::int64_t i = begin; i < end; ++i) part.push_back(1 / static_cast<float>(i + 1));

  float loop = 0, by_mpi = 0;
  for (const float x : part) loop += x;
  MPI_Reduce(&loop, &by_mpi, 1, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);

  const float sum = onefold::mpi::allreduce<float, onefold::op::sum>(part, MPI_COMM_WORLD);
  const auto variance = onefold::mpi::reduce<float, onefold::op::variance>(part, 0, MPI_COMM_WORLD);

  if (rank == 0) {
    const auto print = [](const char* name, float x) {
      std::printf("%-18s %.9g  bits %08x\n", name, static_cast<double>(x), std::bit_cast<std::uint32_t>(x));
    };
    print("MPI_SUM", by_mpi);
    print("onefold, sum", sum);
    print("onefold, variance", static_cast<float>(*variance));
  }
  MPI_Finalize();
}
