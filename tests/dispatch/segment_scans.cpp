// Scans of segments where their data and offsets lie, by a stand-in for an accelerator: calls, plans, streams, errors.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "onefold/scan.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"

using onefold::error_code;
using onefold::scan_kind;
using onefold::segments;
using onefold::op::max;
using onefold::op::sum;
using support::check_error;

namespace {

using page = dispatch::page<std::int32_t>;

}  // namespace

TEST_CASE("segments are scanned where they lie", "[.accelerator]") {
  dispatch::load_driver();
  const auto device = std::make_unique<page>(), device_offsets = std::make_unique<page>();
  const std::vector<std::int32_t> host{1, 2, 4, 8, 16}, offsets{1, 3, 3, 5};
  for (std::size_t i = 0; i < 5; ++i) device->numbers[i] = 3 * host[i];
  for (std::size_t i = 0; i < 4; ++i) device_offsets->numbers[i] = offsets[i];
  const std::span<const std::int32_t> far(device->numbers, 5), far_offsets(device_offsets->numbers, 4);
  const onefold::options automatic, cuda{.backend = onefold::backend::cuda},
      sequential{.backend = onefold::backend::sequential};
  using results = std::vector<std::int64_t>;
  results out(5, -1);
  const auto scanned = [&](const auto& what, const onefold::options& how) {
    out.assign(5, -1);
    onefold::inclusive_scan<std::int32_t, sum, std::int64_t>(what, out, how);
    return out;
  };
  CHECK(scanned(segments(host, offsets), automatic) == results{-1, 2, 6, 8, 24});
  CHECK(scanned(segments(host, offsets), cuda) == results{-1, 2, 6, 8, 24});
  CHECK(scanned(segments(far, offsets), automatic) == results{-1, 6, 18, 24, 72});
  CHECK(scanned(segments(far, far_offsets), automatic) == results{-1, 6, 18, 24, 72});
  CHECK(scanned(segments(host, far_offsets), cuda) == results{-1, 2, 6, 8, 24});

  // A plan follows the data.
  onefold::segmented_scan_plan<std::int32_t, sum, std::int64_t> plan(3, 5, scan_kind::exclusive);
  out.assign(5, -1);
  plan(segments(host, offsets), out);
  CHECK(plan.report().backend != onefold::backend::cuda);
  CHECK(out == results{-1, 0, 2, 0, 8});
  plan(segments(far, far_offsets), out);
  CHECK(plan.report().backend == onefold::backend::cuda);
  CHECK(out == results{-1, 0, 6, 0, 24});
  out.assign(5, -1);
  plan.enqueue(segments(far, far_offsets), out, nullptr);
  CHECK(out == results{-1, 0, 6, 0, 24});

  // In place, with an initial value.
  const std::span<std::int32_t> own(device->numbers, 5);
  onefold::exclusive_scan<std::int32_t, max>(segments(far, far_offsets), own, {.init = 7});
  CHECK(std::vector<std::int32_t>(own.begin(), own.end()) == std::vector<std::int32_t>{3, 7, 7, 7, 24});

  out.assign(5, -1);
  const auto into = [&](const auto& what, const onefold::options& how) {
    return [&] { onefold::inclusive_scan<std::int32_t, sum, std::int64_t>(what, out, how); };
  };
  check_error(error_code::invalid_argument, "the data is in device memory, which backend sequential cannot read",
              into(segments(far, offsets), sequential));
  check_error(error_code::unsupported,
              "the offsets are in device memory, which backend sequential cannot read; copy them to host memory",
              into(segments(host, far_offsets), automatic));
  check_error(error_code::invalid_argument,
              "the plan is for at most 3 segments with 5 elements in all, not for 3 with 6",
              [&] { plan.enqueue(segments(std::span(far.data(), 6), far_offsets), out, nullptr); });
  check_error(error_code::invalid_argument, "a scan has a result for each of 5 values, but there is room for 4",
              [&] { plan.enqueue(segments(far, far_offsets), std::span(out).first(4), nullptr); });
  check_error(error_code::empty_input, "an exclusive scan of max begins with the result of no elements",
              [&] { onefold::exclusive_scan<std::int32_t, max>(segments(far, far_offsets), own, cuda); });
  CHECK(out == results(5, -1));
}
