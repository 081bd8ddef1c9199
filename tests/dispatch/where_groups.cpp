// Masks over segments and over groups by key as callers write them, plans of every kind, and what they refuse.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/where.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

using onefold::bitmap;
using onefold::by_key;
using onefold::dtype;
using onefold::error_code;
using onefold::mask_kind;
using onefold::not_nan;
using onefold::runs_by_key;
using onefold::segments;
using onefold::where;
using onefold::op::max;
using onefold::op::sum;
using support::check_error;
using support::values;

namespace {

const std::vector<float> data{1, 2, 3, 4, 5, 6};
const std::vector<std::int32_t> offsets{0, 2, 2, 5};  // the last element is in none
const std::vector<std::int32_t> keys{7, -1, 7, 7, -1, 3};
const std::vector<std::uint8_t> mask{0, 1, 255, 0, 2, 1};
const std::uint8_t bits[] = {0b10110000, 0b1};  // from bit 3 on the same

}  // namespace

TEST_CASE("masks of every kind select from segments") {
  const auto how = support::on_backend();
  const auto all = segments(data, offsets);
  const std::vector<float> meant{2, 0, 8};
  CHECK(values(onefold::sum(where(all, mask), how)) == meant);
  CHECK(values(onefold::sum(where(all, std::array<bool, 6>{false, true, true, false, true, true}), how)) == meant);
  CHECK(values(onefold::sum(where(all, onefold::array_view<std::uint8_t>(mask.data(), {6})), how)) == meant);
  CHECK(values(onefold::sum(where(all, bitmap(bits, 3, {6})), how)) == meant);
  const std::vector<std::uint8_t> apart{0, 9, 1, 9, 1, 9, 0, 9, 1, 9, 1}, backwards{1, 1, 0, 1, 1, 0};
  CHECK(values(onefold::sum(where(all, onefold::array_view<std::uint8_t>(apart.data(), {6}, {2})), how)) == meant);
  CHECK(values(onefold::sum(where(all, onefold::array_view<std::uint8_t>(&backwards[5], {6}, {-1})), how)) == meant);
  CHECK(values(onefold::sum(where(all, onefold::array_view<std::uint8_t>(mask.data(), {6}, {0})), how)) ==
        std::vector<float>{0, 0, 0});
  CHECK(values(onefold::sum(where(all, not_nan), how)) == std::vector<float>{3, 0, 12});
  CHECK(values(onefold::reduce<float, sum, double>(where(all, mask), {.threads = 2, .init = 0.5})) ==
        std::vector<double>{2.5, 0.5, 8.5});
  CHECK(values(onefold::max(where(all, mask), {.init = 3})) == std::vector<float>{3, 3, 5});
  // An index is a place in the segment.
  CHECK(values(onefold::argmin(where(segments(data, std::vector<int>{1, 3, 6}), mask), how)) ==
        std::vector<std::int64_t>{0, 1});
  std::vector<float> out(4, -1);
  onefold::reduce<float, sum>(where(all, mask), out, how);
  CHECK(out == std::vector<float>{2, 0, 8, -1});
}

TEST_CASE("masks of every kind select from groups by key") {
  const auto how = support::on_backend();
  const auto found = onefold::sum(where(by_key(data, keys), mask), how);
  CHECK(values(found.keys) == std::vector<std::int32_t>{-1, 3, 7});
  CHECK(values(found.results) == std::vector<float>{7, 6, 3});
  CHECK(values(onefold::sum(where(by_key(data, keys), bitmap(bits, 3, {6})), how).results) ==
        std::vector<float>{7, 6, 3});
  const auto runs = onefold::sum(where(runs_by_key(data, keys), mask), how);
  CHECK(values(runs.keys) == std::vector<std::int32_t>{7, -1, 7, -1, 3});
  CHECK(values(runs.results) == std::vector<float>{0, 2, 3, 5, 6});  // a group of which nothing is selected stays
  CHECK(values(onefold::argmax(where(by_key(data, keys), mask), how).results) == std::vector<std::int64_t>{1, 0, 1});
  std::vector<std::int32_t> to_keys(3);
  std::vector<float> to(3);
  CHECK(onefold::reduce<float, max>(where(by_key(data, keys), mask), to_keys, to, how) == 3);
  CHECK(to == std::vector<float>{5, 6, 3});
}

TEST_CASE("segments and groups without NaN") {
  const auto how = support::on_backend();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{nan, 3, -nan, 1, 5, nan};
  CHECK(values(onefold::nansum(segments(x, offsets), how)) == std::vector<float>{3, 0, 6});
  CHECK(values(onefold::nanargmax(segments(x, std::vector<int>{0, 2, 6}), how)) == std::vector<std::int64_t>{1, 2});
  CHECK(values(onefold::nanmean(by_key(x, std::vector<int>{2, 1, 2, 2, 1, 2}), how).results) ==
        std::vector<float>{4, 1});
  CHECK(values(onefold::nansum(runs_by_key(x, keys), how).results) == std::vector<float>{0, 3, 1, 5, 0});
  check_error(error_code::empty_input, "max of no elements has no value: no element of group 2 is selected", [&] {
    onefold::nanmax(runs_by_key(x, std::vector<int>{1, 1, 1, 2, 2, 3}), {.init = {}});
  });
  // Integers are never NaN.
  CHECK(values(onefold::nansum(segments(keys, offsets), how)) == std::vector<std::int64_t>{6, 0, 13});
  CHECK(values(onefold::nanmax(where(by_key(keys, keys), mask), how).results) == std::vector<std::int32_t>{-1, 3, 7});
}

TEST_CASE("nothing selected of a segment or a group; nothing is written") {
  const auto how = support::on_backend();
  std::vector<float> out(3, -1);
  std::vector<std::int32_t> found(3, -9);
  const std::vector<std::uint8_t> few{1, 0, 1, 0, 0, 0}, none(6);
  check_error(error_code::empty_input, "max of no elements has no value: no element of segment 1 is selected", [&] {
    onefold::reduce<float, max>(where(segments(data, std::vector<int>{0, 3, 6}), few), out, how);
  });
  check_error(error_code::empty_input, "max of no elements has no value: segment 1 is empty",
              [&] { onefold::reduce<float, max>(where(segments(data, offsets), few), out, how); });
  check_error(error_code::empty_input, "max of no elements has no value: no element of group 0 is selected",
              [&] { onefold::reduce<float, max>(where(by_key(data, keys), few), found, out, how); });
  CHECK(out == std::vector<float>(3, -1));
  CHECK(found == std::vector<std::int32_t>(3, -9));
  CHECK(values(onefold::product(where(segments(data, offsets), none), how)) == std::vector<float>{1, 1, 1});
  // No elements, and no memory.
  const std::span<const float> empty;
  CHECK(values(onefold::sum(where(segments(empty, std::vector<int>{0, 0}), std::span<const bool>()), how)) ==
        std::vector<float>{0});
  CHECK(onefold::sum(where(by_key(empty, std::span<const int>()), bitmap(nullptr, {0})), how).keys.size() == 0);
}

TEST_CASE("masks that do not fit segments or groups; nothing is written") {
  const auto how = support::on_backend();
  const auto all = segments(data, offsets);
  const auto groups = by_key(data, keys);
  const std::string extents = "the mask has the extents (5), the data has (6); a mask needs the extents of its data";
  check_error(error_code::invalid_argument, extents, [&] { where(all, std::span(mask).first(5)); });
  check_error(error_code::invalid_argument, extents, [&] { where(groups, bitmap(bits, {5})); });
  check_error(error_code::invalid_argument, "the mask has the extents (2, 3), the data has (6)", [&] {
    where(all, onefold::array_view<std::uint8_t>(mask.data(), {2, 3}));
  });
  check_error(error_code::invalid_argument, "the offset of the mask's bits is negative: -1",
              [&] { where(all, bitmap(bits, -1, {6})); });
  const std::string twice = "a mask has selected from these values already; combine the two masks";
  check_error(error_code::invalid_argument, twice, [&] { where(where(all, mask), mask); });
  check_error(error_code::invalid_argument, twice, [&] { onefold::nansum(where(groups, mask), how); });
  std::vector<float> out(3, -1);
  std::vector<std::int32_t> found(3, -9);
  const std::span<const bool> null(static_cast<const bool*>(nullptr), 6);
  const std::string is_null = "the mask's pointer is null, but there are 6 elements";
  check_error(error_code::invalid_argument, is_null, [&] { onefold::reduce<float, sum>(where(all, null), out, how); });
  check_error(error_code::invalid_argument, is_null,
              [&] { onefold::reduce<float, sum>(where(groups, null), found, out, how); });
  check_error(error_code::invalid_argument, "offset 1 is 9, beyond the end of 6 elements", [&] {
    onefold::reduce<float, sum>(where(segments(data, std::vector<int>{0, 9}), mask), out, how);
  });
  alignas(8) std::array<std::uint8_t, 24> bytes{};
  const std::span<float> over(reinterpret_cast<float*>(bytes.data() + 8), 3);
  const auto selected = std::span(bytes).subspan(2);  // 6 bytes before the results, then some of them
  check_error(error_code::invalid_argument, "the results would overwrite the mask",
              [&] { onefold::reduce<float, sum>(where(all, selected.subspan(1, 6)), over, how); });
  check_error(error_code::invalid_argument, "the results would overwrite the mask",
              [&] { onefold::reduce<float, sum>(where(groups, selected.subspan(1, 6)), found, over, how); });
  check_error(error_code::invalid_argument, "the groups' keys would overwrite the mask", [&] {
    onefold::reduce<float, sum>(where(groups, selected.subspan(1, 6)),
                                std::span(reinterpret_cast<std::int32_t*>(bytes.data() + 8), 3), out, how);
  });
  CHECK(std::ranges::count(bytes, 0) == 24);
  CHECK(out == std::vector<float>(3, -1));
  CHECK(found == std::vector<std::int32_t>(3, -9));
  CHECK_NOTHROW(onefold::reduce<float, sum>(where(all, selected.first(6)), over, how));
}

TEST_CASE("plans of segments and groups take masks of any kind, and none") {
  const auto how = support::on_backend();
  onefold::segmented_plan<float, sum> p(3, 6, how);
  std::vector<float> out(3);
  const auto run = [&](const auto& what) {
    p(what, out);
    return out;
  };
  CHECK(run(segments(data, offsets)) == std::vector<float>{3, 0, 12});
  CHECK(run(where(segments(data, offsets), mask)) == std::vector<float>{2, 0, 8});
  CHECK(run(where(segments(data, offsets), bitmap(bits, 3, {6}))) == std::vector<float>{2, 0, 8});
  CHECK(run(where(segments(data, std::vector<std::uint64_t>{1, 2, 4, 6}), not_nan)) == std::vector<float>{2, 7, 11});
  CHECK(run(segments(data, offsets)) == std::vector<float>{3, 0, 12});
  onefold::keyed_plan<float, sum, std::int32_t> k(6, how);
  std::vector<std::int32_t> found(3);
  CHECK(k(where(by_key(data, keys), mask), found, out) == 3);
  CHECK(out == std::vector<float>{7, 6, 3});
  CHECK(k(by_key(data, keys), found, out) == 3);
  CHECK(out == std::vector<float>{7, 6, 8});
}

TEST_CASE("plans whose types are known at run time only take the same masks") {
  const auto how = support::on_backend();
  onefold::dynamic_segmented_plan p("sum", "f32", 3, 6, how);
  std::vector<float> out(3);
  const auto run = [&](const onefold::list_selection& selects) {
    p.run(data.data(), 6, offsets.data(), 4, dtype::i32, out.data(), 3, selects);
    return out;
  };
  CHECK(run({mask_kind::bytes, dtype::other, mask.data()}) == std::vector<float>{2, 0, 8});
  CHECK(run({mask_kind::bits, dtype::other, bits, 3}) == std::vector<float>{2, 0, 8});
  CHECK(run({mask_kind::bytes, dtype::other, &mask[5], 0, -1}) == std::vector<float>{3, 0, 9});
  CHECK(run({}) == std::vector<float>{3, 0, 12});
  const std::vector<float> x{1, std::nanf(""), 3, 4, std::nanf(""), 6};
  p.run(x.data(), 6, offsets.data(), 4, dtype::i32, out.data(), 3, {mask_kind::not_nan});
  CHECK(out == std::vector<float>{1, 0, 7});
  onefold::dynamic_segmented_plan integers("sum", "i32", 3, 6, how);
  std::vector<std::int64_t> sums(3);
  integers.run(keys.data(), 6, offsets.data(), 4, dtype::i32, sums.data(), 3, {mask_kind::not_nan});
  CHECK(sums == std::vector<std::int64_t>{6, 0, 13});
  check_error(error_code::invalid_argument, "unknown kind of mask 9", [&] { run({static_cast<mask_kind>(9)}); });
  check_error(error_code::invalid_argument, "the mask's pointer is null", [&] { run({mask_kind::bytes}); });
  check_error(error_code::invalid_argument, "the offset of the mask's bits is negative: -2", [&] {
    run({mask_kind::bits, dtype::other, bits, -2});
  });
  check_error(error_code::invalid_argument, "farther", [&] {
    run({mask_kind::bytes, dtype::other, bits, 0, std::numeric_limits<std::int64_t>::max() / 2});
  });
  onefold::dynamic_keyed_plan k("sum", "f32", "i32", 6, how);
  using grouping = onefold::dynamic_keyed_plan::grouping;
  std::vector<std::int32_t> found(3);
  CHECK(k.run(data.data(), keys.data(), 6, grouping::keys, found.data(), out.data(), 3,
              {mask_kind::bytes, dtype::other, mask.data()}) == 3);
  CHECK(out == std::vector<float>{7, 6, 3});
}

// With a stand-in for CUDA: what begins at a border of a page is in device memory.
TEST_CASE("what is selected of segments and groups is reduced where it and its mask can be read", "[.accelerator]") {
  dispatch::load_driver();
  using page = dispatch::page<float>;
  const auto device = std::make_unique<page>(), far_mask = std::make_unique<page>(), host = std::make_unique<page>();
  const std::span<float> far(device->numbers, data.size()), near(host->numbers + 1, data.size());
  std::ranges::copy(data, near.begin());
  std::ranges::copy(data, far.begin());
  // What else begins at a border is the linker's choice: these do not.
  const std::span<std::uint8_t> near_by(reinterpret_cast<std::uint8_t*>(host->numbers + 512), mask.size());
  const std::span<std::uint8_t> far_by(reinterpret_cast<std::uint8_t*>(far_mask->numbers), mask.size());
  std::ranges::copy(mask, near_by.begin());
  std::ranges::copy(mask, far_by.begin());
  const std::vector<std::int32_t> at(offsets), by(keys);
  const onefold::options automatic, cuda{.backend = onefold::backend::cuda},
      sequential{.backend = onefold::backend::sequential};
  const std::vector<float> meant{2, 0, 8}, by_keys{7, 6, 3};
  CHECK(values(onefold::sum(where(segments(near, at), near_by), automatic)) == meant);
  CHECK(values(onefold::sum(where(segments(near, at), near_by), cuda)) == meant);
  CHECK(values(onefold::sum(where(segments(far, at), near_by), automatic)) == meant);
  CHECK(values(onefold::sum(where(segments(far, at), far_by), automatic)) == meant);
  CHECK(values(onefold::sum(where(by_key(far, by), far_by), automatic).results) == by_keys);
  CHECK(values(onefold::sum(where(by_key(near, by), far_by), cuda).results) == by_keys);
  onefold::segmented_plan<float, sum> plan(3, 6);
  std::vector<float> out(3, -1);
  plan(where(segments(far, at), far_by), out);
  CHECK(out == meant);
  CHECK(plan.report().backend == onefold::backend::cuda);
  out.assign(3, -1);
  plan.enqueue(where(segments(far, at), far_by), out, nullptr);
  CHECK(out == meant);
  onefold::keyed_plan<float, sum, std::int32_t> grouped(6);
  out.assign(5, -1);
  std::vector<std::int32_t> found(5);
  std::int64_t count = -1;
  grouped.enqueue(where(runs_by_key(far, by), far_by), found, out, &count, nullptr);
  CHECK(count == 5);
  CHECK(out == std::vector<float>{0, 2, 3, 5, 6});
  out.assign(3, -1);
  const std::string apart = "the mask is in device memory, and the data is reduced on the CPU";
  check_error(error_code::invalid_argument, apart, [&] { plan(where(segments(near, at), far_by), out); });
  check_error(error_code::invalid_argument, apart,
              [&] { onefold::reduce<float, sum>(where(segments(near, at), far_by), out, sequential); });
  check_error(error_code::invalid_argument, apart,
              [&] { onefold::reduce<float, sum>(where(by_key(near, by), far_by), found, out, sequential); });
  CHECK(out == std::vector<float>(3, -1));
}
