// Plans and reports of reductions of segments and by key, and what they refuse.
#include "onefold/segments.hpp"

#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "onefold/keys.hpp"
#include "onefold/where.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

using onefold::error_code;
using onefold::segments;
using onefold::op::max;
using onefold::op::sum;
using support::check_error;
using support::values;

namespace {

const std::vector<float> data{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

using page = dispatch::page<std::int32_t>;

/// Reduces the data with these offsets, by a call and by a plan; both must fail with these words and write nothing.
template <class Offset>
void check_offsets(const std::vector<Offset>& offsets, const std::string& words) {
  const auto how = support::on_backend();
  std::vector<float> out(10, -1);
  check_error(error_code::invalid_argument, words,
              [&] { onefold::reduce<float, sum>(segments(data, offsets), out, how); });
  onefold::segmented_plan<float, sum> plan(10, 10, how);
  check_error(error_code::invalid_argument, words, [&] { plan(segments(data, offsets), out); });
  CHECK(out == std::vector<float>(10, -1));
}

}  // namespace

TEST_CASE("segments by offsets of every type, from any first to any last") {
  const auto how = support::on_backend();
  const auto sums = [&]<class Offset>(std::vector<Offset> offsets) {
    return values(onefold::sum(segments(data, offsets), how));
  };
  CHECK(sums(std::vector<std::int32_t>{0, 3, 3, 10}) == std::vector<float>{6, 0, 49});
  CHECK(sums(std::vector<std::uint32_t>{0, 3, 3, 10}) == std::vector<float>{6, 0, 49});
  CHECK(sums(std::vector<std::int64_t>{2, 4, 9}) == std::vector<float>{7, 35});
  CHECK(sums(std::vector<std::uint64_t>{2, 4, 9}) == std::vector<float>{7, 35});
  CHECK(sums(std::vector<long long>{10, 10}) == std::vector<float>{0});
  const auto both = onefold::reduce<float, onefold::op::mean, double>(segments(data, std::vector<int>{0, 2}), how);
  CHECK(both[0] == 1.5);
  CHECK(both.extents().size() == 1);
}

TEST_CASE("no segments: nothing is done") {
  const auto how = support::on_backend();
  CHECK(onefold::max(segments(data, std::vector<int>{4}), how).size() == 0);
  CHECK(onefold::max(segments(std::vector<float>(), std::vector<int>{0}), how).size() == 0);
  check_error(error_code::invalid_argument, "threads = -1",
              [&] { onefold::sum(segments(data, std::vector<int>{4}), {.threads = -1}); });
  check_offsets<std::int64_t>({}, "no offsets; k segments need k + 1");
  check_offsets<std::int64_t>({11}, "offset 0 is 11, beyond the end of 10 elements");
}

TEST_CASE("empty segments") {
  auto how = support::on_backend();
  const std::vector<int> offsets{0, 4, 4, 10, 10}, nothing{0, 0, 0};
  CHECK(values(onefold::sum(segments(data, offsets), how)) == std::vector<float>{10, 0, 45, 0});
  CHECK(values(onefold::count(segments(std::vector<float>(), nothing), how)) == std::vector<std::int64_t>{0, 0});
  std::vector<float> out(4, -1);
  check_error(error_code::empty_input, "max of no elements has no value: segment 1 is empty",
              [&] { onefold::reduce<float, max>(segments(data, offsets), out, how); });
  onefold::segmented_plan<float, max> plan(4, 10, how);
  check_error(error_code::empty_input, "segment 1 is empty", [&] { plan(segments(data, offsets), out); });
  CHECK(out == std::vector<float>(4, -1));
  how.init = 7;
  CHECK(values(onefold::max(segments(data, offsets), how)) == std::vector<float>{7, 7, 10, 7});
}

TEST_CASE("offsets that are no segments of the data: the sentence names the index, and nothing is written") {
  check_offsets<std::int32_t>({0, 5, 4, 10}, "offset 2 is 4, less than the 5 before it; offsets must not decrease");
  check_offsets<std::uint32_t>({0, 5, 4, 10}, "offset 2 is 4, less than the 5 before it");
  check_offsets<std::int64_t>({0, 5, 11, 12}, "offset 2 is 11, beyond the end of 10 elements");
  check_offsets<std::uint64_t>({0, 5, ~std::uint64_t{0}}, "offset 2 is 18446744073709551615, beyond the end");
  check_offsets<std::uint32_t>({0, 5, 4000000000u}, "offset 2 is 4000000000, beyond the end");
  check_offsets<std::int32_t>({-1, 5}, "offset 0 is -1; it must not be negative");
  check_offsets<std::int64_t>({0, std::numeric_limits<std::int64_t>::min()}, "offset 1 is -9223372036854775808");
  check_offsets<std::int64_t>({7, 3, 20}, "offset 1 is 3, less than the 7 before it");
}

TEST_CASE("results without room, or where the data or the offsets are; nothing is written") {
  const auto how = support::on_backend();
  const std::vector<int> offsets{0, 4, 10, 10};
  std::vector<float> out(2, -1);
  const auto into = [&](std::span<float> to) {
    return [&offsets, &how, to] { onefold::reduce<float, sum>(segments(data, offsets), to, how); };
  };
  check_error(error_code::invalid_argument, "the reduction has 3 results, but there is room for 2", into(out));
  check_error(error_code::invalid_argument, "room for 0", into({}));
  check_error(error_code::invalid_argument, "the result pointer is null", into({static_cast<float*>(nullptr), 3}));
  CHECK(out == std::vector<float>(2, -1));

  std::vector<float> both(20, 1);
  const std::vector<int> inner{2, 5, 9};  // elements 7 to 13 of `both`
  const auto within = [&](std::size_t first) {
    return [&, first] {
      onefold::reduce<float, sum>(segments(std::span(both).subspan(5, 12), inner), std::span(both).subspan(first, 2),
                                  how);
    };
  };
  for (const std::size_t first : {6u, 7u, 10u, 13u})
    check_error(error_code::invalid_argument, "the results would overwrite the data", within(first));
  CHECK(both == std::vector<float>(20, 1));
  for (const std::size_t first : {5u, 14u}) CHECK_NOTHROW(within(first)());

  std::vector<std::int32_t> ints{0, 1, 2, 3};
  const std::vector<std::int32_t> some(10, 1);
  check_error(error_code::invalid_argument, "the results would overwrite the offsets", [&] {
    onefold::reduce<std::int32_t, sum, float>(segments(some, ints), std::span(reinterpret_cast<float*>(ints.data()), 3),
                                              how);
  });
  CHECK(ints == std::vector<std::int32_t>{0, 1, 2, 3});
}

TEST_CASE("null pointers") {
  const auto how = support::on_backend();
  const std::vector<int> offsets{0, 2};
  check_error(error_code::invalid_argument, "the data pointer is null, but there are 4 elements",
              [&] { onefold::sum(segments(std::span(static_cast<const float*>(nullptr), 4), offsets), how); });
  check_error(error_code::invalid_argument, "the offsets' pointer is null, but there are 3 offsets",
              [&] { onefold::sum(segments(data, std::span(static_cast<const int*>(nullptr), 3)), how); });
}

TEST_CASE("offsets that are not aligned") {
  alignas(8) std::array<char, 40> bytes{};
  const auto at = [&](std::size_t byte) {
    return onefold::detail::segment_data{data.data(), static_cast<std::int64_t>(data.size()), bytes.data() + byte, 3,
                                         onefold::dtype::i64};
  };
  float out[2] = {};
  onefold::dynamic_segmented_plan plan("sum", "f32", 2, 10, support::on_backend());
  const auto run = [&](std::size_t byte) {
    return
        [&, byte] { plan.run(at(byte).values, at(byte).elements, at(byte).offsets, 3, onefold::dtype::i64, out, 2); };
  };
  run(8)();
  check_error(error_code::invalid_argument, "the offsets are not aligned to 8 bytes", run(4));
  check_error(error_code::invalid_argument, "the offsets are not aligned to 8 bytes", run(1));
}

TEST_CASE("a plan of segments is run many times, for other values and offsets") {
  const auto how = support::on_backend();
  onefold::segmented_plan<float, sum> plan(3, 10, how);
  std::vector<float> out(3);
  plan(segments(data, std::vector<int>{0, 3, 6, 10}), out);
  CHECK(out == std::vector<float>{6, 15, 34});
  plan(segments(std::vector<float>(20, 1), std::vector<std::uint64_t>{9, 11, 19}), out);
  CHECK(out == std::vector<float>{2, 8, 34});
  CHECK(plan.report().backend == support::backend_under_test());
  check_error(error_code::invalid_argument,
              "the plan is for at most 3 segments with 10 elements in all, not for 4 with 4", [&] {
                plan(segments(data, std::vector<int>{0, 1, 2, 3, 4}), out);
              });
  check_error(error_code::invalid_argument, "in all, not for 1 with 11", [&] {
    plan(segments(std::vector<float>(20), std::vector<int>{0, 11}), out);
  });
  CHECK(out == std::vector<float>{2, 8, 34});
  auto moved = std::move(plan);
  moved(segments(data, std::vector<int>{0, 3, 6, 10}), out);
  CHECK(out == std::vector<float>{6, 15, 34});
  check_error(error_code::invalid_argument, "the plan was moved from", [&] {
    plan(segments(data, std::vector<int>{0, 3}), out);
  });

  using planned = onefold::segmented_plan<float, sum>;
  check_error(error_code::invalid_argument, "the number of segments is negative: -1", [&] { planned(-1, 10, how); });
  check_error(error_code::invalid_argument, "the number of elements is negative: -1", [&] { planned(10, -1, how); });
  check_error(error_code::invalid_argument, "are more than can be counted",
              [&] { planned(std::numeric_limits<std::int64_t>::max() / 4, 1, how); });
}

TEST_CASE("options that segments do not fit, and results that cannot be") {
  auto how = support::on_backend();
  const std::vector<int> offsets{0, 1, 3};
  how.init = 1;
  check_error(error_code::invalid_argument, "argmax takes no initial value",
              [&] { onefold::argmax(segments(data, offsets), how); });
  const std::vector<std::int64_t> most(3, std::numeric_limits<std::int64_t>::max());
  check_error(error_code::overflow, "sum has no result: ", [&] {
    onefold::sum(segments(most, offsets), support::on_backend(onefold::accuracy::exact));
  });
}

TEST_CASE("keys that do not fit") {
  const auto how = support::on_backend();
  check_error(error_code::invalid_argument, "the number of keys, 9, is not that of the elements, 10",
              [&] { onefold::sum(onefold::by_key(data, std::vector<int>(9)), how); });
  std::vector<double> keys(10);
  keys[6] = -std::numeric_limits<double>::quiet_NaN();
  check_error(error_code::invalid_argument, "key 6 is a NaN", [&] { onefold::sum(onefold::by_key(data, keys), how); });
  keys[3] = std::numeric_limits<double>::quiet_NaN();
  check_error(error_code::invalid_argument, "key 3 is a NaN",
              [&] { onefold::sum(onefold::runs_by_key(data, keys), how); });
  check_error(error_code::invalid_argument, "the keys' pointer is null, but there are 10 keys",
              [&] { onefold::sum(onefold::by_key(data, std::span(static_cast<const int*>(nullptr), 10)), how); });
  check_error(error_code::invalid_argument, "the data pointer is null, but there are 10 elements",
              [&] { onefold::sum(onefold::by_key(std::span(static_cast<const float*>(nullptr), 10), keys), how); });
  check_error(error_code::invalid_argument, "threads = -1",
              [&] { onefold::sum(onefold::by_key(data, std::vector<int>(10)), {.threads = -1}); });
  const std::vector<int> few{4, 4, 4, 5, 5, 6, 6, 6, 6, 9};
  std::vector<int> found(4, -1);
  std::vector<float> sums(4, -1);
  const auto into = [&](std::size_t room_of_keys, std::size_t room) {
    return [&, room_of_keys, room] {
      onefold::reduce<float, sum>(onefold::by_key(data, few), std::span(found).first(room_of_keys),
                                  std::span(sums).first(room), how);
    };
  };
  check_error(error_code::invalid_argument, "there are 4 groups, but there is room for 3", into(3, 4));
  check_error(error_code::invalid_argument, "there are 4 groups, but there is room for 2", into(4, 2));
  check_error(error_code::invalid_argument, "the pointer to the groups' keys is null", [&] {
    onefold::reduce<float, sum>(onefold::by_key(data, few), std::span(static_cast<int*>(nullptr), 4), sums, how);
  });
  CHECK(found == std::vector<int>(4, -1));
  CHECK(sums == std::vector<float>(4, -1));
  into(4, 4)();
  CHECK(found == std::vector<int>{4, 5, 6, 9});
}

// With the stand-in for CUDA.
TEST_CASE("segments are reduced where they lie", "[.accelerator]") {
  dispatch::load_driver();
  const auto device = std::make_unique<page>(), device_offsets = std::make_unique<page>();
  const std::vector<std::int32_t> host(4, 1), offsets{0, 1, 2};
  for (int i = 0; i < 4; ++i) device->numbers[i] = i + 5;
  for (int i = 0; i < 3; ++i) device_offsets->numbers[i] = i + 1;
  const std::span<const std::int32_t> far(device->numbers, 4), far_offsets(device_offsets->numbers, 3);
  const onefold::options automatic, cuda{.backend = onefold::backend::cuda},
      sequential{.backend = onefold::backend::sequential};
  using results = std::vector<std::int64_t>;
  results out(2, -1);
  const auto into = [&](const auto& what, const onefold::options& how) {
    return [&] { onefold::reduce<std::int32_t, sum, std::int64_t>(what, out, how); };
  };
  onefold::segmented_plan<std::int32_t, sum> plan(2, 10, automatic);
  into(segments(host, offsets), automatic)();
  CHECK(out == results{1, 1});
  into(segments(far, offsets), automatic)();
  CHECK(out == results{5, 6});
  into(segments(far, far_offsets), automatic)();
  CHECK(out == results{6, 7});
  into(segments(host, far_offsets), cuda)();
  CHECK(out == results{1, 1});
  plan(segments(host, offsets), out);
  CHECK(plan.report().backend != onefold::backend::cuda);
  plan(segments(far, far_offsets), out);
  CHECK(out == results{6, 7});
  CHECK(plan.report().backend == onefold::backend::cuda);
  onefold::segmented_plan<std::int32_t, sum>(2, 10, cuda).enqueue(segments(far, far_offsets), out, nullptr);
  // Results that are rounded are finished here, with what the offsets say.
  std::vector<double> rounded(2);
  onefold::reduce<std::int32_t, sum, double>(segments(far, far_offsets), rounded, {.init = 0.5});
  CHECK(rounded == std::vector<double>{6.5, 7.5});
  out = {-1, -1};
  check_error(error_code::invalid_argument, "the data is in device memory, which backend sequential cannot read",
              into(segments(far, offsets), sequential));
  check_error(error_code::unsupported,
              "the offsets are in device memory, which backend sequential cannot read; copy them to host memory",
              into(segments(host, far_offsets), automatic));
  check_error(error_code::invalid_argument,
              "the plan is for at most 2 segments with 10 elements in all, not for 2 with",
              [&] { plan(segments(std::span(far.data(), 11), far_offsets), out); });
  CHECK(out == results{-1, -1});
  // The CPU reads managed memory, wherever it was moved, and so does the accelerator.
  setenv("FAKE_MEMORY", "managed", 1);
  CHECK(onefold::sum(segments(host, offsets), automatic)[1] == 1);
  setenv("FAKE_MEMORY", "borders", 1);
}

TEST_CASE("elements that a device cannot load are refused", "[.accelerator]") {
  dispatch::load_driver();
  setenv("FAKE_MEMORY", "managed", 1);
  const auto memory = std::make_unique<page>();
  const std::span<const std::int32_t> shifted(
      reinterpret_cast<const std::int32_t*>(reinterpret_cast<const char*>(memory->numbers) + 2), 6);
  const onefold::array_view<std::int32_t> view(shifted.data(), {2, 3});
  const std::vector<std::int32_t> offsets{0, 2, 6};
  const std::vector<std::uint8_t> mask(6, 1);
  const onefold::options cuda{.backend = onefold::backend::cuda};
  std::vector<std::int64_t> out(2, -1);
  const auto refuses = [](const auto& call) {
    check_error(error_code::invalid_argument, "the data is not aligned to 4 bytes", call);
  };
  refuses([&] { onefold::sum(shifted, cuda); });
  refuses([&] { onefold::plan<std::int32_t, sum>(6, cuda).enqueue(shifted.data(), 6, out.data(), nullptr); });
  refuses([&] { onefold::reduce<std::int32_t, sum>(view, {.axes = {1}}, out, cuda); });
  refuses([&] { onefold::reduce<std::int32_t, sum>(segments(shifted, offsets), out, cuda); });
  refuses([&] { onefold::sum(onefold::where(shifted, mask), cuda); });
  CHECK(out == std::vector<std::int64_t>{-1, -1});
  // The CPU loads them wherever they begin.
  CHECK(onefold::sum(shifted, {.backend = onefold::backend::sequential}) == 0);
  setenv("FAKE_MEMORY", "borders", 1);
}

TEST_CASE("elements are grouped by key where they or their keys lie", "[.accelerator]") {
  dispatch::load_driver();
  const auto device = std::make_unique<page>(), device_keys = std::make_unique<page>();
  const std::vector<std::int32_t> host{1, 2, 4, 8, 16}, host_keys{3, -7, 3, 3, -7};
  for (std::size_t i = 0; i < 5; ++i) device->numbers[i] = host[i] * 32;
  for (std::size_t i = 0; i < 5; ++i) device_keys->numbers[i] = host_keys[i] + 1;
  const std::span<const std::int32_t> far(device->numbers, 5), far_keys(device_keys->numbers, 5);
  const onefold::options automatic, cuda{.backend = onefold::backend::cuda},
      sequential{.backend = onefold::backend::sequential};
  using list = std::vector<std::int64_t>;
  const auto check = [](const auto& found, const list& keys, const list& results) {
    CHECK(list(found.keys.begin(), found.keys.end()) == keys);
    CHECK(list(found.results.begin(), found.results.end()) == results);
  };
  check(onefold::sum(onefold::by_key(host, host_keys), automatic), {-7, 3}, {18, 13});
  check(onefold::sum(onefold::by_key(host, host_keys), cuda), {-7, 3}, {18, 13});
  check(onefold::sum(onefold::by_key(host, far_keys), automatic), {-6, 4}, {18, 13});
  check(onefold::sum(onefold::by_key(far, host_keys), automatic), {-7, 3}, {576, 416});
  check(onefold::sum(onefold::by_key(far, far_keys), automatic), {-6, 4}, {576, 416});
  check(onefold::max(onefold::runs_by_key(far, far_keys), cuda), {4, -6, 4, -6}, {32, 64, 256, 512});
  check(onefold::sum(onefold::by_key(far.first(0), far_keys.first(0)), automatic), {}, {});
  const auto found = std::make_unique<page>();
  const std::span<std::int32_t> far_found(found->numbers, 5);
  std::vector<std::int64_t> sums(2);
  CHECK(onefold::reduce<std::int32_t, sum>(onefold::by_key(far, far_keys), far_found, sums, automatic) == 2);
  CHECK(far_found[1] == 4);
  CHECK(sums[1] == 416);
  check_error(error_code::invalid_argument,
              "the groups' keys are in device memory, which backend sequential cannot write; use backend cuda", [&] {
                onefold::reduce<std::int32_t, sum>(onefold::by_key(host, host_keys), far_found, sums, automatic);
              });
  check_error(error_code::invalid_argument, "the number of keys, 4, is not that of the elements, 5",
              [&] { onefold::sum(onefold::by_key(far, far_keys.first(4)), automatic); });
  check_error(error_code::invalid_argument,
              "the keys are in device memory, which backend sequential cannot read; use backend cuda or automatic",
              [&] { onefold::sum(onefold::by_key(host, far_keys), sequential); });
  check_error(error_code::invalid_argument,
              "the data is in device memory, which backend sequential cannot read; use backend cuda or automatic",
              [&] { onefold::sum(onefold::by_key(far, host_keys), sequential); });
  const std::vector<double> others(5);
  check_error(error_code::unsupported, "the stand-in groups by i32 alone",
              [&] { onefold::sum(onefold::by_key(far, others), automatic); });
  const std::span<const std::int32_t> shifted(
      reinterpret_cast<const std::int32_t*>(reinterpret_cast<const char*>(device_keys->numbers) + 1), 5);
  check_error(error_code::invalid_argument, "the keys are not aligned to 4 bytes",
              [&] { onefold::sum(onefold::by_key(far, shifted), cuda); });
  // A plan groups where the data of each call is.
  onefold::keyed_plan<std::int32_t, sum, std::int32_t> p(5);
  std::vector<std::int32_t> keys_here(5);
  sums.resize(5);
  CHECK(p(onefold::by_key(host, host_keys), keys_here, sums) == 2);
  CHECK(p.report().backend == onefold::backend::sequential);
  CHECK(p(onefold::by_key(far, far_keys), far_found, sums) == 2);
  CHECK(p.report().backend == onefold::backend::cuda);
  std::int64_t count = -1;
  p.enqueue(onefold::runs_by_key(far, far_keys), far_found, sums, &count, nullptr);
  CHECK(count == 4);
  CHECK(list(far_found.begin(), far_found.begin() + 4) == list{4, -6, 4, -6});
  CHECK(sums == list{32, 64, 384, 512, sums[4]});
  sums.assign(5, -1);
  p.enqueue(onefold::runs_by_key(far, far_keys), far_found.first(2), sums, &count, nullptr);
  CHECK(count == 4);
  CHECK(sums == list{32, 64, -1, -1, -1});
  check_error(error_code::invalid_argument, "the pointer to the number of groups is null",
              [&] { p.enqueue(onefold::runs_by_key(far, far_keys), far_found, sums, nullptr, nullptr); });
  // The CPU reads managed memory, wherever it was moved, and so does the accelerator.
  setenv("FAKE_MEMORY", "managed", 1);
  check(onefold::sum(onefold::by_key(host, host_keys), automatic), {-7, 3}, {18, 13});
  setenv("FAKE_MEMORY", "borders", 1);
}
