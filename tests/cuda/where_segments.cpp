// What masks select of segments on the device: masks of every form, offsets and results in memory of every kind, and
// plans have the bits of the sequential backend.
#include "selections.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
using onefold::options;
using support::attempt;
using support::check_same;
using support::choose_init;
using support::far_mask;
using support::list_mask;
using support::random_data;
namespace op = onefold::op;

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
      attempt<R>([&] { return onefold::reduce<T, Op>(support::masked(onefold::segments(x, at), mask), cpu); });
  const far_mask far(mask);
  const support::copied<T> there(x, support::memory_kind::device, sizeof(T));
  const support::copied<std::int64_t> wide(at);
  const support::copied<std::uint32_t> narrow(std::vector<std::uint32_t>(at.begin(), at.end()));
  const std::span<const T> values(there.data(), x.size());
  const std::span<const std::int64_t> far_at(wide.data(), at.size());
  const auto check = [&](const auto& what) {
    check_same(attempt<R>([&] { return onefold::reduce<T, Op>(what, gpu); }), wanted);
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

}  // namespace

TEST_CASE("some selections from segments", "[small]") {
  for (int kind = 0; kind < 5; ++kind) {
    compare_segments<op::sum, float>(accuracy::native, kind, 500 + static_cast<std::uint64_t>(kind));
    compare_segments<op::argmax, double>(accuracy::native, kind, 510 + static_cast<std::uint64_t>(kind));
  }
}

TEST_CASE("selections from segments of every form") {
  const auto over = []<class Op, class T>(accuracy mode) {
    std::uint64_t seed = 600;
    for (int i = 0; i < 60; ++i) compare_segments<Op, T>(mode, i % 5, ++seed);
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
