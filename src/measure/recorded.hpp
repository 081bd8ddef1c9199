// A reduction as an accelerator records it.
#pragma once

#include <exception>

#include "measure/prepared.hpp"
#include "onefold/backend.hpp"
#include "onefold/error.hpp"

namespace onefold::measure {

/// What one call of the recorder needs, and what went wrong in it: no exception crosses the module.
struct recorded {
  prepared& reduction;
  arena& data;  ///< in device memory
  std::int64_t n;
  arena result{location::device, most_result_size, 1, reduction.report().backend};
  std::exception_ptr failed = nullptr;

  /// For accelerator::replay and accelerator::occupancy; `context` is a recorded.
  static bool enqueue(void* context, int, CUstream_st* stream) {
    recorded& r = *static_cast<recorded*>(context);
    try {
      r.reduction.enqueue(r.data.next(), r.n, r.result.first(), stream);
      return true;
    } catch (...) {
      r.failed = std::current_exception();
      return false;
    }
  }

  /// Whether the accelerator could; false where the reduction cannot be enqueued. Throws onefold::error for all else.
  bool settled(bool done, const accelerator_failure& why) const {
    if (failed) {
      try {
        std::rethrow_exception(failed);
      } catch (const error& e) {
        if (e.code() == error_code::unsupported) return false;
        throw;
      }
    }
    if (!done) throw error(why.code, why.text);
    return true;
  }
};

}  // namespace onefold::measure
