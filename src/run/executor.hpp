// Runs a chosen reduction: threads of the CPU, or an accelerator.
#pragma once

#include <cstdint>
#include <variant>

#include "run/cpu_executor.hpp"
#include "run/device_executor.hpp"
#include "run/segment_executor.hpp"
#include "run/selected_executor.hpp"
#include "run/shape_executor.hpp"

namespace onefold::detail {

/// What a choice opens, in place: a call that runs once allocates no object for it.
class executor {
 public:
  /// `c` must live as long; an accelerator writes its device's number there.
  explicit executor(choice& c)
      : by_(!c.scheduler  ? one(std::in_place_type<device_executor>, c)
            : c.segmented ? one(std::in_place_type<segment_executor>, c)
            : c.selects   ? one(std::in_place_type<selected_executor>, c)
            : c.shape     ? one(std::in_place_type<shape_executor>, c)
                          : one(std::in_place_type<cpu_executor>, c)) {}

  /// Reduces an array; the choice must not be for a shape, nor for segments.
  void run(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
    if (auto* cpu = std::get_if<cpu_executor>(&by_))
      cpu->run(op, data, n, init, result);
    else
      device().run(op, data, n, init, result);
  }
  /// The same, with the result in memory that the backend can write.
  void run_anywhere(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
    if (auto* cpu = std::get_if<cpu_executor>(&by_))
      cpu->run(op, data, n, init, result);
    else
      device().run_anywhere(op, data, n, init, result);
  }
  const void* fold(const void* op, const void* data, std::int64_t n) {
    auto* cpu = std::get_if<cpu_executor>(&by_);
    return cpu ? cpu->fold(op, data, n) : device().fold(op, data, n);
  }
  /// Reduces the choice's shape, which must have one, and select nothing.
  void run_shape(const void* op, const void* data, const void* init, void* results) {
    if (auto* cpu = std::get_if<shape_executor>(&by_))
      cpu->run(op, data, init, results);
    else
      device().run_shape(op, data, init, results);
  }
  /// Reduces computed elements; the choice must be for them.
  void run_mapped(const void* op, const mapped_source& from, const void* init, void* results) {
    if (auto* cpu = std::get_if<shape_executor>(&by_))
      cpu->run(op, from, init, results);
    else
      device().run_mapped(op, from, init, results);
  }
  /// Reduces segments; the choice must be for them.
  void run_segments(const void* op, const segment_list& segments, const void* init, void* results) {
    if (auto* cpu = std::get_if<segment_executor>(&by_))
      cpu->run(op, segments, init, results);
    else
      device().run_segments(op, segments, init, results);
  }
  /// The threads that reduce segments on the CPU; the choice must be for that.
  team threads() const { return std::get<segment_executor>(by_).threads(); }
  /// Reduces the selected elements of the choice's shape, which must select.
  void run_selected(const void* op, const selected_data& from, const void* init, void* results) {
    if (auto* cpu = std::get_if<selected_executor>(&by_))
      cpu->run(op, from, init, results);
    else
      device().run_selected(op, from, init, results);
  }
  /// The executor of an accelerator: the choice must be for it.
  device_executor& device() { return std::get<device_executor>(by_); }

 private:
  using one = std::variant<cpu_executor, shape_executor, segment_executor, selected_executor, device_executor>;
  one by_;
};

}  // namespace onefold::detail
