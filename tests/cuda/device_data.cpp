// Data on the device: every entry of the catalog has the bits of the sequential backend, at every size and alignment.
#include <algorithm>
#include <cmath>

#include "memory.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;

template <class Op, class T>
std::vector<T> data_for(std::int64_t n) {
  if constexpr (!support::is_float<T>)
    return support::summable_data<T>(n, 21);
  else if constexpr (std::is_same_v<Op, onefold::op::product>)
    return support::factor_data<T>(n, 22);
  else
    return support::ill_conditioned_data<T>(n, 23);
}

/// Around lanes, rows, strips and pages, and what takes each schedule of the kernel.
template <class T>
std::vector<std::int64_t> sizes() {
  constexpr std::int64_t lanes = 512 / sizeof(T), page = 32 * lanes;
  return {1,
          2,
          3,
          lanes - 1,
          lanes,
          lanes + 1,
          7 * lanes + 3,
          8 * lanes,
          9 * lanes - 5,
          16 * lanes + 1,
          24 * lanes,
          31 * lanes + 7,
          page - 1,
          page,
          page + 1,
          2 * page,
          3 * page + 5,
          7 * page + lanes / 2 + 1};
}

template <class Op, class T, accuracy A>
void compare(const std::vector<T>& x, const support::copied<T>& there, std::int64_t n) {
  const auto wanted = support::run<Op>(x.data(), n, {.backend = backend::sequential, .accuracy = A});
  const auto got = support::run<Op>(there.data(), n, {.backend = backend::cuda, .accuracy = A});
  if (wanted != got)
    FAIL_CHECK(support::entry_name<Op, T>(A)
               << " of " << n << " elements: " << support::text_of(got) << "is not " << support::text_of(wanted));
}

}  // namespace

TEST_CASE("data on the device gives the bits of the sequential backend at every size and alignment") {
  std::int64_t turn = 0;
  onefold::for_each_entry([&]<class Op, class T>() {
    constexpr std::int64_t page = 16384 / sizeof(T);
    const auto x = data_for<Op, T>(8 * page);
    for (int k = 0; k < 3; ++k, ++turn) {
      // Aligned, and the alignments that the type allows in turn.
      const std::int64_t offset = k == 0 ? 0 : (1 + turn % 15) * static_cast<std::int64_t>(sizeof(T)) % 128;
      const support::copied<T> there(x, support::memory_kind::device, offset);
      onefold::for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
        for (const std::int64_t n : sizes<T>()) compare<Op, T, A>(x, there, n);
      });
    }
  });
  SUCCEED();
}

TEST_CASE("every schedule of the kernel gives the bits of the sequential backend") {
  onefold::for_each_entry([]<class Op, class T>() {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, onefold::bf16> || std::is_same_v<T, std::int64_t>) {
      constexpr std::int64_t page = 16384 / sizeof(T);
      const std::int64_t most = 5000 * page + 17;
      auto x = data_for<Op, T>(40 * page + 3);
      x.reserve(static_cast<std::size_t>(most));
      while (static_cast<std::int64_t>(x.size()) < most)
        x.insert(x.end(), x.begin(),
                 x.begin() + std::min<std::int64_t>(40 * page + 3, most - static_cast<std::int64_t>(x.size())));
      const support::copied<T> there(x);
      onefold::for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
        for (const std::int64_t pages : {33, 265, 529, 800, 1057, 5000}) compare<Op, T, A>(x, there, pages * page + 17);
      });
    }
  });
  SUCCEED();
}

TEST_CASE("memory of every kind gives the same bits") {
  const auto x = support::ill_conditioned_data<float>(1'000'003, 24);
  const float wanted = onefold::sum(x, {.backend = backend::sequential});
  for (const auto kind : {support::memory_kind::device, support::memory_kind::managed, support::memory_kind::pinned}) {
    const support::copied<float> there(x, kind, 4);
    CHECK(onefold::reduce<float, onefold::op::sum>(there.data(), 1'000'003, {.backend = backend::cuda}) == wanted);
    if (kind == support::memory_kind::device) {  // no other backend can read it
      const auto r = onefold::reduce_reported<float, onefold::op::sum>({there.data(), x.size()});
      CHECK(r.value == wanted);
      CHECK(r.ran.backend == backend::cuda);
      CHECK(r.ran.why == "the data is in device memory");
      CHECK_THROWS_AS(
          (onefold::reduce<float, onefold::op::sum>(there.data(), 1'000'003, {.backend = backend::sequential})),
          onefold::error);
    } else {
      CHECK(onefold::reduce_reported<float, onefold::op::sum>({there.data(), x.size()}).value == wanted);
    }
  }
  std::vector<float> registered(x);
  support::cuda(cudaHostRegister(registered.data(), registered.size() * sizeof(float), cudaHostRegisterDefault));
  CHECK(onefold::sum(registered, {.backend = backend::cuda}) == wanted);
  support::cuda(cudaHostUnregister(registered.data()));
  CHECK(onefold::sum(x, {.backend = backend::cuda}) == wanted);
}

TEST_CASE("host data of several pieces gives the same bits") {
  const std::int64_t n = 3 * (16 << 20) / 4 + 12345;  // more than three pieces of staging
  const auto x = support::ill_conditioned_data<float>(n, 25);
  const support::copied<float> pinned(x, support::memory_kind::pinned);
  for (const accuracy a : {accuracy::native, accuracy::wide, accuracy::kahan}) {
    const float wanted = onefold::sum(x, {.backend = backend::sequential, .accuracy = a});
    const onefold::options how{.backend = backend::cuda, .accuracy = a};
    CHECK(onefold::sum(x, how) == wanted);
    CHECK(onefold::reduce<float, onefold::op::sum>(pinned.data(), n, how) == wanted);
  }
  CHECK(onefold::argmax(x, {.backend = backend::cuda}) == onefold::argmax(x, {.backend = backend::sequential}));
}

TEST_CASE("arrays on the device of 2^31 - 1, 2^31, 2^31 + 1 and 2^32 + 1 elements") {
  constexpr std::int64_t two31 = std::int64_t{1} << 31, most = 2 * two31 + 1;
  const support::memory memory(support::memory_kind::device, most);
  auto* const x = memory.at<std::uint8_t>();
  support::cuda(cudaMemset(x, 0, most));
  const auto put = [x](std::int64_t i, int value) { support::cuda(cudaMemset(x + i, value, 1)); };
  for (const std::int64_t n : {two31 - 1, two31, two31 + 1, most}) {
    put(1000, 7);
    put(n - 2, 200);
    put(n - 1, 200);
    const onefold::options how{.backend = backend::cuda};
    CHECK(onefold::reduce<std::uint8_t, onefold::op::argmax>(x, n, how) == n - 2);
    CHECK(onefold::reduce<std::uint8_t, onefold::op::count>(x, n, how) == 3);
    CHECK(onefold::reduce<std::uint8_t, onefold::op::mean>(x, n, how) == 407 / static_cast<double>(n));
    CHECK(onefold::reduce<std::uint8_t, onefold::op::sum>(x + 1, n - 1, how) == 407);  // unaligned
    for (const auto k : {onefold::kernel::canonical, onefold::kernel::interleaved, onefold::kernel::coarsened})
      CHECK(onefold::reduce<std::uint8_t, onefold::op::sum>(x, n, {.backend = backend::cuda, .kernel = k}) == 407);
    put(n - 2, 0);
    put(n - 1, 0);
  }
}
