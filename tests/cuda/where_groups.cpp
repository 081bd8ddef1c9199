// What masks select of groups by key on the device: masks of every form, keys and values in memory of every kind have
// the bits of the sequential backend.
#include <algorithm>

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
      return attempt<R>([&] {
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

TEST_CASE("some selections from groups", "[small]") {
  for (std::uint64_t seed = 520; seed < 526; ++seed) compare_groups<op::sum, float>(accuracy::native, seed);
}

TEST_CASE("selections from groups of every form") {
  const auto over = []<class Op, class T>(accuracy mode) {
    std::uint64_t seed = 660;
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
