// Chooses which backend runs a reduction: forced means forced; automatic declines with reasons and goes on.
#include "choose.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "cpu.hpp"
#include "fork.hpp"
#include "onefold/catalog.hpp"
#include "onefold/order.hpp"
#include "onefold/profile.hpp"
#include "planner/candidates.hpp"
#include "quantity.hpp"
#include "registry.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/segments.hpp"
#include "source/compiled.hpp"

namespace onefold::detail {
namespace {

// Up to this many pages, 64 KiB, threads gain nothing on any machine: neither a profile nor a backend is asked.
constexpr std::int64_t small_pages = 4;

// No GPU answers in less time, seconds.
constexpr double least_gpu_call = 5e-6;

constexpr const char* best_estimate = "it has the best estimate";

// The backend that the message of a failed demand names as the next best.
std::string nearest_choice(backend failed) {
  for (const backend b : cpu_backends())
    if (b != failed && find_backend(b).record) return name_of(b);
  return name_of(backend::sequential);
}

/// Throws where the request, or another option, rules out several devices.
void check_devices(const request& what, const options& how) {
  const std::string devices = "devices " + text_of(how.devices);
  if (what.shape || what.selects || what.maps || what.segmented || what.keys != dtype::other)
    throw error(error_code::unsupported,
                devices + ": only reductions of whole arrays are divided among devices; name one of them");
  if (how.kernel > kernel::canonical)
    throw error(error_code::unsupported, devices + ": kernel " + name_of(how.kernel) +
                                             " has an order of its own, which cannot be divided; use canonical");
}

/// The same choice, run by the accelerator that sees the data.
choice moved(choice c, const memory_location& data, const char* why) {
  c.backend = data.backend;
  c.scheduler = nullptr;
  c.accelerator = data.owner;
  c.threads = 0;
  c.why = why;
  return c;
}

/// Why the accelerator that owns the data has to read it, or should because it was moved there; null where nothing
/// speaks against the choice's backend. Throws invalid_argument where a backend was requested that cannot read it.
const char* why_device(const choice& c, const memory_location& data) {
  if (!data.owner || data.owner == c.accelerator) return nullptr;
  if (data.kind == accelerator_memory::device) {
    if (c.unconstrained && c.operation < 0 && is_text_for_cpu(*c.recipe))
      throw error(error_code::unsupported, std::string(c.recipe->name) +
                                               " was compiled for CPUs, and the data is in device memory; request "
                                               "backend " +
                                               name_of(data.backend));
    if (c.unconstrained) return "the data is in device memory";
    throw error(error_code::invalid_argument, std::string("the data is in device memory, which backend ") +
                                                  name_of(c.backend) + " cannot read; use backend " +
                                                  name_of(data.backend) + " or automatic");
  }
  return data.kind == accelerator_memory::managed && c.unconstrained && may_move(c)
             ? "the data is in managed memory that was moved to a device"
             : nullptr;
}

/// Notes why the accelerators whose drivers are there, but for the owner of the data, do not run.
void note_others(const memory_location& data, comparison& compared) {
  for (const backend b : accelerators()) {
    if (b == data.backend || !driver_seen(b)) continue;
    const loaded_accelerator& found = find_accelerator(b);
    const char* const passed_over = data.kind == accelerator_memory::pageable
                                        ? "another accelerator is preferred"
                                        : "the data is in another accelerator's memory";
    compared[index_of(b)] = {found.record ? passed_over : found.why_not.c_str(), 0, 0, 0};
  }
}

/// From how many elements on a choice that was not requested by name gains from its threads; fewer are left to the
/// calling thread.
std::int64_t threads_gain_from(const choice& c) {
  if (c.threads == 1 || c.explicitly_requested) return 0;
  std::int64_t loses = 0, gains = pages_of(*c.recipe, c.n);
  while (gains - loses > 1) {
    const std::int64_t middle = loses + (gains - loses) / 2, n = middle * c.recipe->page;
    const double alone = estimate_cpu(c, backend::sequential, n, 1).seconds;
    (estimate_cpu(c, c.backend, n, c.threads).seconds < required_gain * alone ? gains : loses) = middle;
  }
  return loses * c.recipe->page + 1;
}

}  // namespace

error runs_on_cpus_only(backend b) {
  return {error_code::unsupported,
          std::string("a function that computes the elements runs on CPUs only, not on backend ") + name_of(b) +
              "; use backend cpu or automatic, or compile the call with <onefold/cuda.cuh> in a .cu file"};
}

error unavailable(backend b, const std::string& why) {
  return {error_code::backend_unavailable, std::string("backend ") + name_of(b) + " cannot run: " + why +
                                               "; the nearest choice is " + nearest_choice(b)};
}

const recipe& recipe_for(const request& what, const options& how, isa& level) {
  if (!what.own) {
    level = choose_level(how);
    return find_recipe(what.operation, what.element, how.accuracy, level);
  }
  if (what.own->size != sizeof(recipe))
    throw error(error_code::unsupported, "the operation was compiled against another version of onefold");
  if (how.accuracy != accuracy::native)
    throw error(error_code::unsupported, std::string("accuracy ") + name_of(how.accuracy) + " does not apply to " +
                                             what.own->name + ", whose state determines its accuracy; use native");
  level = what.own->level;
  return *what.own;
}

choice choose(const request& what, const options& how, const memory_location* data, comparison* compared) {
  check_choices(how);
  if (what.n < 0)
    throw error(error_code::invalid_argument, "the number of elements is negative: " + std::to_string(what.n));
  choice c{};
  c.level = how.isa;
  c.recipe = &recipe_for(what, how, c.level);
  c.mode = how.accuracy;
  const std::int64_t n = what.segmented ? work_of(what.segments, what.n, c.recipe->element_size) : what.n;
  c.n = n;
  c.expected = what.keys == dtype::other ? n : expected_work(what.n, c.recipe->element_size);
  c.segments = what.segments;
  c.elements = what.n;
  c.operation = what.operation;
  c.own_gives_index = what.own_gives_index;
  c.element = what.element;
  c.result_size = what.result_size;
  c.kernel = how.kernel;
  if (how.devices.size() > 1) c.devices = how.devices;
  c.device = how.devices.size() > 0 ? how.devices.next() : how.device;
  c.result = what.result;
  c.shape = what.shape;
  c.selects = what.selects;
  c.maps = what.maps;
  c.segmented = what.segmented;
  c.keys = what.keys;
  if (n > std::numeric_limits<std::int64_t>::max() / c.recipe->element_size)
    throw error(error_code::invalid_argument, quantity(n, "element") + " take more bytes than there are addresses");
  check_initial(what, *c.recipe);

  const int threads = resolve_threads(how);
  const requested_backend w = resolve_backend(how);
  if (c.devices.size() > 0) check_devices(what, how);
  const auto settle = [&](backend b, const scheduler* s, const char* why) {
    c.backend = b;
    c.scheduler = s;
    c.why = why;
    c.threads = threads_for(*c.recipe, n, possible_threads(*s, threads));
    if (compared) c.gains_from = threads_gain_from(c);
    return data ? choice_for(c, *data, n, compared) : c;
  };

  if (how.kernel != kernel::automatic && !is_accelerator(w.backend))
    throw error(error_code::invalid_argument,
                std::string("kernel ") + name_of(how.kernel) + " applies to backend " + accelerator_names() + " only");
  c.unconstrained = w.backend == backend::automatic;
  if (c.device >= 0 && !c.unconstrained && !is_accelerator(w.backend))
    throw error(error_code::invalid_argument,
                (c.devices.size() > 0 ? "devices " + text_of(c.devices) + " apply"
                                      : "device " + std::to_string(c.device) + " applies") +
                    " to backend " + accelerator_names() + " or automatic, not to " + name_of(w.backend));
  c.explicitly_requested = !c.unconstrained && w.backend != backend::cpu;
  if (is_accelerator(w.backend)) {
    if (what.maps && !what.maps_on_device) throw runs_on_cpus_only(w.backend);
    const loaded_accelerator& found = find_accelerator(w.backend);
    if (!found.record) throw unavailable(w.backend, found.why_not);
    c.backend = w.backend;
    c.accelerator = found.record;
    c.why = w.requested_by;
    return data ? choice_for(c, *data, n, compared) : c;
  }
  c.backend = w.backend;
  if (const char* why = data ? why_device(c, *data) : nullptr) return moved(c, *data, why);
  if (c.explicitly_requested) {
    const loaded_backend& found = find_backend(w.backend);
    if (!found.record) throw unavailable(w.backend, found.why_not);
    return settle(w.backend, found.record, w.requested_by);
  }

  const scheduler* const sequential = find_backend(backend::sequential).record;
  const char* const no_gain = "no other backend is faster or can run";
  const char* const alone = threads == 1     ? "one thread was requested"
                            : threads_lost() ? why_threads_lost
                            : pages_of(*c.recipe, c.expected) <= small_pages
                                ? "the input is too small to gain from threads"
                                : nullptr;
  if (compared) {
    compared->fill({alone, 0, 0, 0});
    for (const backend b : accelerators())
      (*compared)[index_of(b)].why_not =
          !c.unconstrained ? "a CPU backend was requested"
          : what.maps && !what.maps_on_device
              ? "a function that was compiled for CPUs only computes the elements"
              : "the data is in host memory, and nothing in this process has started a GPU";
  }
  if (alone) return settle(backend::sequential, sequential, no_gain);
  const std::size_t best = compare_cpu_backends(c, threads, compared);
  const backend b = backends_by_preference[best];
  if (b == backend::sequential) return settle(b, sequential, no_gain);
  return settle(b, find_backend(b).record, best_estimate);
}

choice choice_for(const choice& c, const memory_location& data, std::int64_t n, comparison* compared) {
  if (compared && c.unconstrained && driver_seen()) note_others(data, *compared);
  if (!data.owner) return c;
  const auto note = [&](const candidate& found) {
    if (compared) (*compared)[index_of(data.backend)] = found;
  };
  const auto declined = [&](const char* why_not) {
    note({why_not, 0, 0, 0});
    return c;
  };
  if (const char* why = why_device(c, data)) {
    note({});
    return moved(c, data, why);
  }
  if (!c.unconstrained || !c.scheduler) return c;
  if (!may_move(c)) return declined("the operation was compiled for CPUs only");
  if (c.shape || c.segmented) return declined("the data is in host memory");
  const double cpu =
      std::min(estimate_cpu(c, backend::sequential, n, 1).seconds, estimate_cpu(c, c.backend, n, c.threads).seconds);
  if (cpu <= least_gpu_call) return declined("the call is too short for a GPU");
  const std::optional<gpu_estimate> gpu = estimate_gpu(*data.owner, c, n, data.kind);
  if (!gpu) return declined("GPU specifications unavailable");
  note({nullptr, 0, gpu->whole, gpu->whole});
  return gpu->call < required_gain * cpu ? moved(c, data, best_estimate) : c;
}

bool gives_index(const choice& c) {
  return c.operation >= 0 ? operation_infos()[static_cast<std::size_t>(c.operation)].gives_index : c.own_gives_index;
}

run_report report_of(const choice& c, const comparison& compared) {
  run_report r;
  r.backend = c.backend;
  r.isa = c.level;
  r.accuracy = c.mode;
  r.threads = c.threads;
  r.why = c.why;
  if (threads_lost() && c.scheduler && c.backend != backend::sequential) {
    r.threads = 1;
    r.why += std::string("; the calling thread works alone: ") + why_threads_lost;
  }
  if (is_accelerator(c.backend)) {
    r.kernel = c.kernel == kernel::automatic ? kernel::canonical : c.kernel;
    r.device = c.device;
    for (int d = c.devices.next(); d >= 0; d = c.devices.next(d + 1)) r.devices.push_back(d);
  }
  // Where there was no choice, nothing was compared.
  if (is_accelerator(c.backend) && compared[index_of(c.backend)].seconds == 0) return r;
  bool before = true;
  for (std::size_t i = 0; i < backends_by_preference.size(); ++i) {
    const candidate& x = compared[i];
    before = before && backends_by_preference[i] != c.backend;
    if (x.seconds > 0) r.estimates.push_back({backends_by_preference[i], x.threads, x.seconds, x.after_pause});
    if (before && (x.why_not || x.seconds > 0))
      r.declined.push_back({backends_by_preference[i], x.why_not ? x.why_not : "its estimate is not better"});
  }
  if (!r.estimates.empty()) r.figures = profile().source;
  return r;
}

}  // namespace onefold::detail
