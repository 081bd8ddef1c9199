// What is asked of the script, and what its answers mean.
#include "input/columnar.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "onefold/dynamic.hpp"
#include "python.hpp"

namespace onefold::cli {
namespace {

constexpr int refuses = 3, lacks_pyarrow = 77;  ///< exit codes of the script

/// The longest line with a type.
constexpr std::size_t longest_type = 8;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A kind of file: the word for the script, and for people.
struct columnar_kind {
  const char* word;
  const char* name;
};

/// None where the file is of no such kind.
std::optional<columnar_kind> kind_of(std::span<const std::byte> start) {
  const std::string_view text = as_text(start);
  // The first column of a table may be called PAR1.
  const bool binary =
      std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' && !is_space(c); });
  if (binary && text.starts_with("PAR1")) return columnar_kind{"parquet", "a Parquet file"};
  if (binary && text.starts_with("ARROW1")) return columnar_kind{"arrow", "an Arrow (Feather) file"};
  if (is_arrow_stream(start)) return columnar_kind{"stream", "an Arrow stream"};
  return std::nullopt;
}

/// The column as the script takes it.
std::string column_word(const text_layout& layout) {
  if (layout.columns.empty()) return "";
  const table_column& c = layout.columns.front();
  return c.place != 0 ? fmt::format("#{}", c.place) : "=" + c.name;
}

/// Refuses options of text.
const text_layout& checked_layout(const text_layout& layout) {
  if (layout.columns.size() > 1)
    throw failure(exit_code::bad_data,
                  "--column reads one column of a Parquet or Arrow file; run one command for each column");
  const char* const option = layout.key                               ? "--by"
                             : layout.header                          ? "--header"
                             : layout.separator != 0                  ? "--separator"
                             : layout.integers != integer_rule::exact ? "--integers"
                                                                      : nullptr;
  if (option != nullptr)
    throw failure(
        exit_code::bad_data,
        fmt::format("{} applies to text, not to a Parquet or Arrow file; leave it out, and choose a column by --column",
                    option));
  return layout;
}

}  // namespace

// Source: "Encapsulated message format" of Arrow's columnar format, and FlatBuffers' internals: the offset of the root
// table; there, how far before it its vtable lies; in that, the vtable's size and the fields' places in the table:
// version, type of the header, header, length of the body.
bool is_arrow_stream(std::span<const std::byte> start) {
  constexpr std::size_t begin = 8;  // after the mark and the length
  constexpr std::uint32_t schema = 1;
  bool complete = true;
  const auto read = [&](std::size_t at, std::size_t bytes) {
    std::uint32_t value = 0;
    complete = complete && at <= start.size() && start.size() - at >= bytes;
    if (complete) std::memcpy(&value, &start[at], bytes);  // little-endian
    return value;
  };
  if (read(0, 4) != 0xffffffff || read(4, 4) % 8 != 0) return false;
  const std::size_t table = begin + read(begin, 4);
  const auto before = static_cast<std::int32_t>(read(table, 4));  // or after it, where tables share one
  const auto vtable = static_cast<std::size_t>(static_cast<std::int64_t>(table) - before);
  if (vtable < begin + 4 || read(vtable, 2) < 4 + 3 * 2) return false;
  const std::size_t type = read(vtable + 6, 2), header = read(vtable + 8, 2);
  return type != 0 && header != 0 && read(table + type, 1) == schema && complete;
}

bool is_columnar(std::span<const std::byte> start) { return kind_of(start).has_value(); }

column_child::column_child(const std::string& path, std::span<const std::byte> start, const text_layout& layout,
                           std::chrono::milliseconds longest_end)
    : what_(kind_of(start).value().name),
      longest_end_(longest_end),
      child_(
          script_command(columns_script, {path, kind_of(start).value().word, column_word(checked_layout(layout)),
                                          std::string(missing_rule_names[static_cast<std::size_t>(layout.nulls)])})) {}

std::unique_ptr<source> column_child::open(progress_counter& counted) {
  auto pipe = std::make_unique<source>(child_.take_output(), counted);
  std::string_view text;
  do text = as_text(pipe->bytes()).substr(0, longest_type);
  while (text.size() < longest_type && text.find('\n') == std::string_view::npos && pipe->more());
  const std::size_t line = text.find('\n');
  const std::optional<dtype> type = line == std::string_view::npos ? std::nullopt : parse_dtype(text.substr(0, line));
  if (!type) {
    pipe.reset();  // whatever else is written is not waited for
    end();
    throw bad_data("the column", "a line with its type", "none");
  }
  type_ = *type;
  pipe->drop(line + 1);
  return pipe;
}

std::int64_t column_child::end() {
  const std::optional<child_result> end = child_.wait(longest_end_);
  if (!end)
    throw failure(
        exit_code::bad_data,
        fmt::format("found {}, which Python could not read: it did not end within {:g} seconds after its last "
                    "output, and was stopped",
                    what_, std::chrono::duration<double>(longest_end_).count()));
  const child_result& ended = *end;
  if (ended.status == not_started || ended.status == lacks_pyarrow)
    throw failure(exit_code::bad_data, fmt::format("found {}, which Python reads, but {}", what_,
                                                   why_no_module(ended, "pyarrow", "pip install pyarrow")));
  const std::string line = ended.last_line();
  if (ended.status == refuses) throw failure(exit_code::bad_data, one_line(line));
  std::int64_t missing = 0;
  const auto [after, problem] = std::from_chars(line.data(), line.data() + line.size(), missing);
  if (ended.status != 0 || line.empty() || problem != std::errc{} || after != line.data() + line.size() || missing < 0)
    throw failure(exit_code::bad_data,
                  fmt::format("found {}, which Python could not read: {}", what_,
                              line.empty() ? fmt::format("it ended with code {}", ended.status) : one_line(line)));
  return missing;
}

}  // namespace onefold::cli
