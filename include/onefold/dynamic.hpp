// Reductions whose operation and types are known at run time only: for programs and for bindings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "onefold/catalog.hpp"
#include "onefold/report.hpp"

namespace onefold {

/// One number of a result: its type and its bits, in the low bytes.
struct scalar {
  std::string name;  ///< "value", or the member's name for results of several numbers ("min", "max", ...)
  dtype type;
  std::uint64_t bits;

  /// The number as a decimal text that reads back to the same bits (nan and inf as such; true, false); "?" where
  /// the type is not a number's.
  ONEFOLD_API std::string text() const;
  /// The bits as 0x and two hexadecimal digits a byte; "?" where the type is not a number's.
  ONEFOLD_API std::string hex() const;
};

/// The result of a reduction that was chosen at run time.
struct dynamic_result {
  std::vector<scalar> values;
  run_report ran;
};

/// Reduces n elements of a run-time type with an operation of the catalogue (by its place, see find_operation).
/// `result` asks for another type where the operation rounds. Throws as reduce does, and unsupported where the
/// catalogue does not have what is asked for.
ONEFOLD_API dynamic_result reduce_dynamic(int operation, dtype element, const void* data, std::int64_t n,
                                          const options& how = {}, std::optional<dtype> result = std::nullopt);

/// The element type with this name, as name_of spells it, in any case. Throws unknown_name's error, which names the
/// nearest type and lists all.
ONEFOLD_API dtype dtype_named(std::string_view name);

/// The same without exceptions: nothing where the name is unknown.
ONEFOLD_API std::optional<dtype> parse_dtype(std::string_view name);

/// The names of all element types.
ONEFOLD_API std::span<const std::string_view> dtype_names();

}  // namespace onefold
