// The library's own data sets as vectors.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "data/sets.hpp"

namespace support {

/// n elements of the data set with this name.
template <class T>
std::vector<T> data_set(std::string_view name, std::int64_t n, std::uint64_t seed = 1, double condition = 1e8) {
  const auto set = onefold::data::find_set(name);
  if (!set) throw std::invalid_argument("no data set " + std::string(name));
  std::vector<T> x(static_cast<std::size_t>(n));
  onefold::data::fill({*set, onefold::dtype_of<T>, n, seed, condition}, x.data());
  return x;
}

}  // namespace support
