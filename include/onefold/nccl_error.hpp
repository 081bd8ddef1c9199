// The error of an NCCL call.
#pragma once

#include <nccl.h>

#include <stdexcept>

namespace onefold::nccl {

/// What an NCCL call returned, or what went wrong in the communicator while it was waited for. Thrown on the ranks that
/// met it.
class call_error : public std::runtime_error {
 public:
  /// The error of an NCCL call.
  explicit call_error(ncclResult_t code) : std::runtime_error(ncclGetErrorString(code)), code_(code) {}
  /// NCCL's code.
  ncclResult_t code() const noexcept { return code_; }

 private:
  ncclResult_t code_;
};

}  // namespace onefold::nccl
