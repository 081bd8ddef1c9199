#include "measure/device_time.hpp"

#include <algorithm>
#include <exception>
#include <vector>

#include "onefold/backend.hpp"

namespace onefold::measure {
namespace {

constexpr int rounds = 7;

/// What one call of the recorder needs, and what went wrong in it: no exception crosses the module.
struct recorded {
  prepared& reduction;
  arena& data;
  std::int64_t n;
  arena result;
  std::exception_ptr failed;

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
};

}  // namespace

std::optional<summary> device_time(prepared& reduction, arena& data, std::int64_t n) {
  const int device = reduction.report().device;
  const int calls = static_cast<int>(std::clamp<std::int64_t>(
      (std::int64_t{1} << 30) / std::max<std::int64_t>(data.bytes(), 1), 4, 200));  // about a gigabyte
  recorded r{reduction, data, n, {location::device, 64, 1}, nullptr};
  std::vector<double> seconds(rounds);
  accelerator_failure failed{};
  const bool done = the_accelerator()->replay(device, recorded::enqueue, &r, calls, rounds, seconds.data(), &failed);
  if (r.failed) {
    try {
      std::rethrow_exception(r.failed);
    } catch (const error& e) {
      if (e.code() == error_code::unsupported) return std::nullopt;
      throw;
    }
  }
  if (!done) throw error(failed.code, failed.text);
  return summary_of(std::move(seconds));
}

}  // namespace onefold::measure
