// Resolves what callers and the environment ask for; an error names the values that are supported.
#include "resolve.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include "ascii.hpp"
#include "backends.hpp"
#include "cpu.hpp"
#include "environment.hpp"
#include "fork.hpp"
#include "onefold/error.hpp"
#include "planner/machine.hpp"

namespace onefold::detail {
namespace {

template <class Choice>
void check_choice(const char* what, Choice given, Choice last) {
  if (given > last)
    throw error(error_code::invalid_argument, std::string(what) + " = " + std::to_string(static_cast<int>(given)) +
                                                  " is out of range; the last one is " +
                                                  std::to_string(static_cast<int>(last)) + " (" + name_of(last) + ")");
}

/// What ONEFOLD_BACKEND asks for.
requested_backend backend_of_environment() {
  static const requested_backend found = [] {
    const std::string& name = the_environment().backend;
    if (name.empty()) return requested_backend{};
    const backend b = from_variable("ONEFOLD_BACKEND", name, backend_named);
    return requested_backend{b, b == backend::automatic ? nullptr : "requested by ONEFOLD_BACKEND"};
  }();
  return found;
}

}  // namespace

requested_backend resolve_backend(const options& how) {
  if (how.backend != backend::automatic) return {how.backend, "requested by the caller"};
  const requested_backend named = how.environment ? backend_of_environment() : requested_backend{};
  if (named.backend == backend::automatic && how.devices.size() > 1)
    return {accelerators().front(), "several devices were named"};
  return named;
}

int resolve_threads(const options& how) {
  if (how.threads < 0 || how.threads > most_threads)
    throw error(error_code::invalid_argument, "threads = " + std::to_string(how.threads) +
                                                  " is out of range; expected 0 (the backend's own rule) to " +
                                                  std::to_string(most_threads));
  if (how.threads > 0 || !how.environment) return how.threads;
  static const int from_environment = [] {
    const std::string& text = the_environment().threads;
    if (text.empty()) return 0;
    int n = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (problem != std::errc{} || end != text.data() + text.size() || n < 1 || n > most_threads)
      throw error(error_code::invalid_argument, "ONEFOLD_NUM_THREADS: expected an integer from 1 to " +
                                                    std::to_string(most_threads) + ", found " + in_quotes(text));
    return n;
  }();
  return from_environment;
}

int possible_threads(const scheduler& s, int requested) {
  if (threads_lost()) return 1;
  const int possible = s.threads(requested), usable = usable_processors();
  return requested == 0 && possible == allowed_processors() && usable < possible ? s.threads(usable) : possible;
}

void check_choices(const options& how) {
  check_choice("backend", how.backend, backend::sequential);
  check_choice("accuracy", how.accuracy, accuracy::exact);
  check_choice("isa", how.isa, isa::x86_64_v4);
  check_choice("kernel", how.kernel, kernel::coarsened);
  if (how.device < -1)
    throw error(error_code::invalid_argument, "device = " + std::to_string(how.device) +
                                                  " is out of range; expected -1 (the current device) or more");
  if (const device_set& d = how.devices; !d.is_valid())
    throw error(error_code::invalid_argument,
                "devices: " + std::to_string(d.faulty()) +
                    (d.contains(d.faulty()) ? " occurs twice" : " is out of range; expected numbers from 0 to 63"));
  if (how.device >= 0 && how.devices.size() > 0)
    throw error(error_code::invalid_argument,
                "device = " + std::to_string(how.device) + " cannot be combined with devices; add it to devices");
}

std::string text_of(const device_set& devices) {
  std::string text;
  for (int d = devices.next(); d >= 0; d = devices.next(d + 1)) text += (text.empty() ? "" : ", ") + std::to_string(d);
  return text;
}

}  // namespace onefold::detail

namespace onefold {

options with_environment(options how) {
  detail::check_choices(how);
  how.backend = detail::resolve_backend(how).backend;
  how.threads = detail::resolve_threads(how);
  if (how.environment && how.isa == isa::automatic) how.isa = detail::resolve_level();
  how.environment = false;
  return how;
}

}  // namespace onefold
