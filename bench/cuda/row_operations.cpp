#include "onefold/row_operations.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "peers.hpp"
#include "shapes.hpp"
#include "turns.hpp"

namespace bench {
namespace {

using namespace onefold;

/// A mask that selects about a half.
std::vector<std::uint8_t> half_ones(std::int64_t n) {
  std::vector<std::uint8_t> mask = numbers<std::uint8_t>(n);
  for (std::uint8_t& m : mask) m &= 1;
  return mask;
}

/// Adds the device time of an operation on the rows of a matrix and, with a mask of bytes, of the same on the elements
/// that it selects, about a half. The results must have the bits of the CPU.
template <class T>
void measure_rows(const elements<T>& d, const elements<std::uint8_t>& mask, const arena& out, const char* type,
                  row_operation operation, const char* name, std::int64_t lines, std::int64_t length) {
  const bool gives_one = operation == row_operation::logsumexp;
  const bool weighs = operation == row_operation::layer_norm || operation == row_operation::rms_norm;
  const bool adds = operation == row_operation::layer_norm;
  const std::int64_t n = lines * length;
  const shape_row row{"rows",
                      name,
                      type,
                      n,
                      static_cast<std::int64_t>(sizeof(T)) * (gives_one ? 1 : 2),
                      std::to_string(lines) + "x" + std::to_string(length) + " axis 1"};
  const auto place = [&](int i) { return static_cast<T*>(const_cast<void*>(out.copy(i))); };
  const auto parameters = [=](const T* at) {
    row_parameters<T> p;
    if (weighs) p.weight = std::span<const T>(at, static_cast<std::size_t>(length));
    if (adds) p.bias = p.weight;
    return p;
  };
  const results<T> weight(std::vector<T>(d.x.begin(), d.x.begin() + length));
  const array_view<T> like(nullptr, {lines, length});
  const auto plain = [](const T* x, const std::uint8_t*) { return x; };
  const auto selected = [=](const T* x, const std::uint8_t* bytes) {
    return where(array_view<T>(x, {lines, length}), array_view<std::uint8_t>(bytes, {lines, length}));
  };
  const auto contender = [&](const char* who, const auto& shape, auto data) {
    const auto plan_for = [=, &d](backend b) {
      return row_plan<T>(operation, shape, -1, parameters(d.x.data()), {.backend = b});
    };
    return shape_contender{
        who,
        [&, data, plan = std::make_shared<row_plan<T>>(plan_for(backend::cuda))](cudaStream_t stream, int i) {
          plan->enqueue(data(d.at(i), mask.x.empty() ? nullptr : mask.at(i)), place(i), stream,
                        parameters(weight.data()));
        },
        [&, data, plan_for] {
          std::vector<T> wanted(static_cast<std::size_t>(gives_one ? lines : n)), got(wanted.size());
          plan_for(backend::openmp)(data(d.x.data(), mask.x.data()), wanted.data(), parameters(d.x.data()));
          check(cudaMemcpy(got.data(), place(0), got.size() * sizeof(T), cudaMemcpyDeviceToHost));
          return has_bits(row, wanted.data(), got);
        }};
  };
  std::vector<shape_contender> contenders{contender("onefold", like, plain)};
  if (!mask.x.empty()) contenders.push_back(contender("onefold masked", selected(nullptr, nullptr), selected));
  measure_in_turns(row, contenders);
}

template <class T>
void measure_rows_of(const char* type, int max_log2, bool with_masks) {
  const std::int64_t most = std::int64_t{1} << std::min(28, max_log2), size = sizeof(T);
  elements<T> d(most);
  arena out(most * size);
  elements<std::uint8_t> mask(with_masks ? half_ones(most) : std::vector<std::uint8_t>{});
  // As many elements as most of the arrays below have: a copy of 2^28 takes six times as long as one of 2^26.
  const std::int64_t copied = std::min(most, std::int64_t{1} << 26);
  d.fill(copied);
  out.fill(d.x.data(), copied * size);
  add("rows", "copy", type, copied, 2 * size, "ceiling",
      device_microseconds(2 * copied * size, [&](cudaStream_t s, int i) {
        check(cudaMemcpyAsync(const_cast<void*>(out.copy(i)), d.at(i), static_cast<std::size_t>(copied * size),
                              cudaMemcpyDeviceToDevice, s));
      }));
  constexpr std::pair<int, int> shapes[] = {{1 << 20, 32},      {1 << 18, 256},   {1 << 16, 1024},  {1 << 14, 4096},
                                            {1 << 13, 16384},   {1 << 12, 32000}, {1 << 11, 50257}, {1 << 10, 128256},
                                            {1 << 10, 1 << 17}, {64, 1 << 22}};
  constexpr std::pair<row_operation, const char*> operations[] = {{row_operation::softmax, "softmax"},
                                                                  {row_operation::log_softmax, "log_softmax"},
                                                                  {row_operation::logsumexp, "logsumexp"},
                                                                  {row_operation::layer_norm, "layer_norm"},
                                                                  {row_operation::rms_norm, "rms_norm"}};
  for (const auto& [lines, length] : shapes) {
    const std::int64_t n = std::int64_t{lines} * length;
    if (n > most) continue;
    d.fill(n);
    if (with_masks) mask.fill(n);
    out.fill(d.x.data(), n * size);
    for (const auto& [operation, name] : operations) measure_rows(d, mask, out, type, operation, name, lines, length);
  }
}

}  // namespace

void measure_row_operations(int max_log2, bool with_masks) {
  measure_rows_of<float>("f32", max_log2, with_masks);
  measure_rows_of<bf16>("bf16", max_log2, with_masks);
}

}  // namespace bench
