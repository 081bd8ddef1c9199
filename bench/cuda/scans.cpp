#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "onefold/scan.hpp"
#include "peers.hpp"
#include "shapes.hpp"
#include "turns.hpp"

namespace bench {
namespace {

using namespace onefold;

/// Adds the device time of a cumulative sum, which must have the bits of the CPU, in turns with CUB's.
template <class T>
void measure_scan(const elements<T>& d, const arena& out, const char* type, std::int64_t n,
                  accuracy mode = accuracy::native) {
  using R = default_result<T, op::sum>;
  static_assert(sizeof(R) == sizeof(T));
  shape_row row{"scans", "cumsum", type, n, 2 * sizeof(T), std::to_string(n) + " axis 0"};
  if (mode != accuracy::native) row.op.append(", ").append(name_of(mode));
  const auto place = [&](int i) { return static_cast<R*>(const_cast<void*>(out.copy(i))); };
  const auto plan = std::make_shared<scan_plan<T, op::sum>>(n, scan_kind::inclusive,
                                                            options{.backend = backend::cuda, .accuracy = mode});
  const auto has_the_bits = [&row, &d, place, n, mode] {
    std::vector<R> wanted(static_cast<std::size_t>(n)), got(wanted.size());
    inclusive_scan<T, op::sum>(std::span(d.x).first(wanted.size()), wanted,
                               {.backend = backend::openmp, .accuracy = mode});
    check(cudaMemcpy(got.data(), place(0), got.size() * sizeof(R), cudaMemcpyDeviceToHost));
    return has_bits(row, wanted.data(), got);
  };
  std::vector<shape_contender> list{
      {"onefold", [&, plan](cudaStream_t stream, int i) { plan->enqueue(d.at(i), place(i), stream); }, has_the_bits}};
  if (mode == accuracy::native) {
    std::size_t bytes = 0;
    cub_cumsum<T>(nullptr, bytes, d.at(0), place(0), n, nullptr);
    const auto temporary = std::make_shared<const results<char>>(static_cast<std::int64_t>(bytes));
    list.push_back({"CUB",
                    [&, temporary, bytes, n](cudaStream_t stream, int i) {
                      std::size_t room = bytes;
                      cub_cumsum<T>(temporary->data(), room, d.at(i), place(i), n, stream);
                    },
                    [] { return true; }});
  }
  measure_in_turns(row, list);
}

template <class T>
void measure_scans_of(const char* type, int max_log2) {
  const std::int64_t most = std::int64_t{1} << (max_log2 - (sizeof(T) == 8 ? 1 : 0)), bytes = most * sizeof(T);
  elements<T> d(most);
  arena out(bytes);
  const auto fill = [&](std::int64_t n) {
    d.fill(n);
    out.fill(d.x.data(), n * static_cast<std::int64_t>(sizeof(T)));
  };
  fill(most);
  add("scans", "copy", type, most, 2 * sizeof(T), "ceiling", device_microseconds(2 * bytes, [&](cudaStream_t s, int i) {
        check(cudaMemcpyAsync(const_cast<void*>(out.copy(i)), d.at(i), static_cast<std::size_t>(bytes),
                              cudaMemcpyDeviceToDevice, s));
      }));
  for (const std::int64_t n : {1 << 16, 1 << 18, 1 << 20, 1 << 21, 3'000'000, 1 << 22, 1 << 23, 10'000'000, 1 << 24,
                               1 << 26, 1 << 27, 1 << 28}) {
    if (n > most) continue;
    fill(n);
    measure_scan(d, out, type, n);
    if (n == 1 << 24)
      for (const accuracy a : {accuracy::kahan, accuracy::wide}) measure_scan(d, out, type, n, a);
  }
}

}  // namespace

void measure_scans(int max_log2) {
  measure_scans_of<float>("f32", std::min(28, max_log2));
  measure_scans_of<double>("f64", std::min(28, max_log2));
}

}  // namespace bench
