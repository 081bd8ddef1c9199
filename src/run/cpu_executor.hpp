// Runs a chosen reduction on the CPU: small inputs at once, others as aligned runs of pages spread over threads.
#pragma once

#include <cstdint>

#include "choose.hpp"
#include "onefold/error.hpp"
#include "onefold/recipe.hpp"
#include "run/partition.hpp"

namespace onefold::detail {

/// Throws where a fold said why it has no result.
[[noreturn]] void fail_without_result(const recipe& r, const char* why_none);
inline void check_result(const recipe& r, const char* why_none) {
  if (why_none) [[unlikely]]
    fail_without_result(r, why_none);
}

/// Whether n elements need no states but those on the stack.
inline bool is_small(const recipe& r, std::int64_t n) { return n <= r.small_limit && r.small_limit > 0; }

inline void run_small(const choice& c, const void* op, const void* data, std::int64_t n, const void* init,
                      void* result) {
  check_result(*c.recipe, c.recipe->small(op, data, n, init, c.result, result));
}

/// A CPU backend with the memory of all states. In its functions the caller guards the floating-point environment, and
/// has checked the arguments.
class cpu_executor {
 public:
  explicit cpu_executor(const choice& c);
  ~cpu_executor() { c_.scheduler->close(handle_); }
  cpu_executor(const cpu_executor&) = delete;
  cpu_executor& operator=(const cpu_executor&) = delete;

  /// Reduces n elements in host memory.
  void run(const void* op, const void* data, std::int64_t n, const void* init, void* result);

  /// The state of n elements, valid until the next call.
  const void* fold(const void* op, const void* data, std::int64_t n);

 private:
  const choice& c_;
  void* handle_;
  state_array states_;
};

}  // namespace onefold::detail
