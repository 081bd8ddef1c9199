// A result as the bits of its numbers: what tests compare.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "onefold/onefold.hpp"

namespace support {

using result_bits = std::vector<std::uint64_t>;

template <class R>
result_bits bits_of(const R& x) {
  static_assert(sizeof(R) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<R>);
  std::uint64_t b = 0;
  std::memcpy(&b, &x, sizeof x);
  return {b};
}
template <class T>
result_bits bits_of(const onefold::minmax_result<T>& x) {
  return {bits_of(x.min)[0], bits_of(x.max)[0]};
}
inline result_bits bits_of(const onefold::moments_result& x) {
  return {bits_of(x.n)[0], bits_of(x.mean)[0], bits_of(x.m2)[0]};
}
template <class R>
result_bits bits_of(const onefold::bounded_sum<R>& x) {
  return {bits_of(x.value)[0], bits_of(x.bound)[0], bits_of(x.condition)[0]};
}

template <class T>
result_bits bits_of(const onefold::indexed_element<T>& x) {
  return {bits_of(x.index)[0], bits_of(x.value)[0]};
}

template <class T>
result_bits bits_of(const onefold::summary_result<T>& s) {
  return {bits_of(s.n)[0],
          bits_of(s.nan_count)[0],
          bits_of(s.sum)[0],
          bits_of(s.mean)[0],
          bits_of(s.min)[0],
          bits_of(s.max)[0],
          bits_of(s.variance)[0],
          bits_of(s.stddev)[0],
          bits_of(s.sample_variance)[0],
          bits_of(s.sample_stddev)[0]};
}

/// Reduces by the run-time form of the library, which keeps test programs small; to a result type other than the
/// operation's own where one is given.
inline result_bits run(int operation, onefold::dtype type, const void* data, std::int64_t n,
                       const onefold::options& how, std::optional<onefold::dtype> result = std::nullopt) {
  const auto r = onefold::reduce_dynamic(operation, type, data, n, how, result);
  result_bits bits;
  for (const auto& v : r.values) bits.push_back(v.bits);
  return bits;
}
template <class Op, class T>
result_bits run(const T* data, std::int64_t n, const onefold::options& how) {
  return run(onefold::operation_index<Op>, onefold::dtype_of<T>, data, n, how);
}

inline std::string text_of(const result_bits& bits) {
  std::string s;
  char word[20];
  for (const auto b : bits) {
    std::snprintf(word, sizeof word, "%016llx ", static_cast<unsigned long long>(b));
    s += word;
  }
  return s;
}

}  // namespace support
