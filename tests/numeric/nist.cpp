// NIST's Statistical Reference Datasets: the certified digits, and the exact mean and sum of the doubles bit for bit.
//
// ONEFOLD_TEST_DATA names a folder that holds nist/nist_*.txt: `# key value` lines, then a decimal and the double as
// hexadecimal a line; nist_data.py makes it. Without it the test is skipped.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"

namespace {

using onefold::accuracy;
using support::on_backend;

struct data_set {
  std::map<std::string, std::string> known;
  std::vector<double> x;
  double number(const std::string& key) const { return std::strtod(known.at(key).c_str(), nullptr); }
};

data_set read(const std::filesystem::path& path) {
  std::ifstream in(path);
  data_set d;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, second;
    words >> first >> second;
    if (first == "#")
      words >> d.known[second];
    else
      d.x.push_back(std::strtod(second.c_str(), nullptr));
  }
  return d;
}

/// Calls f(name, data set) for each file; false, and the program is skipped, where there is none.
bool for_each_set(auto&& f) {
  const char* folder = std::getenv("ONEFOLD_TEST_DATA");
  if (!folder) {
    support::skip(
        "ONEFOLD_TEST_DATA names no folder with nist/nist_*.txt, which tests/numeric/nist_data.py makes of "
        "https://www.itl.nist.gov/div898/strd/univ/homepage.html");
    return false;
  }
  int sets = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(folder) / "nist")) {
    f(file.path().stem().string(), read(file.path()));
    ++sets;
  }
  CHECK(sets >= 8);
  return true;
}

/// Correct decimal digits: the log relative error of the reference's own evaluations.
double digits(double got, double certified) {
  return got == certified ? 15 : -std::log10(std::fabs(got - certified) / std::fabs(certified));
}

}  // namespace

TEST_CASE("the exact mean and sum of NIST's data are right to the last bit, and to the certified digits") {
  for_each_set([](const std::string& name, const data_set& d) {
    INFO(name);
    REQUIRE(d.x.size() == static_cast<std::size_t>(d.number("n")));
    const auto how = on_backend(accuracy::exact);
    CHECK(onefold::mean(d.x, how) == d.number("exact_mean_of_doubles"));
    CHECK(onefold::sum(d.x, how) == d.number("exact_sum_of_doubles"));
    CHECK(digits(onefold::mean(d.x, how), d.number("certified_mean")) >= 14);
    CHECK(digits(onefold::mean(d.x, on_backend(accuracy::kahan)), d.number("certified_mean")) >= 14);
  });
}

TEST_CASE("exact deviations and variances of NIST's data are right to the last bit") {
  for_each_set([](const std::string& name, const data_set& d) {
    INFO(name);
    const auto how = on_backend(accuracy::exact);
    CHECK(onefold::moments(d.x, how).mean == d.number("exact_mean_of_doubles"));
    CHECK(onefold::sample_stddev(d.x, how) == d.number("exact_stddev_of_doubles_n-1"));
    CHECK(onefold::sample_variance(d.x, how) == d.number("exact_var_of_doubles_n-1"));
  });
}

TEST_CASE("native deviations of NIST's data have the digits that doubles allow") {
  for_each_set([](const std::string& name, const data_set& d) {
    INFO(name);
    const double got = onefold::sample_stddev(d.x, on_backend());
    // NumAcc3 and NumAcc4: 10^6 and 10^7 times their deviation away from zero, and not representable in binary.
    CHECK(digits(got, d.number("certified_stddev")) >= 8);
    CHECK(digits(got, d.number("exact_stddev_of_doubles_n-1")) >= 9);
  });
}
