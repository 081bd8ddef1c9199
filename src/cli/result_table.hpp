// Results as a table: of keys, with a row for each key; of several columns, with a row for each column.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reduced.hpp"

namespace onefold::cli {

/// A field of each row: a number of the results of an operation.
struct result_field {
  std::string name;       ///< of a row for each key: COLUMN_OPERATION, else OPERATION; with _MEMBER where it has some
  std::size_t reduction;  ///< of a row
  result_member member;
};

/// What stands above the names of the rows: the column with the keys, or "column".
std::string_view title_of(const reduced_input& from);

/// Throws onefold::error (invalid_argument) where two columns, or two rows, of the table of these operations' results
/// would have the same name. Needs only the columns and the key of what is read.
void require_different_names(std::span<const operation_results> operations, const reduced_input& from);

/// The rows and the fields of a table, which looks into the results.
class result_table {
 public:
  /// Of results of each column by each operation, the columns one after the other.
  result_table(std::span<const reduced> all, const reduced_input& from);

  std::size_t rows() const { return from_.by ? from_.keys->size() : from_.columns.size(); }
  std::span<const result_field> fields() const { return fields_; }

  /// The key or the column of a row, as it is: escape it where people see it.
  std::string_view row_name(std::size_t row) const {
    return from_.by ? (*from_.keys)[row] : std::string_view(from_.columns[row]);
  }
  /// The bytes of a number.
  const std::byte* cell(std::size_t row, const result_field& f) const;

  /// A line of names, then a line for each row, in columns separated by blanks. Names are escaped, and in quotes where
  /// they have blanks or what separates a table's fields, so that the program can read the table. `shortened`: of many
  /// rows only the first and last ones.
  std::string text(bool shortened) const;

 private:
  std::span<const reduced> all_;
  const reduced_input& from_;
  std::vector<result_field> fields_;
};

}  // namespace onefold::cli
