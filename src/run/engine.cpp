// Plans: the arguments checked, the data located, and the chosen backend run.
#include <algorithm>
#include <string>

#include "choose.hpp"
#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/detail/keys.hpp"
#include "onefold/detail/mapping.hpp"
#include "onefold/detail/selection.hpp"
#include "onefold/detail/shape.hpp"
#include "quantity.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/executor.hpp"
#include "run/host_blocks.hpp"
#include "run/keys.hpp"
#include "run/mapping.hpp"
#include "run/problem.hpp"
#include "run/segments.hpp"
#include "run/selection.hpp"
#include "run/sessions.hpp"

namespace onefold::detail {
namespace {

/// Where elements with keys are. Keys in device memory ask for its accelerator, as elements there do. Throws
/// invalid_argument where a backend was asked for that cannot read them.
memory_location locate_keyed(const key_data& from, backend asked) {
  const memory_location keys = locate(from.keys);
  if (keys.kind != accelerator_memory::device) return locate(from.values);
  if (asked != backend::automatic && asked != keys.backend)
    throw error(error_code::invalid_argument, std::string("the keys are in device memory, which backend ") +
                                                  name_of(asked) + " cannot read; use backend " +
                                                  name_of(keys.backend) + " or automatic");
  return keys;
}

}  // namespace

struct engine::impl {
  /// A choice with what it has opened.
  struct session {
    explicit session(const choice& c) : chosen(c), by(chosen) {}
    choice chosen;
    executor by;
  };

  impl(const request& what, const options& how)
      : shape(what.shape ? *what.shape : problem{}),
        selects(what.selects ? *what.selects : selection{}),
        maps(what.maps ? *what.maps : mapping{}),
        sessions(choose(with_copies(what), how, nullptr, &compared)) {
    look_for_drivers();
  }
  impl(const request& what, const options& how, const memory_location& where)
      : shape(), selects(), maps(), sessions(choose(what, how, &where)) {}

  /// The request with this object's own copies of its shape, its selection and its mapping.
  request with_copies(request what) const {
    if (what.shape) what.shape = &shape;
    if (what.selects) what.selects = &selects;
    if (what.maps) what.maps = &maps;
    return simplified(what);
  }

  /// The session for n elements that are there.
  session& session_for(const memory_location& data, std::int64_t n) { return sessions.find(data, n, &compared); }

  /// The run of an array that is not small, or may not be where the CPU reads.
  [[gnu::noinline]] void run(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
    const choice& c = sessions.planned();
    check(c, data, n, init);
    session& chosen = session_for(locate_for(c, data), n);
    if (n > 0 && !driver_seen()) host.insert(data);
    chosen.by.run(op, data, n, init, result);
  }

  void run_shape(const void* op, const void* data, const void* init, void* results) {
    const choice& c = sessions.planned();
    if (!c.shape) check(c, data, c.n, init);
    session& chosen = session_for(locate(data), c.n);
    require_writable(chosen.chosen, results);
    if (c.shape)
      chosen.by.run_shape(op, data, init, results);
    else
      chosen.by.run_anywhere(op, data, c.n, init, results);
  }

  /// The session that enqueues a reduction of n elements of the data.
  session& on_device(const void* data, std::int64_t n) {
    const recipe& r = *sessions.planned().recipe;
    if (r.may_refuse)
      throw error(error_code::unsupported,
                  std::string(r.name) + " may have no result, which a stream has no way to say; call the plan instead");
    return session_for(device_of_streams(sessions.planned(), data), n);
  }

  problem shape;      ///< where one was asked for
  selection selects;  ///< likewise
  mapping maps;       ///< likewise
  host_blocks host;
  comparison compared{};
  detail::sessions<session> sessions;
  host_groups groups;            ///< that the CPU has made
  std::int64_t group_count = 0;  ///< of the groups made last
};

engine::engine(const request& what, const options& how) {
  const float_environment ieee;
  impl_ = new impl(what, how);
}

engine::engine(const request& what, const options& how, const key_data& from) {
  const float_environment ieee;
  require_keys(from, what.n);
  impl_ = new impl(what, how, locate_keyed(from, resolve_backend(how).backend));
}

engine::~engine() {
  const float_environment ieee;
  delete impl_;
}

// Calls on a few elements have this short way of their own: no stack, no call but the fold's. It ends where the driver
// of an accelerator is loaded, which the first pointer into a block that is not known yet finds out.
void engine::run(const void* op, const void* data, std::int64_t n, const void* init, void* result) {
  const choice& c = impl_in(impl_).sessions.planned();
  const float_environment ieee;
  if (c.scheduler && !driver_seen() &&
      static_cast<std::uint64_t>(n) - 1 < static_cast<std::uint64_t>(c.recipe->small_limit) && n <= c.n &&
      impl_->host.contains(data)) [[likely]]
    run_small(c, op, data, n, init, result);
  else
    impl_->run(op, data, n, init, result);
}

void engine::run_shape(const void* op, const void* data, const void* init, void* results, std::int64_t capacity) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const choice& c = made.sessions.planned();
  if (check_shape(made.shape, c, data, init, results, capacity)) made.run_shape(op, data, init, results);
}

void engine::run_selected(const void* op, const selected_data& from, const void* init, void* results,
                          std::int64_t capacity) {
  impl& made = impl_in(impl_);
  const choice& c = made.sessions.planned();
  if (!c.selects) return run_shape(op, from.data, init, results, capacity);
  const float_environment ieee;
  if (!check_shape(made.shape, c, from.data, init, results, capacity)) return;
  auto& chosen = made.session_for(locate(from.data), c.n);
  check_selection(from.mask, made.shape, chosen.chosen, results);
  require_writable(chosen.chosen, results);
  chosen.by.run_selected(op, from, init, results);
}

void engine::enqueue_selected(const void* op, const selected_data& from, const void* init, void* results,
                              std::int64_t capacity, CUstream_st* stream) {
  impl& made = impl_in(impl_);
  const choice& c = made.sessions.planned();
  if (!c.selects) return enqueue_shape(op, from.data, init, results, capacity, stream);
  const float_environment ieee;
  if (!check_shape(made.shape, c, from.data, init, results, capacity)) return;
  auto& chosen = made.on_device(from.data, c.n);
  check_selection(from.mask, made.shape, chosen.chosen, results);
  require_writable(chosen.chosen, results);
  chosen.by.device().enqueue_selected(op, from, init, results, stream);
}

void engine::run_mapped(const void* op, const mapped_source& from, const void* init, void* results,
                        std::int64_t capacity) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const choice& c = made.sessions.planned();
  auto& chosen = made.session_for(locate_arrays(made.maps, from, c.unconstrained), c.n);
  if (check_mapped(made.maps, from, chosen.chosen, init, results, capacity))
    chosen.by.run_mapped(op, from, init, results);
}

void engine::run_segments(const void* op, const segment_data& from, const void* init, void* results,
                          std::int64_t capacity) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const choice& c = made.sessions.planned();
  const segment_list segments = checked(from);
  require_within(segments, c.segments, c.elements);
  auto& chosen = made.session_for(locate(segments.values), c.n);
  if (!check_segments(segments, chosen.chosen, init, results, capacity)) return;
  require_writable(chosen.chosen, results);
  chosen.by.run_segments(op, segments, init, results);
}

void engine::enqueue_segments(const void* op, const segment_data& from, const void* init, void* results,
                              std::int64_t capacity, CUstream_st* stream) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const choice& c = made.sessions.planned();
  auto& chosen = made.on_device(from.values, c.n);
  const segment_list segments = unchecked(from);
  require_within(segments, c.segments, c.elements);
  if (!check_segments(segments, chosen.chosen, init, results, capacity)) return;
  require_writable(chosen.chosen, results);
  chosen.by.device().enqueue_segments(op, segments, init, results, stream);
}

std::int64_t engine::group(const key_data& from) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const choice& c = made.sessions.planned();
  require_keys(from, c.elements);
  made.group_count = 0;
  if (from.elements == 0) return 0;
  const backend asked = c.unconstrained ? backend::automatic : c.explicitly_requested ? c.backend : backend::cpu;
  auto& chosen = made.session_for(locate_keyed(from, asked), c.n);
  require_readable(chosen.chosen, from.values, "the data is");
  check_mask_memory(from.selects.kind, from.selects.mask, from.elements, chosen.chosen);
  made.group_count =
      chosen.chosen.scheduler ? made.groups.group(from, chosen.by.threads()) : chosen.by.device().group(from);
  return made.group_count;
}

void engine::run_groups(const void* op, const key_data& from, const void* init, const group_room& to) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  const std::int64_t count = made.group_count, room = std::min(to.of_keys, to.of_results);
  if (room < count)
    throw error(error_code::invalid_argument,
                there_are(count, "group") + ", but there is room for " + std::to_string(room));
  if (count == 0) return;
  auto& chosen = made.sessions.last();
  require_room(from, count, chosen.chosen, to);
  require_writable(chosen.chosen, to.keys, "the groups' keys are");
  require_writable(chosen.chosen, to.results);
  if (!chosen.chosen.scheduler) return chosen.by.device().run_groups(op, count, init, to);
  chosen.by.run_segments(op, made.groups.segments(from, chosen.by.threads()), init, to.results);
  made.groups.write_keys(from, chosen.by.threads(), to.keys);
}

void engine::enqueue_groups(const void* op, const key_data& from, const void* init, const group_room& to,
                            std::int64_t* count, CUstream_st* stream) {
  impl& made = impl_in(impl_);
  const float_environment ieee;
  auto& chosen = made.on_device(from.values, made.sessions.planned().n);
  require_keys(from, chosen.chosen.elements);
  const std::int64_t room = std::min(to.of_keys, to.of_results);
  if (room < 0) throw error(error_code::invalid_argument, "the room for groups is negative: " + std::to_string(room));
  require_room(from, std::min(from.elements, room), chosen.chosen, to);
  check_mask_memory(from.selects.kind, from.selects.mask, from.elements, chosen.chosen);
  if (!count) throw error(error_code::invalid_argument, "the pointer to the number of groups is null");
  require_aligned(count, sizeof *count, "the number of groups is");
  require_readable(chosen.chosen, from.keys, "the keys are");
  require_writable(chosen.chosen, to.keys, "the groups' keys are");
  require_writable(chosen.chosen, to.results);
  require_writable(chosen.chosen, count, "the number of groups is");
  made.group_count = 0;
  chosen.by.device().enqueue_groups(op, from, init, to, count, stream);
}

void engine::enqueue_shape(const void* op, const void* data, const void* init, void* results, std::int64_t capacity,
                           CUstream_st* stream) {
  impl& made = impl_in(impl_);
  const choice& c = made.sessions.planned();
  const float_environment ieee;
  if (!check_shape(made.shape, c, data, init, results, capacity)) return;
  if (!c.shape) return enqueue(op, data, c.n, nullptr, init, results, stream);
  auto& chosen = made.on_device(data, c.n);
  require_writable(chosen.chosen, results);
  chosen.by.device().enqueue_shape(op, data, init, results, stream);
}

void engine::enqueue(const void* op, const void* data, std::int64_t n, const std::int64_t* device_n, const void* init,
                     void* result, CUstream_st* stream) {
  const choice& c = impl_in(impl_).sessions.planned();
  const float_environment ieee;
  check(c, data, n, init);
  if (!result) throw error(error_code::invalid_argument, "the result pointer is null");
  require_aligned(result, result_align(c), "the result is");
  require_aligned(device_n, sizeof *device_n, "the number of elements is");
  auto& chosen = impl_->on_device(data, n);
  if (device_n) require_readable(chosen.chosen, device_n, "the number of elements is");
  require_writable(chosen.chosen, result, "the result is");
  chosen.by.device().enqueue(op, data, n, device_n, init, result, stream);
}

run_report engine::report() const {
  const impl& made = impl_in(impl_);
  const float_environment ieee;
  return report_of(made.sessions.last().chosen, made.compared);
}

}  // namespace onefold::detail
