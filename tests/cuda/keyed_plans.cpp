// Plans of reductions by key on the device: on their own, in streams and in graphs; what they refuse.
#include "graph.hpp"
#include "keys.hpp"
#include "support/errors.hpp"

namespace {

using onefold::backend;
using onefold::error_code;
using support::check_error;
using support::memory_kind;
using support::random_keys;
namespace op = onefold::op;

}  // namespace

TEST_CASE("a plan groups many times, on its own, in streams and in graphs") {
  const std::int64_t most = 300'000;
  onefold::keyed_plan<float, op::sum, std::int32_t> p(most, {.backend = backend::cuda});
  const support::copied<std::int32_t> found(std::vector<std::int32_t>(static_cast<std::size_t>(most), -1));
  const support::copied<float> sums(std::vector<float>(static_cast<std::size_t>(most), -1));
  const support::copied<std::int64_t> count(std::vector<std::int64_t>{-1});
  cudaStream_t stream = nullptr;
  support::cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::uint64_t seed = 200;
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{4095}, std::int64_t{70'001}, most})
    for (const int longest : {1, 3, 40, 9000})
      for (const std::int64_t offset : {0, 4}) {
        INFO(n << " elements in runs of up to " << longest);
        const auto x = support::normal_data<float>(n, ++seed);
        auto keys = random_keys<std::int32_t>(n, 5000, longest, ++seed);
        const support::copied<float> far(x, memory_kind::device, offset);
        const support::copied<std::int32_t> far_keys(keys, memory_kind::device, offset);
        const std::span<const float> values(far.data(), x.size());
        const std::span<const std::int32_t> by(far_keys.data(), keys.size());
        const auto wanted = onefold::sum(onefold::runs_by_key(x, keys), {.backend = backend::sequential});
        const std::size_t groups = wanted.keys.size();
        const auto check_found = [&](std::size_t room) {
          const auto their_keys = found.get(groups);
          const auto results = sums.get(groups);
          const std::size_t all = std::min(room, groups);
          CHECK(std::equal(wanted.keys.begin(), wanted.keys.begin() + static_cast<std::ptrdiff_t>(all),
                           their_keys.begin()));
          CHECK(std::memcmp(results.data(), wanted.results.data(), all * sizeof(float)) == 0);
        };
        const std::span<std::int32_t> to(found.data(), static_cast<std::size_t>(most));
        const std::span<float> results(sums.data(), static_cast<std::size_t>(most));
        REQUIRE(p(onefold::runs_by_key(values, by), to, results) == static_cast<std::int64_t>(groups));
        check_found(groups);
        p.enqueue(onefold::runs_by_key(values, by), to, results, count.data(), stream);
        support::cuda(cudaStreamSynchronize(stream));
        CHECK(count.get(1)[0] == static_cast<std::int64_t>(groups));
        check_found(groups);
        // With room for fewer, the others are counted.
        const std::size_t few = groups / 2;
        support::cuda(cudaMemset(found.data(), 0xff, sizeof(std::int32_t) * static_cast<std::size_t>(most)));
        support::cuda(cudaMemset(sums.data(), 0xff, sizeof(float) * static_cast<std::size_t>(most)));
        const support::graph graph(
            stream, [&] { p.enqueue(onefold::runs_by_key(values, by), to.first(few), results, count.data(), stream); });
        for (int replay = 0; replay < 2; ++replay) {
          graph.launch(stream);
          support::cuda(cudaStreamSynchronize(stream));
          CHECK(count.get(1)[0] == static_cast<std::int64_t>(groups));
          check_found(few);
        }
        if (groups > few) CHECK(found.get(groups)[few] == -1);
        // Keys that do not ascend are sorted in the plan's memory.
        const auto sorted = onefold::sum(onefold::by_key(x, keys), {.backend = backend::sequential});
        REQUIRE(p(onefold::by_key(values, by), to, results) == static_cast<std::int64_t>(sorted.keys.size()));
        const auto their_results = sums.get(sorted.keys.size());
        CHECK(std::memcmp(their_results.data(), sorted.results.data(), sorted.keys.size() * sizeof(float)) == 0);
      }
  support::cuda(cudaStreamDestroy(stream));
}

TEST_CASE("what a plan's enqueue refuses") {
  const std::size_t n = 100;
  const support::copied<float> far(std::vector<float>(n, 1.0f)), sums(std::vector<float>(n, 0.0f));
  const support::copied<std::int32_t> keys(std::vector<std::int32_t>(n, 7)), found(std::vector<std::int32_t>(n, 0));
  const support::copied<std::int64_t> count(std::vector<std::int64_t>{0});
  onefold::keyed_plan<float, op::sum, std::int32_t> p(static_cast<std::int64_t>(n));
  const std::span<const float> values(far.data(), n);
  const std::span<const std::int32_t> by(keys.data(), n);
  const std::span<std::int32_t> to(found.data(), n);
  const std::span<float> results(sums.data(), n);
  std::int64_t here = 0;
  std::vector<std::int32_t> keys_here(n);
  check_error(error_code::unsupported, "enqueue groups runs of equal keys only",
              [&] { p.enqueue(onefold::by_key(values, by), to, results, count.data(), nullptr); });
  check_error(error_code::invalid_argument, "the pointer to the number of groups is null",
              [&] { p.enqueue(onefold::runs_by_key(values, by), to, results, nullptr, nullptr); });
  check_error(error_code::invalid_argument, "enqueue writes the number of groups to device memory",
              [&] { p.enqueue(onefold::runs_by_key(values, by), to, results, &here, nullptr); });
  check_error(error_code::invalid_argument, "enqueue takes keys in device memory",
              [&] { p.enqueue(onefold::runs_by_key(values, keys_here), to, results, count.data(), nullptr); });
  check_error(error_code::invalid_argument, "the groups' keys would overwrite the keys: their memory overlaps", [&] {
    p.enqueue(onefold::runs_by_key(values, by), std::span(keys.data(), n), results, count.data(), nullptr);
  });
  const std::span<const float> more(far.data(), n + 1);
  check_error(error_code::invalid_argument, "the plan is for at most 100 elements, not for 101", [&] {
    p.enqueue(onefold::runs_by_key(more, std::span<const std::int32_t>(keys.data(), n + 1)), to, results, count.data(),
              nullptr);
  });
}
