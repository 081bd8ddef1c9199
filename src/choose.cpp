// Chooses who runs a reduction: forced means forced; automatic declines with reasons and goes on.
#include "choose.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

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

// What a backend must save over one that is preferred to it: threads that gain less are better left to others.
constexpr double worth_it = 0.95;

// All backends, in order of preference.
constexpr std::array preference{backend::cuda, backend::openmp, backend::tbb, backend::sequential};

struct wish {
  onefold::backend backend;
  const char* asked_by;  // null: nobody, choose freely
};

// The call's option comes before ONEFOLD_BACKEND.
wish wished_backend(backend option) {
  if (option != backend::automatic) return {option, "the caller asked for it"};
  static const wish from_environment = [] {
    const std::string& name = the_environment().backend;
    if (name.empty()) return wish{backend::automatic, nullptr};
    const auto b = parse_backend(name);
    if (!b)
      throw error(error_code::invalid_argument, "ONEFOLD_BACKEND=" + name + " is no backend; the nearest is " +
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
                  "ONEFOLD_NUM_THREADS=" + text + " is no number from 1 to " + std::to_string(most_threads));
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

/// Seconds of a CPU backend for n elements.
candidate reckoned(const choice& c, backend b, std::int64_t n, int possible) {
  const machine_profile& p = profile().figures;
  const workload w = workload_of(c, n);
  const int threads = threads_for(*c.recipe, n, possible);
  const double folding = fold_seconds(p, w, threads);
  if (threads == 1) return {nullptr, 1, folding, folding};
  const machine_profile::start start = start_seconds(p, team_of(p, b), threads);
  return {nullptr, threads, start.hot + folding, start.cold + folding};
}

/// Whether threads of this backend, at best as many as could be, might save something: else it need not be loaded.
bool may_gain(const choice& c, backend b, int most, double least) {
  const machine_profile& p = profile().figures;
  const double start = std::min(team_of(p, b).two.hot, team_of(p, b).all.hot);
  return start + fold_seconds(p, workload_of(c, c.n), most) < worth_it * least;
}

/// Compares the CPU backends; the winner's place in the order of preference.
std::size_t compare_cpu_backends(choice& c, int threads) {
  std::size_t winner = preference.size() - 1;
  c.candidates[winner] = reckoned(c, backend::sequential, c.n, 1);
  for (std::size_t i = 0; i < preference.size(); ++i) {
    const backend b = preference[i];
    if (b == backend::cuda || b == backend::sequential) continue;
    const double least = c.candidates[winner].seconds;
    const int most = threads > 0 ? threads : profile().figures.processors;
    candidate& here = c.candidates[i];
    if (!may_gain(c, b, most, least)) {
      here = reckoned(c, b, c.n, most);
    } else if (const loaded_backend& found = find_backend(b); !found.runs) {
      here.why_not = found.why_not.c_str();
    } else if (const int possible = found.runs->threads(threads); possible < 2) {
      here.why_not = "it has one thread only";
    } else {
      here = reckoned(c, b, c.n, possible);
      if (here.seconds < worth_it * least) winner = i;
    }
  }
  return winner;
}

/// What a GPU's part of the profile says, or its data sheet where it was not measured.
machine_profile::gpu figures_of(const accelerator& gpu, int device) {
  accelerator_figures sheet{};
  accelerator_failure failed{};
  if (!gpu.figures(device, &sheet, &failed)) throw error(failed.code, failed.text);
  const std::optional<machine_profile::gpu>& measured = profile().figures.device;
  return measured && measured->name == sheet.name ? *measured : builtin_gpu(sheet);
}

}  // namespace

choice choose(const request& what, const options& how) {
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
  if (w.backend == backend::cuda) {
    const loaded_accelerator& found = find_accelerator();
    if (!found.runs) throw unavailable(w.backend, found.why_not);
    c.who = backend::cuda;
    c.device_runs = found.runs;
    c.why = w.asked_by;
    return c;
  }
  if (w.backend != backend::automatic && w.backend != backend::cpu) {
    const loaded_backend& found = find_backend(w.backend);
    if (!found.runs) throw unavailable(w.backend, found.why_not);
    return settle(w.backend, found.runs, w.asked_by);
  }

  const scheduler* const sequential = find_backend(backend::sequential).runs;
  c.candidates[0].why_not =
      c.free ? "the data is in host memory, which the CPU reads faster" : "a CPU backend was asked for";
  const char* const none = threads == 1                                    ? "one thread was asked for"
                           : pages_of(*c.recipe, what.n) <= small_pages ? "the input is too small to gain from threads"
                                                                           : nullptr;
  if (none) {
    for (std::size_t i = 1; i + 1 < preference.size(); ++i) c.candidates[i].why_not = none;
    return settle(backend::sequential, sequential, "no other backend gains or can run");
  }
  const std::size_t winner = compare_cpu_backends(c, threads);
  const backend b = preference[winner];
  if (b == backend::sequential) return settle(b, sequential, "no other backend gains or can run");
  return settle(b, find_backend(b).runs, "its estimate is the least");
}

std::int64_t threads_gain_from(const choice& c) {
  if (c.threads == 1 || c.candidates[preference.size() - 1].seconds == 0) return 0;  // asked for
  std::int64_t loses = 0, gains = pages_of(*c.recipe, c.n);
  while (gains - loses > 1) {
    const std::int64_t middle = loses + (gains - loses) / 2, n = middle * c.recipe->page;
    const double alone = reckoned(c, backend::sequential, n, 1).seconds;
    (reckoned(c, c.who, n, c.threads).seconds < worth_it * alone ? gains : loses) = middle;
  }
  return loses * c.recipe->page + 1;
}

choice choice_for(const choice& c, const located& data, std::int64_t n) {
  if (!data.seen_by || c.device_runs) return c;
  choice moved = c;
  candidate& gpu = moved.candidates[0];
  if (data.kind == accelerator_memory::device) {
    if (!c.free)
      throw error(error_code::invalid_argument, std::string("the data is in device memory, which backend ") +
                                                    name_of(c.who) + " cannot read; use backend cuda or automatic");
    moved.why = "the data is in device memory";
  } else if (!c.free) {
    return c;
  } else if (data.kind == accelerator_memory::managed) {
    moved.why = "the data is in managed memory that was moved to a device";
  } else {
    const double alone = reckoned(c, backend::sequential, n, 1).seconds;
    const double cpu = std::min(alone, reckoned(c, c.who, n, c.threads).seconds);
    if (cpu < least_gpu_call) return c;
    const machine_profile::gpu figures = figures_of(*data.seen_by, c.device);
    const double all = gpu_seconds(figures, workload_of(c, c.n), data.kind);
    gpu = {nullptr, 0, all, all};
    if (gpu_seconds(figures, workload_of(c, n), data.kind) >= worth_it * cpu) return moved;
    moved.why = "its estimate is the least";
  }
  moved.who = backend::cuda;
  moved.runs = nullptr;
  moved.device_runs = data.seen_by;
  moved.threads = 0;
  if (gpu.seconds == 0) moved.candidates = {};  // nothing was compared
  return moved;
}

run_report choice::report() const {
  run_report r;
  r.backend = who;
  r.isa = level;
  r.accuracy = mode;
  r.threads = threads;
  r.why = why;
  if (who == backend::cuda) {
    r.kernel = kernel == onefold::kernel::automatic ? onefold::kernel::canonical : kernel;
    r.device = device;
  }
  bool before = true;
  for (std::size_t i = 0; i < preference.size(); ++i) {
    const candidate& x = candidates[i];
    before = before && preference[i] != who;
    if (x.seconds > 0) r.estimates.push_back({preference[i], x.threads, x.seconds, x.after_pause});
    if (before && x.why_not)
      r.declined.push_back({preference[i], x.why_not});
    else if (before && x.seconds > 0)
      r.declined.push_back({preference[i], "its estimate is not the least"});
  }
  if (!r.estimates.empty()) r.figures = profile().source;
  return r;
}

}  // namespace onefold::detail
