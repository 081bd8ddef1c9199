#include "partial_files.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "files.hpp"
#include "input/failure.hpp"
#include "input/source.hpp"
#include "input/unpack.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"

namespace onefold::cli {

dynamic_partial load_partial(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return dynamic_partial::load(std::as_bytes(std::span(text)));
  } catch (const error& e) {
    throw failure(exit_code::bad_data, fmt::format("{}: {}", shown_name(path), e.what()));
  }
}

void require_partial_file(const std::string& path) {
  if (path.empty() || is_standard_input(path)) throw unusable("--save-partial", "a file", path);
  require_replaceable(path);
}

void save_partial(const std::string& path, const dynamic_partial& p) {
  const std::vector<std::byte> bytes = p.save();
  write_file(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

bool has_result(const dynamic_partial& p, bool has_init) {
  const bool needs_some = !operation_infos()[static_cast<std::size_t>(p.operation())].empty_allowed;
  return p.has_result() && !(p.count() == 0 && needs_some && !has_init);
}

std::string description_of(const dynamic_partial& p) {
  return detail::describe({.operation = p.operation(), .element = p.element(), .mode = p.accuracy()}, true);
}

}  // namespace onefold::cli
