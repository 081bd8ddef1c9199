// Plans that know operation and types at run time only, on the device: they have the bits of plans that are typed.
#include "onefold/dynamic.hpp"

#include <cstring>
#include <vector>

#include "keys.hpp"
#include "onefold/where.hpp"

namespace {

using onefold::backend;
using onefold::options;
using support::random_keys;

}  // namespace

TEST_CASE("plans that know their types at run time only enqueue the same") {
  const std::int64_t n = 50'000;
  const auto size = static_cast<std::size_t>(n);
  const auto x = support::normal_data<float>(n, 301);
  const auto keys = random_keys<std::int64_t>(n, 70, 9, 302);
  const support::copied<float> far(x), sums(std::vector<float>(size, -1));
  const support::copied<std::int64_t> far_keys(keys), found(std::vector<std::int64_t>(size, -1)),
      count(std::vector<std::int64_t>{-1});
  const options here{.backend = backend::sequential}, there{.backend = backend::cuda};
  const auto check_bits = [&](const auto& wanted) {
    support::cuda(cudaDeviceSynchronize());
    const auto results = sums.get(wanted.size());
    CHECK(std::memcmp(results.data(), wanted.data(), wanted.size() * sizeof(float)) == 0);
  };
  {
    const auto wanted = onefold::sum(onefold::runs_by_key(x, keys), here);
    onefold::dynamic_keyed_plan p("sum", "f32", "i64", n, there);
    p.enqueue_runs(far.data(), far_keys.data(), n, found.data(), sums.data(), n, count.data(), nullptr);
    check_bits(wanted.results);
    CHECK(count.get(1)[0] == static_cast<std::int64_t>(wanted.keys.size()));
    CHECK(p.run(far.data(), far_keys.data(), n, onefold::dynamic_keyed_plan::grouping::runs, found.data(), sums.data(),
                n) == static_cast<std::int64_t>(wanted.keys.size()));
    check_bits(wanted.results);
  }
  const onefold::array_view<float> view(x.data(), {250, 200});
  {
    onefold::dynamic_shaped_plan p("sum", "f32", view.axes(), {.axes = 1}, there);
    p.enqueue(far.data(), sums.data(), p.size(), nullptr);
    check_bits(onefold::sum(view, 1, here));
  }
  {
    const std::vector<std::int32_t> offsets{0, 3, 3, 20'000, 49'999};
    const support::copied<std::int32_t> far_offsets(offsets);
    onefold::dynamic_segmented_plan p("sum", "f32", 4, n, there);
    p.enqueue(far.data(), n, far_offsets.data(), 5, onefold::dtype::i32, sums.data(), 4, nullptr);
    check_bits(onefold::sum(onefold::segments(x, offsets), here));
  }
  {
    std::vector<std::uint8_t> mask(size);
    for (std::size_t i = 0; i < size; ++i) mask[i] = i % 3 != 1;
    const support::copied<std::uint8_t> far_mask(mask);
    const onefold::array_view<std::uint8_t> lies(mask.data(), {250, 200});
    onefold::dynamic_selected_plan p("sum", "f32", view.axes(), {onefold::mask_kind::bytes, lies.axes()}, {.axes = 0},
                                     there);
    p.enqueue(far.data(), far_mask.data(), sums.data(), p.size(), nullptr);
    check_bits(onefold::sum(onefold::where(view, lies), 0, here));
  }
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
