// Row operations: the arguments checked, the data located, and the chosen backend run.
#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "choose.hpp"
#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/row_engine.hpp"
#include "quantity.hpp"
#include "registry.hpp"
#include "run/checks.hpp"
#include "run/device_rows.hpp"
#include "run/problem.hpp"
#include "run/row_executor.hpp"
#include "run/sessions.hpp"

namespace onefold::detail {
namespace {

constexpr const char* names[] = {"softmax",         "log_softmax",     "logsumexp",        "layer_norm", "rms_norm",
                                 "normalize by l1", "normalize by l2", "normalize by max", "standardize"};
std::string name_of(row_operation operation) { return names[static_cast<int>(operation)]; }

constexpr bool is_norm(row_operation o) {
  return o >= row_operation::normalize_l1 && o <= row_operation::normalize_max;
}

void require_eps(double eps) {
  if (!(eps >= 0)) refuse("eps is " + std::to_string(eps) + "; expected a non-negative number");
}

void require_size(const row_request& q, bool takes, std::size_t size, std::int64_t needed, const char* what,
                  const char* positions) {
  if (size == 0) return;
  if (!takes) refuse(name_of(q.operation) + " takes no " + what);
  if (size != static_cast<std::size_t>(needed))
    refuse("the " + std::string(what) + " has " + quantity(size, "value") + ", but " + there_are(needed, positions));
}

/// The request as the choice of a backend sees it: the operation that reduces the lines, or takes about as long.
request planned(const row_request& q) {
  request r;
  r.operation = is_moments_based(q.operation) || is_exponential(q.operation) ? operation_index<op::moments>
                                                                             : operation_index<op::sum_squares>;
  r.element = q.element;
  r.n = q.from.outputs * q.from.n;
  r.shape = &q.from;
  return r;
}

/// The options for that: what is folded by no operation of the catalogue has one accuracy.
options planned(const row_request& q, const options& how) {
  if (is_folded_by_catalogue(q.operation)) return how;
  if (how.accuracy != accuracy::native && q.operation != row_operation::normalize_max)
    throw error(error_code::unsupported,
                name_of(q.operation) + " supports accuracy native only, not " + onefold::name_of(how.accuracy));
  options o = how;
  o.accuracy = accuracy::native;
  return o;
}

/// Bytes that a run reads or writes.
struct reach {
  const char* begin;
  const char* end;
  bool overlaps(const reach& other) const { return begin < other.end && other.begin < end; }
};
reach reach_at(const void* p, const problem& lines, std::int64_t size) {
  const element_reach r = reach_of(lines, size);
  const auto* const at = static_cast<const char*>(p);
  return {at + r.first, at + r.end};
}
reach reach_at(const void* p, std::int64_t bytes) {
  const auto* const at = static_cast<const char*>(p);
  return {at, p ? at + bytes : at};
}

/// Checks a run; false where there is nothing to write.
bool check_rows(const row_request& q, const row_recipe& rows, const row_memory& m) {
  if (q.from.outputs == 0 || (q.from.n == 0 && q.operation != row_operation::logsumexp)) return false;
  const std::int64_t size = size_of(q.element), line = q.from.n * size, lines = q.from.outputs * rows.value_size;
  if (!m.data && q.from.n > 0)
    refuse("the data pointer is null, but " + there_are(q.from.outputs * q.from.n, "element"));
  if (!m.results) refuse("the result pointer is null");
  require_aligned(m.results, size, "the results are");
  require_aligned(m.mean, rows.value_size, "the means are");
  require_aligned(m.rstd, rows.value_size, "the reciprocal deviations are");
  const reach results = reach_at(m.results, q.to, size), data = reach_at(m.data, q.from, size),
              mean = reach_at(m.mean, lines), rstd = reach_at(m.rstd, lines);
  if (results.overlaps(data) && !(m.data == m.results && same_axes(q.from, q.to)))
    refuse("the results would overwrite the data: their memory overlaps but is not identical");
  for (const reach& given : {reach_at(m.weight, line), reach_at(m.bias, line)})
    if (given.overlaps(results) || given.overlaps(mean) || given.overlaps(rstd))
      refuse("the results would overwrite the weight or the bias: their memory overlaps");
  for (const reach& written : {mean, rstd})
    if (written.overlaps(results) || written.overlaps(data))
      refuse("the statistics would overwrite the data or the results: their memory overlaps");
  if (mean.overlaps(rstd))
    refuse("the means and the reciprocal deviations would overwrite each other: their memory overlaps");
  return true;
}

/// Throws where a CPU backend cannot write the results, or read what is given.
void require_host(const choice& c, const row_memory& m) {
  for (const void* p : {static_cast<const void*>(m.results), m.weight, m.bias, static_cast<const void*>(m.mean),
                        static_cast<const void*>(m.rstd)})
    if (p) require_writable(c, p);
}

}  // namespace

void require_sizes(const row_sizes& planned, const row_sizes& given) {
  if (!(planned == given)) refuse("the parameters differ in size from those that the plan was made for");
}

row_request make_rows(row_operation operation, dtype element, std::span<const axis> from, std::span<const axis> to,
                      int along, std::optional<double> eps, const row_sizes& sizes) {
  row_request q{};
  q.size = sizeof(row_request);
  q.operation = operation;
  q.element = element;
  q.has_weight = sizes.weight > 0;
  q.has_bias = sizes.bias > 0;
  q.gives_statistics = sizes.mean > 0;
  q.eps = eps.value_or(is_norm(operation) ? 1e-12 : 1e-5);
  require_eps(q.eps);
  make_row_lines(from, to, along, &q);
  const bool layer = operation == row_operation::layer_norm;
  require_size(q, layer || operation == row_operation::rms_norm, sizes.weight, q.from.n, "weight", "position");
  require_size(q, layer, sizes.bias, q.from.n, "bias", "position");
  require_size(q, layer, sizes.mean, q.from.outputs, "mean", "line");
  require_size(q, layer, sizes.rstd, q.from.outputs, "rstd", "line");
  if (sizes.mean != sizes.rstd) refuse("mean and rstd must be given together or not at all");
  return q;
}

struct row_engine::impl {
  /// A choice with what it has opened.
  struct session {
    session(const choice& c, const impl& of) : chosen(c) {
      if (chosen.scheduler) {
        by.emplace<row_executor>(chosen, of.what, *of.rows);
      } else if (chosen.mode == accuracy::exact && is_folded_by_catalogue(of.what.operation)) {
        throw error(error_code::unsupported,
                    "backend cuda does not support row operations at accuracy exact; copy the data to host memory");
      } else {
        by.emplace<device_rows>(*chosen.accelerator, of.what, chosen.device);
      }
    }
    choice chosen;
    std::variant<std::monostate, row_executor, device_rows> by;
  };

  impl(const row_request& request, const options& how, const memory_location* where)
      : what(request), opened(planned_choice(how, where), *this) {
    if (!where) look_for_driver();
  }
  choice planned_choice(const options& how, const memory_location* where) {
    choice c = choose(planned(what), planned(what, how), where, &compared);
    c.mode = how.accuracy;
    rows = &find_rows(what.element, c.level);
    return c;
  }

  /// The session for data that is there.
  session& session_for(const memory_location& where) {
    return opened.find(where, opened.planned().n, &compared, *this);
  }

  row_request what;
  comparison compared{};
  const row_recipe* rows = nullptr;
  sessions<session> opened;
};

row_engine::row_engine(const row_request& what, const options& how) {
  const float_environment ieee;
  impl_ = new impl(what, how, nullptr);
}

row_engine::row_engine(const row_request& what, const options& how, const void* data) {
  const float_environment ieee;
  const memory_location where = locate(data);
  impl_ = new impl(what, how, &where);
}

row_engine::~row_engine() {
  const float_environment ieee;
  delete impl_;
}

void row_engine::run(const row_memory& memory) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  if (!check_rows(made.what, *made.rows, memory)) return;
  auto& by = made.session_for(locate(memory.data));
  if (auto* cpu = std::get_if<row_executor>(&by.by)) {
    require_host(by.chosen, memory);
    cpu->run(memory);
  } else {
    std::get<device_rows>(by.by).run(memory);
  }
}

void row_engine::enqueue(const row_memory& memory, CUstream_st* stream) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const memory_location device = device_of_streams();
  if (!check_rows(made.what, *made.rows, memory)) return;
  std::get<device_rows>(made.session_for(device).by).enqueue(memory, stream);
}

run_report row_engine::report() const {
  const impl& made = impl_in(impl_);
  const float_environment ieee;
  return report_of(made.opened.last().chosen, made.compared);
}

}  // namespace onefold::detail
