// MPI begins before the main function of the tests and ends after it.
#include <mpi.h>

namespace {

struct session {
  session() { MPI_Init(nullptr, nullptr); }
  ~session() { MPI_Finalize(); }
} const during_the_program;

}  // namespace
