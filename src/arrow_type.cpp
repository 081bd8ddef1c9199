// The table of formats, and what is said of those that hold no numbers.
#include "arrow_type.hpp"

#include "one_line.hpp"
#include "onefold/arrow.hpp"

namespace onefold::detail {
namespace {

struct number_format {
  char format;
  arrow_type type;
};

constexpr number_format number_formats[] = {
    {'b', {dtype::u8, true}},   {'c', {dtype::i8, false}},  {'C', {dtype::u8, false}},  {'s', {dtype::i16, false}},
    {'S', {dtype::u16, false}}, {'i', {dtype::i32, false}}, {'I', {dtype::u32, false}}, {'l', {dtype::i64, false}},
    {'L', {dtype::u64, false}}, {'e', {dtype::f16, false}}, {'f', {dtype::f32, false}}, {'g', {dtype::f64, false}},
};

struct other_format {
  std::string_view start;
  const char* name;
  const char* advice;
};

constexpr const char* cast_text = "cast it to a number type such as float64";
constexpr const char* take_values = "flatten it, or reduce its values";

/// The longest start that fits comes first.
constexpr other_format others[] = {
    {"tdD", "date32", "cast it to int32 (days)"},
    {"tdm", "date64", "cast it to int64 (milliseconds)"},
    {"tts", "time32", "cast it to int32 (seconds)"},
    {"ttm", "time32", "cast it to int32 (milliseconds)"},
    {"ttu", "time64", "cast it to int64 (microseconds)"},
    {"ttn", "time64", "cast it to int64 (nanoseconds)"},
    {"tiM", "interval of months", "cast it to int32"},
    {"ti", "interval", "reduce each of its fields as a column of integers"},
    {"ts", "timestamp", "cast it to int64"},
    {"tD", "duration", "cast it to int64"},
    {"d:", "decimal", "cast it to float64, or to int64 if it has no fraction"},
    {"n", "null", "cast it to a number type such as float64"},
    {"u", "string", cast_text},
    {"U", "large string", cast_text},
    {"vu", "string view", cast_text},
    {"z", "binary", cast_text},
    {"Z", "large binary", cast_text},
    {"vz", "binary view", cast_text},
    {"w:", "fixed-size binary", cast_text},
    {"+l", "list", take_values},
    {"+L", "large list", take_values},
    {"+vl", "list view", take_values},
    {"+vL", "large list view", take_values},
    {"+w:", "fixed-size list", take_values},
    {"+m", "map", "flatten it, or reduce its keys or items"},
    {"+s", "struct", "flatten it, and choose one of its fields"},
    {"+u", "union", "choose one of its children as the column"},
    {"+r", "run-end encoding", "decode it"},
};

const arrow_type* number_type(std::string_view format) {
  for (const number_format& n : number_formats)
    if (format.size() == 1 && format[0] == n.format) return &n.type;
  return nullptr;
}

std::string quoted_whole(std::string_view text) { return '"' + spelled_out(text) + '"'; }

}  // namespace

std::string arrow_column_called(std::string_view name) {
  return name.empty() ? "the column" : "column " + quoted_whole(name);
}

arrow_type arrow_type_of(const ArrowSchema& schema, std::string_view column) {
  const std::string who = arrow_column_called(column);
  if (!schema.format) throw error(error_code::invalid_argument, who + " has a schema without a format");
  const std::string_view format = schema.format;
  if (schema.dictionary)
    throw error(error_code::unsupported,
                who + " is dictionary-encoded (indices of format " + quoted_whole(format) +
                    "), which is not supported; decode it: cast it to the type of its dictionary");
  if (const arrow_type* const type = number_type(format)) return *type;
  for (const other_format& other : others)
    if (format.starts_with(other.start))
      throw error(error_code::unsupported, who + " is of Arrow type " + other.name + " (format " +
                                               quoted_whole(format) + "), not of numbers; " + other.advice);
  throw error(error_code::unsupported,
              who + " has the unknown Arrow format " + quoted_whole(format) +
                  "; supported are int8 to int64, uint8 to uint64, float16, float32, float64 and bool");
}

}  // namespace onefold::detail
