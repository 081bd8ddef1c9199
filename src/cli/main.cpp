// The program onefold: reads the command line, runs the command, and turns what went wrong into one line and a code.
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

struct command {
  const char* name;
  void (*run)(const arguments&);
};
constexpr command commands[] = {{"reduce", run_reduce},         {"accuracy", run_accuracy},
                                {"bench", run_bench},           {"report", make_report},
                                {"calibrate", run_calibrate},   {"backends", run_backends},
                                {"operations", run_operations}, {"completion", run_completion}};

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

exit_code run(int count, const char* const* words) {
  try {
    const std::optional<arguments> given = read_arguments(count, words);
    if (!given) return exit_code::done;
    for (const command& c : commands)
      if (given->command == c.name) {
        c.run(*given);
        return exit_code::done;
      }
    throw std::logic_error("nothing runs the command " + given->command);
  } catch (const failure& f) {
    return ended(f.code(), f.what());
  } catch (const error& e) {
    return ended(code_of(e.code()), e.what());
  } catch (const std::bad_alloc&) {
    return ended(exit_code::failed, "there is not enough memory");
  } catch (const std::exception& e) {
    return ended(exit_code::failed, e.what());
  }
}

}  // namespace
}  // namespace onefold::cli

int main(int count, char** words) {
  onefold::cli::settle_standard_streams();
  return static_cast<int>(onefold::cli::run(count, words));
}
