// What masks select of segments and of groups by key on the device: masks of every form, offsets, keys and results in
// memory of every kind, plans, streams and graphs have the bits of the sequential backend.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "memory.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/where.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/errors.hpp"
#include "support/masks.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
using onefold::error_code;
using onefold::options;
using support::check_error;
using support::list_mask;
using support::mask_form;
namespace op = onefold::op;

/// The same mask, with copies of its bytes and bits on the device.
struct far_mask {
  explicit far_mask(const list_mask& m) : here(m), bytes(m.bytes, support::memory_kind::device, 3), bits(m.bits) {}

  template <class Grouped>
  Grouped select(const Grouped& what) const {
    const std::uint8_t* const first = bytes.data() + here.first();
    if (here.as == mask_form::not_nan) return onefold::where(what, onefold::not_nan);
    if (here.as == mask_form::bits)
      return onefold::where(what, onefold::bitmap(bits.data(), here.offset + here.first(), {here.n}, {here.stride}));
    return onefold::where(what, onefold::array_view<std::uint8_t>(first, {here.n}, {here.stride}));
  }

  const list_mask& here;
  support::copied<std::uint8_t> bytes, bits;
};

/// Lengths of segments: of one element, short ones, some of which are empty, long ones, and one of several chunks.
std::vector<std::int64_t> random_offsets(support::random_numbers& r, int kind) {
  std::vector<std::int64_t> at{r.integer(0, 1) == 0 ? 0 : r.integer(1, 50)};
  const int count = kind == 0 ? 3000 : kind == 1 ? 700 : kind == 2 ? 60 : kind == 3 ? 3 : 400;
  for (int i = 0; i < count; ++i)
    at.push_back(at.back() + (kind == 0   ? 1
                              : kind == 1 ? r.integer(0, 20)
                              : kind == 2 ? r.integer(1, 3000)
                              : kind == 3 ? r.integer(1, 60'000)
                              : i == 200  ? 100'000
                                          : r.integer(0, 5) / 2));
  return at;
}

template <class T>
std::vector<T> random_data(std::int64_t n, support::random_numbers& r) {
  auto x = support::summable_data<T>(n, r.bits());
  support::fill_nan<T>(x.data(), n, r);
  return x;
}

/// What a call left: results, or the words of an error.
template <class R>
struct outcome {
  onefold::result_array<R> results;
  std::string refused;
};
template <class R, class Call>
outcome<R> outcome_of(Call call) {
  outcome<R> left{onefold::result_array<R>({0}), {}};
  try {
    left.results = call();
  } catch (const onefold::error& e) {
    CHECK(e.code() == error_code::empty_input);
    left.refused = e.what();
  }
  return left;
}

template <class R>
void check_same(const onefold::result_array<R>& found, const onefold::result_array<R>& wanted) {
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (support::bits_of(found[i]) != support::bits_of(wanted[i])) {
      FAIL_CHECK("result " << i << " of " << wanted.size() << " is not the CPU's");
      return;
    }
}

template <class R>
void check_same(const outcome<R>& found, const outcome<R>& wanted) {
  CHECK(found.refused == wanted.refused);
  if (found.refused.empty() && wanted.refused.empty()) check_same(found.results, wanted.results);
}

/// An initial value where the operation has none of its own, so that nothing selected is no error; now and then not.
template <class Op>
void choose_init(options& how, support::random_numbers& r) {
  if constexpr (Op::takes_init)
    if (r.integer(0, 3) != 0) how.init = 1;
}

template <class Op, class T>
void compare_segments(accuracy mode, int kind, std::uint64_t seed) {
  using R = onefold::default_result<T, Op>;
  support::random_numbers r(seed);
  const auto at = random_offsets(r, kind);
  const std::int64_t n = at.back() + r.integer(0, 9);
  const auto x = random_data<T>(n, r);
  const list_mask mask = support::random_list_mask(r, n);
  options cpu{.backend = backend::sequential, .accuracy = mode};
  choose_init<Op>(cpu, r);
  options gpu = cpu;
  gpu.backend = backend::cuda;
  const std::string name = support::entry_name<Op, T>(mode);
  INFO(name << ", segments of kind " << kind << ", " << mask.text() << ", seed " << seed);
  const auto wanted =
      outcome_of<R>([&] { return onefold::reduce<T, Op>(support::masked(onefold::segments(x, at), mask), cpu); });
  const far_mask far(mask);
  const support::copied<T> there(x, support::memory_kind::device, sizeof(T));
  const support::copied<std::int64_t> wide(at);
  const support::copied<std::uint32_t> narrow(std::vector<std::uint32_t>(at.begin(), at.end()));
  const std::span<const T> values(there.data(), x.size());
  const std::span<const std::int64_t> far_at(wide.data(), at.size());
  const auto check = [&](const auto& what) {
    check_same(outcome_of<R>([&] { return onefold::reduce<T, Op>(what, gpu); }), wanted);
  };
  check(far.select(onefold::segments(values, far_at)));
  check(far.select(onefold::segments(values, std::span<const std::uint32_t>(narrow.data(), at.size()))));
  check(far.select(onefold::segments(values, at)));
  check(support::masked(onefold::segments(values, far_at), mask));  // the mask on the host
  check(support::masked(onefold::segments(x, at), mask));           // and all else
  if (!wanted.refused.empty()) return;
  const std::size_t count = at.size() - 1;
  onefold::segmented_plan<T, Op> plan(static_cast<std::int64_t>(count) + 2, n + 5, gpu);
  const support::copied<R> out(std::vector<R>(count + 1));
  const auto results = [&] {
    onefold::result_array<R> all({static_cast<std::int64_t>(count)});
    support::cuda(cudaMemcpy(all.data(), out.data(), count * sizeof(R), cudaMemcpyDefault));
    support::cuda(cudaMemset(out.data(), 0xa5, count * sizeof(R)));
    return all;
  };
  const auto what = far.select(onefold::segments(values, far_at));
  const std::span<R> to(out.data(), count);
  plan(what, to);
  check_same(results(), wanted.results);
  if constexpr (std::is_same_v<Op, op::sum> && !support::is_float<T>) return;  // which streams refuse at times
  const support::stream stream;
  plan.enqueue(what, to, stream);
  stream.wait();
  check_same(results(), wanted.results);
}

/// Keys of which there are few, alone or in runs.
std::vector<std::int32_t> random_keys(std::int64_t n, support::random_numbers& r) {
  std::vector<std::int32_t> keys;
  const int longest = r.integer(0, 1) == 0 ? 1 : 300, different = r.integer(1, 400);
  while (static_cast<std::int64_t>(keys.size()) < n) {
    const int key = r.integer(-different, different);
    for (int i = r.integer(1, longest); i > 0 && static_cast<std::int64_t>(keys.size()) < n; --i) keys.push_back(key);
  }
  if (r.integer(0, 2) == 0) std::ranges::sort(keys);
  return keys;
}

template <class Op, class T>
void compare_groups(accuracy mode, std::uint64_t seed) {
  using R = onefold::default_result<T, Op>;
  support::random_numbers r(seed);
  const std::int64_t n = r.integer(1, 60'000);
  const auto keys = random_keys(n, r);
  const auto x = random_data<T>(n, r);
  const list_mask mask = support::random_list_mask(r, n);
  options cpu{.backend = backend::sequential, .accuracy = mode};
  choose_init<Op>(cpu, r);
  options gpu = cpu;
  gpu.backend = backend::cuda;
  const std::string name = support::entry_name<Op, T>(mode);
  INFO(name << ", " << n << " elements with keys, " << mask.text() << ", seed " << seed);
  const far_mask far(mask);
  const support::copied<T> there(x, support::memory_kind::device, sizeof(T));
  const support::copied<std::int32_t> far_keys(keys);
  const std::span<const T> values(there.data(), x.size());
  const std::span<const std::int32_t> by(far_keys.data(), keys.size());
  for (const bool runs : {false, true}) {
    const auto grouped = [&](const auto& of, const auto& with) {
      return runs ? onefold::runs_by_key(of, with) : onefold::by_key(of, with);
    };
    onefold::result_array<std::int32_t> their_keys({0});
    const auto reduced = [&](const auto& what, const options& how) {
      return outcome_of<R>([&] {
        auto all = onefold::reduce<T, Op>(what, how);
        their_keys = std::move(all.keys);
        return std::move(all.results);
      });
    };
    const auto wanted = reduced(support::masked(grouped(x, keys), mask), cpu);
    const auto wanted_keys = std::move(their_keys);
    for (const auto& what : {far.select(grouped(values, by)), support::masked(grouped(values, by), mask),
                             support::masked(grouped(x, keys), mask)}) {
      check_same(reduced(what, gpu), wanted);
      if (!wanted.refused.empty()) continue;
      check_same(their_keys, wanted_keys);
    }
  }
}

}  // namespace

TEST_CASE("some selections from segments and groups", "[small]") {
  for (int kind = 0; kind < 5; ++kind) {
    compare_segments<op::sum, float>(accuracy::native, kind, 500 + static_cast<std::uint64_t>(kind));
    compare_segments<op::argmax, double>(accuracy::native, kind, 510 + static_cast<std::uint64_t>(kind));
  }
  for (std::uint64_t seed = 520; seed < 526; ++seed) compare_groups<op::sum, float>(accuracy::native, seed);
}

TEST_CASE("selections from segments and groups of every form") {
  const auto over = []<class Op, class T>(accuracy mode) {
    std::uint64_t seed = 600;
    for (int i = 0; i < 60; ++i) compare_segments<Op, T>(mode, i % 5, ++seed);
    for (int i = 0; i < 20; ++i) compare_groups<Op, T>(mode, ++seed);
  };
  over.template operator()<op::sum, float>(accuracy::native);
  over.template operator()<op::sum, double>(accuracy::exact);
  over.template operator()<op::mean, onefold::bf16>(accuracy::native);
  over.template operator()<op::sum, onefold::f16>(accuracy::kahan);
  over.template operator()<op::sum, std::int8_t>(accuracy::native);
  over.template operator()<op::sum, std::int64_t>(accuracy::exact);  // finished by the host
  over.template operator()<op::max, double>(accuracy::native);
  over.template operator()<op::argmax, float>(accuracy::native);
  over.template operator()<op::argmin, std::uint8_t>(accuracy::native);
  over.template operator()<op::variance, float>(accuracy::native);
  over.template operator()<op::minmax, std::uint16_t>(accuracy::native);
}

TEST_CASE("rounded results of selections from segments and groups") {
  const auto x = support::normal_data<double>(40'000, 701);
  std::vector<std::uint8_t> mask(x.size());
  std::vector<std::int32_t> keys(x.size()), at{3, 3, 90, 20'000, 39'000};
  for (std::size_t i = 0; i < x.size(); ++i) {
    mask[i] = i % 3 != 1;
    keys[i] = static_cast<std::int32_t>(i * 31 % 77);
  }
  const support::copied<double> there(x);
  const support::copied<std::uint8_t> by(mask);
  const std::span<const double> values(there.data(), x.size());
  const std::span<const std::uint8_t> far(by.data(), x.size());
  const options here{.backend = backend::sequential, .init = 2};
  check_same(onefold::reduce<double, op::sum, float>(onefold::where(onefold::segments(values, at), far), {.init = 2}),
             onefold::reduce<double, op::sum, float>(onefold::where(onefold::segments(x, at), mask), here));
  check_same(
      onefold::reduce<double, op::sum, float>(onefold::where(onefold::by_key(values, keys), far), {.init = 2}).results,
      onefold::reduce<double, op::sum, float>(onefold::where(onefold::by_key(x, keys), mask), here).results);
}

TEST_CASE("offsets in managed memory may leave out most elements", "[small]") {
  const auto x = support::normal_data<float>(1 << 22, 711);
  const std::vector<std::uint8_t> mask(x.size(), 1);
  const support::copied<std::int64_t> at(std::vector<std::int64_t>{0, 1000}, support::memory_kind::managed);
  const support::copied<float> there(x);
  const auto of = [&](const float* values) {
    return onefold::where(onefold::segments(std::span(values, x.size()), std::span<const std::int64_t>(at.data(), 2)),
                          mask);
  };
  const options host{.backend = backend::sequential}, gpu{.backend = backend::cuda};
  CHECK(onefold::sum(of(there.data()), gpu)[0] == onefold::sum(of(x.data()), host)[0]);
  CHECK(onefold::sum(of(x.data()), gpu)[0] == onefold::sum(of(x.data()), host)[0]);
}

TEST_CASE("recorded selections from segments and runs are replayed for other data") {
  const std::size_t n = 70'000;
  const auto first = support::normal_data<float>(n, 702), second = support::normal_data<float>(n, 703);
  std::vector<std::uint8_t> mask(n);
  std::vector<std::int32_t> keys(n), at;
  for (std::size_t i = 0; i < n; ++i) {
    mask[i] = i % 3 == 0;
    keys[i] = static_cast<std::int32_t>(i / 1000);
  }
  for (std::int32_t i = 0; i <= 70'000; i += 1000) at.push_back(i);
  support::copied<float> x(first);
  const support::copied<std::uint8_t> by(mask);
  const support::copied<std::int32_t> far_keys(keys), far_at(at), found(keys);
  const std::vector<float> zeros(n);
  const support::copied<float> sums(zeros), of_runs(zeros);
  const support::on_device<std::int64_t> count;
  const std::span<const float> values(x.data(), n);
  const std::span<const std::uint8_t> selects(by.data(), n);
  const auto segments =
      onefold::where(onefold::segments(values, std::span<const std::int32_t>(far_at.data(), at.size())), selects);
  const auto runs =
      onefold::where(onefold::runs_by_key(values, std::span<const std::int32_t>(far_keys.data(), n)), selects);
  onefold::segmented_plan<float, op::sum> p(70, static_cast<std::int64_t>(n), {.backend = backend::cuda});
  onefold::keyed_plan<float, op::sum, std::int32_t> k(static_cast<std::int64_t>(n), {.backend = backend::cuda});
  const std::span<float> to(sums.data(), 70), to_runs(of_runs.data(), 60);
  const std::span<std::int32_t> to_keys(found.data(), n);
  const support::stream stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
  support::cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  p.enqueue(segments, to, stream);
  k.enqueue(runs, to_keys, to_runs, count.data(), stream);
  support::cuda(cudaStreamEndCapture(stream, &graph));
  support::cuda(cudaGraphInstantiate(&made, graph, 0));
  x.put(second);
  support::cuda(cudaGraphLaunch(made, stream));
  stream.wait();
  const auto wanted = onefold::sum(onefold::where(onefold::segments(second, at), mask));
  const auto in_graph = sums.get(70), with_keys = of_runs.get(61);
  CHECK(std::memcmp(in_graph.data(), wanted.data(), 70 * sizeof(float)) == 0);
  CHECK(std::memcmp(with_keys.data(), wanted.data(), 60 * sizeof(float)) == 0);  // those beyond the room are counted
  CHECK(with_keys[60] == 0);
  CHECK(count.get() == 70);
  static_cast<void>(cudaGraphExecDestroy(made));
  static_cast<void>(cudaGraphDestroy(graph));
}

TEST_CASE("what selections on the device refuse") {
  const std::vector<float> here(10, 1);
  const std::vector<std::uint8_t> mask(10, 1);
  const std::vector<std::int32_t> at{0, 4, 10};
  const support::copied<float> there(here), out(here);
  const support::copied<std::int32_t> far_at(at), keys(std::vector<std::int32_t>(10, 1)), found(at);
  const support::copied<std::uint8_t> none(std::vector<std::uint8_t>(10));
  const std::span<const float> values(there.data(), 10);
  const auto segments = onefold::segments(values, std::span<const std::int32_t>(far_at.data(), 3));
  const auto groups = onefold::runs_by_key(values, std::span<const std::int32_t>(keys.data(), 10));
  const std::span<const std::uint8_t> nothing(none.data(), 10);
  onefold::segmented_plan<float, op::sum> p(2, 10, {.backend = backend::cuda});
  onefold::keyed_plan<float, op::sum, std::int32_t> k(10, {.backend = backend::cuda});
  const support::stream stream;
  const support::on_device<std::int64_t> count;
  const std::span<float> to(out.data(), 2);
  const std::string far = "enqueue takes a mask in device memory, and this is not";
  check_error(error_code::invalid_argument, far, [&] { p.enqueue(onefold::where(segments, mask), to, stream); });
  check_error(error_code::invalid_argument, far,
              [&] { k.enqueue(onefold::where(groups, mask), std::span(found.data(), 3), to, count.data(), stream); });
  check_error(error_code::empty_input, "max of no elements has no value: no element of segment 0 is selected",
              [&] { onefold::max(onefold::where(segments, nothing)); });
  check_error(error_code::empty_input, "max of no elements has no value: no element of group 0 is selected",
              [&] { onefold::max(onefold::where(groups, nothing)); });
  check_error(error_code::invalid_argument, "the mask is in device memory, and the data is reduced on the CPU",
              [&] { onefold::sum(onefold::where(onefold::segments(here, at), nothing)); });
  const std::span<const bool> null(static_cast<const bool*>(nullptr), 10);
  check_error(error_code::invalid_argument, "the mask's pointer is null, but there are 10 elements",
              [&] { onefold::sum(onefold::where(segments, null)); });
  // In a stream, nothing selected gives the identity.
  p.enqueue(onefold::where(segments, nothing), to, stream);
  stream.wait();
  CHECK(out.get(2) == std::vector<float>{0, 0});
}

TEST_CASE("plans that know their types at run time only take the same masks") {
  const std::int64_t n = 50'000;
  const auto x = support::normal_data<float>(n, 704);
  std::vector<std::uint8_t> mask(x.size());
  std::vector<std::int32_t> keys(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    mask[i] = i % 3 != 1;
    keys[i] = static_cast<std::int32_t>(i / 7);
  }
  const std::vector<std::int32_t> at{0, 3, 3, 20'000, 49'999};
  const support::copied<float> there(x), sums(x);
  const support::copied<std::uint8_t> by(mask);
  const support::copied<std::int32_t> far_at(at), far_keys(keys), found(keys);
  const support::copied<std::int64_t> count(std::vector<std::int64_t>{-1});
  const onefold::list_selection selects{onefold::mask_kind::bytes, onefold::dtype::other, by.data()};
  const options gpu{.backend = backend::cuda}, cpu{.backend = backend::sequential};
  onefold::dynamic_segmented_plan p("sum", "f32", 4, n, gpu);
  p.enqueue(there.data(), n, far_at.data(), 5, onefold::dtype::i32, sums.data(), 4, nullptr, selects);
  support::cuda(cudaDeviceSynchronize());
  const auto wanted = onefold::sum(onefold::where(onefold::segments(x, at), mask), cpu);
  CHECK(std::memcmp(sums.get(4).data(), wanted.data(), 4 * sizeof(float)) == 0);
  onefold::dynamic_keyed_plan k("sum", "f32", "i32", n, gpu);
  k.enqueue_runs(there.data(), far_keys.data(), n, found.data(), sums.data(), n, count.data(), nullptr, selects);
  support::cuda(cudaDeviceSynchronize());
  const auto of_runs = onefold::sum(onefold::where(onefold::runs_by_key(x, keys), mask), cpu);
  REQUIRE(count.get(1)[0] == static_cast<std::int64_t>(of_runs.results.size()));
  CHECK(std::memcmp(sums.get(of_runs.results.size()).data(), of_runs.results.data(),
                    of_runs.results.size() * sizeof(float)) == 0);
}
