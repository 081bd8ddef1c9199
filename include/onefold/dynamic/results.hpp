// Results whose operation and types are known at run time only: their numbers, and how they lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "onefold/options.hpp"
#include "onefold/report.hpp"
#include "onefold/types.hpp"

namespace onefold {

namespace detail {
struct compiled_source;
struct result_layout;
}  // namespace detail

/// One number of a result: its type and its bits, in the low bytes.
struct scalar {
  std::string name;    ///< "value", or the member's name for results of several numbers ("min", "max", ...)
  dtype type;          ///< of the number
  std::uint64_t bits;  ///< the value's, in the low bytes

  /// The number as a decimal text that reads back to the same bits (nan and inf as such; true, false); "?" where
  /// the type is not a number's.
  ONEFOLD_API std::string text() const;
  /// The bits as 0x and two hexadecimal digits a byte; "?" where the type is not a number's.
  ONEFOLD_API std::string hex() const;
};

/// The result of a reduction that was chosen at run time.
struct dynamic_result {
  std::vector<scalar> values;  ///< its numbers
  run_report ran;              ///< what ran
};

/// One number of a result in memory.
struct result_member {
  const char* name;  ///< as scalar::name
  dtype type;        ///< as scalar::type
  int offset;        ///< bytes from the beginning of the result
};

/// Room for the result of any operation of the catalog, in bytes.
inline constexpr int most_result_size = 64;
/// An alignment that fits all results, in bytes.
inline constexpr int result_alignment = 8;

/// What the results of a dynamic plan look like in memory.
class ONEFOLD_API dynamic_results {
 public:
  /// Bytes of a result; of an operation of the catalog at most most_result_size.
  int result_size() const;

  /// The numbers of a result, in the order of their offsets: one named "value", or those of minmax_result,
  /// moments_result or bounded_sum; none if an operation as text returns no number. Valid as long as the
  /// library is loaded.
  std::span<const result_member> members() const;

  /// The numbers of one result that run wrote, or of one that enqueue wrote, once it is copied to the host.
  std::vector<scalar> scalars(const void* result) const;

 protected:
  /// Of an operation (by its place), with its initial value.
  dynamic_results(int operation, dtype element, const options& how, std::optional<dtype> result);
  /// Of results that look like this, without an initial value.
  explicit dynamic_results(const detail::result_layout& layout);
  /// Of an operation as text, with its initial value.
  dynamic_results(const detail::compiled_source& source, const options& how);
  /// The operation object; null of the catalog's.
  const void* op() const;
  /// The initial value as a number of the result's type; null where there is none.
  const void* init() const { return has_init_ ? init_ : nullptr; }

  const detail::result_layout* layout_;              ///< where the numbers of a result are
  const detail::compiled_source* source_ = nullptr;  ///< the operation as text; null: one of the catalog

 private:
  alignas(result_alignment) std::byte init_[8];
  bool has_init_;
};

}  // namespace onefold
