// onefold operations: the catalog, as the library itself lists it.
#include <fmt/format.h>

#include "commands.hpp"
#include "json.hpp"
#include "onefold/dynamic.hpp"
#include "output.hpp"

namespace onefold::cli {
namespace {

/// The names of the element types that an operation takes.
std::vector<std::string_view> accepted_types(std::size_t operation) {
  std::vector<std::string_view> names;
  for (const std::string_view name : dtype_names())
    if (why_not(static_cast<int>(operation), *parse_dtype(name), accuracy::native) == nullptr) names.push_back(name);
  return names;
}

std::string operations_as_text() {
  std::string text;
  for (std::size_t i = 0; i < operation_infos().size(); ++i) {
    const operation_info& op = operation_infos()[i];
    const std::vector<std::string_view> types = accepted_types(i);
    const bool all = types.size() == dtype_names().size();
    text += fmt::format("{:<16} {}{}{}\n", op.name, op.summary, op.empty_allowed ? "" : "; needs at least one element",
                        all ? "" : fmt::format("; accepts {}", fmt::join(types, " ")));
  }
  return text;
}

std::string operations_as_json() {
  auto out = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < operation_infos().size(); ++i) {
    const operation_info& op = operation_infos()[i];
    out.push_back({{"op", op.name},
                   {"summary", op.summary},
                   {"empty_allowed", op.empty_allowed},
                   {"takes_init", op.takes_init},
                   {"rounded", op.rounded},
                   {"dtypes", accepted_types(i)}});
  }
  return json_line(out);
}

}  // namespace

void run_operations(const arguments& given) {
  write_output(given.format == output_format::json ? operations_as_json() : operations_as_text());
}

}  // namespace onefold::cli
