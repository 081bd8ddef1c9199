// The examples and explanations at the end of each help text.
#pragma once

#include <string>

namespace onefold::cli {

std::string help_program();
std::string help_reduce();
std::string help_accuracy();
std::string help_bench();
std::string help_report();
std::string help_calibrate();
std::string help_backends();
std::string help_operations();
std::string help_completion();
std::string help_help();

}  // namespace onefold::cli
