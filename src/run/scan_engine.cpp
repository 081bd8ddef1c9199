// Scans: the arguments checked, the data located, and the chosen backend run.
#include <algorithm>
#include <string>
#include <variant>

#include "choose.hpp"
#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/detail/scan.hpp"
#include "quantity.hpp"
#include "registry.hpp"
#include "run/checks.hpp"
#include "run/device_executor.hpp"
#include "run/problem.hpp"
#include "run/scan_executor.hpp"
#include "run/segments.hpp"
#include "run/sessions.hpp"

namespace onefold::detail {
namespace {

const scan_recipe& scan_for(const scan_request& what, const choice& c) {
  if (!what.own) return find_scan(what.operation.operation, what.operation.element, c.mode, c.level);
  if (what.own->size != sizeof(scan_recipe))
    throw error(error_code::unsupported, "the operation was compiled against another version of onefold");
  return *what.own;
}

}  // namespace

struct scan_engine::impl {
  /// A choice with what it has opened.
  struct session {
    session(const choice& c, const impl& of) : chosen(c) {
      chosen.scan = of.recipe;
      chosen.scan_results = &of.what.to;
      chosen.exclusive = of.what.exclusive;
      if (!chosen.scheduler)
        by.emplace<device_executor>(chosen);
      else if (chosen.segmented)
        by.emplace<scan_executor>(chosen);
      else
        by.emplace<scan_executor>(chosen, of.what.from, of.what.to);
    }
    choice chosen;
    std::variant<std::monostate, scan_executor, device_executor> by;
  };

  impl(const scan_request& request, const options& how, const memory_location* where)
      : what(request), sessions(planned_choice(how, where), *this) {
    if (!where) look_for_drivers();
  }
  choice planned_choice(const options& how, const memory_location* where) {
    request own = what.operation;
    if (!own.segmented) own.shape = &what.from;  // this object's own copy of the lines
    const choice c = choose(own, how, where, &compared);
    recipe = &scan_for(what, c);
    return c;
  }

  /// The session for data that is there.
  session& session_for(const memory_location& where) {
    return sessions.find(where, sessions.planned().n, &compared, *this);
  }

  /// Throws where the first result of a line, which is that of no elements, has no value.
  void require_first_result(const void* init) const {
    if (what.exclusive && !sessions.planned().recipe->empty_allowed && !init)
      throw error(error_code::empty_input, std::string("an exclusive scan of ") + sessions.planned().recipe->name +
                                               " begins with the result of no elements, which has no value: add an "
                                               "initial value, or scan inclusively");
  }

  scan_request what;
  comparison compared{};
  const scan_recipe* recipe = nullptr;
  detail::sessions<session> sessions;
};

namespace {

/// Checks a run of lines; false where there is nothing to write.
bool check_lines(const problem& from, const problem& to, const choice& c, const void* data, const void* results) {
  if (from.outputs == 0 || from.n == 0) return false;
  if (!data) refuse("the data pointer is null, but " + there_are(from.outputs * from.n, "element"));
  if (!results) refuse("the result pointer is null");
  require_aligned(c, results);
  const std::int64_t size = c.recipe->element_size;
  if (data == results && size == c.result_size && same_axes(from, to)) return true;  // in place
  const element_reach r = reach_of(to, c.result_size);
  if (overlap(static_cast<const char*>(results) + r.first, r.end - r.first, data, reach_of(from, size)))
    refuse("the results would overwrite the data: their memory overlaps but is not identical");
  return true;
}

/// The same of segments.
bool check_segment_results(const segment_list& s, const choice& c, const void* results, std::int64_t capacity) {
  if (s.selects.kind != mask_kind::all)
    throw error(error_code::unsupported, "a scan of segments takes no mask; copy the selected elements");
  if (capacity < s.all)
    refuse("a scan has a result for each of " + quantity(s.all, "value") + ", but there is room for " +
           std::to_string(capacity));
  if (s.count == 0 || s.elements() == 0) return false;
  require_readable_offsets(s, c);
  if (!results) refuse("the result pointer is null");
  require_aligned(c, results);
  const std::int64_t size = c.recipe->element_size, bytes = s.all * c.result_size;
  if (overlap(results, bytes, s.offsets, {0, (s.count + 1) * (s.wide ? 8 : 4)}))
    refuse("the results would overwrite the offsets: their memory overlaps");
  if ((s.values != results || size != c.result_size) && overlap(results, bytes, s.values, {0, s.all * size}))
    refuse("the results would overwrite the data: their memory overlaps but is not identical");
  return true;
}

}  // namespace

scan_engine::scan_engine(const scan_request& what, const options& how) {
  const float_environment ieee;
  impl_ = new impl(what, how, nullptr);
}

scan_engine::scan_engine(const scan_request& what, const options& how, const void* data) {
  const float_environment ieee;
  const memory_location where = locate(data);
  impl_ = new impl(what, how, &where);
}

scan_engine::~scan_engine() {
  const float_environment ieee;
  delete impl_;
}

void scan_engine::run(const void* op, const void* data, const void* init, void* results) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  if (!check_lines(made.what.from, made.what.to, made.sessions.planned(), data, results)) return;
  made.require_first_result(init);
  auto& by = made.session_for(locate(data));
  require_writable(by.chosen, results);
  if (auto* cpu = std::get_if<scan_executor>(&by.by))
    cpu->run(op, data, init, results);
  else
    std::get<device_executor>(by.by).run_scan(op, data, init, results);
}

void scan_engine::run_segments(const void* op, const segment_data& from, const void* init, void* results,
                               std::int64_t capacity) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const segment_list segments = checked(from);
  require_within(segments, made.sessions.planned().segments, made.sessions.planned().elements);
  auto& by = made.session_for(locate(segments.values));
  if (!check_segment_results(segments, by.chosen, results, capacity)) return;
  made.require_first_result(init);
  require_writable(by.chosen, results);
  if (auto* cpu = std::get_if<scan_executor>(&by.by))
    cpu->run_segments(op, segments, init, results);
  else
    std::get<device_executor>(by.by).run_segment_scan(op, segments, init, results);
}

void scan_engine::enqueue(const void* op, const void* data, const void* init, void* results, CUstream_st* stream) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const memory_location device = device_of_streams(made.sessions.planned(), data);
  if (!check_lines(made.what.from, made.what.to, made.sessions.planned(), data, results)) return;
  made.require_first_result(init);
  auto& by = made.session_for(device);
  require_writable(by.chosen, results);
  std::get<device_executor>(by.by).enqueue_scan(op, data, init, results, stream);
}

void scan_engine::enqueue_segments(const void* op, const segment_data& from, const void* init, void* results,
                                   std::int64_t capacity, CUstream_st* stream) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  auto& by = made.session_for(device_of_streams(made.sessions.planned(), from.values));
  const segment_list segments = unchecked(from);
  require_within(segments, made.sessions.planned().segments, made.sessions.planned().elements);
  if (!check_segment_results(segments, by.chosen, results, capacity)) return;
  made.require_first_result(init);
  require_writable(by.chosen, results);
  std::get<device_executor>(by.by).enqueue_segment_scan(op, segments, init, results, stream);
}

run_report scan_engine::report() const {
  const impl& made = impl_in(impl_);
  const float_environment ieee;
  const impl::session& last = made.sessions.last();
  run_report r = report_of(last.chosen, made.compared);
  if (const auto* cpu = std::get_if<scan_executor>(&last.by)) r.threads = std::min(r.threads, cpu->threads());
  return r;
}

}  // namespace onefold::detail
