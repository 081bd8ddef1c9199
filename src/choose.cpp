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
#include "registry.hpp"

namespace onefold::detail {
namespace {

constexpr int most_threads = 1024;

// The input below which no backend gains from threads: the least of their worthwhile_bytes (docs/performance.md). None
// is loaded to be asked.
constexpr std::int64_t least_parallel_bytes = 512 << 10;

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

choice choose(const request& what, const options& how) {
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
    const int possible = std::clamp(s->threads(threads), 1, most_threads);
    const std::int64_t pages = what.n / c.recipe->page + (what.n % c.recipe->page != 0);
    c.threads = static_cast<int>(std::clamp<std::int64_t>(pages, 1, possible));  // a page is not split
    return c;
  };

  if (how.kernel != kernel::automatic && w.backend != backend::cuda)
    throw error(error_code::invalid_argument,
                std::string("kernel ") + name_of(how.kernel) + " goes with backend cuda, which was not asked for");
  if (w.backend == backend::cuda) {
    const loaded_accelerator& found = find_accelerator();
    if (!found.runs) throw unavailable(w.backend, found.why_not);
    c.who = backend::cuda;
    c.device_runs = found.runs;
    c.why = w.asked_by;
    c.forced = true;
    return c;
  }
  if (w.backend != backend::automatic && w.backend != backend::cpu) {
    const loaded_backend& found = find_backend(w.backend);
    if (!found.runs) throw unavailable(w.backend, found.why_not);
    c.forced = true;
    return settle(w.backend, found.runs, w.asked_by);
  }

  // As many bytes as 64 bits can say.
  const std::int64_t most_n = std::numeric_limits<std::int64_t>::max() / c.recipe->element_size;
  const std::int64_t bytes = std::min(what.n, most_n) * c.recipe->element_size;
  for (std::size_t i = 0; i < preference.size(); ++i) {
    const backend b = preference[i];
    if (b == backend::sequential) break;
    if (b == backend::cuda) {
      c.passed_over[i] = w.backend == backend::cpu ? "a CPU backend was asked for"
                                                   : "the data is in host memory, which the CPU reads faster";
    } else if (threads == 1) {
      c.passed_over[i] = "one thread was asked for";
    } else if (bytes < least_parallel_bytes) {
      c.passed_over[i] = "the input is too small to gain from threads";
    } else if (const loaded_backend& found = find_backend(b); !found.runs) {
      c.passed_over[i] = found.why_not.c_str();
    } else if (bytes < found.runs->worthwhile_bytes) {
      c.passed_over[i] = "the input is too small to gain from its threads";
    } else if (found.runs->threads(threads) < 2) {
      c.passed_over[i] = "it has one thread only";
    } else {
      return settle(b, found.runs, "the first in order of preference that gains");
    }
  }
  return settle(backend::sequential, find_backend(backend::sequential).runs, "no other backend gains or can run");
}

choice moved_to(const choice& c, const accelerator& holder) {
  if (c.forced)
    throw error(error_code::invalid_argument, std::string("the data is in device memory, which backend ") +
                                                  name_of(c.who) + " cannot read; use backend cuda or automatic");
  choice moved = c;
  moved.who = backend::cuda;
  moved.runs = nullptr;
  moved.device_runs = &holder;
  moved.threads = 0;
  moved.why = "the data is in device memory";
  moved.passed_over = {};
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
  for (std::size_t i = 0; i < preference.size(); ++i)
    if (passed_over[i]) r.declined.push_back({preference[i], passed_over[i]});
  return r;
}

}  // namespace onefold::detail
