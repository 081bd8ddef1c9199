// Plans of what masks select of segments and of groups by key: in graphs, and what they refuse.
#include <cstring>
#include <string>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "onefold/where.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/errors.hpp"

namespace {

using onefold::backend;
using onefold::error_code;
using support::check_error;
namespace op = onefold::op;

}  // namespace

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
  const support::graph graph(stream, [&] {
    p.enqueue(segments, to, stream);
    k.enqueue(runs, to_keys, to_runs, count.data(), stream);
  });
  x.put(second);
  graph.launch(stream);
  stream.wait();
  const auto wanted = onefold::sum(onefold::where(onefold::segments(second, at), mask));
  const auto in_graph = sums.get(70), with_keys = of_runs.get(61);
  CHECK(std::memcmp(in_graph.data(), wanted.data(), 70 * sizeof(float)) == 0);
  CHECK(std::memcmp(with_keys.data(), wanted.data(), 60 * sizeof(float)) == 0);  // those beyond the room are counted
  CHECK(with_keys[60] == 0);
  CHECK(count.get() == 70);
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
