// Several GPUs: arrays in host memory are divided among them, and parts are folded where they are, with the bits of the
// sequential backend. Needs two GPUs.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "memory.hpp"
#include "onefold/partial.hpp"
#include "onefold/row_operations.hpp"
#include "onefold/scan.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/entries.hpp"
#include "support/errors.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::backend;
namespace op = onefold::op;

/// How many GPUs there are, 4 at most; fewer than two skip the test.
int gpus() {
  int count = 0;
  static_cast<void>(cudaGetDeviceCount(&count));
  static_cast<void>(cudaGetLastError());
  if (count < 2) support::skip("several devices need two GPUs, and there are " + std::to_string(count));
  return std::min(count, 4);
}

onefold::device_set all_of(int count) {
  onefold::device_set devices;
  for (int d = 0; d < count; ++d) devices.insert(d);
  return devices;
}

/// While it lives, a device is current.
class on_gpu {
 public:
  explicit on_gpu(int device) { support::cuda(cudaSetDevice(device)); }
  ~on_gpu() { static_cast<void>(cudaSetDevice(0)); }
  on_gpu(const on_gpu&) = delete;
  on_gpu& operator=(const on_gpu&) = delete;
};

/// A copy on a GPU, at an address that is aligned to an element only.
template <class T>
std::unique_ptr<support::copied<T>> copy_on(int device, std::span<const T> x, std::int64_t offset) {
  const on_gpu here(device);
  return std::make_unique<support::copied<T>>(x, support::memory_kind::device,
                                              offset * static_cast<std::int64_t>(sizeof(T)));
}

template <class Op, class T>
std::vector<T> data_for(std::int64_t n) {
  if constexpr (std::is_same_v<Op, op::product>)
    return support::factor_data<T>(n, 31);
  else
    return support::summable_data<T>(n, 32);
}

}  // namespace

TEST_CASE("arrays in host memory that GPUs share have the bits of the sequential backend") {
  const int count = gpus();
  if (count < 2) return;
  const auto x = support::normal_data<float>((std::int64_t{count} << 23) + 12'345, 3);
  const support::copied<float> pinned(x, support::memory_kind::pinned), managed(x, support::memory_kind::managed);
  const auto check = [&]<class Op>(accuracy mode) {
    for (const std::size_t n : {x.size(), x.size() / 2 + 1, x.size() / 7, std::size_t{1}})
      for (int devices = 2; devices <= count; ++devices) {
        const onefold::options how{.accuracy = mode, .devices = all_of(devices)};
        const auto wanted =
            onefold::reduce<float, Op>(std::span(x).first(n), {.backend = backend::sequential, .accuracy = mode});
        for (const float* data :
             {x.data(), static_cast<const float*>(pinned.data()), static_cast<const float*>(managed.data())})
          CHECK(support::bits_of(onefold::reduce<float, Op>(std::span(data, n), how)) == support::bits_of(wanted));
      }
  };
  check.operator()<op::sum>(accuracy::native);
  check.operator()<op::sum>(accuracy::exact);
  check.operator()<op::variance>(accuracy::native);
  check.operator()<op::argmax>(accuracy::native);
}

TEST_CASE("parts on several GPUs have the bits of the whole, for every entry of the catalog") {
  const int count = gpus();
  if (count < 2) return;
  support::random_numbers r(5);
  onefold::for_each_entry([&]<class Op, class T>() {
    constexpr std::int64_t page = onefold::page_elements(sizeof(T));
    const auto x = data_for<Op, T>(9 * page + 17);
    std::vector<std::size_t> cuts{0, x.size()};
    for (int i = r.integer(1, 4); i > 0; --i)
      cuts.push_back(r.integer(0, 1) == 0 ? static_cast<std::size_t>(r.bits() % x.size())
                                          : static_cast<std::size_t>(r.integer(0, 9) * page));
    std::ranges::sort(cuts);
    std::vector<std::unique_ptr<support::copied<T>>> memory;
    std::vector<std::span<const T>> parts;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      const auto part = std::span<const T>(x).subspan(cuts[i - 1], cuts[i] - cuts[i - 1]);
      memory.push_back(copy_on<T>(r.integer(0, count - 1), part, r.integer(0, 3)));
      parts.emplace_back(memory.back()->data(), part.size());
    }
    if (r.integer(0, 2) == 0) parts.back() = std::span<const T>(x).last(parts.back().size());  // on the host
    onefold::for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
      const auto wanted = onefold::reduce<T, Op>(x, {.backend = backend::sequential, .accuracy = A});
      const auto got = onefold::reduce_parts<T, Op>(parts, {.accuracy = A});
      if (support::bits_of(got) != support::bits_of(wanted)) FAIL_CHECK(support::entry_name<Op, T>(A));
    });
  });
  SUCCEED();
}

TEST_CASE("data on one GPU stays there") {
  const int count = gpus();
  if (count < 2) return;
  const auto x = support::normal_data<float>(100'000, 4);
  const auto second = copy_on<float>(1, x, 0);
  const float wanted = onefold::reduce<float, op::sum>(x, {.backend = backend::sequential});
  CHECK(onefold::sum(std::span<const float>(second->data(), x.size()), {.devices = {0, 1}}) == wanted);
  CHECK(onefold::partial<float, op::sum>(std::span<const float>(second->data(), x.size())).result() == wanted);
  if (count > 2)
    support::check_error(onefold::error_code::invalid_argument,
                         "the data is in the memory of device 1, which is not among the devices 0, 2", [&] {
                           onefold::sum(std::span<const float>(second->data(), x.size()), {.devices = {0, 2}});
                         });
  int current = -1;
  support::cuda(cudaGetDevice(&current));
  CHECK(current == 0);
}

TEST_CASE("scans and operations on rows run on the second GPU") {
  if (gpus() < 2) return;
  constexpr std::int64_t rows = 300, columns = 1001;
  const std::size_t n = rows * columns;
  const auto x = support::normal_data<float>(rows * columns, 6);
  const onefold::options cpu{.backend = backend::sequential};
  std::vector<float> sums(n), shares(n), found(n);
  onefold::inclusive_scan<float, op::sum>(x, sums, cpu);
  const onefold::array_view<float> matrix(x.data(), {rows, columns});
  onefold::softmax(matrix, 1, shares, cpu);
  const onefold::options second{.backend = backend::cuda, .device = 1};
  onefold::inclusive_scan<float, op::sum>(x, found, second);
  CHECK(found == sums);
  onefold::softmax(matrix, 1, found, second);
  CHECK(found == shares);
  // And from its memory to its memory.
  const auto from = copy_on<float>(1, x, 0), to = copy_on<float>(1, x, 0);
  onefold::inclusive_scan<float, op::sum>(std::span<const float>(from->data(), n), std::span(to->data(), n), second);
  CHECK(to->get(n) == sums);
  onefold::softmax(onefold::array_view<float>(from->data(), {rows, columns}), 1, std::span(to->data(), n), second);
  CHECK(to->get(n) == shares);
  const onefold::scan_plan<float, op::sum> plan(rows * columns, onefold::scan_kind::inclusive, second);
  CHECK(plan.report().device == 1);
}
