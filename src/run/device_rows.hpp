// Works on rows on an accelerator.
#pragma once

#include "onefold/backend.hpp"

namespace onefold::detail {

/// An accelerator's handle for an operation on rows. The caller has checked the arguments.
class device_rows {
 public:
  /// `device`: the one to use, -1 for the current one; gets its number. The rest must live as long. Throws what the
  /// accelerator says.
  device_rows(const accelerator& on, const row_problem& what, int& device);
  ~device_rows();
  device_rows(const device_rows&) = delete;
  device_rows& operator=(const device_rows&) = delete;

  /// Works on rows in memory of any kind.
  void run(const row_memory& memory, const row_extras& extras);

  /// Enqueues the same, with everything in device memory.
  void enqueue(const row_memory& memory, const row_extras& extras, CUstream_st* stream);

 private:
  void require_aligned(const row_memory& memory, const row_extras& extras) const;

  const accelerator& on_;
  const row_problem& what_;
  void* handle_ = nullptr;
};

}  // namespace onefold::detail
