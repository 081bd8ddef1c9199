// onefold join: joins partials of neighboring parts of an array to one, and shows its result.
#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "choices.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "input/failure.hpp"
#include "input/source.hpp"
#include "onefold/dynamic_partial.hpp"
#include "onefold/error.hpp"
#include "output.hpp"
#include "partial_files.hpp"
#include "reduced.hpp"

namespace onefold::cli {
namespace {

/// The partial of all files.
dynamic_partial joined_partial(const std::vector<std::string>& files) {
  dynamic_partial all = load_partial(files.front());
  for (std::size_t i = 1; i < files.size(); ++i) {
    const dynamic_partial next = load_partial(files[i]);
    try {
      all = join(std::move(all), next);
    } catch (const error& e) {
      throw failure(exit_code::bad_data, fmt::format("{}: {}", shown_name(files[i]), e.what()));
    }
  }
  return all;
}

/// Its result, as onefold reduce has it.
reduced result_of_partial(const dynamic_partial& all, const arguments& given) {
  options how;
  how.backend = backend::sequential;
  how.environment = false;
  std::optional<dtype> type;
  if (given.result) type = chosen_result(*given.result);
  if (given.init) how.init = chosen_initial(*given.init, dynamic_accumulator(all, how, type).members().front().type);
  const dynamic_accumulator whole(all, how, type);
  reduced r{{std::string(operation_infos()[static_cast<std::size_t>(all.operation())].name), whole}, {}, 1};
  const auto size = static_cast<std::size_t>(whole.result_size());
  try {
    whole.write_result(r.results.room(size));
  } catch (const error& e) {  // the options are checked: it is what the partials hold
    throw failure(exit_code::bad_data, fmt::format("{}: {}", shown_names(given.files), e.what()));
  }
  r.results.grow(size);
  r.count = all.count();
  r.ran = whole.report();
  return r;
}

}  // namespace

void run_join(const arguments& given) {
  if (given.save_partial) require_partial_file(*given.save_partial);
  const dynamic_partial all = joined_partial(given.files);
  if (given.save_partial) save_partial(*given.save_partial, all);
  if (given.save_partial && !has_result(all, given.init.has_value())) return;
  const reduced result = result_of_partial(all, given);
  const reduced_input from{.element = all.element(), .shape = {}, .read_seconds = 0, .files = {}};
  output_pieces out;
  if (given.format == output_format::json)
    write_json(out, {&result, 1}, from, false, std::nullopt);
  else
    write_text(out, {&result, 1}, from, false);
  out.finish();
}

}  // namespace onefold::cli
