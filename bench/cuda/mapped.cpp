#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cub_mapped.hpp"
#include "onefold/vectors.hpp"
#include "shapes.hpp"
#include "turns.hpp"

namespace bench {
namespace {

using namespace onefold;

/// Two vectors, with copies on the device.
template <class T>
struct vectors {
  explicit vectors(std::int64_t n) : x(n), y(reversed(x.x)) {
    x.fill(n);
    y.fill(n);
  }
  static std::vector<T> reversed(std::vector<T> v) {
    std::ranges::reverse(v);
    return v;
  }
  elements<T> x, y;
};

/// One way to compute something of copy i of the vectors, which ends when its result is on the host.
struct vector_call {
  std::string who;
  std::function<void(int)> run;
};

/// Adds the times of calls, in turns.
void measure_calls(const shape_row& row, const std::vector<vector_call>& list) {
  const int calls = row.n * row.element > (64 << 20) ? 20 : 200;
  for (int turn = 0; turn < 2; ++turn)
    for (std::size_t k = 0; k < list.size(); ++k) {
      const vector_call& c = list[turn == 0 ? k : list.size() - 1 - k];
      row.add(c.who, host_microseconds(calls, c.run));
    }
}

/// CUB's sum, after which its result is copied to the host.
template <class R, class T>
vector_call cub_call(const vectors<T>& v, std::int64_t n, const std::vector<vector_sum>& sums) {
  std::size_t bytes = 0;
  cub_vector_sum<T, R>(nullptr, bytes, sums[0], v.x.at(0), v.y.at(0), nullptr, n, nullptr);
  const auto temporary = std::make_shared<const results<char>>(static_cast<std::int64_t>(bytes));
  const auto out = std::make_shared<const results<R>>(std::ssize(sums));
  return {"CUB + copy + sync", [&v, n, sums, bytes, temporary, out](int i) {
            std::size_t room = bytes;
            for (std::size_t k = 0; k < sums.size(); ++k)
              cub_vector_sum<T, R>(temporary->data(), room, sums[k], v.x.at(i), v.y.at(i), out->data() + k, n, nullptr);
            std::vector<R> host(sums.size());
            check(cudaMemcpyAsync(host.data(), out->data(), host.size() * sizeof(R), cudaMemcpyDeviceToHost, nullptr));
            check(cudaStreamSynchronize(nullptr));
          }};
}

/// The library's call of vectors, which must have the CPU's bits.
template <class T, class Verb>
vector_call onefold_call(const vectors<T>& v, std::int64_t n, const std::string& who, Verb verb) {
  const auto size = static_cast<std::size_t>(n);
  const auto meant = verb(std::span<const T>(v.x.x.data(), size), std::span<const T>(v.y.x.data(), size),
                          options{.backend = backend::cpu});
  return {who, [&v, size, verb, meant, who](int i) {
            const auto found = verb(std::span<const T>(v.x.at(i), size), std::span<const T>(v.y.at(i), size),
                                    options{.backend = backend::cuda});
            if (std::memcmp(&found, &meant, sizeof found) != 0) throw std::runtime_error(who + ": wrong bits");
          }};
}

const auto dot_of = [](auto x, auto y, const options& how) { return dot(x, y, how); };

template <class T>
void measure_vectors(const char* type, int max_log2) {
  using R = vector_number<T>;
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  for (const int log2 : {16, 18, 20, 22, 24, 26, 28}) {
    if (log2 > max_log2) continue;
    const std::int64_t n = std::int64_t{1} << log2;
    const vectors<T> v(n);
    const std::string shape = "whole";
    measure_calls({"mapped", "dot", type, n, 2 * size, shape},
                  {onefold_call(v, n, "onefold", dot_of), cub_call<R>(v, n, {vector_sum::products}),
                   onefold_call(v, n, "onefold, exact", [](auto x, auto y, options how) {
                     how.accuracy = accuracy::exact;
                     return dot(x, y, how);
                   })});
    measure_calls({"mapped", "dot", type, n - 1, 2 * size, "not aligned"},
                  {onefold_call(v, n - 1, "onefold", [](auto x, auto y, const options& how) {
                    return dot(std::span(x.data() + 1, x.size()), y, how);
                  })});
    measure_calls({"mapped", "distance", type, n, 2 * size, shape},
                  {onefold_call(v, n, "onefold",
                                [](auto x, auto y, const options& how) { return distance(x, y, norm::l2, how); }),
                   cub_call<R>(v, n, {vector_sum::squared_differences})});
    measure_calls({"mapped", "norm1", type, n, size, shape},
                  {onefold_call(v, n, "onefold", [](auto x, auto, const options& how) { return norm1(x, how); }),
                   cub_call<R>(v, n, {vector_sum::magnitudes})});
    // CUB's three sums are all of the products of x and y: as long as those of x and x.
    measure_calls(
        {"mapped", "cosine", type, n, 2 * size, shape},
        {onefold_call(v, n, "onefold", [](auto x, auto y, const options& how) { return cosine_similarity(x, y, how); }),
         cub_call<double>(v, n, {vector_sum::products, vector_sum::products, vector_sum::products})});
  }
}

/// Dot products of rows of this many elements, a power of two.
template <class T>
void measure_rows(const char* type, int max_log2, std::int64_t length) {
  if (max_log2 < 20) return;
  const std::int64_t n = std::int64_t{1} << std::min(max_log2, 28), rows = n / length;
  const vectors<T> v(n);
  const auto views = [&](const T* x, const T* y) {
    return mapped(detail::product_as<vector_number<T>>{}, array_view<T>(x, {rows, length}),
                  array_view<T>(y, {rows, length}));
  };
  using number = vector_number<T>;
  using sums = mapped_plan<number, op::sum>;
  std::vector<number> meant(static_cast<std::size_t>(rows));
  sums(views(v.x.x.data(), v.y.x.data()), {.axes = 1}, {.backend = backend::cpu})(views(v.x.x.data(), v.y.x.data()),
                                                                                  meant);
  sums plan(views(v.x.at(0), v.y.at(0)), {.axes = 1}, {.backend = backend::cuda});
  const results<number> ours(rows), theirs(rows);
  std::size_t bytes = 0;
  cub_row_products<T>(nullptr, bytes, v.x.at(0), v.y.at(0), theirs.data(), rows, length, nullptr);
  const results<char> temporary(static_cast<std::int64_t>(bytes));
  const shape_row row{
      "mapped", "dot", type, n, 2 * static_cast<std::int64_t>(sizeof(T)), "rows of " + std::to_string(length)};
  measure_calls(row, {{"onefold", [&](int i) { plan(views(v.x.at(i), v.y.at(i)), ours.all()); }},
                      {"CUB + sync", [&](int i) {
                         std::size_t room = bytes;
                         cub_row_products<T>(temporary.data(), room, v.x.at(i), v.y.at(i), theirs.data(), rows, length,
                                             nullptr);
                         check(cudaStreamSynchronize(nullptr));
                       }}});
  has_bits(row, meant.data(), ours.host());
}

}  // namespace

void measure_mapped(int max_log2) {
  measure_vectors<float>("f32", max_log2);
  measure_vectors<double>("f64", std::min(max_log2, 27));
  measure_vectors<f16>("f16", max_log2);
  for (const std::int64_t length : {32, 256, 1024, 16384, 1 << 20}) {
    measure_rows<float>("f32", max_log2, length);
    measure_rows<f16>("f16", max_log2, length);
  }
}

}  // namespace bench
