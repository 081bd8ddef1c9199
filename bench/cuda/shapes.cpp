#include "shapes.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "device_time.hpp"
#include "found.hpp"
#include "onefold/shapes.hpp"
#include "peers.hpp"

namespace bench {
namespace {

using namespace onefold;

/// An array in C order, and the axis that is reduced.
struct shape {
  std::vector<std::int64_t> extents;
  int axis;

  std::int64_t elements() const {
    std::int64_t n = 1;
    for (const std::int64_t e : extents) n *= e;
    return n;
  }
  std::string name() const {
    std::string text;
    for (const std::int64_t e : extents) {
      if (!text.empty()) text += 'x';
      text += std::to_string(e);
    }
    text += " axis ";
    text += std::to_string(axis);
    return text;
  }
};

/// Results of a shape on the device.
template <class R>
class results {
 public:
  explicit results(std::int64_t count) : count_(static_cast<std::size_t>(count)) {
    check(cudaMalloc(reinterpret_cast<void**>(&p_), count_ * sizeof(R)));
  }
  ~results() { static_cast<void>(cudaFree(p_)); }
  results(const results&) = delete;
  results& operator=(const results&) = delete;
  std::span<R> all() const { return {p_, count_}; }
  /// The first ones, on the host.
  std::vector<R> first(std::size_t count) const {
    std::vector<R> v(std::min(count, count_));
    check(cudaMemcpy(v.data(), p_, v.size() * sizeof(R), cudaMemcpyDefault));
    return v;
  }

 private:
  std::size_t count_;
  R* p_ = nullptr;
};

/// Device time of a shape's enqueue; the first results must have the bits of the CPU.
template <class T, class Op>
void measure_shape(const elements<T>& d, const char* type, const shape& s, accuracy mode = accuracy::native) {
  using R = default_result<T, Op>;
  const extents e{std::span<const std::int64_t>(s.extents)};
  shaped_plan<T, Op> p(array_view<T>(d.at(0), e), {.axes = s.axis}, {.backend = backend::cuda, .accuracy = mode});
  const results<R> out(p.size());
  const std::int64_t bytes = s.elements() * static_cast<std::int64_t>(sizeof(T));
  const double us =
      device_microseconds(bytes, [&](cudaStream_t stream, int i) { p.enqueue(d.at(i), out.all(), stream); });
  const auto wanted =
      reduce<T, Op>(array_view<T>(d.x.data(), e), {.axes = s.axis}, {.backend = backend::openmp, .accuracy = mode});
  const auto got = out.first(wanted.size());
  if (std::memcmp(wanted.data(), got.data(), got.size() * sizeof(R)) != 0)
    throw std::runtime_error(std::string(Op::name) + " of " + s.name() + ": wrong bits");
  std::string what = Op::name;
  if (mode != accuracy::native) what.append(", ").append(name_of(mode));
  add("shapes", what.c_str(), type, s.elements(), sizeof(T), s.name().c_str(), us);
}

}  // namespace

void measure_shapes(int max_log2) {
  const std::int64_t n = std::int64_t{1} << std::min(28, max_log2);
  elements<float> d(n);
  d.fill(n);
  const auto read = [&] {
    add("shapes", "read", "f32", n, 4, "ceiling",
        device_microseconds(4 * n, [&](cudaStream_t s, int i) { read_only(d.at(i), 4 * n, s); }));
  };
  read();
  for (const std::int64_t length : {8, 16, 32, 64, 100, 256, 512, 1000, 2048, 4096, 1 << 16, 1 << 22, 1 << 25})
    if (length <= n) measure_shape<float, op::sum>(d, "f32", {{n / length, length}, 1});
  for (const std::int64_t length : {33, 333, 1001}) measure_shape<float, op::sum>(d, "f32", {{n / length, length}, 1});
  for (const std::int64_t columns : {3, 32, 1001, 1024, 16'384, 1 << 22})
    if (columns <= n) measure_shape<float, op::sum>(d, "f32", {{n / columns, columns}, 0});
  const std::int64_t rows = std::int64_t{1} << std::max(0, std::min(max_log2, 26) - 10);
  measure_shape<float, op::sum>(d, "f32", {{rows, 1024}, 0});
  for (const int axis : {0, 1}) measure_shape<float, op::sum>(d, "f32", {{rows / 256, 256, 1024}, axis});
  const shape thousands{{n / 1024, 1024}, 1};
  measure_shape<float, op::max>(d, "f32", thousands);
  measure_shape<float, op::argmax>(d, "f32", thousands);
  measure_shape<float, op::moments>(d, "f32", thousands);
  for (const accuracy a : {accuracy::kahan, accuracy::wide, accuracy::exact})
    measure_shape<float, op::sum>(d, "f32", thousands, a);
  read();
  elements<double> wide(n / 2);
  wide.fill(n / 2);
  measure_shape<double, op::sum>(wide, "f64", {{n / 2048, 1024}, 1});
  measure_shape<double, op::sum>(wide, "f64", {{n / 2048, 1024}, 0});
}

}  // namespace bench
