// Chooses who runs a reduction: forced means forced; automatic declines with reasons and goes on.
#include "choose.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "cpu.hpp"
#include "environment.hpp"
#include "modules.hpp"
#include "onefold/order.hpp"
#include "planner/costs.hpp"
#include "registry.hpp"

namespace onefold::detail {
namespace {

constexpr int most_threads = 1024;

// Up to so many pages, 64 KiB, threads gain nothing on any machine: neither a profile nor a backend is asked.
constexpr std::int64_t small_pages = 4;

// No GPU answers in less time, seconds.
constexpr double least_gpu_call = 5e-6;

// What a backend must save over one that was asked before: threads that gain less are better left to others.
constexpr double worth_it = 0.95;

// All backends, in order of preference, which is that of reports. Of equals oneTBB is a better neighbour than OpenMP:
// its threads do not spin, and its caller does the work of those that a busy machine does not let run, which OpenMP
// waits for.
constexpr std::array listed{backend::cuda, backend::tbb, backend::openmp, backend::sequential};

struct wish {
  onefold::backend backend;
  const char* asked_by;  // null: nobody, choose freely
};

constexpr const char* best_estimate = "its estimate is the best";

// The call's option comes before ONEFOLD_BACKEND.
wish wished_backend(backend option) {
  if (option != backend::automatic) return {option, "the caller asked for it"};
  static const wish from_environment = [] {
    const std::string& name = the_environment().backend;
    if (name.empty()) return wish{backend::automatic, nullptr};
    const auto b = parse_backend(name);
    if (!b)
      throw error(error_code::invalid_argument, "ONEFOLD_BACKEND=" + in_quotes(name) +
                                                    " is no backend; the nearest is " +
                                                    std::string(nearest_name(name, backend_names())));
    return wish{*b, *b == backend::automatic ? nullptr : "ONEFOLD_BACKEND asks for it"};
  }();
  return from_environment;
}

// The threads that the caller or ONEFOLD_NUM_THREADS asks for; 0: the backend's own rule.
int wished_threads(int option) {
  if (option < 0 || option > most_threads)
    throw error(error_code::invalid_argument, "threads = " + std::to_string(option) +
                                                  " is out of range; 0 (the backend's own rule) to " +
                                                  std::to_string(most_threads) + " can be had");
  if (option > 0) return option;
  static const int from_environment = [] {
    const std::string& text = the_environment().threads;
    if (text.empty()) return 0;
    int n = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (problem != std::errc{} || end != text.data() + text.size() || n < 1 || n > most_threads)
      throw error(error_code::invalid_argument,
                  "ONEFOLD_NUM_THREADS=" + in_quotes(text) + " is no number from 1 to " + std::to_string(most_threads));
    return n;
  }();
  return from_environment;
}

// The backend that the message of a failed demand names as the next best.
std::string nearest_choice(backend failed) {
  for (const backend b : cpu_backends())
    if (b != failed && find_backend(b).runs) return name_of(b);
  return name_of(backend::sequential);
}

error unavailable(backend b, const std::string& why) {
  return {error_code::backend_unavailable, std::string("backend ") + name_of(b) + " cannot run: " + why +
                                               "; the nearest choice is " + nearest_choice(b)};
}

const recipe& recipe_for(const request& what, accuracy mode, isa& level) {
  if (!what.own) {
    level = choose_level(level);
    return find_recipe(what.operation, what.element, mode, level);
  }
  if (what.own->size != sizeof(recipe))
    throw error(error_code::unsupported, "the operation was compiled against another version of onefold");
  if (mode != accuracy::native)
    throw error(
        error_code::unsupported,
        std::string("accuracy ") + name_of(mode) +
            " of an operation of the caller's own cannot be had: its state says how accurate it is; use native");
  level = what.own->level;
  return *what.own;
}

std::int64_t pages_of(const recipe& r, std::int64_t n) { return n / r.page + (n % r.page != 0); }

// No more threads than pages: a page is not split.
int threads_for(const recipe& r, std::int64_t n, int possible) {
  return static_cast<int>(std::clamp<std::int64_t>(pages_of(r, n), 1, std::clamp(possible, 1, most_threads)));
}

const machine_profile::team& team_of(const machine_profile& p, backend b) {
  return b == backend::openmp ? p.openmp : p.tbb;
}

workload workload_of(const choice& c, std::int64_t n) {
  return {class_of(c.operation, c.element, c.mode), n, c.recipe->element_size};
}

/// A CPU backend's estimate for n elements.
candidate reckoned(const choice& c, backend b, std::int64_t n, int possible) {
  const machine_profile& p = profile().figures;
  const int threads = threads_for(*c.recipe, n, possible);
  const double folding = fold_seconds(p, workload_of(c, n), threads);
  if (threads == 1) return {nullptr, 1, folding, folding};
  const machine_profile::start start = start_seconds(p, team_of(p, b), threads);
  return {nullptr, threads, start.hot + folding, start.cold + folding};
}

/// The least time in which a backend can start threads.
double least_start(backend b) {
  const machine_profile::team& t = team_of(profile().figures, b);
  return std::min(t.two.hot, t.all.hot);
}

/// Compares the CPU backends; the place of the best in the list.
std::size_t compare_cpu_backends(const choice& c, int threads, comparison* compared) {
  std::size_t best = listed.size() - 1;
  const candidate alone = reckoned(c, backend::sequential, c.n, 1);
  double least = alone.seconds;
  const double hopeless = std::min(least_start(backend::openmp), least_start(backend::tbb));
  if (!compared && worth_it * least <= hopeless) return best;
  if (compared) compared->back() = alone;
  // At best as many threads as could be: a backend that gains nothing with them need not be loaded.
  const int most = threads > 0 ? threads : profile().figures.processors;
  for (std::size_t i = 1; i + 1 < listed.size(); ++i) {
    const backend b = listed[i];
    candidate here{};
    if (least_start(b) + fold_seconds(profile().figures, workload_of(c, c.n), most) >= worth_it * least) {
      here = reckoned(c, b, c.n, most);
    } else if (const loaded_backend& found = find_backend(b); !found.runs) {
      here.why_not = found.why_not.c_str();
    } else if (const int possible = found.runs->threads(threads); possible < 2) {
      here.why_not = "it has one thread only";
    } else {
      here = reckoned(c, b, c.n, possible);
      if (here.seconds < worth_it * least) {
        best = i;
        least = here.seconds;
      }
    }
    if (compared) (*compared)[i] = here;
  }
  return best;
}

/// Whether an accelerator may have the fold: not a caller's own that was compiled for CPUs only.
bool may_move(const choice& c) { return c.operation >= 0 || c.recipe->device != nullptr; }

/// A GPU's estimates, seconds.
struct gpu_estimate {
  double call;   ///< for the elements of this call
  double whole;  ///< for the most that the choice is for
};

/// By the GPU's part of the profile, or its data sheet where it was not measured; nothing where it tells no figures.
std::optional<gpu_estimate> reckoned_on(const accelerator& gpu, const choice& c, std::int64_t n,
                                        accelerator_memory kind) {
  accelerator_figures sheet{};
  accelerator_failure failed{};
  if (!gpu.figures(c.device, &sheet, &failed)) return std::nullopt;
  const auto estimate_by = [&](const machine_profile::gpu& g) {
    return gpu_estimate{gpu_seconds(g, workload_of(c, n), kind), gpu_seconds(g, workload_of(c, c.n), kind)};
  };
  const std::optional<machine_profile::gpu>& measured = profile().figures.device;
  return measured && measured->name == std::string_view(sheet.name) ? estimate_by(*measured)
                                                                    : estimate_by(builtin_gpu(sheet));
}

template <class Choice>
void check_choice(const char* what, Choice given, Choice last) {
  if (given > last)
    throw error(error_code::invalid_argument, std::string(what) + " = " + std::to_string(static_cast<int>(given)) +
                                                  " is out of range; the last one is " +
                                                  std::to_string(static_cast<int>(last)) + " (" + name_of(last) + ")");
}

}  // namespace

void check_choices(const options& how) {
  check_choice("backend", how.backend, backend::sequential);
  check_choice("accuracy", how.accuracy, accuracy::exact);
  check_choice("isa", how.isa, isa::x86_64_v4);
  check_choice("kernel", how.kernel, kernel::coarsened);
  if (how.device < -1)
    throw error(error_code::invalid_argument, "device = " + std::to_string(how.device) +
                                                  " is out of range; -1 (the current one), 0 and up can be had");
}

choice choose(const request& what, const options& how, comparison* compared) {
  check_choices(how);
  if (what.n < 0)
    throw error(error_code::invalid_argument, "the number of elements is negative: " + std::to_string(what.n));
  choice c{};
  c.level = how.isa;
  c.recipe = &recipe_for(what, how.accuracy, c.level);
  c.mode = how.accuracy;
  c.n = what.n;
  c.operation = what.operation;
  c.element = what.element;
  c.result_size = what.result_size;
  c.kernel = how.kernel;
  c.device = how.device;
  c.result = what.result;
  if (what.has_init && !what.takes_init)
    throw error(error_code::invalid_argument, std::string(c.recipe->name) + " takes no initial value");

  const int threads = wished_threads(how.threads);
  const wish w = wished_backend(how.backend);
  const auto settle = [&](backend b, const scheduler* s, const char* why) {
    c.who = b;
    c.runs = s;
    c.why = why;
    c.threads = threads_for(*c.recipe, what.n, s->threads(threads));
    return c;
  };

  if (how.kernel != kernel::automatic && w.backend != backend::cuda)
    throw error(error_code::invalid_argument,
                std::string("kernel ") + name_of(how.kernel) + " goes with backend cuda, which was not asked for");
  c.free = w.backend == backend::automatic;
  c.forced = !c.free && w.backend != backend::cpu;
  if (w.backend == backend::cuda) {
    const loaded_accelerator& found = find_accelerator();
    if (!found.runs) throw unavailable(w.backend, found.why_not);
    c.who = backend::cuda;
    c.device_runs = found.runs;
    c.why = w.asked_by;
    return c;
  }
  if (c.forced) {
    const loaded_backend& found = find_backend(w.backend);
    if (!found.runs) throw unavailable(w.backend, found.why_not);
    return settle(w.backend, found.runs, w.asked_by);
  }

  const scheduler* const sequential = find_backend(backend::sequential).runs;
  const char* const nobody_gains = "no other backend gains or can run";
  const char* const alone = threads == 1                                 ? "one thread was asked for"
                            : pages_of(*c.recipe, what.n) <= small_pages ? "the input is too small to gain from threads"
                                                                         : nullptr;
  if (compared) {
    compared->fill({alone, 0, 0, 0});
    compared->front().why_not = c.free ? "the data is in host memory, and nothing in this process has started a GPU"
                                       : "a CPU backend was asked for";
  }
  if (alone) return settle(backend::sequential, sequential, nobody_gains);
  const std::size_t best = compare_cpu_backends(c, threads, compared);
  const backend b = listed[best];
  if (b == backend::sequential) return settle(b, sequential, nobody_gains);
  return settle(b, find_backend(b).runs, best_estimate);
}

std::int64_t threads_gain_from(const choice& c) {
  if (c.threads == 1 || c.forced) return 0;
  std::int64_t loses = 0, gains = pages_of(*c.recipe, c.n);
  while (gains - loses > 1) {
    const std::int64_t middle = loses + (gains - loses) / 2, n = middle * c.recipe->page;
    const double alone = reckoned(c, backend::sequential, n, 1).seconds;
    (reckoned(c, c.who, n, c.threads).seconds < worth_it * alone ? gains : loses) = middle;
  }
  return loses * c.recipe->page + 1;
}

choice choice_for(const choice& c, const located& data, std::int64_t n, comparison* compared) {
  const auto declined = [&](const char* why_not) {
    if (compared) compared->front() = {why_not, 0, 0, 0};
    return c;
  };
  if (!c.runs) return c;
  if (!data.seen_by) {
    const bool cannot_run = compared && c.free && driver_seen() && !find_accelerator().runs;
    return cannot_run ? declined(find_accelerator().why_not.c_str()) : c;
  }
  const char* why = nullptr;
  if (data.kind == accelerator_memory::device) {
    if (!c.free)
      throw error(error_code::invalid_argument, std::string("the data is in device memory, which backend ") +
                                                    name_of(c.who) + " cannot read; use backend cuda or automatic");
    why = "the data is in device memory";
    if (compared) compared->front() = {};
  } else if (!c.free) {
    return c;
  } else if (!may_move(c)) {
    return declined("the operation was compiled for CPUs only");
  } else if (data.kind == accelerator_memory::managed) {
    why = "the data is in managed memory that was moved to a device";
    if (compared) compared->front() = {};
  } else {
    const double cpu =
        std::min(reckoned(c, backend::sequential, n, 1).seconds, reckoned(c, c.who, n, c.threads).seconds);
    if (cpu <= least_gpu_call) return declined("the call is too short for a GPU");
    const std::optional<gpu_estimate> gpu = reckoned_on(*data.seen_by, c, n, data.kind);
    if (!gpu) return declined("the GPU does not tell its figures");
    if (compared) compared->front() = {nullptr, 0, gpu->whole, gpu->whole};
    if (gpu->call >= worth_it * cpu) return c;
    why = best_estimate;
  }
  choice moved = c;
  moved.who = backend::cuda;
  moved.runs = nullptr;
  moved.device_runs = data.seen_by;
  moved.threads = 0;
  moved.why = why;
  return moved;
}

run_report report_of(const choice& c, const comparison& compared) {
  run_report r;
  r.backend = c.who;
  r.isa = c.level;
  r.accuracy = c.mode;
  r.threads = c.threads;
  r.why = c.why;
  if (c.who == backend::cuda) {
    r.kernel = c.kernel == kernel::automatic ? kernel::canonical : c.kernel;
    r.device = c.device;
  }
  // Where there was no choice, nothing was compared.
  if (c.who == backend::cuda && compared.front().seconds == 0) return r;
  bool before = true;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const candidate& x = compared[i];
    before = before && listed[i] != c.who;
    if (x.seconds > 0) r.estimates.push_back({listed[i], x.threads, x.seconds, x.after_pause});
    if (before && (x.why_not || x.seconds > 0))
      r.declined.push_back({listed[i], x.why_not ? x.why_not : "its estimate is not better"});
  }
  if (!r.estimates.empty()) r.figures = profile().source;
  return r;
}

}  // namespace onefold::detail
