// What must hold before a reduction runs.
#pragma once

#include <cstdint>
#include <string>

#include "choose.hpp"
#include "modules.hpp"
#include "onefold/detail/engine.hpp"

namespace onefold::detail {

/// Throws invalid_argument, and why.
[[noreturn]] void refuse(const std::string& why);

/// Throws what an accelerator said.
[[noreturn]] void fail(const accelerator_failure& failed);

/// Throws empty_input for no elements where the operation has no result for them.
void check_empty(const recipe& r, std::int64_t n, const void* init);

/// Throws invalid_argument for an initial value that the operation does not take.
void check_initial(const request& what, const recipe& r);

/// Throws invalid_argument for an initial value where there is work, in the plural ("histograms"), that takes none.
void require_no_initial(const char* work, const options& how);

/// Throws where n elements at data cannot be reduced: invalid_argument for more than the choice is for, and a null
/// pointer to some; empty_input for none where the operation has no result for them.
void check(const choice& c, const void* data, std::int64_t n, const void* init);

/// The request as the choice of a backend sees it: without its shape where that is an array's.
request simplified(request what);

/// Throws invalid_argument where an address is not a multiple of `align` bytes, a power of two: a device that wrote
/// there would lose its context. `what` says what is there, with its verb: "the results are".
void require_aligned(const void* p, std::int64_t align, const char* what);

/// The same of where results go.
void require_aligned(const choice& c, const void* results);

/// Where p points, as far as the choice needs to know: the only accelerator there is reads memory of every kind.
inline memory_location locate_for(const choice& c, const void* p) {
  return c.scheduler || accelerator_count > 1 ? locate(p) : memory_location{};
}

/// Whether that is device memory that the choice's backend cannot reach: any, or, of an accelerator, another one's.
inline bool is_beyond(const choice& c, const memory_location& at) {
  return at.kind == accelerator_memory::device && at.owner != c.accelerator;
}

/// Throws invalid_argument where p is in such memory, and the backend would read it or write to it. `what` says what is
/// there, with its verb: "the keys are".
void require_readable(const choice& c, const void* p, const char* what);
void require_writable(const choice& c, const void* p, const char* what = "the results are");

/// Memory of the accelerator that enqueues a reduction of the data: the one that was requested, the owner of the data,
/// or the first that can run. Throws backend_unavailable where none can.
memory_location device_of_streams(const choice& c, const void* data);

/// Checks what a run of a shape has room for and returns, wherever its elements come from; false if it has no outputs.
bool check_outputs(const problem& p, const choice& c, const void* init, std::int64_t capacity);
/// Throws invalid_argument where results are null or not aligned.
void require_results(const choice& c, const void* results);

/// Checks a run of a shape, as `check`, with room for `capacity` results; false if it has no outputs.
bool check_shape(const problem& p, const choice& c, const void* data, const void* init, const void* results,
                 std::int64_t capacity);

}  // namespace onefold::detail
