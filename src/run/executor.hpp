// Who runs a chosen reduction: threads of the CPU, or an accelerator.
#pragma once

#include <cstdint>
#include <variant>

#include "run/cpu_executor.hpp"
#include "run/device_executor.hpp"

namespace onefold::detail {

/// What a choice opens, in place: a call that runs once allocates no object for it.
class executor {
 public:
  /// `c` must live as long; an accelerator writes its device's number there.
  explicit executor(choice& c)
      : by_(c.runs ? either(std::in_place_type<cpu_executor>, c) : either(std::in_place_type<device_executor>, c)) {}

  void run(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
    std::visit([&](auto& by) { by.run(op, data, n, init, result); }, by_);
  }
  const void* fold(const void* op, const void* data, std::int64_t n) {
    return std::visit([&](auto& by) { return by.fold(op, data, n); }, by_);
  }
  /// The accelerator; the choice must be one.
  device_executor& device() { return std::get<device_executor>(by_); }

 private:
  using either = std::variant<cpu_executor, device_executor>;
  either by_;
};

}  // namespace onefold::detail
