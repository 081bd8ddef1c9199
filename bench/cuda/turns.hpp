// Contenders of one shape in turns: the library's results must have the CPU's bits, CUB's must be near them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "cub_segments.hpp"
#include "device_time.hpp"
#include "found.hpp"

namespace bench {

/// One reduction of a shape: what it enqueues, and whether its results are right. That throws where ours are not.
struct shape_contender {
  std::string who;
  std::function<void(cudaStream_t, int)> enqueue;
  std::function<bool()> is_right;
};

/// Where the rows of one shape belong.
struct shape_row {
  const char* group;
  std::string op;
  const char* type;
  std::int64_t n;
  std::int64_t element;  ///< bytes that are read for each of the n elements
  std::string shape;

  void add(const std::string& who, double us) const {
    bench::add(group, op.c_str(), type, n, element, who.c_str(), us, shape);
  }
};

/// Adds the device time of a contender whose results are right.
inline void measure_on_device(const shape_row& row, const shape_contender& c) {
  const double us = device_microseconds(row.n * row.element, c.enqueue);
  if (c.is_right()) row.add(c.who, us);
}

/// Does so for all of them twice, the second time in the opposite order.
inline void measure_in_turns(const shape_row& row, const std::vector<shape_contender>& list) {
  for (auto c = list.begin(); c != list.end(); ++c) measure_on_device(row, *c);
  for (auto c = list.rbegin(); c != list.rend(); ++c) measure_on_device(row, *c);
}

/// True; throws unless all results have the bits of those wanted.
template <class R>
bool has_bits(const shape_row& row, const R* wanted, const std::vector<R>& got) {
  if (std::memcmp(wanted, got.data(), got.size() * sizeof(R)) != 0)
    throw std::runtime_error(row.op + " of " + row.shape + ": wrong bits");
  return true;
}

/// Whether CUB's results are near those wanted: sums of `length` elements below 1, in any order; positions are the
/// same. Says which one is not.
template <class R, class Got>
bool is_near(const shape_row& row, const R* wanted, const std::vector<Got>& got, double length) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    bool near;
    if constexpr (std::is_same_v<Got, cub_position>)
      near = got[i].index == wanted[i];
    else
      near = std::abs(static_cast<double>(got[i]) - static_cast<double>(wanted[i])) <= 1e-4 * length;
    if (near) continue;
    std::cerr << row.group << ' ' << row.shape << ": CUB's " << row.op << " is left out: result " << i << " is wrong\n";
    return false;
  }
  return true;
}

/// CUB's reduction of a shape: `call(temporary, bytes, data, out, stream)` with results of type Got.
template <class Got, class T, class R, class Call>
shape_contender cub_contender(const shape_row& row, std::string who, const elements<T>& d, const R* wanted,
                              std::int64_t count, double length, Call call) {
  std::size_t bytes = 0;
  call(nullptr, bytes, d.at(0), static_cast<Got*>(nullptr), nullptr);
  const auto temporary = std::make_shared<const results<char>>(static_cast<std::int64_t>(bytes));
  const auto out = std::make_shared<const results<Got>>(count);
  return {std::move(who),
          [=, &d](cudaStream_t stream, int i) {
            std::size_t room = bytes;
            call(temporary->data(), room, d.at(i), out->data(), stream);
          },
          [=] { return is_near(row, wanted, out->host(), length); }};
}

}  // namespace bench
