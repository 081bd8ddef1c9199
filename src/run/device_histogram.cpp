#include "run/device_histogram.hpp"

#include <algorithm>
#include <string>

#include "resolve.hpp"
#include "run/bin_limits.hpp"
#include "run/checks.hpp"
#include "run/cpu_team.hpp"
#include "run/page_device.hpp"

namespace onefold::detail {
namespace {

/// Throws where an accelerator cannot do what is asked for.
void check_accelerator(const choice& c, const options& how) {
  const std::string name = name_of(c.backend);
  if (!c.accelerator->count_in_bins)
    throw error(error_code::unsupported, "backend " + name +
                                             " does not compute histograms; copy the data to host memory, and use a "
                                             "CPU backend");
  if (how.devices.size() > 1)
    throw error(error_code::unsupported,
                "devices " + text_of(how.devices) + ": a histogram is computed on one device; name one of them");
  if (how.kernel > kernel::canonical)
    throw error(error_code::unsupported,
                std::string("kernel ") + name_of(how.kernel) + " does not compute histograms; use canonical");
}

}  // namespace

choice choose_for_histogram(dtype element, const void* data, std::int64_t n, const options& how, run_report* ran) {
  require_no_initial("histograms", how);
  const memory_location where = locate(data);
  options asked = how;
  const bool is_there = where.kind == accelerator_memory::device || where.kind == accelerator_memory::managed;
  if (!is_there && resolve_backend(how).backend == backend::automatic) asked.backend = backend::cpu;
  const choice c = choose_as_variance(element, data, n, asked, where, ran);
  if (c.accelerator) check_accelerator(c, how);
  return c;
}

void count_on_device(const choice& c, const void* data, std::span<const double> edges, bin_widths widths,
                     std::int64_t* counts, run_report* ran) {
  std::fill_n(counts, edges.size() - 1, 0);
  if (c.n == 0) return;
  require_accelerator(c.backend);
  require_aligned_on_device(*c.accelerator, c.element, data);
  const bin_limits bins = limits_of(c.element, edges, widths);
  if (bins.first.empty()) return;
  const bin_request what{sizeof(bin_request),    c.element,  data,    c.n, bins.first.data(), bins.last,
                         std::ssize(bins.first), bins.guess, c.device};
  int device = c.device;
  accelerator_failure failed{};
  if (!c.accelerator->count_in_bins(what, &device, counts, &failed)) fail(failed);
  if (ran) ran->device = device;
}

}  // namespace onefold::detail
