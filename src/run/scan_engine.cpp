// Scans: the arguments checked, the data located, and the chosen backend run.
#include <optional>
#include <string>

#include "choose.hpp"
#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/detail/scan.hpp"
#include "quantity.hpp"
#include "registry.hpp"
#include "run/checks.hpp"
#include "run/problem.hpp"
#include "run/scan_executor.hpp"
#include "run/segments.hpp"

namespace onefold::detail {
namespace {

const scan_recipe& scan_for(const scan_request& what, const choice& c) {
  if (!what.own) return find_scan(what.operation.operation, what.operation.element, c.mode, c.level);
  if (what.own->size != sizeof(scan_recipe))
    throw error(error_code::unsupported, "the operation was compiled against another version of onefold");
  return *what.own;
}

[[noreturn]] void refuse(const std::string& why) { throw error(error_code::invalid_argument, why); }

bool same_axes(const problem& a, const problem& b) {
  for (int i = 0; i < most_axes; ++i)
    if (a.kept[i] != b.kept[i] || a.reduced[i] != b.reduced[i]) return false;
  return true;
}

}  // namespace

struct scan_engine::impl {
  impl(const scan_request& request, const options& how)
      : what(request),
        first(choose(own_request(), how, nullptr, &compared)),
        method{&scan_for(what, first), what.exclusive} {
    look_for_driver();
    if (!first.scheduler) return;
    if (what.operation.segmented)
      by.emplace(first, method);
    else
      by.emplace(first, method, what.from, what.to);
  }
  /// The request with this object's own copy of its lines.
  request own_request() {
    request q = what.operation;
    if (!q.segmented) q.shape = &what.from;
    return q;
  }

  /// What runs a scan of data that is there.
  scan_executor& executor_for(const void* data) {
    const choice c = choice_for(first, locate(data), first.n, &compared);
    last = c;
    if (!c.scheduler)
      throw error(error_code::unsupported,
                  std::string("backend ") + name_of(c.backend) + " does not scan yet; copy the data to host memory");
    return *by;
  }

  /// Throws where the first result of a line, which is that of no elements, has no value.
  void require_first_result(const void* init) const {
    if (what.exclusive && !first.recipe->empty_allowed && !init)
      throw error(error_code::empty_input, std::string("an exclusive scan of ") + first.recipe->name +
                                               " begins with the result of no elements, which has no value: give an "
                                               "initial value, or scan inclusively");
  }

  scan_request what;
  comparison compared{};
  choice first;
  scan_method method;
  std::optional<choice> last;  ///< what ran last
  std::optional<scan_executor> by;
};

namespace {

template <class Impl>
Impl& impl_in(Impl* impl) {
  if (!impl) refuse("the plan was moved from; assign another plan to it first");
  return *impl;
}

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
    refuse("the results would overwrite the data: their memory overlaps, and is not the same");
  return true;
}

/// The same of segments.
bool check_segment_results(const segment_list& s, const choice& c, const void* results, std::int64_t capacity) {
  if (s.selects.kind != mask_kind::all)
    throw error(error_code::unsupported, "a scan of segments takes no mask; copy the elements that count");
  if (s.far) throw error(error_code::unsupported, "the offsets are in device memory; copy them to host memory");
  if (capacity < s.all)
    refuse("a scan has a result for each of " + quantity(s.all, "value") + ", but there is room for " +
           std::to_string(capacity));
  if (s.elements() == 0) return false;
  if (!results) refuse("the result pointer is null");
  require_aligned(c, results);
  const std::int64_t size = c.recipe->element_size, bytes = s.all * c.result_size;
  if (overlap(results, bytes, s.offsets, {0, (s.count + 1) * (s.wide ? 8 : 4)}))
    refuse("the results would overwrite the offsets: their memory overlaps");
  if ((s.values != results || size != c.result_size) && overlap(results, bytes, s.values, {0, s.all * size}))
    refuse("the results would overwrite the data: their memory overlaps, and is not the same");
  return true;
}

}  // namespace

scan_engine::scan_engine(const scan_request& what, const options& how) {
  const float_environment ieee;
  impl_ = new impl(what, how);
}

scan_engine::~scan_engine() {
  const float_environment ieee;
  delete impl_;
}

void scan_engine::run(const void* op, const void* data, const void* init, void* results) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  if (!check_lines(made.what.from, made.what.to, made.first, data, results)) return;
  made.require_first_result(init);
  scan_executor& by = made.executor_for(data);
  require_writable(*made.last, results);
  by.run(op, data, init, results);
}

void scan_engine::run_segments(const void* op, const segment_data& from, const void* init, void* results,
                               std::int64_t capacity) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const segment_list segments = checked(from);
  require_within(segments, made.first.segments, made.first.elements);
  if (!check_segment_results(segments, made.first, results, capacity)) return;
  made.require_first_result(init);
  scan_executor& by = made.executor_for(segments.values);
  require_writable(*made.last, results);
  by.run_segments(op, segments, init, results);
}

void scan_engine::enqueue(const void*, const void*, const void*, void*, CUstream_st*) {
  throw error(error_code::unsupported, "scans do not run on streams yet");
}

run_report scan_engine::report() const {
  const impl& made = impl_in(impl_);
  const float_environment ieee;
  return report_of(made.last ? *made.last : made.first, made.compared);
}

}  // namespace onefold::detail
