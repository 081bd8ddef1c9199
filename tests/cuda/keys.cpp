// Reductions by key of data on the device: keys and results have the bits of the sequential backend, for keys of every
// type, sorted or not, in memory of every kind; bad keys, and more of them than 32 bits count.
#include "onefold/keys.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/where.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "memory.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
using onefold::error_code;
using onefold::options;
using support::check_error;
using support::memory_kind;
namespace op = onefold::op;

/// `different` keys, at random, in runs of at most `longest`; zeros of both signs and the extremes among them.
template <class K>
std::vector<K> random_keys(std::int64_t n, int different, int longest, std::uint64_t seed) {
  support::random_numbers r(seed);
  std::vector<K> pool;
  if constexpr (support::is_float<K>) {
    for (const double x : {0.0, -0.0, HUGE_VAL, -HUGE_VAL, 1.5, -1.5}) pool.push_back(support::nearest<K>(x));
    while (pool.size() < static_cast<std::size_t>(different)) pool.push_back(support::nearest<K>(100 * r.normal()));
  } else {
    pool = {K{0}, std::numeric_limits<K>::min(), std::numeric_limits<K>::max(), K{1}};
    while (pool.size() < static_cast<std::size_t>(different)) pool.push_back(static_cast<K>(r.bits()));
  }
  pool.resize(static_cast<std::size_t>(different));
  std::vector<K> keys;
  while (keys.size() < static_cast<std::size_t>(n)) {
    const K key = pool[r.bits() % pool.size()];
    for (int i = r.integer(1, longest); i > 0 && keys.size() < static_cast<std::size_t>(n); --i) keys.push_back(key);
  }
  return keys;
}

template <class K>
void sort_keys(std::vector<K>& keys) {
  std::ranges::stable_sort(keys, [](K a, K b) {
    if constexpr (onefold::detail::is_small_float<K>)
      return static_cast<float>(a) < static_cast<float>(b);
    else
      return a < b;
  });
}

template <class K, class R>
void check_same(const onefold::keyed_results<K, R>& found, const onefold::keyed_results<K, R>& wanted) {
  REQUIRE(found.keys.size() == wanted.keys.size());
  REQUIRE(found.results.size() == wanted.results.size());
  CHECK(std::memcmp(found.keys.data(), wanted.keys.data(), wanted.keys.size() * sizeof(K)) == 0);
  std::size_t different = 0;
  for (std::size_t i = 0; i < wanted.results.size(); ++i)
    different += support::bits_of(found.results[i]) != support::bits_of(wanted.results[i]);
  CHECK(different == 0);
}

/// Reduces by key and by runs, here and on the device; values that begin at no multiple of 16 bytes, too.
template <class Op, class T, accuracy A = accuracy::native, class K>
void compare(const std::vector<T>& x, const std::vector<K>& keys, const options& more = {}) {
  const std::string what = support::entry_name<Op, T>(A) + " by " + onefold::name_of(onefold::dtype_of<K>) + ", " +
                           std::to_string(x.size()) + " elements";
  INFO(what);
  options here = more, on_device = more;
  here.accuracy = on_device.accuracy = A;
  here.backend = backend::sequential;
  const support::copied<K> far_keys(keys);
  for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{sizeof(T)}}) {
    const support::copied<T> far(x, memory_kind::device, offset);
    const std::span<const T> values(far.data(), x.size());
    const std::span<const K> their_keys(far_keys.data(), keys.size());
    check_same(onefold::reduce<T, Op>(onefold::by_key(values, their_keys), on_device),
               onefold::reduce<T, Op>(onefold::by_key(x, keys), here));
    check_same(onefold::reduce<T, Op>(onefold::runs_by_key(values, their_keys), on_device),
               onefold::reduce<T, Op>(onefold::runs_by_key(x, keys), here));
  }
}

}  // namespace

TEST_CASE("keys of every width once", "[small]") {
  const auto by = [&]<class K>() {
    for (const bool ascending : {false, true})
      for (const std::int64_t n : {std::int64_t{1}, std::int64_t{2}, std::int64_t{700}, std::int64_t{9000}}) {
        auto keys = random_keys<K>(n, 50, 5, 70);
        if (ascending) sort_keys(keys);
        compare<op::sum>(support::normal_data<float>(n, 71), keys);
      }
  };
  by.template operator()<std::int8_t>();
  by.template operator()<onefold::f16>();
  by.template operator()<float>();
  by.template operator()<double>();
  by.template operator()<std::uint64_t>();
  compare<op::sum>(support::integer_data<std::int8_t>(5000, 72), random_keys<std::int32_t>(5000, 9, 3, 73));
  compare<op::moments>(support::normal_data<double>(5000, 74), random_keys<std::int32_t>(5000, 9, 3, 75));
}

TEST_CASE("keys of every type, few and many, alone and in runs") {
  std::uint64_t seed = 80;
  onefold::for_each_type(onefold::element_types{}, [&]<class K>() {
    for (const std::int64_t n : {std::int64_t{1}, std::int64_t{33}, std::int64_t{4097}, std::int64_t{100'003}})
      for (const int different : {1, 6, 200, 50'000})
        for (const int longest : {1, 300}) {
          auto keys = random_keys<K>(n, different, longest, ++seed);
          const auto x = support::normal_data<float>(n, ++seed);
          compare<op::sum>(x, keys);
          if (n < 5000) compare<op::argmax>(x, keys);
          sort_keys(keys);
          compare<op::sum>(x, keys);
        }
  });
}

TEST_CASE("values of every type, by several operations and accuracies") {
  const auto keys = random_keys<std::int32_t>(60'001, 300, 20, 90);
  support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
    if constexpr (std::is_same_v<Op, op::sum> || std::is_same_v<Op, op::minmax> || std::is_same_v<Op, op::moments> ||
                  std::is_same_v<Op, op::argmin>)
      compare<Op, T, A>(support::summable_data<T>(static_cast<std::int64_t>(keys.size()), 91), keys);
  });
  const auto x = support::normal_data<double>(static_cast<std::int64_t>(keys.size()), 92);
  compare<op::sum>(x, keys, {.init = 2.5});
  compare<op::max>(x, keys, {.init = 0.125});
}

TEST_CASE("millions of elements, by ranks of which few bits differ and by ranks of which all do") {
  const std::int64_t n = 5'000'011;
  const auto x = support::normal_data<float>(n, 93);
  compare<op::sum>(x, random_keys<std::int32_t>(n, 3'000'000, 1, 94));
  compare<op::sum>(x, random_keys<double>(n, 100'000, 4, 95));
  support::random_numbers r(96);
  std::vector<std::int64_t> close;
  for (std::int64_t i = 0; i < n; ++i) close.push_back((std::int64_t{1} << 40) + 64 * r.integer(0, 9));
  compare<op::sum>(x, close);
}

TEST_CASE("keys and values in memory of every kind") {
  const std::int64_t n = 70'000;
  const auto size = static_cast<std::size_t>(n);
  const auto x = support::normal_data<float>(n, 97);
  for (const bool ascending : {false, true}) {
    auto keys = random_keys<std::int32_t>(n, 500, 8, 98);
    if (ascending) sort_keys(keys);
    const auto wanted = onefold::sum(onefold::by_key(x, keys), {.backend = backend::sequential});
    const auto runs = onefold::sum(onefold::runs_by_key(x, keys), {.backend = backend::sequential});
    const support::copied<float> device(x), managed(x, memory_kind::managed), pinned(x, memory_kind::pinned);
    const support::copied<std::int32_t> device_keys(keys), managed_keys(keys, memory_kind::managed),
        pinned_keys(keys, memory_kind::pinned);
    for (const float* const values :
         {static_cast<const float*>(device.data()), static_cast<const float*>(managed.data()),
          static_cast<const float*>(pinned.data()), x.data()})
      for (const std::int32_t* const by :
           {static_cast<const std::int32_t*>(device_keys.data()), static_cast<const std::int32_t*>(managed_keys.data()),
            static_cast<const std::int32_t*>(pinned_keys.data()), static_cast<const std::int32_t*>(keys.data())})
        for (const options& how : {options{}, options{.backend = backend::cuda}}) {
          check_same(onefold::sum(onefold::by_key(std::span(values, size), std::span(by, size)), how), wanted);
          check_same(onefold::sum(onefold::runs_by_key(std::span(values, size), std::span(by, size)), how), runs);
        }
  }
}

TEST_CASE("keys and results to device memory") {
  const std::int64_t n = 300'000;
  const auto x = support::normal_data<float>(n, 101);
  const auto keys = random_keys<std::int32_t>(n, 5000, 3, 102);
  const support::copied<float> far(x);
  const support::copied<std::int32_t> far_keys(keys);
  const std::span<const float> values(far.data(), x.size());
  const std::span<const std::int32_t> by(far_keys.data(), keys.size());
  const auto wanted = onefold::sum(onefold::runs_by_key(x, keys), {.backend = backend::sequential});
  const std::size_t count = wanted.keys.size();
  const support::copied<std::int32_t> found(std::vector<std::int32_t>(count + 1, -1));
  const support::copied<float> sums(std::vector<float>(count + 1, -1));
  const auto run = [&](std::size_t room) {
    return onefold::reduce<float, op::sum>(onefold::runs_by_key(values, by), std::span(found.data(), room),
                                           std::span(sums.data(), room));
  };
  REQUIRE(run(count + 1) == static_cast<std::int64_t>(count));
  const auto their_keys = found.get(count + 1);
  const auto results = sums.get(count + 1);
  CHECK(std::equal(wanted.keys.begin(), wanted.keys.end(), their_keys.begin()));
  CHECK(std::memcmp(results.data(), wanted.results.data(), count * sizeof(float)) == 0);
  CHECK(results[count] == -1);
  CHECK(their_keys[count] == -1);
  check_error(error_code::invalid_argument, "there are " + std::to_string(count) + " groups, but there is room for",
              [&] { run(count - 1); });
}

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
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t ready = nullptr;
        support::cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        p.enqueue(onefold::runs_by_key(values, by), to.first(few), results, count.data(), stream);
        support::cuda(cudaStreamEndCapture(stream, &graph));
        support::cuda(cudaGraphInstantiate(&ready, graph, 0));
        for (int replay = 0; replay < 2; ++replay) {
          support::cuda(cudaGraphLaunch(ready, stream));
          support::cuda(cudaStreamSynchronize(stream));
          CHECK(count.get(1)[0] == static_cast<std::int64_t>(groups));
          check_found(few);
        }
        if (groups > few) CHECK(found.get(groups)[few] == -1);
        support::cuda(cudaGraphExecDestroy(ready));
        support::cuda(cudaGraphDestroy(graph));
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

TEST_CASE("rounded results by key") {
  const auto x = support::normal_data<double>(40'000, 99);
  const auto keys = random_keys<std::uint16_t>(40'000, 40, 4, 100);
  const support::copied<double> far(x);
  const support::copied<std::uint16_t> far_keys(keys);
  check_same(onefold::reduce<double, op::mean, float>(
                 onefold::by_key(std::span(far.data(), x.size()), std::span(far_keys.data(), keys.size()))),
             onefold::reduce<double, op::mean, float>(onefold::by_key(x, keys), {.backend = backend::sequential}));
}

TEST_CASE("keys on the device that do not fit") {
  const std::size_t n = 10'000;
  const support::copied<float> far(std::vector<float>(n, 1.0f));
  std::vector<double> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<double>(i % 7);
  keys[9000] = std::numeric_limits<double>::quiet_NaN();
  support::copied<double> far_keys(keys);
  const std::span<const float> values(far.data(), n);
  const std::span<const double> bad(far_keys.data(), n);
  check_error(error_code::invalid_argument, "key 9000 is a NaN", [&] { onefold::sum(onefold::by_key(values, bad)); });
  keys[6543] = -keys[9000];
  far_keys.put(keys);
  check_error(error_code::invalid_argument, "key 6543 is a NaN",
              [&] { onefold::sum(onefold::runs_by_key(values, bad)); });
  check_error(error_code::invalid_argument, "key 6543 is a NaN",
              [&] { onefold::sum(onefold::by_key(values, keys), {.backend = backend::cuda}); });
  check_error(error_code::invalid_argument, "the number of keys, 9999, is not that of the elements, 10000",
              [&] { onefold::sum(onefold::by_key(values, bad.first(n - 1))); });
  check_error(error_code::invalid_argument, "the keys' pointer is null, but there are 10000 keys",
              [&] { onefold::sum(onefold::by_key(values, std::span(static_cast<const int*>(nullptr), n))); });
  check_error(error_code::invalid_argument, "the data pointer is null, but there are 10000 elements",
              [&] { onefold::sum(onefold::by_key(std::span(static_cast<const float*>(nullptr), n), bad)); });
  check_error(error_code::invalid_argument, "the keys are in device memory, which backend sequential cannot read",
              [&] { onefold::sum(onefold::by_key(std::vector<float>(n), bad), {.backend = backend::sequential}); });
  check_error(error_code::invalid_argument, "the data is in device memory, which backend sequential cannot read",
              [&] { onefold::sum(onefold::by_key(values, keys), {.backend = backend::sequential}); });
  check_error(error_code::invalid_argument, "the keys are not aligned to 8 bytes", [&] {
    const auto* const between = reinterpret_cast<const double*>(reinterpret_cast<const char*>(bad.data()) + 4);
    onefold::sum(onefold::by_key(values.first(9), std::span(between, 9)));
  });
  // What an earlier call has found means nothing for keys that cannot be NaN.
  const std::vector<std::int32_t> integers(n, 4);
  CHECK(onefold::sum(onefold::runs_by_key(values, integers)).keys.size() == 1);
  // Values that are not aligned to their size are copied to where a device can load them.
  std::vector<char> bytes(4 * n + 1);
  std::memcpy(bytes.data() + 1, std::vector<float>(n, 0.5f).data(), 4 * n);
  onefold::dynamic_keyed_plan p("sum", "f32", "i32", static_cast<std::int64_t>(n), {.backend = backend::cuda});
  std::int32_t its_key = 0;
  float its_sum = 0;
  CHECK(p.run(bytes.data() + 1, integers.data(), static_cast<std::int64_t>(n),
              onefold::dynamic_keyed_plan::grouping::runs, &its_key, &its_sum, 1) == 1);
  CHECK(its_sum == 0.5f * static_cast<float>(n));
  // What is before the first NaN can be grouped, and the device goes on.
  CHECK(onefold::sum(onefold::by_key(values.first(6543), bad.first(6543))).keys.size() == 7);
  CHECK(onefold::sum(onefold::by_key(values.first(0), bad.first(0))).keys.size() == 0);
}

TEST_CASE("more keys than 32 bits count") {
  // Keys that ascend, and runs, need no sorting.
  const std::int64_t n = (std::int64_t{1} << 32) + 4096, last = (std::int64_t{1} << 32) + 7;
  const support::memory values(memory_kind::device, n), keys(memory_kind::device, n);
  support::cuda(cudaMemset(values.at(), 1, static_cast<std::size_t>(n)));
  support::cuda(cudaMemset(keys.at(), 3, static_cast<std::size_t>(n)));
  support::cuda(cudaMemset(keys.at(last), 5, static_cast<std::size_t>(n - last)));
  const std::span<const std::int8_t> x(values.at<std::int8_t>(), static_cast<std::size_t>(n)),
      by(keys.at<std::int8_t>(), static_cast<std::size_t>(n));
  for (const bool runs : {false, true}) {
    const auto sums = onefold::sum(runs ? onefold::runs_by_key(x, by) : onefold::by_key(x, by));
    REQUIRE(sums.keys.size() == 2);
    CHECK(sums.keys[0] == 3);
    CHECK(sums.keys[1] == 5);
    CHECK(sums.results[0] == last);
    CHECK(sums.results[1] == n - last);
  }
  support::cuda(cudaMemset(keys.at(last), 2, static_cast<std::size_t>(n - last)));
  check_error(error_code::unsupported, std::to_string(n) + " keys do not ascend, and a GPU sorts at most 2^32",
              [&] { onefold::sum(onefold::by_key(x, by)); });
  const auto runs = onefold::sum(onefold::runs_by_key(x, by));
  REQUIRE(runs.keys.size() == 2);
  CHECK(runs.keys[1] == 2);
}
