// Selected elements on the device: data, masks of every form and results in its memory, for any extents, strides and
// axes, have the bits of the sequential backend.
#include "onefold/where.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "graph.hpp"
#include "memory.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::array_view;
using onefold::backend;
using onefold::options;
using onefold::where;
namespace op = onefold::op;

enum class form { bytes, bits, not_nan };

/// A problem that was made up: extents and strides of data and mask, and the axes that are reduced.
struct case_of {
  std::vector<std::int64_t> extents, strides, mask_strides;
  std::vector<int> axes;
};

/// Elements that data of these extents and strides takes.
std::int64_t reach(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides) {
  std::int64_t n = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) n += (extents[i] - 1) * strides[i];
  return n;
}

const case_of cases[] = {
    {{1}, {1}, {1}, {0}},
    {{100}, {1}, {1}, {0}},
    {{5000}, {1}, {1}, {0}},
    {{300'007}, {1}, {1}, {0}},
    {{50'000}, {2}, {1}, {0}},
    {{50'000}, {1}, {0}, {0}},  // the same for all
    {{40, 300}, {300, 1}, {300, 1}, {1}},
    {{40, 300}, {300, 1}, {300, 1}, {0}},
    {{40, 300}, {311, 1}, {0, 1}, {1}},  // a mask for all rows
    {{3, 20'000}, {20'000, 1}, {20'000, 1}, {1}},
    {{2000, 7}, {7, 1}, {7, 1}, {0}},
    {{9000, 3}, {3, 1}, {1, 9000}, {1}},  // a mask in the other order
    {{11, 13, 17}, {13 * 17, 17, 1}, {13 * 17, 17, 1}, {0, 2}},
    {{11, 13, 17}, {1, 11, 11 * 13}, {13 * 17, 17, 1}, {1}},
    {{8, 9, 10}, {90, 10, 1}, {90, 10, 1}, {0, 1, 2}},
};

template <class Op, class T>
struct comparison {
  accuracy mode;
  int compared = 0;

  void compare(int of, form as, int seed) {
    const case_of& c = cases[of];
    using R = onefold::default_result<T, Op>;
    support::random_numbers r(static_cast<std::uint64_t>(seed));
    auto here = support::summable_data<T>(reach(c.extents, c.strides), static_cast<std::uint64_t>(seed) + 1);
    if constexpr (support::is_float<T>)
      for (T& x : here)
        if (r.integer(0, 4) == 0) x = support::nearest<T>(std::numeric_limits<double>::quiet_NaN());
    const std::int64_t places = reach(c.extents, c.mask_strides), offset = r.integer(0, 9);
    const int rate = r.integer(0, 3);  // of elements that are selected: most, half, few, one
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(places)),
        bits(static_cast<std::size_t>((places + offset) / 8 + 1));
    for (std::int64_t i = 0; i < places; ++i) {
      const bool in = rate == 0 ? r.integer(0, 9) != 0 : rate == 1 ? r.integer(0, 1) != 0 : r.integer(0, 40) == 0;
      bytes[static_cast<std::size_t>(i)] = in ? static_cast<std::uint8_t>(r.integer(1, 255)) : 0;
      if (in) bits[static_cast<std::size_t>((i + offset) / 8)] |= static_cast<std::uint8_t>(1 << ((i + offset) % 8));
    }
    if (rate == 3) std::ranges::fill(bytes, std::uint8_t{0}), std::ranges::fill(bits, std::uint8_t{0});
    const support::copied<T> there(here, support::memory_kind::device, sizeof(T));
    const support::copied<std::uint8_t> far_bytes(bytes, support::memory_kind::device, 3), far_bits(bits);

    const onefold::extents e{std::span<const std::int64_t>(c.extents)};
    const onefold::strides s{std::span<const std::int64_t>(c.strides)},
        m{std::span<const std::int64_t>(c.mask_strides)};
    const auto selected = [&](const T* data, const std::uint8_t* of_bytes, const std::uint8_t* of_bits) {
      const array_view<T> view(data, e, s);
      return as == form::bytes  ? where(view, array_view<std::uint8_t>(of_bytes, e, m))
             : as == form::bits ? where(view, onefold::bitmap(of_bits, offset, e, m))
                                : where(view, onefold::not_nan);
    };
    const auto on_host = selected(here.data(), bytes.data(), bits.data());
    const auto on_device = selected(there.data(), far_bytes.data(), far_bits.data());
    options cpu{.backend = backend::sequential, .accuracy = mode}, gpu{.backend = backend::cuda, .accuracy = mode};
    if constexpr (Op::takes_init)
      if (!Op::empty_allowed || rate == 3) cpu.init = gpu.init = 1;
    const onefold::over along{.axes = onefold::over::list(std::span<const int>(c.axes))};
    std::vector<R> wanted, found;
    const auto results_of = [&](const auto& what, const options& how) {
      const auto all = onefold::reduce<T, Op>(what, along, how);
      return std::vector<R>(all.begin(), all.end());
    };
    std::string refused;
    try {
      wanted = results_of(on_host, cpu);
    } catch (const onefold::error& error) {
      refused = error.what();
    }
    ++compared;
    const std::string name = support::entry_name<Op, T>(mode);
    INFO(name << ", case " << of << ", form " << static_cast<int>(as) << ", rate " << rate);
    if (!refused.empty()) {
      support::check_error(onefold::error_code::empty_input, refused, [&] { results_of(on_device, gpu); });
      return;
    }
    const auto same = [&](const std::vector<R>& x) {
      REQUIRE(x.size() == wanted.size());
      for (std::size_t i = 0; i < x.size(); ++i)
        if (support::bits_of(x[i]) != support::bits_of(wanted[i])) {
          FAIL_CHECK("result " << i << " is not the CPU's");
          return;
        }
    };
    same(results_of(on_device, gpu));
    same(results_of(on_host, gpu));
    same(results_of(selected(there.data(), bytes.data(), bits.data()), gpu));  // the mask on the host
    onefold::selected_plan<T, Op> plan(on_device, along, gpu);
    const support::copied<R> out(std::vector<R>(wanted.size()));
    const auto results = [&] {
      std::vector<R> all(wanted.size());
      support::cuda(cudaMemcpy(all.data(), out.data(), all.size() * sizeof(R), cudaMemcpyDefault));
      return all;
    };
    plan(on_device, std::span<R>(out.data(), wanted.size()));
    same(results());
    if constexpr (!(std::is_same_v<Op, op::sum> && !support::is_float<T>)) {
      const support::stream stream;
      support::cuda(cudaMemset(out.data(), 0xa5, wanted.size() * sizeof(R)));
      plan.enqueue(on_device, std::span<R>(out.data(), wanted.size()), stream);
      stream.wait();
      same(results());
    }
  }

  void compare_all(int from, int to) {
    for (int i = from; i < to; ++i)
      for (const form as : {form::bytes, form::bits, form::not_nan})
        for (int seed = 0; seed < 4; ++seed) compare(i, as, 100 * i + seed);
  }
};

}  // namespace

TEST_CASE("some selections", "[small]") {
  comparison<op::sum, float> sums{accuracy::native};
  sums.compare_all(0, 3);
  sums.compare_all(6, 8);
  comparison<op::argmax, double> places{accuracy::native};
  places.compare_all(1, 2);
  places.compare_all(12, 13);
  CHECK(sums.compared + places.compared == 12 * 7);
}

TEST_CASE("selections of every form and shape") {
  const auto over = []<class Op, class T>(accuracy mode) {
    comparison<Op, T> all{mode};
    all.compare_all(0, std::size(cases));
    CHECK(all.compared == 12 * static_cast<int>(std::size(cases)));
  };
  over.template operator()<op::sum, float>(accuracy::native);
  over.template operator()<op::sum, double>(accuracy::exact);
  over.template operator()<op::mean, onefold::bf16>(accuracy::native);
  over.template operator()<op::sum, onefold::f16>(accuracy::kahan);
  over.template operator()<op::sum, std::int8_t>(accuracy::native);
  over.template operator()<op::max, double>(accuracy::native);
  over.template operator()<op::argmax, float>(accuracy::native);
  over.template operator()<op::argmin, std::int64_t>(accuracy::native);
  over.template operator()<op::variance, float>(accuracy::native);
  over.template operator()<op::minmax, std::uint16_t>(accuracy::native);
}

TEST_CASE("a recorded selection is replayed for other data") {
  const auto first = support::normal_data<float>(70'000, 71), second = support::normal_data<float>(70'000, 72);
  std::vector<std::uint8_t> mask(70'000);
  for (std::size_t i = 0; i < mask.size(); i += 3) mask[i] = 1;
  support::copied<float> x(first);
  const support::copied<std::uint8_t> by(mask);
  const auto what = where(array_view<float>(x.data(), {70, 1000}), array_view<std::uint8_t>(by.data(), {70, 1000}));
  onefold::selected_plan<float, op::sum> plan(what, {.axes = 1}, {.backend = backend::cuda});
  const support::copied<float> out(std::vector<float>(70));
  const support::stream stream;
  const support::graph graph(stream, [&] { plan.enqueue(what, std::span<float>(out.data(), 70), stream); });
  x.put(second);
  graph.launch(stream);
  stream.wait();
  std::vector<float> found(70);
  support::cuda(cudaMemcpy(found.data(), out.data(), 70 * sizeof(float), cudaMemcpyDefault));
  const auto wanted = onefold::sum(
      where(array_view<float>(second.data(), {70, 1000}), array_view<std::uint8_t>(mask.data(), {70, 1000})), {1});
  CHECK(std::ranges::equal(found, wanted));
}

TEST_CASE("what a stream cannot take") {
  const std::vector<float> here(10, 1);
  const std::vector<std::uint8_t> mask(10, 1);
  const support::copied<float> there(here), out(here);
  const support::copied<std::uint8_t> by(mask);
  const auto selected = [](const float* x, const std::uint8_t* m) {
    return where(array_view<float>(x, {10}), array_view<std::uint8_t>(m, {10}));
  };
  onefold::selected_plan<float, op::sum> plan(selected(there.data(), by.data()), {}, {.backend = backend::cuda});
  const support::stream stream;
  const std::span<float> to(out.data(), 1);
  support::check_error(onefold::error_code::invalid_argument, "enqueue takes data in device memory",
                       [&] { plan.enqueue(selected(here.data(), by.data()), to, stream); });
  support::check_error(onefold::error_code::invalid_argument, "enqueue takes a mask in device memory",
                       [&] { plan.enqueue(selected(there.data(), mask.data()), to, stream); });
  support::check_error(onefold::error_code::invalid_argument, "the mask's pointer is null",
                       [&] { plan.enqueue(selected(there.data(), nullptr), to, stream); });
  float on_host = 0;
  support::check_error(onefold::error_code::invalid_argument, "enqueue writes its results to device memory", [&] {
    plan.enqueue(selected(there.data(), by.data()), {&on_host, 1}, stream);
  });
  support::check_error(
      onefold::error_code::empty_input, "max of no elements has no value: no element is selected", [&] {
        onefold::max(selected(there.data(), support::copied<std::uint8_t>(std::vector<std::uint8_t>(10)).data()));
      });
}
