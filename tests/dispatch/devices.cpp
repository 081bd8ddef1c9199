// Several devices: arrays in host memory are divided among them, with the bits of one backend.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "dispatch/three_devices.hpp"
#include "onefold/onefold.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/result_bits.hpp"

using namespace three_devices;

TEST_CASE("arrays in host memory are divided among devices") {
  begin();
  const std::int64_t most = 4 * least_part + 12'345;
  const owned<float> x(support::normal_data<float>(most, 3), -1);
  support::random_numbers r(11);
  std::vector<std::int64_t> sizes{1, page - 1, page, page + 1, least_part, 2 * least_part - 1, 2 * least_part, most};
  for (int i = 0; i < 6; ++i)
    sizes.push_back(static_cast<std::int64_t>(r.bits() % static_cast<std::uint64_t>(most)) + 1);
  for (const std::int64_t n : sizes)
    for (const onefold::device_set& devices : {onefold::device_set{0, 1}, {0, 1, 2}, {2, 1}}) {
      const auto part = x.all().first(static_cast<std::size_t>(n));
      for_each_kind([&]<class Op>(accuracy mode) {
        const auto got = onefold::reduce_reported<float, Op>(part, {.accuracy = mode, .devices = devices});
        CHECK(support::bits_of(got.value) ==
              support::bits_of(onefold::reduce<float, Op>(part, {.backend = backend::sequential, .accuracy = mode})));
        CHECK(got.ran.backend == backend::cuda);
        CHECK(static_cast<int>(got.ran.devices.size()) == devices.size());

        // All elements once, in as many parts as there are 16 MiB, which differ by a 64th, or by a page, at most.
        const std::vector<folded> nodes = logged();
        std::int64_t end = 0;
        std::vector<std::int64_t> taken(device_count);
        for (const folded& f : nodes) {
          CHECK(f.begin == end);
          end += f.n;
          taken[static_cast<std::size_t>(f.device)] += f.n;
          CHECK(devices.contains(f.device));
        }
        CHECK(end == n);
        const auto expected = std::clamp<std::int64_t>((n + page - 1) / page * page / least_part, 1, devices.size());
        CHECK(static_cast<std::int64_t>(devices_of(nodes).size()) == expected);
        for (const std::int64_t t : taken)
          if (t > 0) CHECK(std::abs(t - n / expected) <= std::max(n / expected / 32, 2 * page));
      });
    }
}

TEST_CASE("a plan divides arrays, and folds those in device memory where they are") {
  begin();
  const auto x = support::normal_data<float>(2 * least_part + 77, 4);
  const owned<float> host(x, -1), there(x, 1), elsewhere(x, 2);
  const float wanted = onefold::reduce<float, op::sum>(host.all(), {.backend = backend::sequential, .init = 5});
  onefold::plan<float, op::sum> plan(std::ssize(x), {.devices = {0, 1}, .init = 5});
  CHECK(plan(host.all()) == wanted);
  CHECK(devices_of(logged()) == std::set{0, 1});
  CHECK(plan(there.all()) == wanted);
  CHECK(devices_of(logged()) == std::set{1});
  check_refused(error_code::invalid_argument,
                "the data is in the memory of device 2, which is not among the devices 0, 1",
                [&] { plan(elsewhere.all()); });
  CHECK(plan(host.all().first(0)) == 5);
  CHECK(plan.report().why == "several devices were named");
  CHECK(plan.report().text().find("device 0 1\n") != std::string::npos);
  check_refused(error_code::unsupported, "devices 0, 1: a stream belongs to one device",
                [&] { plan.enqueue(there.all().data(), 4, const_cast<float*>(there.all().data()), nullptr); });
  REQUIRE(setenv("FAKE_BROKEN_DEVICE", "1", 1) == 0);
  check_refused(error_code::device, "the stand-in is broken", [&] { plan(host.all()); });
  REQUIRE(unsetenv("FAKE_BROKEN_DEVICE") == 0);
  CHECK(plan(host.all()) == wanted);
  // One is as device.
  const auto one = onefold::reduce_reported<float, op::sum>(host.all(), {.backend = backend::cuda, .devices = {2}});
  CHECK(one.ran.device == 2);
  CHECK(one.ran.devices.empty());
}

TEST_CASE("what several devices refuse") {
  begin();
  const owned<float> x(support::normal_data<float>(24, 5), -1);
  const auto sum = [&](const options& how) { return [&x, how] { onefold::sum(x.all(), how); }; };
  check_refused(error_code::invalid_argument, "devices: 1 occurs twice", sum({.devices = {1, 0, 1}}));
  check_refused(error_code::invalid_argument, "devices: 64 is out of range; expected numbers from 0 to 63",
                sum({.devices = {0, 64}}));
  check_refused(error_code::invalid_argument, "devices: -1 is out of range", sum({.devices = {-1}}));
  check_refused(error_code::invalid_argument, "the device is out of range", sum({.devices = {0, 3}}));
  check_refused(error_code::invalid_argument, "device = 0 cannot be combined with devices",
                sum({.device = 0, .devices = {1}}));
  check_refused(error_code::invalid_argument, "devices 0, 1 apply to backend cuda or automatic, not to sequential",
                sum({.backend = backend::sequential, .devices = {0, 1}}));
  check_refused(error_code::unsupported, "devices 0, 1: kernel shuffle has an order of its own",
                sum({.backend = backend::cuda, .kernel = onefold::kernel::shuffle, .devices = {0, 1}}));
  const options two{.devices = {0, 1}};
  const std::string words = "devices 0, 1: only reductions of whole arrays are divided among devices";
  const onefold::array_view<float> rows(x.all().data(), {4, 6});
  std::vector<float> out(24);
  const std::vector<std::int32_t> offsets{0, 4, 24}, keys(24);
  const auto refused = [&](const auto& call) { check_refused(error_code::unsupported, words, call); };
  refused([&] { onefold::reduce<float, op::sum>(rows, {.axes = {1}}, two); });
  refused([&] { onefold::reduce<float, op::sum>(onefold::segments(x.all(), offsets), std::span(out).first(2), two); });
  refused([&] { onefold::reduce<float, op::sum>(onefold::by_key(x.all(), keys), two); });
  refused([&] { onefold::scan_plan<float, op::sum>(24, onefold::scan_kind::inclusive, two); });
  refused([&] { onefold::row_plan<float>(onefold::row_operation::softmax, rows, -1, {}, two); });
  check_refused(error_code::unsupported, "accumulators are not divided among devices 0, 1",
                [&] { onefold::accumulator<float, op::sum>{two}; });
  CHECK(logged().empty());
}

TEST_CASE("an operation as text needs the backend of the devices that it is to run on") {
  begin();
  const onefold::source_operation text{.name = "total", .element = onefold::dtype::f32, .text = R"(
    struct total {
      struct state { float sum; };
      static constexpr state identity() { return {0}; }
      static constexpr state lift(float x) { return {x}; }
      static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
      static constexpr float finish(state s) { return s.sum; }
    };
  )"};
  const owned<float> there(support::normal_data<float>(3 * page, 20), 1);
  check_refused(error_code::unsupported,
                "operation total was compiled for CPUs, and the data is in device memory; request backend cuda",
                [&] { onefold::reduce_dynamic(text, there.all().data(), 3 * page); });
  check_refused(error_code::backend_unavailable, "backend cuda cannot run: ONEFOLD_NVRTC names \"nonesuch\"", [&] {
    onefold::dynamic_plan(text, 3 * page, {.devices = {0, 1}});
  });
}
