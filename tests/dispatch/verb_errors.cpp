// Errors name the verb that was called, also where it reduces with other operations than its own.
#include <complex>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "onefold/comoments.hpp"
#include "onefold/complex_vectors.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"

namespace {

using onefold::error_code;
using support::on_backend;

/// Checks that a call throws an error that begins with words.
template <class Call>
void check_named(const std::string& words, error_code code, const Call& call) {
  INFO(words);
  std::string message = "no error";
  try {
    call();
  } catch (const onefold::error& e) {
    message = e.what();
    CHECK(e.code() == code);
  }
  INFO(message);
  CHECK(message.starts_with(words));
}

const std::vector<float> none, two{1, 2}, three{1, 2, 3}, all_nan{__builtin_nanf(""), __builtin_nanf("")};

}  // namespace

TEST_CASE("errors of no elements name the verb") {
  const auto how = on_backend();
  const auto check = [](const std::string& words, const auto& call) {
    check_named(words, error_code::empty_input, call);
  };
  check("ptp: minmax of no elements", [&] { onefold::ptp(none, how); });
  check("ptp: minmax of no elements", [&] { onefold::ptp(onefold::segments(three, std::vector{0, 0, 3}), how); });
  check("ptp: minmax of no elements", [&] { onefold::ptp(onefold::array_view<float>(nullptr, {3, 0}), 1, how); });
  check("summary: mean of no elements", [&] { onefold::summary(none, how); });
  check("summary: mean of no elements", [&] { onefold::summary(onefold::array_view<float>(nullptr, {3, 0}), 1, how); });
  check("nansummary: mean of no elements", [&] { onefold::nansummary(all_nan, how); });
  check("nanmean: mean of no elements", [&] { onefold::nanmean(all_nan, how); });
  check("nanmean: mean of no elements",
        [&] { onefold::nanmean(std::deque<float>(all_nan.begin(), all_nan.end()), how); });
  check("nanmin: min of no elements", [&] { onefold::nanmin(onefold::array_view<float>(all_nan), 0, how); });
  check("median: a quantile of no elements", [&] { onefold::median(none, how); });
  check("nanmedian: a quantile of no elements", [&] { onefold::nanmedian(all_nan, how); });
  check("mean of no elements", [&] { onefold::mean(none, how); });                      // its own name: once
  check("geometric_mean of no elements", [&] { onefold::geometric_mean(none, how); });  // the same
  check("covariance of no elements", [&] { onefold::covariance(none, none, how); });
}

TEST_CASE("errors of two arrays name the verb") {
  const auto how = on_backend();
  const auto check = [](const char* verb, const auto& call) {
    check_named(verb + std::string(": the arrays have the extents (3) and (2)"), error_code::invalid_argument, call);
  };
  check("dot", [&] { onefold::dot(three, two, how); });
  check("dot", [&] { onefold::dot(three, two, 0, how); });
  check("dot", [&] { onefold::dot(std::vector<std::complex<float>>(3), std::vector<std::complex<float>>(2), how); });
  check("cosine_similarity", [&] { onefold::cosine_similarity(three, two, how); });
  check("weighted_mean", [&] { onefold::weighted_mean(three, two, how); });
  check("distance", [&] { onefold::distance(three, two, onefold::norm::l2, how); });
  check("covariance", [&] { onefold::covariance(three, two, how); });
  check("sample_covariance", [&] { onefold::sample_covariance(three, two, how); });
  check("correlation", [&] { onefold::correlation(three, two, how); });
  check("comoments", [&] { onefold::comoments(three, two, how); });
}

TEST_CASE("errors of options name the verb") {
  const auto check = [](const std::string& words, error_code code, const auto& call) {
    check_named(words, code, call);
  };
  auto from_one = on_backend();
  from_one.init = 1;
  check("ptp: minmax takes no initial value", error_code::invalid_argument, [&] { onefold::ptp(three, from_one); });
  check("distance: norm2 takes no initial value", error_code::invalid_argument,
        [&] { onefold::distance(three, three, onefold::norm::l2, from_one); });
  check("summary: ", error_code::invalid_argument, [&] { onefold::summary(three, from_one); });
  check("cosine_similarity takes no initial value", error_code::invalid_argument,
        [&] { onefold::cosine_similarity(three, three, from_one); });
  auto out_of_range = on_backend();
  out_of_range.accuracy = static_cast<onefold::accuracy>(99);
  check("norm1: accuracy = 99 is out of range", error_code::invalid_argument,
        [&] { onefold::norm1(three, out_of_range); });
  check("norm_inf: accuracy = 99 is out of range", error_code::invalid_argument,
        [&] { onefold::norm_inf(std::vector<std::complex<float>>(3), out_of_range); });
  check("skewness: accuracy = 99 is out of range", error_code::invalid_argument,
        [&] { onefold::skewness(three, out_of_range); });
  const auto kahan = on_backend(onefold::accuracy::kahan);
  check("summary: moments of f32 at accuracy kahan", error_code::unsupported, [&] { onefold::summary(three, kahan); });
}
