// Reductions by key of data on the device: keys and results have the bits of the sequential backend, for keys of every
// type, sorted or not, in memory of every kind.
#include "keys.hpp"

#include <string>

#include "support/entries.hpp"
#include "support/errors.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
using onefold::error_code;
using onefold::options;
using support::check_error;
using support::check_same;
using support::memory_kind;
using support::random_keys;
using support::sort_keys;
namespace op = onefold::op;

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

TEST_CASE("rounded results by key") {
  const auto x = support::normal_data<double>(40'000, 99);
  const auto keys = random_keys<std::uint16_t>(40'000, 40, 4, 100);
  const support::copied<double> far(x);
  const support::copied<std::uint16_t> far_keys(keys);
  check_same(onefold::reduce<double, op::mean, float>(
                 onefold::by_key(std::span(far.data(), x.size()), std::span(far_keys.data(), keys.size()))),
             onefold::reduce<double, op::mean, float>(onefold::by_key(x, keys), {.backend = backend::sequential}));
}
