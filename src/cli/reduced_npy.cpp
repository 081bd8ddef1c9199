// Results as an .npy file, version 1.0.
#include <cstring>

#include <fmt/format.h>

#include "files.hpp"
#include "input/npy.hpp"
#include "reduced.hpp"

namespace onefold::cli {
namespace {

/// One number of each result, on its way into a record of the file.
struct field {
  std::string name;
  dtype type;
  const std::byte* first;
  std::size_t step;  ///< bytes from one result to the next

  std::size_t size() const { return static_cast<std::size_t>(size_of(type)); }
};

/// The members of all operations: named by them, by the operation, or by both.
std::vector<field> record_fields(std::span<const reduced> all) {
  std::vector<field> fields;
  for (const reduced& r : all)
    for (const result_member& m : r.plan.members()) {
      const bool alone = r.plan.members().size() == 1;
      fields.push_back({all.size() == 1 ? m.name
                        : alone         ? r.operation
                                        : fmt::format("{}_{}", r.operation, m.name),
                        m.type, r.results.bytes().data() + m.offset, static_cast<std::size_t>(r.plan.result_size())});
    }
  return fields;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

void write_npy(const std::string& path, std::span<const reduced> all) {
  const dynamic_shaped_plan& like = all.front().plan;
  const std::vector<field> fields = record_fields(all);
  std::string descr = fmt::format("'{}'", npy_type(fields.front().type));
  byte_buffer records;
  std::span<const std::byte> elements = all.front().results.bytes();
  if (fields.size() > 1) {
    // Without the bytes between members, which are unspecified.
    descr.clear();
    std::size_t width = 0;
    for (const field& f : fields) {
      descr += fmt::format("{}('{}', '{}')", descr.empty() ? "[" : ", ", f.name, npy_type(f.type));
      width += f.size();
    }
    descr += "]";
    const auto count = static_cast<std::size_t>(like.size());
    std::byte* to = records.room(count * width);
    for (std::size_t i = 0; i < count; ++i)
      for (const field& f : fields) {
        std::memcpy(to, f.first + i * f.step, f.size());
        to += f.size();
      }
    records.grow(count * width);
    elements = records.bytes();
  }
  const std::vector<std::int64_t> shape(like.extents().begin(), like.extents().end());
  const std::string header = npy_header(descr, shape);
  const std::string_view pieces[] = {header, text_of(elements)};
  write_file(path, pieces);
}

}  // namespace onefold::cli
