// Row operations: the arguments checked, the data located, and the chosen backend run.
#include <algorithm>
#include <limits>
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
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/column_executor.hpp"
#include "run/device_rows.hpp"
#include "run/mapping.hpp"
#include "run/problem.hpp"
#include "run/row_executor.hpp"
#include "run/selection.hpp"
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
  if (!(eps >= 0 && eps <= std::numeric_limits<double>::max()))
    refuse("eps is " + std::to_string(eps) + "; expected a finite, non-negative number");
}

void require_size(const row_request& q, bool takes, std::size_t size, std::int64_t needed, const char* what,
                  const char* positions) {
  if (size == 0) return;
  if (!takes) refuse(name_of(q.operation) + " takes no " + what);
  if (size != static_cast<std::size_t>(needed))
    refuse("the " + std::string(what) + " has " + quantity(size, "value") + ", but " + there_are(needed, positions));
}

/// The request as the choice of a backend sees it: the operation that reduces the lines, or takes about as long.
request planned(const row_problem& p) {
  const row_request& q = p.what;
  request r;
  r.operation = is_moments_based(q.operation) || is_exponential(q.operation) ? operation_index<op::moments>
                                                                             : operation_index<op::sum_squares>;
  r.element = q.element;
  r.n = q.from.outputs * q.from.n;
  r.shape = &q.from;
  if (p.maps.arrays > 0) r.maps = &p.maps;
  r.maps_on_device = p.maps_on_device;
  return r;
}

[[noreturn]] void refuse_to_store(backend accelerator) {
  throw error(error_code::unsupported,
              std::string("backend ") + onefold::name_of(accelerator) +
                  " does not hand results of rows to a function; copy the data to host memory, and use a CPU backend, "
                  "or compile the call with <onefold/cuda.cuh> in a .cu file");
}

/// The options for that: what is folded by no operation of the catalog has one accuracy. Throws invalid_argument for an
/// initial value, and unsupported where an accelerator is asked for that cannot call the function that takes the
/// results.
options planned(const row_problem& p, const options& how) {
  if (!p.stores_on_device)
    if (const backend asked = resolve_backend(how).backend; is_accelerator(asked)) refuse_to_store(asked);
  options o = how;
  const row_request& q = p.what;
  if (!std::holds_alternative<std::monostate>(how.init.value()))
    refuse(name_of(q.operation) + " takes no initial value");
  if (is_folded_by_catalog(q.operation)) return o;
  if (how.accuracy != accuracy::native && q.operation != row_operation::normalize_max)
    throw error(error_code::unsupported,
                name_of(q.operation) + " supports accuracy native only, not " + onefold::name_of(how.accuracy));
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

/// Throws where the mask would be overwritten.
void require_apart(const row_problem& p, const row_memory& m, const void* mask, const row_recipe& rows) {
  if (!mask || !is_in_memory(p.selects.kind) || p.what.from.n == 0) return;
  const element_reach r = mask_reach_of(p.selects);
  const auto* const at = static_cast<const char*>(mask);
  const reach read{at + r.first, at + r.end};
  const std::int64_t statistics = p.what.from.outputs * rows.value_size;
  if (!p.stores && read.overlaps(reach_at(m.results, p.what.to, size_of(p.what.element))))
    refuse("the results would overwrite the mask: their memory overlaps");
  if (read.overlaps(reach_at(m.mean, statistics)) || read.overlaps(reach_at(m.rstd, statistics)))
    refuse("the statistics would overwrite the mask: their memory overlaps");
}

/// Throws where array k of the function that computes the elements would be overwritten, but for results in place.
void require_apart(const row_problem& p, const row_memory& m, const mapped_array& array, int k,
                   const row_recipe& rows) {
  const problem& lies = p.maps.of[k];
  const std::int64_t size = size_of(p.what.element), statistics = p.what.from.outputs * rows.value_size;
  if (!array.data || array.element_size == 0 || lies.n == 0) return;
  const reach read = reach_at(array.data, lies, array.element_size);
  const bool in_place = array.data == m.results && array.element_size == size && same_axes(lies, p.what.to);
  if ((!p.stores && !in_place && read.overlaps(reach_at(m.results, p.what.to, size))) ||
      read.overlaps(reach_at(m.mean, statistics)) || read.overlaps(reach_at(m.rstd, statistics)))
    refuse("the results would overwrite the data" + number_of_array(p.maps, k) +
           ": their memory overlaps but is not identical");
}

/// Checks a run; false where there is nothing to write.
bool check_rows(const row_problem& p, const row_recipe& rows, const row_memory& m, const row_extras& extras) {
  const row_request& q = p.what;
  const bool has_results = q.from.n > 0 || q.operation == row_operation::logsumexp;
  if (q.from.outputs == 0 || !(has_results || q.gives_statistics)) return false;
  const std::int64_t size = size_of(q.element), line = q.from.n * size, lines = q.from.outputs * rows.value_size;
  if (!m.data && q.from.n > 0 && p.maps.arrays == 0)
    refuse("the data pointer is null, but " + there_are(q.from.outputs * q.from.n, "element"));
  if ((extras.store.take != nullptr) != p.stores)
    refuse(p.stores ? "the plan was made for a function that takes the results"
                    : "the plan was made for results in memory, not for a function that takes them");
  if (!m.results && !p.stores && has_results) refuse("the result pointer is null");
  require_aligned(m.results, size, "the results are");
  require_aligned(m.mean, rows.value_size, "the means are");
  require_aligned(m.rstd, rows.value_size, "the reciprocal deviations are");
  const reach results = p.stores ? reach{} : reach_at(m.results, q.to, size),
              data = p.maps.arrays > 0 ? reach{} : reach_at(m.data, q.from, size), mean = reach_at(m.mean, lines),
              rstd = reach_at(m.rstd, lines);
  for (int k = 0; k < p.maps.arrays; ++k) require_apart(p, m, extras.from.arrays[k], k, rows);
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
  require_apart(p, m, extras.mask, rows);
  return true;
}

/// Where the data is, or the arrays, for the choice of a backend: in host memory where a function takes the results
/// that was not compiled for a device. Throws unsupported for device memory then, and as locate_arrays.
memory_location locate_rows(const row_problem& p, const row_memory& m, const row_extras& extras, bool any_backend) {
  // Lines of no elements may have no address: what is written for them does.
  const void* const data = m.data ? m.data : m.mean ? m.mean : m.results;
  const memory_location at = p.maps.arrays > 0 ? locate_arrays(p.maps, extras.from, any_backend) : locate(data);
  if (!extras.store.take || extras.store.device) return at;
  if (at.kind == accelerator_memory::device) refuse_to_store(at.backend);
  return {};
}

/// Throws where an accelerator was chosen that cannot call the functions, or find the elements of their arrays.
void require_functions(const row_problem& p, const row_extras& extras, backend accelerator) {
  if (p.maps.arrays > 0) require_arrays_for(p.maps, extras.from, accelerator);
  if (extras.store.take && !extras.store.device) refuse_to_store(accelerator);
}

/// Throws where the choice's backend cannot write the results, or read what is given.
void require_reach(const choice& c, const row_memory& m) {
  if (m.results) require_writable(c, m.results);
  if (m.mean) require_writable(c, m.mean, "the means are");
  if (m.rstd) require_writable(c, m.rstd, "the reciprocal deviations are");
  if (m.weight) require_readable(c, m.weight, "the weight is");
  if (m.bias) require_readable(c, m.bias, "the bias is");
}

}  // namespace

void require_sizes(const row_sizes& planned, const row_sizes& given) {
  if (!(planned == given)) refuse("the parameters differ in size from those that the plan was made for");
}

void require_alike(const row_layout& planned, const row_layout& given) {
  if (!std::ranges::equal(planned.axes, given.axes) || !are_alike(planned.mask, given.mask) ||
      !std::ranges::equal(planned.arrays, given.arrays))
    refuse("the data or the mask does not have the extents and strides that the plan was made for");
}

row_problem make_rows(row_operation operation, dtype element, const row_layout& lines, std::span<const axis> to,
                      int along, std::optional<double> eps, const row_sizes& sizes) {
  row_problem p{};
  row_request& q = p.what;
  q.size = sizeof(row_request);
  q.operation = operation;
  q.element = element;
  q.has_weight = sizes.weight > 0;
  q.has_bias = sizes.bias > 0;
  q.gives_statistics = sizes.mean > 0;
  q.eps = eps.value_or(is_norm(operation) ? 1e-12 : 1e-5);
  require_eps(q.eps);
  make_row_lines(lines, to, along, &p);
  const bool layer = operation == row_operation::layer_norm;
  require_size(q, layer || operation == row_operation::rms_norm, sizes.weight, q.from.n, "weight", "position");
  require_size(q, layer, sizes.bias, q.from.n, "bias", "position");
  require_size(q, layer, sizes.mean, q.from.outputs, "mean", "line");
  require_size(q, layer, sizes.rstd, q.from.outputs, "rstd", "line");
  if (sizes.mean != sizes.rstd) refuse("mean and rstd must be given together or not at all");
  return p;
}

struct row_engine::impl {
  /// A choice with what it has opened.
  struct session {
    session(const choice& c, const impl& of) : chosen(c) {
      const row_request& what = of.problem.what;
      if (chosen.scheduler && column_executor::takes(chosen, of.problem, *of.rows)) {
        by.emplace<column_executor>(chosen, of.problem, *of.rows);
      } else if (chosen.scheduler) {
        by.emplace<row_executor>(chosen, of.problem, *of.rows);
      } else if (chosen.mode == accuracy::exact && is_folded_by_catalog(what.operation)) {
        throw error(error_code::unsupported,
                    std::string("backend ") + onefold::name_of(chosen.backend) +
                        " does not support row operations at accuracy exact; copy the data to host memory");
      } else {
        by.emplace<device_rows>(*chosen.accelerator, of.problem, chosen.device);
      }
    }
    choice chosen;
    std::variant<std::monostate, row_executor, column_executor, device_rows> by;
  };

  impl(const row_problem& given, const options& how, const memory_location* where)
      : problem(given), sessions(planned_choice(how, where), *this) {
    if (!where) look_for_drivers();
  }
  choice planned_choice(const options& how, const memory_location* where) {
    choice c = choose(planned(problem), planned(problem, how), where, &compared);
    c.mode = how.accuracy;
    rows = &find_rows(problem.what.element, c.level);
    return c;
  }

  /// The session for data that is there.
  session& session_for(const memory_location& where) {
    return sessions.find(where, sessions.planned().n, &compared, *this);
  }

  row_problem problem;
  comparison compared{};
  const row_recipe* rows = nullptr;
  detail::sessions<session> sessions;
};

row_engine::row_engine(const row_problem& what, const options& how) {
  const float_environment ieee;
  impl_ = new impl(what, how, nullptr);
}

row_engine::row_engine(const row_problem& what, const options& how, const row_memory& memory,
                       const row_extras& extras) {
  const float_environment ieee;
  const bool any_backend = resolve_backend(how).backend == backend::automatic;
  const memory_location where = locate_rows(what, memory, extras, any_backend);
  impl_ = new impl(what, how, &where);
}

row_engine::~row_engine() {
  const float_environment ieee;
  delete impl_;
}

void row_engine::run(const row_memory& memory, const row_extras& extras) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  if (!check_rows(made.problem, *made.rows, memory, extras)) return;
  const row_problem& p = made.problem;
  auto& by = made.session_for(locate_rows(p, memory, extras, made.sessions.planned().unconstrained));
  require_reach(by.chosen, memory);
  check_mask_memory(p.selects.kind, extras.mask, by.chosen.n, by.chosen);
  if (auto* cpu = std::get_if<row_executor>(&by.by)) {
    require_host_arrays(p.maps, extras.from);
    cpu->run(memory, extras);
  } else if (auto* columns = std::get_if<column_executor>(&by.by)) {
    columns->run(memory);
  } else {
    require_functions(p, extras, by.chosen.backend);
    std::get<device_rows>(by.by).run(memory, extras);
  }
}

void row_engine::enqueue(const row_memory& memory, const row_extras& extras, CUstream_st* stream) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const row_problem& p = made.problem;
  const memory_location device =
      device_of_streams(made.sessions.planned(), p.maps.arrays > 0 ? extras.from.arrays[0].data : memory.data);
  require_functions(p, extras, device.backend);
  if (!check_rows(p, *made.rows, memory, extras)) return;
  auto& by = made.session_for(device);
  require_reach(by.chosen, memory);
  check_mask_memory(p.selects.kind, extras.mask, by.chosen.n, by.chosen);
  std::get<device_rows>(by.by).enqueue(memory, extras, stream);
}

run_report row_engine::report() const {
  const impl& made = impl_in(impl_);
  const float_environment ieee;
  const impl::session& last = made.sessions.last();
  run_report r = report_of(last.chosen, made.compared);
  if (const auto* cpu = std::get_if<row_executor>(&last.by)) r.threads = std::min(r.threads, cpu->threads());
  if (const auto* columns = std::get_if<column_executor>(&last.by)) r.threads = std::min(r.threads, columns->threads());
  return r;
}

}  // namespace onefold::detail
