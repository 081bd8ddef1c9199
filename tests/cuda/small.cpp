// Small sizes of every kernel: what the tools of compute-sanitizer run over (scripts/gpu-check).
#include "memory.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/result_bits.hpp"
#include "support/special.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
using onefold::kernel;
namespace op = onefold::op;

}  // namespace

TEST_CASE("every entry at sizes of every schedule") {
  const support::stream s;
  support::for_each_entry_and_accuracy([&]<class Op, class T, accuracy A>() {
    constexpr std::int64_t page = 16384 / sizeof(T);
    const auto x = support::summable_data<T>(9 * page, 41);
    const support::copied<T> there(x);
    const support::on_device<onefold::default_result<T, Op>> out;
    for (const std::int64_t n : {std::int64_t{1}, page / 3, page + 3, 9 * page}) {
      const onefold::options how{.backend = backend::cuda, .accuracy = A};
      const auto wanted = support::run<Op>(x.data(), n, {.backend = backend::sequential, .accuracy = A});
      onefold::plan<T, Op> p(n, how);
      if (support::bits_of(p(there.data(), n)) != wanted) FAIL_CHECK(support::entry_name<Op, T>(A) << ' ' << n);
      if constexpr (!support::refused_by_streams<Op, T, A>) {
        p.enqueue(there.data(), n, out.data(), s);
        s.wait();
        if (support::bits_of(out.get()) != wanted) FAIL_CHECK(support::entry_name<Op, T>(A) << " enqueued, " << n);
      }
    }
  });
  SUCCEED();
}

TEST_CASE("every kernel of the ladder") {
  for (const std::int64_t n : {1, 257, 5000}) {
    const auto x = support::filled<float>(n, 1);
    const support::copied<float> there(x);
    for (int k = static_cast<int>(kernel::canonical); k <= static_cast<int>(kernel::coarsened); ++k) {
      const onefold::options how{.backend = backend::cuda, .kernel = static_cast<kernel>(k)};
      CHECK(onefold::reduce<float, op::sum>(there.data(), n, how) == static_cast<float>(n));
      CHECK(onefold::reduce<float, op::max>(there.data(), n, how) == 1);
    }
  }
}

TEST_CASE("exact sums of elements of every size: all levels of windows, and bins") {
  const onefold::options how{.backend = backend::cuda, .accuracy = accuracy::exact};
  const auto check = [&]<class T>(const std::vector<T>& x) {  // several strips for each warp of a large device
    const support::copied<T> there(x);
    const auto n = static_cast<std::int64_t>(x.size());
    CHECK(support::run<op::sum>(there.data(), n, how) ==
          support::run<op::sum>(x.data(), n, {.backend = backend::sequential, .accuracy = accuracy::exact}));
  };
  check(support::wide_data<double>(5'000'000, 44));
  check(support::wide_data<float>(5'000'000, 45));
}

TEST_CASE("exact sums of squares of elements of every size: windows, and integers") {
  const onefold::options how{.backend = backend::cuda, .accuracy = accuracy::exact};
  const auto check = [&]<class T>(const std::vector<T>& x) {
    const support::copied<T> there(x);
    const auto n = static_cast<std::int64_t>(x.size());
    CHECK(support::run<op::moments>(there.data(), n, how) ==
          support::run<op::moments>(x.data(), n, {.backend = backend::sequential, .accuracy = accuracy::exact}));
  };
  onefold::for_each_type(onefold::element_types{}, [&]<class T>() {
    if constexpr (support::is_float<T>) {
      auto x = support::normal_data<T>(200'000, 46);
      const auto wide = support::wide_data<T>(80'000, 47);
      std::copy(wide.begin(), wide.end(), x.begin() + 60'000);
      check(x);
    } else {
      check(support::integer_data<T>(200'000, 48));
    }
  });
}

TEST_CASE("host data, unaligned data and several turns of a block") {
  const auto x = support::normal_data<float>(200'003, 42);
  const float wanted = onefold::sum(x, {.backend = backend::sequential});
  CHECK(onefold::sum(x, {.backend = backend::cuda}) == wanted);
  CHECK(onefold::reduce<float, op::sum>(support::copied<float>(x, support::memory_kind::device, 4).data(), 200'003,
                                        {.backend = backend::cuda}) == wanted);
  const auto bytes = support::integer_data<std::int8_t>(30'000'001, 43);
  const support::copied<std::int8_t> there(bytes);
  CHECK(onefold::reduce<std::int8_t, op::sum>(there.data(), 30'000'001, {.backend = backend::cuda}) ==
        onefold::sum(bytes, {.backend = backend::sequential}));
}
