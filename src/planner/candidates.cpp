// Estimates from the machine's profile; a backend that cannot win is not loaded.
#include "planner/candidates.hpp"

#include <algorithm>
#include <string_view>

#include "planner/costs.hpp"
#include "resolve.hpp"

namespace onefold::detail {
namespace {

/// Of segments, whose work counts more than their elements, n of the work: with as many elements as in all of it.
workload workload_of(const choice& c, std::int64_t n) {
  std::int64_t elements = n;
  if (c.expected > c.elements)
    elements = static_cast<std::int64_t>(static_cast<double>(n) * static_cast<double>(c.elements) /
                                         static_cast<double>(c.expected));
  return {class_of(c.operation, c.element, c.mode), elements, c.recipe->element_size, n - elements};
}

/// The least time in which a backend can start threads.
double cheapest_start(backend b) {
  const machine_profile::team& t = profile().figures.of(b);
  return std::min(t.two.hot, t.all.hot);
}

}  // namespace

std::int64_t pages_of(const recipe& r, std::int64_t n) { return n / r.page + (n % r.page != 0); }

int threads_for(const recipe& r, std::int64_t n, int possible) {
  return static_cast<int>(std::clamp<std::int64_t>(pages_of(r, n), 1, std::clamp(possible, 1, most_threads)));
}

candidate estimate_cpu(const choice& c, backend b, std::int64_t n, int possible) {
  const machine_profile& p = profile().figures;
  const int threads = threads_for(*c.recipe, n, possible);
  const double folding = fold_seconds(p, p.of(b), workload_of(c, n), threads);
  if (threads == 1) return {nullptr, 1, folding, folding};
  const machine_profile::start start = start_seconds(p, p.of(b), threads);
  return {nullptr, threads, start.hot + folding, start.cold + folding};
}

std::size_t compare_cpu_backends(const choice& c, int requested, comparison* compared) {
  std::size_t best = backends_by_preference.size() - 1;
  const candidate alone = estimate_cpu(c, backend::sequential, c.expected, 1);
  double least = alone.seconds;
  const auto starts_too_late = [&](backend b) { return required_gain * least <= cheapest_start(b); };
  if (!compared && std::ranges::all_of(threaded_backends(), starts_too_late)) return best;
  if (compared) compared->back() = alone;
  // At best as many threads as could be: a backend that gains nothing with them need not be loaded.
  const machine_profile& p = profile().figures;
  const int most = requested > 0 ? requested : p.processors;
  for (const backend b : threaded_backends()) {
    candidate here{};
    if (cheapest_start(b) + fold_seconds(p, p.of(b), workload_of(c, c.expected), most) >= required_gain * least) {
      here = estimate_cpu(c, b, c.expected, most);
    } else if (const loaded_backend& found = find_backend(b); !found.record) {
      here.why_not = found.why_not.c_str();
    } else if (const int possible = possible_threads(*found.record, requested); possible < 2) {
      here.why_not = "it has only one thread";
    } else {
      here = estimate_cpu(c, b, c.expected, possible);
      if (here.seconds < required_gain * least) {
        best = index_of(b);
        least = here.seconds;
      }
    }
    if (compared) (*compared)[index_of(b)] = here;
  }
  return best;
}

bool may_move(const choice& c) { return c.operation >= 0 || c.recipe->device != nullptr; }

std::optional<gpu_estimate> estimate_gpu(const accelerator& gpu, const choice& c, std::int64_t n,
                                         accelerator_memory kind) {
  accelerator_specifications sheet{};
  accelerator_failure failed{};
  if (!gpu.specifications(c.device, &sheet, &failed)) return std::nullopt;
  const auto estimate_by = [&](const machine_profile::gpu& g) {
    return gpu_estimate{gpu_seconds(g, workload_of(c, n), kind), gpu_seconds(g, workload_of(c, c.n), kind)};
  };
  const std::optional<machine_profile::gpu>& measured = profile().figures.device;
  return measured && measured->name == std::string_view(sheet.name) ? estimate_by(*measured)
                                                                    : estimate_by(builtin_gpu(sheet));
}

}  // namespace onefold::detail
