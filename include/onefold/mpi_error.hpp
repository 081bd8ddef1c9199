// The error of an MPI call.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace onefold::mpi {

/// What an MPI call returned where the communicator's error handler returns (MPI_ERRORS_RETURN). Thrown on the ranks
/// whose calls failed.
class call_error : public std::runtime_error {
 public:
  /// The error of an MPI call.
  explicit call_error(int code) : std::runtime_error(text_of(code)), code_(code) {}
  /// The error code, as MPI_Error_class takes it.
  int code() const noexcept { return code_; }

 private:
  static std::string text_of(int code) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) return "MPI error " + std::to_string(code);
    return {text, static_cast<std::size_t>(length)};
  }
  int code_;
};

}  // namespace onefold::mpi
