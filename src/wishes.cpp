// Reads wishes, and says of one that cannot be had what can.
#include "wishes.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include "environment.hpp"
#include "onefold/error.hpp"
#include "planner/machine.hpp"
#include "words.hpp"

namespace onefold::detail {
namespace {

template <class Choice>
void check_choice(const char* what, Choice given, Choice last) {
  if (given > last)
    throw error(error_code::invalid_argument, std::string(what) + " = " + std::to_string(static_cast<int>(given)) +
                                                  " is out of range; the last one is " +
                                                  std::to_string(static_cast<int>(last)) + " (" + name_of(last) + ")");
}

}  // namespace

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

int possible_threads(const scheduler& s, int wished) {
  const int possible = s.threads(wished), usable = usable_processors();
  return wished == 0 && possible == allowed_processors() && usable < possible ? s.threads(usable) : possible;
}

void check_choices(const options& how) {
  check_choice("backend", how.backend, backend::sequential);
  check_choice("accuracy", how.accuracy, accuracy::exact);
  check_choice("isa", how.isa, isa::x86_64_v4);
  check_choice("kernel", how.kernel, kernel::coarsened);
  if (how.device < -1)
    throw error(error_code::invalid_argument, "device = " + std::to_string(how.device) +
                                                  " is out of range; -1 (the current one), 0 and up can be had");
}

}  // namespace onefold::detail
