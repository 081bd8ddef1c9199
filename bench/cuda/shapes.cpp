#include "shapes.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "arrays.hpp"
#include "device_time.hpp"
#include "found.hpp"
#include "onefold/shapes.hpp"
#include "peers.hpp"
#include "turns.hpp"

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

/// CUB's operation of that name, where it has one for segments.
template <class Op>
constexpr std::optional<segment_operation> cub_operation = std::nullopt;
template <>
constexpr std::optional<segment_operation> cub_operation<op::sum> = segment_operation::sum;
template <>
constexpr std::optional<segment_operation> cub_operation<op::max> = segment_operation::max;
template <>
constexpr std::optional<segment_operation> cub_operation<op::argmax> = segment_operation::argmax;

/// Adds CUB's reductions of rows: as segments of a fixed size, and by offsets.
template <class T, class Op, class R>
void add_cub(std::vector<shape_contender>& list, const shape_row& row, const elements<T>& d, const R* wanted,
             std::int64_t count, std::int64_t length) {
  constexpr segment_operation op = *cub_operation<Op>;
  using got = std::conditional_t<op == segment_operation::argmax, cub_position, T>;
  const double elements = static_cast<double>(length);
  if (cub_has_fixed_segments())
    list.push_back(cub_contender<got>(
        row, "CUB, fixed size", d, wanted, count, elements,
        [=](void* temporary, std::size_t& bytes, const T* data, got* out, cudaStream_t stream) {
          cub_fixed_segments(op, temporary, bytes, data, out, count, static_cast<int>(length), stream);
        }));
  std::vector<std::int32_t> ends(static_cast<std::size_t>(count) + 1);
  for (std::size_t i = 0; i < ends.size(); ++i)
    ends[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) * length);
  const auto offsets = std::make_shared<const results<std::int32_t>>(ends);
  list.push_back(
      cub_contender<got>(row, "CUB, offsets", d, wanted, count, elements,
                         [=](void* temporary, std::size_t& bytes, const T* data, got* out, cudaStream_t stream) {
                           cub_segments(op, temporary, bytes, data, out, count, offsets->data(), stream);
                         }));
}

/// Device time of a shape's enqueue, of rows in turns with CUB; our results must have the bits of the CPU.
template <class T, class Op>
void measure_shape(const elements<T>& d, const char* type, const shape& s, accuracy mode = accuracy::native) {
  using R = default_result<T, Op>;
  shape_row row{"shapes", Op::name, type, s.elements(), sizeof(T), s.name()};
  if (mode != accuracy::native) row.op.append(", ").append(name_of(mode));
  const extents e{std::span<const std::int64_t>(s.extents)};
  shaped_plan<T, Op> p(array_view<T>(d.at(0), e), {.axes = s.axis}, {.backend = backend::cuda, .accuracy = mode});
  const results<R> out(p.size());
  const auto wanted =
      reduce<T, Op>(array_view<T>(d.x.data(), e), {.axes = s.axis}, {.backend = backend::openmp, .accuracy = mode});
  std::vector<shape_contender> list{{"onefold",
                                     [&](cudaStream_t stream, int i) { p.enqueue(d.at(i), out.all(), stream); },
                                     [&] { return has_bits(row, wanted.data(), out.host()); }}};
  if constexpr (cub_operation<Op>.has_value())
    if (mode == accuracy::native && s.extents.size() == 2 && s.axis == 1)
      add_cub<T, Op>(list, row, d, wanted.data(), p.size(), s.extents[1]);
  measure_in_turns(row, list);
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
  for (const std::int64_t columns : {32, 16'384})  // 2^20 x 32, 2^13 x 16384
    if (const std::int64_t all = std::min(n, columns << (columns == 32 ? 20 : 13)); all >= columns)
      measure_shape<float, op::sum>(d, "f32", {{all / columns, columns}, 0});
  for (const int axis : {0, 1}) measure_shape<float, op::sum>(d, "f32", {{rows / 256, 256, 1024}, axis});
  if (max_log2 >= 24)
    for (const int axis : {0, 1}) measure_shape<float, op::sum>(d, "f32", {{256, 256, 256}, axis});
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
