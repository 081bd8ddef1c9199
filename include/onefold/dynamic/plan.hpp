// Reductions of arrays whose operation and types are known at run time only.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

#include "onefold/detail/engine.hpp"
#include "onefold/dynamic/results.hpp"
#include "onefold/options.hpp"
#include "onefold/report.hpp"
#include "onefold/source_operation.hpp"
#include "onefold/types.hpp"

namespace onefold {

/// A plan whose operation and types are known at run time only: what plan<T, Op, R> does, without templates.
///
/// A plan owns its scratch: one thread at a time may run it; different plans run concurrently. Of a plan that was moved
/// from, running, enqueueing and reporting throw invalid_argument; it can be assigned to and destroyed.
class ONEFOLD_API dynamic_plan : public dynamic_results {
 public:
  /// Chooses a backend for up to n elements of a type, with an operation of the catalog (by its place, see
  /// find_operation). `result` asks for another type where the operation rounds. Throws onefold::error: unsupported
  /// where the catalog does not have the operation, for this element type, at this accuracy, or with this result
  /// type; backend_unavailable where a forced backend cannot run; invalid_argument for a negative n, a value outside
  /// its enumeration or range, and an initial value that the operation does not take or its result type cannot hold.
  dynamic_plan(int operation, dtype element, std::int64_t n, const options& how = {},
               std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ("sum", "f32", n, how, "f64"). An empty `result` is the operation's own. Throws
  /// also unknown_name's error, which names the nearest name and lists all.
  dynamic_plan(std::string_view operation, std::string_view element, std::int64_t n, const options& how = {},
               std::string_view result = {});

  /// The same with an operation as text, which is compiled now. Also throws unsupported if no compiler is found,
  /// backend_unavailable if backend cuda has no GPU or no NVRTC, and invalid_argument, with the compiler's messages,
  /// for a text that does not compile.
  dynamic_plan(const source_operation& operation, std::int64_t n, const options& how = {});

  /// Reduces n elements at data and writes result_size() bytes to *result, aligned as its numbers are
  /// (result_alignment is enough for all). Bytes between members are unspecified. Allocates nothing. Throws
  /// onefold::error if n is negative or above the plan's, if data is null but n is not 0, if result is null or not
  /// aligned, for no elements where the operation has no identity (empty_input), and where an exact integer result does
  /// not fit (overflow).
  void run(const void* data, std::int64_t n, void* result);

  /// As above, and returns the numbers of the result and the report, which takes allocations: 0.2 us more than the form
  /// above (Xeon with AVX-512).
  dynamic_result run(const void* data, std::int64_t n);

  /// Enqueues the reduction of n elements at data on a CUDA stream (a cudaStream_t of the plan's device) and returns at
  /// once; the result_size() bytes are written to *result in stream order. Both are device memory. Can be captured into
  /// a CUDA graph. The plan must live until the work is done, and has room for one reduction at a time: enqueue the
  /// next one in order after it. Throws onefold::error as run does, where backend cuda cannot run
  /// (backend_unavailable), and for exact sums of integers, which may have no result (unsupported).
  void enqueue(const void* data, std::integral auto n, void* result, CUstream_st* stream) {
    enqueue(data, static_cast<std::int64_t>(n), nullptr, result, stream);
  }
  /// As above, where the number of elements is in device memory too and known only once the stream gets there; it is
  /// taken as 0 if negative, and as the plan's if above. No elements give the identity, for min and the like too.
  void enqueue(const void* data, const std::int64_t* n, void* result, CUstream_st* stream) {
    enqueue(data, n_, n, result, stream);
  }

  /// What runs it, and why.
  run_report report() const;

 private:
  void enqueue(const void* data, std::int64_t n, const std::int64_t* device_n, void* result, CUstream_st* stream);

  std::int64_t n_;
  detail::engine engine_;
};

/// Reduces n elements once: what a dynamic_plan made for them runs. Throws as its constructor and run do.
ONEFOLD_API dynamic_result reduce_dynamic(int operation, dtype element, const void* data, std::int64_t n,
                                          const options& how = {}, std::optional<dtype> result = std::nullopt);

/// The same with an operation as text.
ONEFOLD_API dynamic_result reduce_dynamic(const source_operation& operation, const void* data, std::int64_t n,
                                          const options& how = {});

}  // namespace onefold
