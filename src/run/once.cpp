// Calls that run once: the data located, a backend chosen for it, the arguments checked, and the reduction run.
#include <cstring>

#include "choose.hpp"
#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/detail/mapping.hpp"
#include "onefold/detail/selection.hpp"
#include "onefold/detail/shape.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/element_memory.hpp"
#include "run/executor.hpp"
#include "run/known_functions.hpp"
#include "run/mapping.hpp"
#include "run/segments.hpp"
#include "run/selection.hpp"

namespace onefold::detail {
namespace {

/// The choice for data that is there; `ran` is null, or gets it.
choice choose_once(const request& what, const options& how, const memory_location& where, run_report* ran) {
  if (!ran) return choose(what, how, &where);
  comparison compared{};
  choice c = choose(what, how, &where, &compared);
  *ran = report_of(c, compared);
  return c;
}

/// Reduces up to a page of computed elements of one output, without what an executor opens; false where there are more.
bool run_few(const choice& c, const void* op, const mapped_source& from, const void* init, void* result) {
  const problem& p = c.maps->of[0];
  if (p.outputs != 1 || p.reduced_axes != 1 || p.n == 0 || !is_small(*c.recipe, p.n)) return false;
  element_memory more;
  alignas(64) char few[1 << 10];
  const bool fit = p.n * from.element_size <= std::int64_t{sizeof few} && alignment_within(from.element_size) <= 64;
  void* const values = fit ? few : more.room(p.n, from.element_size);
  mapped_lines line{1, p.n, p.n, {}, {}, {}};
  for (int k = 0; k < c.maps->arrays; ++k) line.along[k] = c.maps->of[k].reduced[0].stride;
  if (!compute_known(from, line, values)) from.compute(from.context, line, values);
  run_small(c, op, values, p.n, init, result);
  return true;
}

}  // namespace

void require_valid(const options& how) { check_choices(how); }

void run_shape_once(const request& what, const options& how, const void* op, const void* data, const void* init,
                    void* results, std::int64_t capacity, run_report* ran) {
  const float_environment ieee;
  const memory_location where = locate(data);
  choice c = choose_once(simplified(what), how, where, ran);
  if (!check_shape(*what.shape, c, data, init, results, capacity)) return;
  require_writable(c, results);
  executor by(c);
  if (c.shape)
    by.run_shape(op, data, init, results);
  else
    by.run_anywhere(op, data, c.n, init, results);
}

void run_selected_once(const request& what, const options& how, const void* op, const selected_data& from,
                       const void* init, void* results, std::int64_t capacity, run_report* ran) {
  if (!what.selects) return run_shape_once(what, how, op, from.data, init, results, capacity, ran);
  const float_environment ieee;
  const memory_location where = locate(from.data);
  choice c = choose_once(what, how, where, ran);
  if (!check_shape(*what.shape, c, from.data, init, results, capacity)) return;
  check_selection(from.mask, *what.shape, c, results);
  require_writable(c, results);
  executor(c).run_selected(op, from, init, results);
}

void run_mapped_once(const request& what, const options& how, const void* op, const mapped_source& from,
                     const void* init, void* results, std::int64_t capacity, run_report* ran) {
  const float_environment ieee;
  const bool any_backend = resolve_backend(how).backend == backend::automatic;
  choice c = choose_once(what, how, locate_arrays(*what.maps, from, any_backend), ran);
  if (!check_mapped(*what.maps, from, c, init, results, capacity)) return;
  if (!c.scheduler || !run_few(c, op, from, init, results)) executor(c).run_mapped(op, from, init, results);
}

void run_segments_once(const request& what, const options& how, const void* op, const segment_data& from,
                       const void* init, void* results, std::int64_t capacity, run_report* ran) {
  const float_environment ieee;
  const segment_list segments = checked(from);
  request all = what;
  all.segments = segments.count;
  all.n = segments.elements();
  const memory_location where = locate(segments.values);
  choice c = choose_once(simplified(all), how, where, ran);
  if (!check_segments(segments, c, init, results, capacity)) return;
  require_writable(c, results);
  executor(c).run_segments(op, segments, init, results);
}

void run_once(const request& what, const options& how, const void* op, const void* data, const void* init, void* result,
              run_report* ran) {
  const float_environment ieee;
  const memory_location where = locate(data);
  choice c = choose_once(what, how, where, ran);
  check(c, data, what.n, init);
  if (c.scheduler && is_small(*c.recipe, what.n)) return run_small(c, op, data, what.n, init, result);
  executor(c).run(op, data, what.n, init, result);
}

void fold_once(const request& what, const options& how, const void* data, void* state, std::size_t state_size) {
  const float_environment ieee;
  const memory_location where = locate(data);
  choice c = choose(what, how, &where);
  check(c, data, what.n, nullptr);
  if (c.recipe->state_size != state_size)
    throw error(error_code::unsupported, "the caller was compiled against another version of onefold");
  std::memcpy(state, executor(c).fold(nullptr, data, what.n), state_size);
}

}  // namespace onefold::detail
