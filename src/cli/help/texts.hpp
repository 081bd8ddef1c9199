// The texts of commands that are written in files of their own.
#pragma once

#include <string>

namespace onefold::cli {

// Of those that compute from files,
std::string about_reduce();
std::string about_join();
std::string about_summary();
std::string about_quantile();
std::string about_statistic();
std::string about_histogram();
std::string about_scan();
std::string about_rows();
// and of those that measure.
std::string about_accuracy();
std::string about_bench();
std::string about_report();
std::string about_calibrate();

}  // namespace onefold::cli
