// Errors: code and message of each, and a library that works afterwards.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/backend.hpp"
#include "support/catch.hpp"

using onefold::error_code;
using onefold::op::max;
using onefold::op::mean;
using onefold::op::sum;

namespace {

/// The error that f throws; afterwards the library must work.
template <class F>
onefold::error error_of(F f) {
  try {
    f();
  } catch (const onefold::error& e) {
    const std::vector<int> few{1, 2, 3};
    CHECK(onefold::sum(few, support::on_backend()) == 6);
    return e;
  }
  FAIL("there was no error");
  throw 0;
}

void check(const onefold::error& e, error_code code, const std::string& words) {
  CHECK(e.code() == code);
  INFO(e.what());
  CHECK(std::string(e.what()).find(words) != std::string::npos);
}

const std::vector<float> data{1, 2, 3};

}  // namespace

TEST_CASE("a backend that cannot run is an error with the nearest choice") {
  if (onefold::backends()[0].available) return;  // cuda can, here
  const auto e = error_of([] { onefold::sum(data, {.backend = onefold::backend::cuda}); });
  check(e, error_code::backend_unavailable, "backend cuda cannot run: ");
  check(e, error_code::backend_unavailable, "the nearest choice is ");
}

TEST_CASE("no elements where the operation has no identity") {
  const std::vector<float> none;
  check(error_of([&] { onefold::max(none, support::on_backend()); }), error_code::empty_input,
        "max of no elements has no value: the input is empty");
  check(error_of([&] { onefold::mean(none, support::on_backend()); }), error_code::empty_input, "mean of no elements");
  check(error_of([&] { onefold::argmin(none, support::on_backend()); }), error_code::empty_input,
        "argmin of no elements");
  CHECK(onefold::sum(none, support::on_backend()) == 0);
}

TEST_CASE("a null pointer is allowed for no elements only") {
  CHECK(onefold::reduce<float, sum>(nullptr, 0, support::on_backend()) == 0);
  for (const std::int64_t n : {1, 4096, 4097, 1000000})
    check(error_of([&] { onefold::reduce<float, sum>(nullptr, n, support::on_backend()); }),
          error_code::invalid_argument,
          n == 1 ? "the data pointer is null, but there is 1 element"
                 : "the data pointer is null, but there are " + std::to_string(n) + " elements");
}

TEST_CASE("a negative number of elements") {
  check(error_of([] { onefold::reduce<float, sum>(data.data(), -1, support::on_backend()); }),
        error_code::invalid_argument, "the number of elements is negative: -1");
  check(error_of([] { onefold::plan<float, sum>(-5, support::on_backend()); }), error_code::invalid_argument,
        "negative: -5");
}

TEST_CASE("more elements than there are addresses for") {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  check(error_of([] { onefold::reduce<float, sum>(data.data(), all, support::on_backend()); }),
        error_code::invalid_argument, "9223372036854775807 elements take more bytes than there are addresses");
  check(error_of([] { onefold::plan<float, sum>(all / 4 + 1, support::on_backend()); }), error_code::invalid_argument,
        "more bytes than there are addresses");
  onefold::plan<std::int8_t, sum>(std::int64_t{1} << 40, support::on_backend());
}

TEST_CASE("a number of elements beyond the plan's") {
  onefold::plan<float, sum> p(2, support::on_backend());
  check(error_of([&] { p(data); }), error_code::invalid_argument,
        "the number of elements, 3, is not between 0 and the plan's 2");
  check(error_of([&] { p(data.data(), -1); }), error_code::invalid_argument,
        "the number of elements, -1, is not between 0 and the plan's 2");
  CHECK(p(data.data(), 2) == 3);
  onefold::plan<float, max> q(2, support::on_backend());
  check(error_of([&] { q(data.data(), 0); }), error_code::empty_input, "max of no elements");
  check(error_of([&] { q(nullptr, 1); }), error_code::invalid_argument, "the data pointer is null");
  CHECK(q(data.data(), 1) == 1);
}

TEST_CASE("an accuracy that the operation does not have") {
  for (const auto mode : {onefold::accuracy::kahan, onefold::accuracy::exact})
    check(error_of([&] { onefold::product(data, support::on_backend(mode)); }), error_code::unsupported,
          std::string("product of f32 at accuracy ") + onefold::name_of(mode) + " is not supported: ");
  CHECK(onefold::max(data, support::on_backend(onefold::accuracy::kahan)) == 3);
}

TEST_CASE("threads out of range") {
  for (const int threads : {-1, 1025, 1 << 30})
    check(error_of([&] { onefold::sum(data, support::on_backend(onefold::accuracy::native, threads)); }),
          error_code::invalid_argument,
          "threads = " + std::to_string(threads) + " is out of range; expected 0 (the backend's own rule) to 1024");
}

TEST_CASE("choices that are none") {
  const auto refused = [](const onefold::options& how, const std::string& words) {
    check(error_of([&] { onefold::sum(data, how); }), error_code::invalid_argument, words);
    check(error_of([&] { onefold::plan<float, max>(3, how); }), error_code::invalid_argument, words);
    check(error_of([&] { onefold::reduce_dynamic(0, onefold::dtype::f32, data.data(), 3, how); }),
          error_code::invalid_argument, words);
  };
  for (const int value : {4, 9, 77, 255}) {
    const std::string number = std::to_string(value);
    refused({.accuracy = static_cast<onefold::accuracy>(value)},
            "accuracy = " + number + " is out of range; the last one is 3 (exact)");
    refused({.isa = static_cast<onefold::isa>(std::min(value + 1, 255))},
            "is out of range; the last one is 4 (x86-64-v4)");
    refused({.backend = static_cast<onefold::backend>(std::min(value + 3, 255))},
            "is out of range; the last one is " + std::to_string(onefold::backend_count - 1));
    refused({.kernel = static_cast<onefold::kernel>(std::min(value + 5, 255))}, "is out of range; the last one is 8");
    CHECK(onefold::why_not(0, onefold::dtype::f32, static_cast<onefold::accuracy>(value)) != nullptr);
  }
  refused({.device = -2}, "device = -2 is out of range; expected -1 (the current device) or more");
  using onefold::backend;
  for (const auto cpu : {backend::cpu, backend::openmp, backend::tbb, backend::threads, backend::sequential})
    refused({.backend = cpu, .device = 0},
            std::string("device 0 applies to backend cuda or automatic, not to ") + onefold::name_of(cpu));
}

TEST_CASE("run-time names and types") {
  const auto how = support::on_backend();
  using onefold::dtype;
  check(error_of([&] { onefold::reduce_dynamic(-1, dtype::f32, data.data(), 3, how); }), error_code::unsupported,
        "operation -1");
  check(error_of([&] { onefold::reduce_dynamic(999, dtype::f32, data.data(), 3, how); }), error_code::unsupported,
        "is not supported: unknown operation");
  check(error_of([&] { onefold::reduce_dynamic(0, static_cast<dtype>(99), data.data(), 3, how); }),
        error_code::invalid_argument, "unknown element type 99");
  check(error_of([&] { onefold::reduce_dynamic(0, dtype::f32, data.data(), 3, how, static_cast<dtype>(99)); }),
        error_code::invalid_argument, "unknown element type 99");
  check(error_of([&] { onefold::reduce_dynamic(0, dtype::boolean, data.data(), 3, how); }), error_code::unsupported,
        "is not supported: unknown element type");
  check(error_of([&] { onefold::reduce_dynamic(onefold::find_operation("bit_and"), dtype::f32, data.data(), 3, how); }),
        error_code::unsupported, "bit_and of f32 at accuracy native is not supported: it takes integer elements only");
  check(error_of([&] {
          onefold::reduce_dynamic(onefold::find_operation("max"), dtype::f32, data.data(), 3, how, dtype::f64);
        }),
        error_code::unsupported, "max of f32 has no result of type f64");
  check(error_of([&] { onefold::reduce_dynamic(0, dtype::f32, data.data(), -3, how); }), error_code::invalid_argument,
        "negative: -3");
  CHECK(onefold::reduce_dynamic(onefold::find_operation("sum"), dtype::f32, data.data(), 3, how).values.at(0).text() ==
        "6");
  // An operation's own type may be named, and `other` is none.
  const auto all = onefold::find_operation("all");
  CHECK(onefold::reduce_dynamic(all, dtype::f32, data.data(), 3, how, dtype::boolean).values.at(0).text() == "true");
  check(error_of([&] { onefold::reduce_dynamic(all, dtype::f32, data.data(), 3, how, dtype::other); }),
        error_code::unsupported, "all of f32 has no result of type other");
  check(error_of([&] { onefold::reduce_dynamic(all, dtype::f32, data.data(), 3, how, dtype::u8); }),
        error_code::unsupported, "all of f32 has no result of type u8");
}

TEST_CASE("try_reduce returns the result or the error") {
  const auto good = onefold::try_reduce<float, sum>(data, support::on_backend());
  REQUIRE(good);
  CHECK(good.has_value());
  CHECK(*good == 6);
  CHECK(good.value() == 6);
  const auto bad = onefold::try_reduce<float, mean>({}, support::on_backend());
  REQUIRE_FALSE(bad);
  check(bad.error(), error_code::empty_input, "mean of no elements");
  CHECK_THROWS_AS(bad.value(), onefold::error);
  CHECK_THROWS_AS(*bad, onefold::error);
  if (onefold::backends()[0].available) return;  // cuda can, here
  const auto unfit = onefold::try_reduce<float, sum>(data, {.backend = onefold::backend::cuda});
  REQUIRE_FALSE(unfit);
  check(unfit.error(), error_code::backend_unavailable, "backend cuda cannot run: ");
}

TEST_CASE("an error is a std::runtime_error and can be copied") {
  const onefold::error e(error_code::device, "words");
  const onefold::error copy = e;
  CHECK(copy.code() == error_code::device);
  CHECK(copy.what() == std::string("words"));
  CHECK_THROWS_AS(throw e, std::runtime_error);
}
