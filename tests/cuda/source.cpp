// Operations as text on the device: NVRTC compiles them when the tests run, and they have the bits of the CPU.
#include <cstring>
#include <utility>
#include <vector>

#include "memory.hpp"
#include "onefold/onefold.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/source_runs.hpp"

namespace {

using onefold::backend;
using onefold::dtype;
using onefold::options;
using support::source_elements;
using support::source_of;

const options here{.backend = backend::sequential}, there{.backend = backend::cuda};

/// Whether there is NVRTC; else the test is skipped. Any other error is the test's.
bool has_nvrtc() {
  static const bool has = [] {
    try {
      onefold::dynamic_plan(source_of("cubes", dtype::f32), 9, there);
      return true;
    } catch (const onefold::error& e) {
      if (std::string(e.what()).find("NVRTC, which compiles operations as text for GPUs, was not found") ==
          std::string::npos)
        throw;
      support::skip(e.what());
      return false;
    }
  }();
  return has;
}

/// Compares the operation Op, compiled before for the CPU, with its text on the device.
template <class Op, class T>
void check_text(const char* name) {
  using R = onefold::default_result<T, Op>;
  for (const std::int64_t n : {0, 1, 7, 4096, 100'003, 3'000'000}) {
    CAPTURE(name, n);
    const auto x = source_elements<T>(n);
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

/// The same over axes and segments, of lengths for which different kernels are launched.
template <class Op, class T>
void check_shapes(const char* name) {
  using R = onefold::default_result<T, Op>;
  const auto text = source_of(name, onefold::dtype_of<T>);
  const auto x = source_elements<T>(120'000);
  std::vector<R> results(x.size());
  const auto check_bits = [&](const auto& wanted) {
    CHECK(std::memcmp(results.data(), wanted.data(), wanted.size() * sizeof(R)) == 0);
  };
  for (const auto& [rows, columns] : {std::pair{400, 300}, {7, 17'000}, {40'000, 3}, {1, 120'000}, {5, 8}, {3, 0}})
    for (const int along : {0, 1}) {
      CAPTURE(name, rows, columns, along);
      const onefold::array_view<T> view(x.data(), {rows, columns});
      onefold::dynamic_shaped_plan p(text, view.axes(), {.axes = along}, there);
      p.run(x.data(), results.data(), p.size());
      check_bits(onefold::reduce<T, Op>(view, {.axes = along}, here));
    }
  for (const std::int32_t length : {3, 50, 700, 9'000}) {
    CAPTURE(name, length);
    std::vector<std::int32_t> offsets;
    for (std::int32_t i = 1; i <= 120'000; i += length) offsets.push_back(i);
    const auto count = std::ssize(offsets) - 1;
    onefold::dynamic_segmented_plan p(text, count, 120'000, there);
    p.run(x.data(), 120'000, offsets.data(), count + 1, dtype::i32, results.data(), count);
    check_bits(onefold::reduce<T, Op>(onefold::segments(x, offsets), here));
  }
}

}  // namespace

TEST_CASE("an operation as text has the CPU's bits on the device") {
  if (!has_nvrtc()) return;
  check_text<mine::cubes, float>("cubes");
  check_text<mine::scaled, std::int16_t>("scaled");
  check_text<mine::logsumexp, double>("logsumexp");
  check_text<mine::polynomial, float>("polynomial");
  check_text<mine::histogram, std::uint8_t>("histogram");
}

TEST_CASE("over axes, segments, keys and selected elements it has them too") {
  if (!has_nvrtc()) return;
  support::check_source_plans(there, here);
}

TEST_CASE("whatever its elements and its state") {
  if (!has_nvrtc()) return;
  check_shapes<mine::scaled, std::int16_t>("scaled");
  check_shapes<mine::logsumexp, double>("logsumexp");
  check_shapes<mine::polynomial, float>("polynomial");
  check_shapes<mine::powers, float>("powers");
}

TEST_CASE("a state that is a template is an error that says why") {
  if (!has_nvrtc()) return;
  support::check_error(
      onefold::error_code::invalid_argument, "the state of an operation is a plain type, not a template",
      [&] { onefold::dynamic_plan(source_of("squares", dtype::f32, "packed_source_text.hpp"), 9, there); });
}

TEST_CASE("functions of a text need not be constexpr") {
  if (!has_nvrtc()) return;
  auto text = source_of("cubes", dtype::f32);
  const std::string marked = "static constexpr state ";
  for (std::size_t at; (at = text.text.find(marked)) != std::string::npos;)
    text.text.replace(at, marked.size(), "static state ");
  const auto x = source_elements<float>(100'003);
  float result = 0;
  onefold::dynamic_plan(text, 100'003, there).run(x.data(), 100'003, &result);
  const float wanted = onefold::reduce<float, mine::cubes>(x, here);
  CHECK(std::memcmp(&result, &wanted, sizeof wanted) == 0);
}

TEST_CASE("data in device memory needs the backend by name") {
  if (!has_nvrtc()) return;
  const support::copied<float> far(source_elements<float>(1000));
  const auto text = source_of("cubes", dtype::f32);
  float result;
  onefold::dynamic_plan p(text, 1000, {.environment = false});
  support::check_error(onefold::error_code::unsupported,
                       "was compiled for CPUs, and the data is in device memory; request backend cuda",
                       [&] { p.run(far.data(), 1000, &result); });
}
