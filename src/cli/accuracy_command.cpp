// onefold accuracy: choices, arrays, the laboratory that has the operation, what it found.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "axis.hpp"
#include "choices.hpp"
#include "commands.hpp"
#include "data/sets.hpp"
#include "idle_threads.hpp"
#include "input/byte_buffer.hpp"
#include "lab/inquiry.hpp"
#include "lab/plot.hpp"
#include "lab/reduction_inquiry.hpp"
#include "lab/rows/laboratory.hpp"
#include "onefold/error.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "quantity.hpp"
#include "run/problem.hpp"

namespace onefold::cli {
namespace {

std::vector<backend> available_backends() {
  std::vector<backend> names;
  for (const backend_info& b : backends())
    if (b.available) names.push_back(b.backend);
  return names;
}

/// What the command line chooses but for the operation.
experiment chosen_experiment(const arguments& a) {
  experiment e;
  if (a.isa) e.how.isa = chosen_isa(*a.isa);
  e.backends = chosen_list(a.backend, chosen_backend, available_backends);
  e.accuracies = chosen_list(a.accuracy, chosen_accuracy, [] { return numbered<accuracy>(0, accuracy_count); });
  e.strict = a.backend && a.accuracy;
  if (a.threads) e.how.threads = chosen_threads(*a.threads);
  e.how = beyond_environment(e.how, false, a.isa.has_value());
  return e;
}

/// The laboratory that has the operation.
std::unique_ptr<inquiry> chosen_inquiry(const arguments& a) {
  const auto names = examined_operation_names();
  const std::string_view name = names[chosen_name("--op", "operation", a.op.value_or("sum"), names)];
  experiment e = chosen_experiment(a);
  e.operation = find_operation(name);
  if (e.operation >= 0) {
    if (a.line)
      throw failure(exit_code::wrong_usage, fmt::format("--line applies to row operations, not to --op {}", name));
    return std::make_unique<reduction_inquiry>(std::move(e));
  }
  e.operation = static_cast<int>(chosen_row_operation(std::string(name)));
  std::vector<std::int64_t> lines;
  if (a.line) lines = chosen_counts("--line", *a.line, 2);
  return std::make_unique<row_inquiry>(std::move(e), std::move(lines));
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

/// An array of a data set.
specimen specimen_of(const data::request& r) {
  const data::set_info& set = data::sets()[static_cast<std::size_t>(r.set)];
  return {std::string(set.name), r.type, r.n, r.seed, set.takes_condition ? std::optional(r.condition) : std::nullopt};
}

/// Announces an examination to the progress line. Throws where there is none.
void expect(const inquiry& asked, const specimen& what, progress_counter& counted) {
  counted.expected += static_cast<std::uint64_t>(what.count * size_of(what.type) * asked.passes(what));
}

/// The arrays of data sets, one after the other in the same memory.
void examine_data(const arguments& given, inquiry& asked, progress_counter& counted) {
  const std::vector<data::request> requests = chosen_data(given);
  for (const data::request& r : requests) expect(asked, specimen_of(r), counted);
  byte_buffer memory;
  for (const data::request& r : requests) {
    constexpr std::size_t alignment = 64;  // loads that cross cache lines would be slower
    const auto size = static_cast<std::size_t>(r.n) * static_cast<std::size_t>(size_of(r.type));
    std::byte* room = room_for(r, memory, size + alignment);
    room += alignment - reinterpret_cast<std::uintptr_t>(room) % alignment;
    counted.phase = "making data";
    data::fill(r, room);
    counted.phase = "measuring";
    asked.examine(specimen_of(r), {room, size}, counted);
  }
}

/// The elements of an array in C order: where they are, or copied into the room.
std::span<const std::byte> in_c_order(const loaded_array& array, std::vector<std::byte>& room) {
  const std::span<const axis> axes = array.axes();
  std::int64_t next = 1;
  bool is_there = true;
  for (std::size_t i = axes.size(); i-- > 0; next *= axes[i].extent) is_there &= axes[i].stride == next;
  if (is_there) return array.bytes();
  const auto width = static_cast<std::size_t>(size_of(array.type()));
  room.resize(array.bytes().size());
  detail::odometer from(axes.data(), static_cast<std::int32_t>(axes.size()));
  for (std::size_t at = 0; at < room.size(); at += width, from.next())
    std::memcpy(room.data() + at, array.bytes().data() + static_cast<std::size_t>(from.offset()) * width, width);
  return room;
}

/// Elements that are not in a mapped file, as they are read. Up to a limit they are kept, so that each way can be
/// measured several times; of more, every way takes each piece.
class read_elements {
 public:
  explicit read_elements(inquiry& asked) : asked_(asked) {}

  void begin(dtype type) { type_ = type; }
  void take(const void* data, std::int64_t n) {
    const std::span<const std::byte> piece(static_cast<const std::byte*>(data),
                                           static_cast<std::size_t>(n) * static_cast<std::size_t>(size_of(type_)));
    if (!passed_on_ && kept_.size() + piece.size() <= most_kept) return kept_.append(piece);
    if (!passed_on_) {
      passed_on_ = true;
      asked_.begin(type_);
      asked_.push(kept_.bytes());
      kept_ = {};
    }
    asked_.push(piece);
  }
  /// Whether the inquiry has the elements; else those that are kept.
  bool passed_on() const { return passed_on_; }
  std::span<const std::byte> kept() const { return kept_.bytes(); }

 private:
  static constexpr std::size_t most_kept = std::size_t{64} << 20;

  inquiry& asked_;
  dtype type_{};
  byte_buffer kept_;
  bool passed_on_ = false;
};

/// The array of the files, or its beginnings.
void examine_files(const arguments& given, inquiry& asked, progress_counter& counted) {
  if (given.seed || given.condition)
    throw failure(exit_code::wrong_usage, "--seed and --cond apply to --data, not to files");
  std::vector<std::int64_t> counts;
  if (given.counts) counts = chosen_counts("--n", *given.counts, 2);
  announce_terminal(given.files);
  input_request request = chosen_input(given, given.threads ? chosen_threads(*given.threads) : 0);
  request.c_order = asked.needs_c_order();
  if (!counts.empty()) request.needed = std::max<std::int64_t>(std::ranges::max(counts), 1);
  read_elements in_pieces(asked);
  bool takes = false;
  request.takes_pieces = [&](dtype type, std::span<const axis>, bool mapped) {
    takes = !mapped && counts.empty() && asked.takes_pieces();
    in_pieces.begin(type);
    return takes;
  };
  request.take = [&](const void* data, std::int64_t n) { in_pieces.take(data, n); };
  const loaded_array array(request, counted);
  std::optional<std::int64_t> missing;
  if (request.layout.missing != missing_rule::error) missing = array.missing();
  std::string name;
  for (const input_note& note : array.notes()) name += (name.empty() ? "" : " ") + note.name;
  if (array.count() == 0)
    throw failure(exit_code::bad_data, fmt::format("{}: {}; the accuracy of {} needs at least one element", name,
                                                   array.why_empty(), asked.operation()));
  if (counts.empty()) counts.push_back(array.count());
  counted.phase = "measuring";
  counted.bytes = 0;
  counted.expected = 0;
  specimen what{name, array.type(), array.count(), {}, {}, missing};
  if (array.axes().size() > 1) what.line = array.axes().back().extent;
  if (in_pieces.passed_on()) return asked.end(what);
  std::vector<std::byte> room;
  const std::span<const std::byte> elements = takes                   ? in_pieces.kept()
                                              : asked.needs_c_order() ? in_c_order(array, room)
                                                                      : array.bytes();
  const auto width = size_of(array.type());
  for (const std::int64_t n : counts) {
    if (n > array.count())
      throw failure(exit_code::bad_data,
                    fmt::format("{}: expected {}, found {}", name, detail::quantity(n, "element"), array.count()));
    what.count = n;
    expect(asked, what, counted);
  }
  try {
    for (const std::int64_t n : counts) {
      what.count = n;
      asked.examine(what, elements.first(static_cast<std::size_t>(n * width)), counted);
    }
  } catch (const error& e) {
    if (e.code() != error_code::empty_input) throw;
    throw failure(exit_code::bad_data, name + ": " + e.what());
  }
  array.check_unchanged();
}

}  // namespace

void run_accuracy(const arguments& given) {
  if (!given.data) let_idle_threads_sleep();
  const std::unique_ptr<inquiry> asked = chosen_inquiry(given);
  if (given.plot) check_plot(*given.plot);
  progress_counter counted;
  {
    const progress shown(counted);
    if (given.data)
      examine_data(given, *asked, counted);
    else
      examine_files(given, *asked, counted);
  }
  asked->require_findings();
  if (given.plot) draw_plot(*given.plot, asked->as_json());
  write_output(given.format == output_format::json  ? asked->as_json()
               : given.format == output_format::csv ? asked->as_csv()
                                                    : asked->as_text());
  asked->complain();
}

}  // namespace onefold::cli
