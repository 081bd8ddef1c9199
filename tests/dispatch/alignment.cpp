// Results, and keys, that are not aligned: every backend refuses them before it writes, whatever makes the call.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dispatch/stand_in.hpp"
#include "onefold/custom.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/keys.hpp"
#include "onefold/shapes.hpp"
#include "onefold/where.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/errors.hpp"

using onefold::dtype;
using onefold::error_code;
using onefold::mask_kind;
using onefold::op::minmax;
using onefold::op::sum;
using grouping = onefold::dynamic_keyed_plan::grouping;

namespace {

const std::vector<float> data{1, 2, 3, 4, 5, 6};
const onefold::array_view<float> view(data.data(), {2, 3});
const std::vector<std::int32_t> offsets{0, 2, 6};
const std::vector<std::int32_t> keys{1, 1, 1, 2, 2, 2};
const std::vector<std::uint8_t> mask(6, 1);
const onefold::array_view<std::uint8_t> mask_view(mask.data(), {2, 3});

/// Memory that nothing may be written to.
class untouched {
 public:
  untouched() { std::ranges::fill(bytes_, '\xa5'); }
  ~untouched() {
    CHECK(std::ranges::all_of(bytes_, [](char c) { return c == '\xa5'; }));
  }
  untouched(const untouched&) = delete;
  untouched& operator=(const untouched&) = delete;

  template <class T = char>
  T* at(std::int64_t byte) {
    return reinterpret_cast<T*>(bytes_ + byte);
  }
  /// Room for four of them.
  template <class T>
  std::span<T> from(std::int64_t byte) {
    return {at<T>(byte), 4};
  }

 private:
  alignas(64) char bytes_[512];
};

template <class Call>
void refuses(const std::string& what, int align, const Call& call) {
  support::check_error(error_code::invalid_argument, what + " not aligned to " + std::to_string(align) + " byte", call);
}

template <class Call>
void refuses(int align, const Call& call) {
  refuses("the results are", align, call);
}

/// A sum whose result fills a cache line's half.
struct wide_sum {
  struct alignas(32) result {
    float value;
  };
  using state = float;
  static state identity() { return 0; }
  static state lift(float x, std::int64_t) { return x; }
  static state combine(state a, state b) { return a + b; }
  static result finish(state s) { return {s}; }
};

}  // namespace

TEST_CASE("results over axes") {
  const auto how = support::on_backend();
  untouched memory;
  for (const int byte : {1, 2, 3, 5}) {
    refuses(4, [&] { onefold::reduce<float, sum>(view, {.axes = 1}, memory.from<float>(byte), how); });
    refuses(4, [&] { onefold::reduce<float, sum>(view, {}, memory.from<float>(byte), how); });
    onefold::shaped_plan<float, sum> plan(view, {.axes = 0}, how);
    refuses(4, [&] { plan(data.data(), memory.from<float>(byte)); });
    onefold::shaped_plan<float, sum> whole(view, {}, how);
    refuses(4, [&] { whole(data.data(), memory.from<float>(byte)); });
    onefold::dynamic_shaped_plan dynamic("sum", "f32", view.axes(), {.axes = 1}, how);
    refuses(4, [&] { dynamic.run(data.data(), memory.at(byte), 4); });
  }
  // As their type is aligned: rounded results, results of several numbers, user-defined ones.
  refuses(8, [&] { onefold::reduce<float, sum, double>(view, {.axes = 1}, memory.from<double>(4), how); });
  refuses(2,
          [&] { onefold::reduce<float, sum, onefold::bf16>(view, {.axes = 1}, memory.from<onefold::bf16>(1), how); });
  refuses(4, [&] {
    onefold::reduce<float, minmax>(view, {.axes = 1}, memory.from<onefold::minmax_result<float>>(2), how);
  });
  refuses(8, [&] {
    onefold::reduce<float, onefold::op::moments>(view, {.axes = 1}, memory.from<onefold::moments_result>(4), how);
  });
  refuses(32, [&] { onefold::reduce<float, wide_sum>(view, {.axes = 1}, memory.from<wide_sum::result>(16), how); });
}

TEST_CASE("results that may begin anywhere they fit") {
  const auto how = support::on_backend();
  alignas(64) char bytes[256];
  const auto at = [&]<class R>(std::int64_t byte) { return std::span<R>(reinterpret_cast<R*>(bytes + byte), 2); };
  const auto truths = at.operator()<bool>(3);
  onefold::reduce<float, onefold::op::all>(view, {.axes = 1}, truths, how);
  CHECK(truths[1]);
  const auto rounded = at.operator()<onefold::bf16>(2);
  onefold::reduce<float, sum, onefold::bf16>(view, {.axes = 1}, rounded, how);
  CHECK(rounded[1].bits == onefold::bf16(15.0f).bits);
  const auto both = at.operator()<onefold::minmax_result<float>>(4);
  onefold::reduce<float, minmax>(view, {.axes = 1}, both, how);
  CHECK(both[1].max == 6);
  const auto wide = at.operator()<wide_sum::result>(32);
  onefold::reduce<float, wide_sum>(view, {.axes = 1}, wide, how);
  CHECK(wide[1].value == 15);
  onefold::array_view<float> hollow(nullptr, {0, 3});
  CHECK_NOTHROW(onefold::reduce<float, sum>(hollow, {.axes = 1}, at.operator()<float>(1), how));  // nothing to write
}

TEST_CASE("results of segments") {
  const auto how = support::on_backend();
  untouched memory;
  const auto what = onefold::segments(data, offsets);
  refuses(4, [&] { onefold::reduce<float, sum>(what, memory.from<float>(1), how); });
  refuses(8, [&] { onefold::reduce<float, sum, double>(what, memory.from<double>(4), how); });
  onefold::segmented_plan<float, sum> plan(2, 6, how);
  refuses(4, [&] { plan(what, memory.from<float>(2)); });
  onefold::dynamic_segmented_plan dynamic("minmax", "f32", 2, 6, how);
  refuses(4, [&] { dynamic.run(data.data(), 6, offsets.data(), 3, dtype::i32, memory.at(3), 4); });
}

TEST_CASE("results of selected elements") {
  const auto how = support::on_backend();
  untouched memory;
  const auto what = onefold::where(view, mask_view);
  refuses(4, [&] { onefold::reduce<float, sum>(what, {.axes = 1}, memory.from<float>(1), how); });
  refuses(8, [&] { onefold::reduce<float, sum, double>(what, {}, memory.from<double>(4), how); });
  refuses(4, [&] {
    onefold::reduce<float, sum>(onefold::where(view, onefold::not_nan), {.axes = 0}, memory.from<float>(1), how);
  });
  onefold::selected_plan<float, sum> plan(what, {.axes = 1}, how);
  refuses(4, [&] { plan(what, memory.from<float>(2)); });
  onefold::dynamic_selected_plan dynamic("sum", "f32", view.axes(), {mask_kind::bytes, mask_view.axes()}, {}, how);
  refuses(4, [&] { dynamic.run(data.data(), mask.data(), memory.at(3), 4); });
}

TEST_CASE("results by key, the keys that are found, and the keys") {
  const auto how = support::on_backend();
  untouched memory;
  onefold::keyed_plan<float, sum, std::int32_t> plan(6, how);
  onefold::dynamic_keyed_plan dynamic("sum", "f32", "i32", 6, how, "f64");
  for (const bool runs : {false, true}) {
    const auto what = runs ? onefold::runs_by_key(data, keys) : onefold::by_key(data, keys);
    const auto found = memory.from<std::int32_t>(0);
    const auto results = memory.from<float>(64);
    refuses(4, [&] { onefold::reduce<float, sum>(what, found, memory.from<float>(65), how); });
    refuses(4, [&] { plan(what, found, memory.from<float>(66)); });
    refuses("the groups' keys are", 4, [&] { plan(what, memory.from<std::int32_t>(1), results); });
    auto shifted = what;
    shifted.keys = {reinterpret_cast<const std::int32_t*>(reinterpret_cast<const char*>(keys.data()) + 2), 5};
    shifted.values = shifted.values.first(5);
    refuses("the keys are", 4, [&] { plan(shifted, found, results); });
    refuses("the keys are", 4, [&] { onefold::sum(shifted, how); });
    const auto by = runs ? grouping::runs : grouping::keys;
    refuses(8, [&] { dynamic.run(data.data(), keys.data(), 6, by, memory.at(0), memory.at(68), 4); });
    refuses("the groups' keys are", 4,
            [&] { dynamic.run(data.data(), keys.data(), 6, by, memory.at(2), memory.at(64), 4); });
  }
}

TEST_CASE("the result of a plan whose types are known at run time only") {
  untouched memory;
  const auto how = support::on_backend();
  const auto run = [&](const char* operation, const char* result, int align) {
    onefold::dynamic_plan plan(operation, "f32", 6, how, result);
    for (const std::int64_t n : {0, 6})
      refuses("the result is", align, [&] { plan.run(data.data(), n, memory.at(align / 2)); });
  };
  run("sum", "", 4);
  run("sum", "f64", 8);
  run("sum", "bf16", 2);
  run("argmax", "", 8);
  run("moments", "", 8);
}

// With the stand-in for CUDA, whose memory is the host's.
TEST_CASE("results that are enqueued", "[.accelerator]") {
  dispatch::load_driver();
  const onefold::options how{.backend = onefold::backend::cuda};
  untouched memory;
  const auto results = memory.from<float>(65);
  onefold::plan<float, sum> array(6, how);
  refuses("the result is", 4, [&] { array.enqueue(data.data(), 6, results.data(), nullptr); });
  refuses("the number of elements is", 8,
          [&] { array.enqueue(data.data(), memory.at<std::int64_t>(4), memory.at<float>(64), nullptr); });
  onefold::dynamic_plan dynamic("sum", "f32", 6, how, "f64");
  refuses("the result is", 8, [&] { dynamic.enqueue(data.data(), 6, memory.at(4), nullptr); });
  onefold::shaped_plan<float, sum> shaped(view, {.axes = 1}, how), whole(view, {}, how);
  refuses(4, [&] { shaped.enqueue(data.data(), results, nullptr); });
  refuses(4, [&] { whole.enqueue(data.data(), results, nullptr); });
  onefold::segmented_plan<float, sum> segmented(2, 6, how);
  refuses(4, [&] { segmented.enqueue(onefold::segments(data, offsets), results, nullptr); });
  const auto what = onefold::where(view, mask_view);
  onefold::selected_plan<float, sum> selected(what, {.axes = 1}, how);
  refuses(4, [&] { selected.enqueue(what, results, nullptr); });
  onefold::keyed_plan<float, sum, std::int32_t> keyed(6, how);
  const auto by_runs = onefold::runs_by_key(data, keys);
  std::int64_t count = -1;
  refuses(4, [&] { keyed.enqueue(by_runs, memory.from<std::int32_t>(0), results, &count, nullptr); });
  refuses("the groups' keys are", 4,
          [&] { keyed.enqueue(by_runs, memory.from<std::int32_t>(2), memory.from<float>(64), &count, nullptr); });
  refuses("the number of groups is", 8, [&] {
    keyed.enqueue(by_runs, memory.from<std::int32_t>(0), memory.from<float>(64), memory.at<std::int64_t>(132), nullptr);
  });
  CHECK(count == -1);
}
