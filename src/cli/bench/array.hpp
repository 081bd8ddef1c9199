// The arrays of a benchmark: built-in data sets, and random numbers for the types that these do not have.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bench/row.hpp"
#include "input/load.hpp"
#include "measure/arena.hpp"

namespace onefold::cli {

/// The name of an array's data: of the data set, by its place; where none was chosen, "uniform" for floating-point
/// types and "integers", random ones of at most 32 bits, for the others.
std::string data_name(dtype element, const std::optional<int>& data);

/// Why a row's data is not available, or nothing.
std::optional<left_out> why_no_data(const setting& s);

/// One array in each kind of memory where it was asked for, as often as takes it out of the caches.
class array_copies {
 public:
  /// Makes it in host memory, of the elements that `file` begins with if there is one. With `warm` there is one copy.
  array_copies(const setting& what, std::uint64_t seed, bool warm, const loaded_array* file = nullptr);

  /// Whether it is the array of this row.
  bool is_of(const setting& s) const;

  /// The copies in this memory, of that accelerator where it is not the host's; made where they are asked for first.
  /// Throws as arena does.
  measure::arena& in(measure::location where, backend owner);
  measure::arena& in_host_memory() { return *arenas_.at({measure::location::host, backend::automatic}); }

 private:
  std::string data_;
  dtype element_;
  std::int64_t n_, copies_;
  std::map<std::pair<measure::location, backend>, std::unique_ptr<measure::arena>> arenas_;
};

/// Throws failure where the array and a second one like it are more than what is free of this machine's memory.
void require_memory(const setting& s, bool second);

}  // namespace onefold::cli
