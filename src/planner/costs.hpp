// What a reduction would take on each candidate: the model of docs/planner.md.
#pragma once

#include <cstdint>

#include "onefold/backend.hpp"
#include "onefold/options.hpp"
#include "onefold/profile.hpp"

namespace onefold::detail {

/// The class of an operation (its place in the catalog, or -1) over an element type at an accuracy.
cost_class class_of(int operation, dtype element, accuracy mode);

/// What the planner knows of a reduction.
struct workload {
  cost_class cost;
  std::int64_t n;        ///< elements
  std::int64_t element;  ///< bytes of one
  std::int64_t beside;   ///< what else takes as long as this many elements in the second level: to begin each segment
};

/// Seconds of `threads` threads of a backend that fold, once they are there.
double fold_seconds(const machine_profile& p, const machine_profile::team& t, const workload& w, int threads);

/// Seconds to start `threads` >= 2 threads and to wait for them. Between two and all of them each doubling is
/// taken to cost the same.
machine_profile::start start_seconds(const machine_profile& p, const machine_profile::team& t, int threads);

/// The figures of a GPU that was not measured, from its data sheet; without its name.
machine_profile::gpu builtin_gpu(const accelerator_specifications& sheet);

/// Seconds of a GPU for data in memory of this kind.
double gpu_seconds(const machine_profile::gpu& g, const workload& w, accelerator_memory kind);

}  // namespace onefold::detail
