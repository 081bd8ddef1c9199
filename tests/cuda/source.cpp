// Operations as text on the device: nvcc compiles them when the tests run, and they have the bits of the CPU.
#include <cstring>
#include <type_traits>
#include <vector>

#include "memory.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/sources.hpp"

namespace {

using onefold::backend;
using onefold::dtype;
using onefold::options;
using support::source_of;

const options here{.backend = backend::sequential}, there{.backend = backend::cuda};

/// Whether nvcc can be called; else the test is skipped. Any other error is the test's.
bool has_nvcc() {
  static const bool has = [] {
    try {
      onefold::dynamic_plan(source_of("cubes", dtype::f32), 9, there);
      return true;
    } catch (const onefold::error& e) {
      if (std::string(e.what()).find("nvcc was not found") == std::string::npos) throw;
      support::skip(e.what());
      return false;
    }
  }();
  return has;
}

template <class T>
std::vector<T> elements(std::int64_t n) {
  std::vector<T> x(static_cast<std::size_t>(n));
  support::random_numbers random(78);
  for (T& one : x) one = static_cast<T>(std::is_integral_v<T> ? random.integer(0, 100) : random.uniform(-2, 2));
  return x;
}

/// Compares the operation Op, compiled before for the CPU, with its text on the device.
template <class Op, class T>
void check_text(const char* name) {
  using R = onefold::default_result<T, Op>;
  for (const std::int64_t n : {0, 1, 7, 4096, 100'003, 3'000'000}) {
    CAPTURE(name, n);
    const auto x = elements<T>(n);
    const R wanted = onefold::reduce<T, Op>(x.data(), n, here);
    onefold::dynamic_plan p(source_of(name, onefold::dtype_of<T>), n, there);
    REQUIRE(p.result_size() == sizeof(R));
    R result;
    p.run(x.data(), n, &result);
    CHECK(std::memcmp(&result, &wanted, sizeof result) == 0);
    CHECK(p.report().backend == backend::cuda);
    if (n == 0) continue;
    const support::copied<T> far(x), place(std::vector<T>(sizeof(R) / sizeof(T) + 1));
    p.run(far.data(), n, &result);
    CHECK(std::memcmp(&result, &wanted, sizeof result) == 0);
    p.enqueue(far.data(), n, place.data(), nullptr);
    support::cuda(cudaDeviceSynchronize());
    const auto bytes = place.get(sizeof(R) / sizeof(T));
    CHECK(std::memcmp(bytes.data(), &wanted, sizeof wanted) == 0);
  }
}

}  // namespace

TEST_CASE("an operation as text has the CPU's bits on the device") {
  if (!has_nvcc()) return;
  check_text<mine::cubes, float>("cubes");
  check_text<mine::scaled, std::int16_t>("scaled");
  check_text<mine::logsumexp, double>("logsumexp");
  check_text<mine::polynomial, float>("polynomial");
  check_text<mine::histogram, std::uint8_t>("histogram");
}

TEST_CASE("over axes, segments and keys it has them too") {
  if (!has_nvcc()) return;
  const auto text = source_of("cubes", dtype::f32);
  const auto x = elements<float>(60'000);
  const onefold::array_view<float> view(x.data(), {200, 300});
  std::vector<float> results(60'000);
  const auto check_bits = [&](const auto& wanted) {
    REQUIRE(wanted.size() > 0);
    CHECK(std::memcmp(results.data(), wanted.data(), wanted.size() * sizeof(float)) == 0);
  };
  for (const int along : {0, 1}) {
    onefold::dynamic_shaped_plan p(text, view.axes(), {.axes = along}, there);
    p.run(x.data(), results.data(), p.size());
    check_bits(onefold::reduce<float, mine::cubes>(view, {.axes = along}, here));
  }
  {
    const std::vector<std::int32_t> offsets{0, 3, 3, 20'000, 59'999};
    onefold::dynamic_segmented_plan p(text, 4, 60'000, there);
    p.run(x.data(), 60'000, offsets.data(), 5, dtype::i32, results.data(), 4);
    check_bits(onefold::reduce<float, mine::cubes>(onefold::segments(x, offsets), here));
  }
  std::vector<std::int64_t> keys(x.size()), found(x.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::int64_t>(i * i % 11);
  onefold::dynamic_keyed_plan p(text, dtype::i64, 60'000, there);
  CHECK(p.run(x.data(), keys.data(), 60'000, onefold::dynamic_keyed_plan::grouping::keys, found.data(), results.data(),
              60'000) == 6);
  check_bits(onefold::reduce<float, mine::cubes>(onefold::by_key(x, keys), here).results);
}

TEST_CASE("a state that is a template is an error that says why") {
  if (!has_nvcc()) return;
  support::check_error(
      onefold::error_code::invalid_argument, "the state of an operation is a plain type, not a template",
      [&] { onefold::dynamic_plan(source_of("squares", dtype::f32, "packed_source_text.hpp"), 9, there); });
}

TEST_CASE("data in device memory needs the backend by name") {
  if (!has_nvcc()) return;
  const support::copied<float> far(elements<float>(1000));
  const auto text = source_of("cubes", dtype::f32);
  float result;
  onefold::dynamic_plan p(text, 1000, {.environment = false});
  support::check_error(onefold::error_code::unsupported, "was not compiled for CUDA",
                       [&] { p.run(far.data(), 1000, &result); });
}
