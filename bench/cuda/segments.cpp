#include "shapes.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "cub_segments.hpp"
#include "device_time.hpp"
#include "onefold/keys.hpp"
#include "onefold/segments.hpp"
#include "peers.hpp"
#include "turns.hpp"

namespace bench {
namespace {

using namespace onefold;
using offsets_list = std::vector<std::int32_t>;

/// `count` segments of 1 to `longest` elements, or fewer where they would have more than n in all: as many between 1
/// and 2 elements as between 2^16 and 2^17.
offsets_list uneven(std::int64_t count, double longest, std::int64_t n) {
  std::mt19937 random(9);
  offsets_list offsets{0};
  while (static_cast<std::int64_t>(offsets.size()) <= count) {
    const double share = static_cast<double>(random()) / 4294967296.0;
    const std::int64_t end = offsets.back() + static_cast<std::int64_t>(std::exp(share * std::log(longest + 1)));
    if (end > n) break;
    offsets.push_back(static_cast<std::int32_t>(end));
  }
  return offsets;
}

offsets_list equal(std::int64_t length, std::int64_t n) {
  offsets_list offsets;
  for (std::int64_t at = 0; at <= n; at += length) offsets.push_back(static_cast<std::int32_t>(at));
  return offsets;
}

using device_segments = segmented<float, std::int32_t>;

/// Whether a plan can put the segments on a stream.
template <class Plan>
concept enqueues = requires(Plan p, const device_segments& what, std::span<float> out, cudaStream_t stream) {
  p.enqueue(what, out, stream);
};

/// A copy of the elements, cut at the offsets on the device.
device_segments on_device_at(const elements<float>& d, int i, std::int64_t n, const results<std::int32_t>& offsets) {
  return {std::span(d.at(i), static_cast<std::size_t>(n)), offsets.all()};
}

/// Adds the library's sums: the device time where its plan can enqueue them, and the time of calls that wait for their
/// results. Leaves out what it does not support.
template <class Plan = segmented_plan<float, op::sum>>
void measure_ours(const shape_row& device, const shape_row& call, const elements<float>& d,
                  const results<std::int32_t>& offsets, const float* wanted, std::int64_t count) try {
  const std::int64_t n = device.n;
  Plan p(count, n, {.backend = backend::cuda});
  const results<float> out(count);
  if constexpr (enqueues<Plan>)
    measure_in_turns(
        device, {{"onefold", [&](cudaStream_t s, int i) { p.enqueue(on_device_at(d, i, n, offsets), out.all(), s); },
                  [&] { return has_bits(device, wanted, out.host()); }}});
  const double us = host_microseconds(20, [&](int i) { p(on_device_at(d, i, n, offsets), out.all()); });
  if (has_bits(call, wanted, out.host())) call.add("onefold", us);
} catch (const error& e) {
  if (e.code() != error_code::unsupported) throw;
  std::cerr << device.group << ' ' << device.shape << ", onefold: left out: " << e.what() << '\n';
}

void measure(const elements<float>& d, const offsets_list& ends, const std::string& name) {
  const std::int64_t count = static_cast<std::int64_t>(ends.size()) - 1, n = ends.back();
  if (count == 0) return;
  const shape_row device{"segments", "sum", "f32", n, sizeof(float), name};
  shape_row call = device;
  call.op = "sum and wait";
  const auto wanted = reduce<float, op::sum>(segments(d.x, ends), {.backend = backend::openmp});
  std::int64_t longest = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) longest = std::max<std::int64_t>(longest, ends[i] - ends[i - 1]);
  const results<std::int32_t> offsets(ends);
  const shape_contender cub = cub_contender<float>(
      device, "CUB, offsets", d, wanted.data(), count, static_cast<double>(longest),
      [&](void* temporary, std::size_t& bytes, const float* data, float* out, cudaStream_t stream) {
        cub_segments(segment_operation::sum, temporary, bytes, data, out, count, offsets.data(), stream);
      });
  for (int turn = 0; turn < 2; ++turn) {
    measure_on_device(device, cub);
    const double us = host_microseconds(20, [&](int i) {
      cub.enqueue(nullptr, i);
      check(cudaStreamSynchronize(nullptr));
    });
    if (cub.is_right()) call.add(cub.who, us);
    measure_ours(device, call, d, offsets, wanted.data(), count);
  }
}

/// Sums of runs of `length` equal keys: device time of CUB's, and the time of calls that wait for their results, keys
/// and results in device memory.
void measure_runs(const elements<float>& d, const elements<std::int32_t>& keys, std::int64_t length, std::int64_t n) {
  const shape_row row{
      "keys", "sum", "f32", n, sizeof(float) + sizeof(std::int32_t), "runs of " + std::to_string(length)};
  offsets_list ends = equal(length, n);
  if (ends.back() != n) ends.push_back(static_cast<std::int32_t>(n));
  const auto count = static_cast<std::int64_t>(ends.size()) - 1;
  const auto wanted = reduce<float, op::sum>(segments(d.x, ends), {.backend = backend::openmp});
  const results<std::int32_t> unique(count), runs(1);
  int copy = 0;  // of the keys: the one beside the elements'
  const shape_contender cub = cub_contender<float>(
      row, "CUB, by key", d, wanted.data(), count, static_cast<double>(length),
      [&](void* temporary, std::size_t& bytes, const float* data, float* out, cudaStream_t stream) {
        cub_sum_by_key(temporary, bytes, keys.at(copy++), data, unique.data(), out, runs.data(),
                       static_cast<std::int32_t>(n), stream);
      });
  const results<float> out(count);
  const results<std::int64_t> found(1);
  const auto size = static_cast<std::size_t>(n);
  const auto keyed = [&](int i) { return runs_by_key(std::span(d.at(i), size), std::span(keys.at(i), size)); };
  keyed_plan<float, op::sum, std::int32_t> p(n, {.backend = backend::cuda});
  measure_in_turns(
      row,
      {{"onefold", [&](cudaStream_t s, int i) { p.enqueue(keyed(i), unique.all(), out.all(), found.all().data(), s); },
        [&] { return found.host()[0] == count && has_bits(row, wanted.data(), out.host()); }},
       cub});
  if (runs.host()[0] != count) throw std::runtime_error("CUB's by-key sum of " + row.shape + ": number of runs");
  shape_row call = row;
  call.op = "sum and wait";
  for (int turn = 0; turn < 2; ++turn) {
    const double theirs = host_microseconds(20, [&](int i) {
      cub.enqueue(nullptr, i);
      check(cudaStreamSynchronize(nullptr));
    });
    if (cub.is_right()) call.add(cub.who, theirs);
    const double ours = host_microseconds(20, [&](int i) { p(keyed(i), unique.all(), out.all()); });
    if (has_bits(call, wanted.data(), out.host())) call.add("onefold", ours);
  }
}

}  // namespace

void measure_segments(int max_log2) {
  const std::int64_t n = std::int64_t{1} << std::min(28, max_log2);
  elements<float> d(n);
  d.fill(n);
  add("segments", "read", "f32", n, 4, "ceiling",
      device_microseconds(4 * n, [&](cudaStream_t s, int i) { read_only(d.at(i), 4 * n, s); }));
  const offsets_list uneven_ends = uneven(12'000, 131'072, n);
  measure(d, uneven_ends, std::to_string(uneven_ends.size() - 1) + " of 1 to 131072");
  const offsets_list short_ends = uneven(n / 33, 165, n);
  measure(d, short_ends, std::to_string(short_ends.size() - 1) + " of 1 to 165");  // 32 on average
  for (const std::int64_t length : {8, 32, 33, 100, 256, 333, 1000, 1001, 4096, 1 << 16, 1 << 22, 1 << 25})
    if (length <= n) measure(d, equal(length, n), std::to_string(n / length) + " of " + std::to_string(length));
}

void measure_keys(int max_log2) {
  const std::int64_t n = std::int64_t{1} << std::min(26, max_log2);
  elements<float> d(n);
  d.fill(n);
  add("keys", "read", "f32", n, 4, "ceiling",
      device_microseconds(4 * n, [&](cudaStream_t s, int i) { read_only(d.at(i), 4 * n, s); }));
  for (const std::int64_t length : {4, 32, 1000}) {
    std::vector<std::int32_t> k(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < k.size(); ++i) k[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) / length);
    elements<std::int32_t> keys(std::move(k));
    keys.fill(n);
    measure_runs(d, keys, length, n);
  }
}

}  // namespace bench
