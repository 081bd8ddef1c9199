// Elements in the memory of several devices, in parts: each is folded where it is, with the bits of the whole.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "dispatch/startable.hpp"
#include "dispatch/three_devices.hpp"
#include "onefold/custom.hpp"
#include "onefold/onefold.hpp"
#include "onefold/partial.hpp"
#include "onefold/partial_array.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/instrumented.hpp"
#include "support/result_bits.hpp"

using namespace three_devices;

namespace {

/// Calls f while a variable makes the stand-in fail.
template <class F>
void while_broken(const char* variable, const std::string& value, F f) {
  REQUIRE(setenv(variable, value.c_str(), 1) == 0);
  f();
  REQUIRE(unsetenv(variable) == 0);
}

/// Three numbers: as many bytes as no alignment has.
struct triple {
  float a, b, c;
};
struct sum_of_triples {
  struct state {
    float sum;
  };
  static constexpr state identity() { return {0}; }
  static constexpr state lift(const triple& x) { return {x.a + x.b - x.c}; }
  static constexpr state combine(state a, state b) { return {a.sum + b.sum}; }
  static constexpr float finish(state s) { return s.sum; }
};

}  // namespace

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

TEST_CASE("rows of device memory are folded there") {
  begin();
  const auto x = support::normal_data<float>(3 * (2 * page + 5), 22);
  const owned<float> host(x, -1), there(x, 2);
  const auto rows = [](const owned<float>& of) {
    return onefold::array_view<float>(of.all().data(), {3, 2 * page + 5});
  };
  for_each_kind([&]<class Op>(accuracy mode) {
    const onefold::partial_array<float, Op> expected(rows(host), {.axes = {1}}, 0, {.accuracy = mode});
    CHECK(logged().empty());
    const onefold::partial_array<float, Op> got(rows(there), {.axes = {1}}, 0, {.accuracy = mode});
    CHECK(devices_of(logged()) == std::set{2});
    CHECK(got.save() == expected.save());
  });
  check_refused(error_code::unsupported, "the elements of a partial are not neighbors, and they are in device memory",
                [&] { onefold::partial_array<float, op::sum>(rows(there), {.axes = {0}}); });
}

TEST_CASE("a push that fails takes no element") {
  begin();
  const std::int64_t begun = 7, n = 9 * page + 5;
  const auto x = support::normal_data<float>(begun + n, 16);
  const std::span<const float> all(x);
  const owned<float> start(all.first(begun), 2), rest(all.subspan(begun), 2);
  for (const std::int64_t from : {std::int64_t{0}, std::int64_t{5}, 4 * page - 9})
    for_each_kind([&]<class Op>(accuracy mode) {
      CAPTURE(from);
      onefold::accumulator<float, Op> a({.accuracy = mode}, from);
      a.push(start.all());
      const auto before = a.partial().save();
      const auto check_failed = [&] {
        check_refused(error_code::device, "the stand-in is broken", [&] { a.push(rest.all()); });
        CHECK(a.count() == begun);
        CHECK(a.partial().save() == before);
      };
      // The elements before the first whole page, those after the last, and the pages between them. Where the order
      // does not matter, pages are counted from the first element.
      const bool ordered = std::is_same_v<Op, op::variance> || (std::is_same_v<Op, op::sum> && mode != accuracy::exact);
      const std::int64_t raw = page - ((ordered ? from : 0) + begun) % page;
      for (const std::int64_t elements : {raw, (n - raw) % page})
        while_broken("FAKE_BROKEN_COPY", std::to_string(elements * std::int64_t{sizeof(float)}), check_failed);
      while_broken("FAKE_BROKEN_DEVICE", "2", check_failed);
      a.push(rest.all());
      CHECK(a.partial().save() == onefold::partial<float, Op>(all, from, {.accuracy = mode}).save());
    });
}

TEST_CASE("elements of any size are copied from a device where they do not make up a page") {
  begin();
  const std::int64_t page_of_triples = onefold::page_elements(sizeof(triple));
  const auto numbers = support::normal_data<float>(3 * (2 * page_of_triples + 5), 17);
  std::vector<triple> x(numbers.size() / 3);
  std::memcpy(x.data(), numbers.data(), numbers.size() * sizeof(float));
  const owned<triple> there(x, 1);
  onefold::accumulator<triple, sum_of_triples> a;
  a.push(there.all());
  CHECK(a.result() == onefold::reduce<triple, sum_of_triples>(std::span<const triple>(x)));
}

TEST_CASE("an accumulator reports what folded its longest piece") {
  begin();
  const auto x = support::normal_data<float>(8 * page, 18);
  const owned<float> host(x, -1), there(x, 2), elsewhere(x, 1);
  const auto first = [](const owned<float>& of, std::int64_t pages) {
    return of.all().first(static_cast<std::size_t>(pages * page));
  };
  onefold::accumulator<float, op::sum> a({.threads = 1});
  a.push(first(host, 2));
  CHECK(a.report().backend == backend::sequential);
  a.push(first(there, 1));
  CHECK(a.report().backend == backend::sequential);
  a.push(first(there, 4));
  a.push(first(elsewhere, 3));
  a.push(first(host, 3));
  CHECK(a.report().backend == backend::cuda);
  CHECK(a.report().device == 2);
  CHECK(a.report().why == "the data is in device memory");
  a.push(first(host, 5));
  CHECK(a.report().backend == backend::sequential);
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

TEST_CASE("all devices with parts are started before one is waited for") {
  begin();
  const auto x = support::normal_data<float>(3 * page + 5, 20);
  const owned<float> first(x, 0), second(x, 1), third(x, 2), again(x, 0), host(x, -1);
  onefold::reduce_parts<float, op::sum>({first.all(), host.all(), second.all(), third.all(), again.all()});
  std::vector<int> waited;
  std::set<int> started;
  for (const folded& f : steps()) {
    if (f.n == 0) {
      waited.push_back(f.device);
    } else {
      CHECK(waited.empty());
      started.insert(f.device);
    }
  }
  CHECK(started == std::set{0, 1, 2});
  CHECK(waited == std::vector{0, 1, 2});
}

TEST_CASE("parts without elements do not count where a GPU is requested") {
  begin();
  const auto x = support::normal_data<float>(3 * page, 19);
  const owned<float> first(x, 0), host(x, -1);
  const std::span<const float> none;
  CHECK(onefold::reduce_parts<float, op::sum>({none, first.all(), none}, {.backend = backend::cuda}) ==
        onefold::sum(host.all(), {.backend = backend::sequential}));
  CHECK(onefold::reduce_parts<float, op::sum>({none}, {.backend = backend::cuda, .init = 3}) == 3);
}

#if !ONEFOLD_TEST_SANITIZED
TEST_CASE("where the system starts no more threads, the calling one drives all devices") {
  begin();
  const auto x = support::normal_data<float>(3 * least_part, 21);
  const owned<float> host(x, -1);
  const float wanted = onefold::sum(host.all(), {.backend = backend::sequential});
  dispatch::startable = 0;
  CHECK(onefold::sum(host.all(), {.devices = {0, 1, 2}}) == wanted);
  CHECK(devices_of(logged()) == std::set{0, 1, 2});
  CHECK(dispatch::startable < 0);  // it was asked
  dispatch::startable = 1 << 20;
}
#endif

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
  logged();
  check_refused(error_code::invalid_argument, "the data pointer is null, but there are 3 elements", [&] {
    onefold::reduce_parts<float, op::sum>({first.all(), std::span<const float>(static_cast<const float*>(nullptr), 3)});
  });
  check_refused(error_code::unsupported, "accumulators fold elements of the host on CPUs only", [&] {
    onefold::reduce_parts<float, op::sum>({first.all(), host.all()}, {.backend = backend::cuda});
  });
  CHECK(logged().empty());  // no device has begun
  while_broken("FAKE_BROKEN_DEVICE", "1", [&] {
    check_refused(error_code::device, "the stand-in is broken", [&] {
      onefold::reduce_parts<float, op::sum>({first.all(), second.all(), host.all()});
    });
  });
}
