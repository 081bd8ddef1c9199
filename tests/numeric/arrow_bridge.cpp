// For test_arrow.py, by ctypes: reductions of what pyarrow exports, as text.
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "onefold/arrow.hpp"

namespace {

/// "COUNT MISSING TYPE", and the bits of each number; or "error: ...".
template <class Open>
const char* answer(const char* operations, Open open) {
  static std::string text;
  try {
    onefold::arrow_column column = open();
    std::vector<std::string_view> names;
    for (std::string_view rest = operations; !rest.empty(); rest.remove_prefix(rest.find(' ') + 1)) {
      names.push_back(rest.substr(0, rest.find(' ')));
      if (rest.find(' ') == std::string_view::npos) break;
    }
    const auto results = onefold::reduce_dynamic(column, names);
    text = std::to_string(column.count()) + ' ' + std::to_string(column.missing()) + ' ' +
           onefold::name_of(column.element());
    for (const onefold::dynamic_result& r : results) text += ' ' + r.values.front().hex();
  } catch (const std::exception& e) {
    text = std::string("error: ") + e.what();
  }
  return text.c_str();
}

onefold::arrow_field field_of(const char* name) { return name ? onefold::arrow_field(name) : onefold::arrow_field(); }

}  // namespace

extern "C" {

[[gnu::visibility("default")]] const char* reduce_stream(ArrowArrayStream* stream, const char* column,
                                                         const char* operations) {
  return answer(operations, [&] { return onefold::arrow_column(stream, field_of(column)); });
}

[[gnu::visibility("default")]] const char* reduce_array(ArrowArray* array, ArrowSchema* schema, const char* column,
                                                        const char* operations) {
  return answer(operations, [&] { return onefold::arrow_column(array, schema, field_of(column)); });
}

}  // extern "C"
