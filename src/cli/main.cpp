// The program onefold: reads the command line, runs the command, and turns what went wrong into one line and a code.
#include <unistd.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "arguments.hpp"
#include "commands.hpp"
#include "input/failure.hpp"
#include "onefold/error.hpp"
#include "output.hpp"

namespace onefold::cli {
namespace {

exit_code code_of(error_code code) {
  switch (code) {
    case error_code::invalid_argument:
    case error_code::unsupported:
      return exit_code::wrong_usage;
    case error_code::empty_input:
    case error_code::overflow:
      return exit_code::bad_data;
    case error_code::backend_unavailable:
      return exit_code::backend_unavailable;
    default:
      return exit_code::failed;
  }
}

exit_code ended(exit_code code, const char* message) {
  write_error(message);
  return code;
}

/// Tells of the exception under way, and which exit code it means. Needs no memory.
exit_code explain_exception() {
  try {
    throw;
  } catch (const failure& f) {
    return ended(f.code(), f.what());
  } catch (const error& e) {
    return ended(code_of(e.code()), e.what());
  } catch (const std::bad_alloc&) {
    return ended(exit_code::failed, "not enough memory");
  } catch (const std::exception& e) {
    return ended(exit_code::failed, e.what());
  } catch (...) {
    return ended(exit_code::failed, "unknown exception");
  }
}

/// What ends a thread or a function that must not throw, in this program or in a library of it; without memory for an
/// exception there is none under way.
[[noreturn]] void end_of_program() {
  if (std::current_exception() != nullptr) _exit(static_cast<int>(explain_exception()));
  write_error("not enough memory");
  _exit(static_cast<int>(exit_code::failed));
}

exit_code run(int count, const char* const* words) {
  try {
    const std::optional<arguments> given = read_arguments(count, words);
    if (!given) return exit_code::done;
    for (const command& c : commands)
      if (c.run != nullptr && given->command == c.name) {
        c.run(*given);
        return exit_code::done;
      }
    throw std::logic_error("nothing runs the command " + given->command);
  } catch (...) {
    return explain_exception();
  }
}

/// Before the constructors of static objects: CLI11's need memory.
[[gnu::constructor(101)]] void say_why_it_ends() { std::set_terminate(end_of_program); }

}  // namespace
}  // namespace onefold::cli

int main(int count, char** words) {
  onefold::cli::settle_standard_streams();
  return static_cast<int>(onefold::cli::run(count, words));
}
