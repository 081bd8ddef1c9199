// Results as an .npy file, of NumPy.
#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "files.hpp"
#include "input/failure.hpp"
#include "npy_header.hpp"
#include "quantity.hpp"
#include "reduced.hpp"
#include "result_table.hpp"

namespace onefold::cli {
namespace {

/// A part of each record of the file.
struct field {
  std::string name;
  std::string type;  ///< NumPy's
  std::size_t size;  ///< bytes
  std::function<void(std::size_t record, std::byte* to)> write;
};

field number_field(std::string name, dtype type, std::function<const std::byte*(std::size_t)> at) {
  const auto size = static_cast<std::size_t>(size_of(type));
  return {std::move(name), npy_type(type), size,
          [at = std::move(at), size](std::size_t i, std::byte* to) { std::memcpy(to, at(i), size); }};
}

/// The members of all operations: named by them, by the operation, or by both.
std::vector<field> record_fields(std::span<const reduced> all) {
  std::vector<field> fields;
  for (const reduced& r : all)
    for (std::size_t m = 0; m < r.layout.members().size(); ++m) {
      const result_member& member = r.layout.members()[m];
      const std::byte* const first = r.results.bytes().data() + member.offset;
      fields.push_back(number_field(all.size() == 1 ? member.name : r.name_of_member(m), member.type,
                                    [first, step = r.layout.result_size()](std::size_t i) {
                                      return first + i * static_cast<std::size_t>(step);
                                    }));
    }
  return fields;
}

/// The names of a table's rows, as bytes of the length of the longest one, and its fields.
std::vector<field> table_fields(const result_table& table, const reduced_input& from) {
  std::size_t longest = 1;
  for (std::size_t row = 0; row < table.rows(); ++row) longest = std::max(longest, table.row_name(row).size());
  std::vector<field> fields;
  fields.push_back({std::string(title_of(from)), fmt::format("|S{}", longest), longest,
                    [&table, longest](std::size_t row, std::byte* to) {
                      const std::string_view name = table.row_name(row);
                      std::memset(std::copy_n(std::as_bytes(std::span(name)).data(), name.size(), to), 0,
                                  longest - name.size());
                    }});
  for (const result_field& f : table.fields())
    fields.push_back(number_field(f.name, f.member.type, [&table, &f](std::size_t row) { return table.cell(row, f); }));
  return fields;
}

/// The bytes of a record.
std::size_t width_of(std::span<const field> fields) {
  std::size_t width = 0;
  for (const field& f : fields) width += f.size;
  return width;
}

/// The fields of all records, without the bytes between members, which are unspecified.
byte_buffer records_of(std::span<const field> fields, std::size_t count) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(width_of(fields), count, &bytes)) throw std::bad_alloc();
  byte_buffer records;
  std::byte* to = records.room(bytes);
  for (std::size_t i = 0; i < count; ++i)
    for (const field& f : fields) {
      f.write(i, to);
      to += f.size;
    }
  records.grow(bytes);
  return records;
}

/// What is said where the memory does not hold the records: how many there are and how long, and that the longest key
/// makes them so.
failure too_large(const std::string& path, std::string_view why, std::span<const field> fields, std::size_t count,
                  const reduced_input& from) {
  std::string reason =
      fmt::format("{}: {} of {}", why, detail::quantity(count, "row"), detail::quantity(width_of(fields), "byte"));
  if (from.by) reason += fmt::format(", of which every key takes {}, as many as the longest one", fields.front().size);
  return unwritable(path, reason);
}

/// The type of records with these fields in Python's words.
std::string record_type(std::span<const field> fields) {
  std::string type;
  for (const field& f : fields)
    type += fmt::format("{}({}, '{}')", type.empty() ? "[" : ", ", npy_name(f.name), f.type);
  return type + "]";
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

void write_npy(const std::string& path, std::span<const reduced> all, const reduced_input& from) {
  const extents& e = all.front().extents;
  std::vector<std::int64_t> shape(e.begin(), e.end());
  std::optional<result_table> table;
  if (from.is_table()) {
    table.emplace(all, from);
    shape = {static_cast<std::int64_t>(table->rows())};
  }
  const std::vector<field> fields = table ? table_fields(*table, from) : record_fields(all);
  std::string descr = fmt::format("'{}'", fields.front().type);
  byte_buffer records;
  std::span<const std::byte> elements = all.front().results.bytes();
  if (fields.size() > 1) {
    descr = record_type(fields);
    const auto count = static_cast<std::size_t>(table ? shape.front() : all.front().size);
    try {
      records = records_of(fields, count);
    } catch (const failure& f) {
      throw too_large(path, f.what(), fields, count, from);
    } catch (const std::bad_alloc&) {
      throw too_large(path, "not enough memory", fields, count, from);
    }
    elements = records.bytes();
  }
  const std::string header = npy_header(descr, shape);
  const std::string_view pieces[] = {header, text_of(elements)};
  write_file(path, pieces);
}

}  // namespace onefold::cli
