// onefold accuracy: choices, arrays, the laboratory, what it found.
#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "axis.hpp"
#include "choices.hpp"
#include "commands.hpp"
#include "data/sets.hpp"
#include "input/byte_buffer.hpp"
#include "lab/laboratory.hpp"
#include "lab/plot.hpp"
#include "lab/reference.hpp"
#include "lab/show.hpp"
#include "onefold/error.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "quantity.hpp"

namespace onefold::cli {
namespace {

std::vector<backend> available_backends() {
  std::vector<backend> names;
  for (const backend_info& b : backends())
    if (b.available) names.push_back(b.backend);
  return names;
}

experiment chosen_experiment(const arguments& a) {
  experiment e;
  if (a.isa) e.how.isa = chosen_isa(*a.isa);
  const auto names = referenced_operations();
  e.operation = find_operation(names[chosen_name("--op", "operation", a.op.value_or("sum"), names)]);
  e.backends = chosen_list(a.backend, chosen_backend, available_backends);
  e.accuracies = chosen_list(a.accuracy, chosen_accuracy, [] { return numbered<accuracy>(0, accuracy_count); });
  e.strict = a.backend && a.accuracy;
  if (a.threads) e.how.threads = chosen_threads(*a.threads);
  e.how = beyond_environment(e.how, false, a.isa.has_value());
  return e;
}

/// What an array of a data set is called in messages.
std::string shown_request(const data::request& r) {
  const data::set_info& set = data::sets()[static_cast<std::size_t>(r.set)];
  return fmt::format("--data {}, {} of {}{}", set.name, detail::quantity(r.n, "element"), name_of(r.type),
                     set.takes_condition ? fmt::format(", condition number {}", r.condition) : "");
}

void require_sound(const data::request& r) {
  try {
    data::check(r);
  } catch (const error& e) {
    throw error(e.code(), shown_request(r) + ": " + e.what());
  }
}

/// Room for an array of a data set.
std::byte* room_for(const data::request& r, byte_buffer& memory, std::size_t size) {
  try {
    return memory.room(size);
  } catch (const failure& f) {
    throw failure(f.code(), shown_request(r) + ": " + f.what());
  } catch (const std::bad_alloc&) {
    throw failure(exit_code::failed, shown_request(r) + ": not enough memory");
  }
}

/// Each array that the command line's data sets, lengths and condition numbers make.
std::vector<data::request> chosen_data(const arguments& a) {
  if (!a.files.empty()) throw failure(exit_code::wrong_usage, "--data cannot be combined with files");
  if (const char* const option = reading_option_given(a))
    throw failure(exit_code::wrong_usage, fmt::format("{} applies to files, not to --data", option));
  data::request r;
  r.type = a.dtype ? chosen_dtype(*a.dtype) : dtype::f32;
  if (a.seed) r.seed = chosen_seed(*a.seed);
  const std::vector<std::int64_t> counts = chosen_counts("--n", a.counts.value_or("1e6"), 2);
  const std::vector<double> conditions = chosen_numbers("--cond", a.condition.value_or("1e8"), 1, 10);
  std::vector<data::request> out;
  bool conditioned = false;
  for (const int set :
       chosen_list(a.data, chosen_data_set, [] { return numbered<int>(0, static_cast<int>(data::sets().size())); })) {
    r.set = set;
    const bool takes = data::sets()[static_cast<std::size_t>(r.set)].takes_condition;
    conditioned = conditioned || takes;
    for (const std::int64_t n : counts)
      for (const double c : takes ? conditions : std::vector<double>{1}) {
        r.n = n;
        r.condition = c;
        require_sound(r);
        out.push_back(r);
      }
  }
  if (a.condition && !conditioned) throw failure(exit_code::wrong_usage, "--cond applies only to --data conditioned");
  return out;
}

/// The arrays of data sets, one after the other in the same memory.
std::vector<study> examine_data(const arguments& given, const experiment& how, progress_counter& counted) {
  const std::vector<data::request> requests = chosen_data(given);
  for (const data::request& r : requests)
    counted.expected += static_cast<std::uint64_t>(r.n * size_of(r.type) * passes(how));
  std::vector<study> studies;
  byte_buffer memory;
  for (const data::request& r : requests) {
    constexpr std::size_t alignment = 64;  // loads that cross cache lines would be slower
    const auto size = static_cast<std::size_t>(r.n) * static_cast<std::size_t>(size_of(r.type));
    std::byte* room = room_for(r, memory, size + alignment);
    room += alignment - reinterpret_cast<std::uintptr_t>(room) % alignment;
    counted.phase = "making data";
    data::fill(r, room);
    counted.phase = "measuring";
    const data::set_info& set = data::sets()[static_cast<std::size_t>(r.set)];
    const specimen what{std::string(set.name), r.type, r.n, r.seed,
                        set.takes_condition ? std::optional(r.condition) : std::nullopt};
    studies.push_back(examine(what, {room, size}, how, counted));
  }
  return studies;
}

/// The array of the files, or its beginnings.
std::vector<study> examine_files(const arguments& given, const experiment& how, progress_counter& counted) {
  if (given.seed || given.condition)
    throw failure(exit_code::wrong_usage, "--seed and --cond apply to --data, not to files");
  std::vector<std::int64_t> counts;
  if (given.counts) counts = chosen_counts("--n", *given.counts, 2);
  announce_terminal(given.files);
  const input_request request = chosen_input(given, how.how.threads);
  const loaded_array array(request, counted);
  std::optional<std::int64_t> missing;
  if (request.layout.missing != missing_rule::error) missing = array.missing();
  std::string name;
  for (const input_note& note : array.notes()) name += (name.empty() ? "" : " ") + note.name;
  if (array.count() == 0)
    throw failure(exit_code::bad_data,
                  fmt::format("{}: {}; the accuracy of {} needs at least one element", name, array.why_empty(),
                              operation_infos()[static_cast<std::size_t>(how.operation)].name));
  if (counts.empty()) counts.push_back(array.count());
  counted.phase = "measuring";
  counted.bytes = 0;
  counted.expected = 0;
  const auto width = size_of(array.type());
  for (const std::int64_t n : counts) {
    if (n > array.count())
      throw failure(exit_code::bad_data,
                    fmt::format("{}: expected {}, found {}", name, detail::quantity(n, "element"), array.count()));
    counted.expected += static_cast<std::uint64_t>(n * width * passes(how));
  }
  std::vector<study> studies;
  try {
    for (const std::int64_t n : counts)
      studies.push_back(examine({name, array.type(), n, {}, {}, missing},
                                array.bytes().first(static_cast<std::size_t>(n * width)), how, counted));
  } catch (const error& e) {
    if (e.code() != error_code::empty_input) throw;
    throw failure(exit_code::bad_data, name + ": " + e.what());
  }
  array.check_unchanged();
  return studies;
}

/// A left fold alone is not what was asked for: the reason of the first mode that is left out is the answer.
void require_findings(const std::vector<study>& studies) {
  const auto has_run = [](const finding& f) { return f.ran.has_value(); };
  if (std::ranges::any_of(studies, [&](const study& s) { return std::ranges::any_of(s.findings, has_run); })) return;
  const missing& first = studies.front().left_out.front();
  throw error(first.code,
              fmt::format("no mode can be measured: {} of {}: {}", first.mode, name_of(first.backend), first.why));
}

/// What must not be: results that are further off than promised, or differ between backends.
void complain(const std::vector<study>& studies) {
  std::size_t outside = 0, different = 0;
  for (const study& s : studies)
    for (const finding& f : s.findings) {
      outside += !f.within_bound();
      different += !f.agrees;
    }
  if (outside + different > 0)
    throw failure(exit_code::failed, fmt::format("{} results are outside their bound, {} differ from the first "
                                                 "backend's: please report this as a bug",
                                                 outside, different));
}

}  // namespace

void run_accuracy(const arguments& given) {
  const experiment how = chosen_experiment(given);
  if (given.plot) check_plot(*given.plot);
  progress_counter counted;
  std::vector<study> studies;
  {
    const progress shown(counted);
    studies = given.data ? examine_data(given, how, counted) : examine_files(given, how, counted);
  }
  require_findings(studies);
  const std::string operation(operation_infos()[static_cast<std::size_t>(how.operation)].name);
  if (given.plot) draw_plot(*given.plot, as_json(studies, operation));
  write_output(given.format == output_format::json  ? as_json(studies, operation)
               : given.format == output_format::csv ? as_csv(studies, operation)
                                                    : as_text(studies, operation));
  complain(studies);
}

}  // namespace onefold::cli
