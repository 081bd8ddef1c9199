// Several devices: arrays in host memory are divided among them, and parts are folded where they are, with the bits of
// one backend. The stand-in for CUDA has FAKE_DEVICES = 3, of which each owns every third block of 4 KiB, and writes
// the nodes that it folds to FAKE_LOG.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "onefold/onefold.hpp"
#include "onefold/partial.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
using onefold::error_code;
using onefold::options;
namespace op = onefold::op;

constexpr int device_count = 3;
constexpr std::int64_t page = onefold::page_elements(sizeof(float)), least_part = (16 << 20) / sizeof(float);

/// A node that the stand-in folded.
struct folded {
  int device;
  std::int64_t begin, n;
};

const std::string& log_file() {
  static const std::string name = dispatch::setting("FAKE_LOG");
  return name;
}

/// The nodes since the last call.
std::vector<folded> logged() {
  std::vector<folded> all;
  {
    std::ifstream file(log_file());
    for (folded f{}; file >> f.device >> f.begin >> f.n;) all.push_back(f);
  }
  std::remove(log_file().c_str());
  std::ranges::sort(all, {}, &folded::begin);
  return all;
}

std::set<int> devices_of(const std::vector<folded>& nodes) {
  std::set<int> devices;
  for (const folded& f : nodes) devices.insert(f.device);
  return devices;
}

/// Elements in the memory of a device, or of the host (-1).
template <class T>
class owned {
 public:
  owned(std::span<const T> x, int device) : n_(x.size()) {
    const std::size_t bytes = (x.size_bytes() + (device_count + 2) * 4096) / 4096 * 4096;
    memory_.reset(static_cast<char*>(std::aligned_alloc(4096, bytes)));
    char* at = memory_.get();
    if (device < 0)
      at += 64;
    else
      while (reinterpret_cast<std::uintptr_t>(at) / 4096 % device_count != static_cast<std::uintptr_t>(device))
        at += 4096;
    data_ = reinterpret_cast<T*>(at);
    if (n_ > 0) std::memcpy(at, x.data(), x.size_bytes());
  }
  std::span<const T> all() const { return {data_, n_}; }

 private:
  struct freed {
    void operator()(char* p) const { std::free(p); }
  };
  std::unique_ptr<char, freed> memory_;
  T* data_ = nullptr;
  std::size_t n_;
};

template <class F>
void check_refused(error_code code, const std::string& words, F f) {
  support::check_error(code, words, f);
}

/// Calls check<Op>(accuracy) for operations of every kind of state.
template <class Check>
void for_each_kind(const Check& check) {
  check.template operator()<op::sum>(accuracy::native);
  check.template operator()<op::sum>(accuracy::kahan);
  check.template operator()<op::sum>(accuracy::exact);
  check.template operator()<op::variance>(accuracy::native);
  check.template operator()<op::max>(accuracy::native);
  check.template operator()<op::argmax>(accuracy::native);
}

/// Begins every test: the driver is there, and nothing in the log.
void begin() {
  dispatch::load_driver();
  logged();
}

}  // namespace

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

TEST_CASE("partials of device memory are folded there, and have the bytes of the host's") {
  begin();
  const auto x = support::normal_data<float>(9 * page + 5, 6);
  const owned<float> host(x, -1), there(x, 2);
  for (const std::int64_t from : {std::int64_t{0}, std::int64_t{5}, 3 * page, 4 * page - 1})
    for_each_kind([&]<class Op>(accuracy mode) {
      const onefold::partial<float, Op> expected(host.all(), from, {.accuracy = mode});
      CHECK(logged().empty());
      const onefold::partial<float, Op> got(there.all(), from, {.accuracy = mode});
      CHECK(devices_of(logged()) == std::set{2});
      CHECK(got.save() == expected.save());
    });
  onefold::accumulator<float, op::sum> a({.backend = backend::cpu});
  check_refused(error_code::invalid_argument, "the data is in device memory, which backend cpu cannot read",
                [&] { a.push(there.all()); });
  CHECK(a.count() == 0);
}

TEST_CASE("parts on several devices and on the host have the bits of the whole") {
  begin();
  support::random_numbers r(12);
  std::set<int> used;
  for (int turn = 0; turn < 60; ++turn) {
    const auto x =
        support::normal_data<float>(r.integer(0, 12) * page + r.integer(0, 40), 7 + static_cast<unsigned>(turn));
    std::vector<std::int64_t> cuts{0, std::ssize(x)};
    for (int i = r.integer(0, 5); i > 0; --i)
      cuts.push_back(r.integer(0, 1) == 0 ? static_cast<std::int64_t>(r.bits() % (x.size() + 1))
                                          : std::ssize(x) / page / 2 * page);
    std::ranges::sort(cuts);
    std::vector<owned<float>> memory;
    std::vector<std::span<const float>> parts;
    for (std::size_t i = 1; i < cuts.size(); ++i)
      memory.emplace_back(
          std::span(x).subspan(static_cast<std::size_t>(cuts[i - 1]), static_cast<std::size_t>(cuts[i] - cuts[i - 1])),
          r.integer(-1, device_count - 1));
    const owned<float> whole(x, -1);
    for (const auto& m : memory) parts.push_back(m.all());
    for_each_kind([&]<class Op>(accuracy mode) {
      const bool takes_init = Op::takes_init;
      const options how{.accuracy = mode, .init = takes_init ? onefold::initial(2) : onefold::initial()};
      if (x.empty() && !takes_init) return;
      CHECK(support::bits_of(onefold::reduce_parts<float, Op>(parts, how)) ==
            support::bits_of(onefold::reduce<float, Op>(
                whole.all(), {.backend = backend::sequential, .accuracy = mode, .init = how.init})));
    });
    used.merge(devices_of(logged()));
  }
  CHECK(used == std::set{0, 1, 2});
}

TEST_CASE("what parts refuse") {
  begin();
  const auto x = support::normal_data<float>(3 * page, 8);
  const owned<float> host(x, -1), first(x, 0), second(x, 1);
  CHECK(onefold::reduce_parts<float, op::sum>({first.all(), second.all()}, {.backend = backend::cuda}) ==
        onefold::reduce_parts<float, op::sum>({host.all(), host.all()}));
  CHECK(onefold::reduce_parts<float, op::sum, double>({}) == 0.0);
  check_refused(error_code::empty_input, "min of no elements has no value",
                [] { onefold::reduce_parts<float, op::min>({}); });
  check_refused(error_code::invalid_argument, "parts are folded where they are", [&] {
    onefold::reduce_parts<float, op::sum>({first.all()}, {.devices = {0, 1}});
  });
  check_refused(error_code::unsupported, "accumulators fold elements of the host on CPUs only",
                [&] { onefold::reduce_parts<float, op::sum>({host.all()}, {.backend = backend::cuda}); });
  check_refused(error_code::invalid_argument, "the data is in device memory, which backend cpu cannot read", [&] {
    onefold::reduce_parts<float, op::sum>({host.all(), first.all()}, {.backend = backend::cpu});
  });
  REQUIRE(setenv("FAKE_BROKEN_DEVICE", "1", 1) == 0);
  check_refused(error_code::device, "the stand-in is broken", [&] {
    onefold::reduce_parts<float, op::sum>({first.all(), second.all(), host.all()});
  });
  REQUIRE(unsetenv("FAKE_BROKEN_DEVICE") == 0);
}
