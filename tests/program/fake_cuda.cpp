// A stand-in for the CUDA module: its device memory is host memory, and the CPU's own fold does the work. So the
// program's ways to an accelerator are tested without one.
//
// ONEFOLD_FAKE_wrong: the states have a wrong bit. ONEFOLD_FAKE_broken: every run fails, and its specifications are
// unavailable. ONEFOLD_FAKE_choosy: only kernel canonical can be had. ONEFOLD_FAKE_unmeasured: it has no functions for
// measuring.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "onefold/backend.hpp"
#include "support/line_reference.hpp"

namespace {

using namespace onefold;

#ifdef ONEFOLD_FAKE_wrong
constexpr bool wrong = true;
#else
constexpr bool wrong = false;
#endif
#ifdef ONEFOLD_FAKE_broken
constexpr bool broken = true;
#else
constexpr bool broken = false;
#endif
#ifdef ONEFOLD_FAKE_unmeasured
constexpr bool measured = false;
#else
constexpr bool measured = true;
#endif
#ifdef ONEFOLD_FAKE_choosy
constexpr bool choosy = true;
#else
constexpr bool choosy = false;
#endif

struct made_groups {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> keys;
  std::vector<char> elements, mask;
};

struct session {
  const recipe* host;
  dtype result;
  int result_size;
  problem shape;
  selection selects;
  bool gives_index;
  dtype key_type;
  problem results;
  bool exclusive;
  made_groups groups;
};

const char* version() { return "a stand-in for CUDA"; }
const char* why_not() { return nullptr; }
int devices() { return 1; }
void describe(int, char* text, int size) { std::snprintf(text, static_cast<std::size_t>(size), "no device"); }
/// All memory is of the kind that FAKE_MEMORY names; "borders": what begins at a border of 4 KiB is device memory.
accelerator_memory kind_of(const void* p) {
  const char* const name = std::getenv("FAKE_MEMORY");
  const auto is = [&](const char* kind) { return name && std::strcmp(name, kind) == 0; };
  return is("device")                                                       ? accelerator_memory::device
         : is("managed")                                                    ? accelerator_memory::managed
         : is("pinned")                                                     ? accelerator_memory::pinned
         : is("borders") && reinterpret_cast<std::uintptr_t>(p) % 4096 == 0 ? accelerator_memory::device
                                                                            : accelerator_memory::pageable;
}
bool fails(accelerator_failure* failed, error_code code, const char* text) {
  failed->code = code;
  std::snprintf(failed->text, sizeof failed->text, "%s", text);
  return false;
}

bool specifications(int, accelerator_specifications* of, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  *of = {"no device", 0, 0};
  return true;
}

bool open(const accelerator_work& what, void** handle, int* device, accelerator_failure* failed) {
  if (choosy && what.kernel != kernel::canonical && what.kernel != kernel::automatic)
    return fails(failed, error_code::unsupported, "the stand-in has no such kernel");
  *handle = new session{what.host,
                        what.result,
                        what.result_size,
                        what.shape ? *what.shape : problem{},
                        what.selects ? *what.selects : selection{},
                        what.gives_index,
                        what.keys,
                        what.results ? *what.results : problem{},
                        what.exclusive,
                        {}};
  *device = 0;
  return true;
}
void close(void* handle) { delete static_cast<session*>(handle); }

void fold(const session& o, const void* op, const void* data, std::int64_t n, void* state) {
  const std::int64_t pages = (n + o.host->page - 1) / o.host->page;
  const int log2 = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(pages - 1)));
  std::vector<std::max_align_t> room(static_cast<std::size_t>(room_bytes(*o.host, pages)) / sizeof(std::max_align_t) +
                                     1);
  o.host->fold(op, {data, n, 0}, 0, 1, log2, state, room.data());
}

bool run(void* handle, const void* op, const void* data, std::int64_t n, void* state, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  fold(*static_cast<session*>(handle), op, data, n, state);
  if (wrong) *static_cast<unsigned char*>(state) ^= 1;
  return true;
}

bool enqueue(void* handle, const void* op, const void* data, std::int64_t n, const std::int64_t*, const void* init,
             void* result, CUstream_st*, accelerator_failure*) {
  const session& o = *static_cast<session*>(handle);
  if (n == 0 && o.host->small_limit > 0) {  // which no fold takes
    o.host->small(op, data, n, init, o.result, result);
    return true;
  }
  void* const state = std::aligned_alloc(64, (o.host->state_size + 63) / 64 * 64);
  fold(o, op, data, n, state);
  o.host->finish(op, state, n, init, o.result, result, nullptr);  // of the catalogue, which needs no room here
  std::free(state);
  return true;
}

/// How far the element with this number, in C order, is from the first.
std::int64_t offset(const axis* axes, std::int32_t count, std::int64_t number) {
  std::int64_t at = 0;
  for (std::int32_t i = count; i-- > 0; number /= axes[i].extent) at += number % axes[i].extent * axes[i].stride;
  return at;
}

bool run_shape(void* handle, const void* op, const void* data, const void* init, bool finished, void* out,
               accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  const session& o = *static_cast<session*>(handle);
  const std::int64_t size = o.host->element_size, distance = finished ? o.result_size : o.host->state_size;
  std::vector<char> elements(static_cast<std::size_t>(o.shape.n * size + 1));
  for (std::int64_t i = 0; i < o.shape.outputs; ++i) {
    const char* const first = static_cast<const char*>(data) + offset(o.shape.kept, o.shape.kept_axes, i) * size;
    for (std::int64_t k = 0; k < o.shape.n; ++k)
      std::memcpy(elements.data() + k * size, first + offset(o.shape.reduced, o.shape.reduced_axes, k) * size,
                  static_cast<std::size_t>(size));
    char* const to = static_cast<char*>(out) + i * distance;
    if (finished)
      enqueue(handle, op, elements.data(), o.shape.n, nullptr, init, to, nullptr, failed);
    else
      fold(o, op, elements.data(), o.shape.n, to);
  }
  return true;
}

bool enqueue_shape(void* handle, const void* op, const void* data, const void* init, void* results, CUstream_st*,
                   accelerator_failure* failed) {
  return run_shape(handle, op, data, init, true, results, failed);
}

std::int64_t offset_of(const device_segments& segments, std::int64_t i) {
  return segments.wide ? static_cast<const std::int64_t*>(segments.offsets)[i]
                       : std::int64_t{static_cast<const std::uint32_t*>(segments.offsets)[i]};
}

/// With a mask of bytes.
bool run_segments(void* handle, const void* op, const void* data, const device_segments& segments,
                  const list_selection& selects, const void* init, bool finished, void* out, std::int64_t*,
                  accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  if (selects.kind != mask_kind::all && (selects.kind != mask_kind::bytes || o.gives_index))
    return fails(failed, error_code::device, "the stand-in cannot do that");
  for (std::int64_t i = 0; i < segments.count; ++i) {
    const std::int64_t size = o.host->element_size, begin = offset_of(segments, i);
    const char* first = static_cast<const char*>(data) + begin * size;
    std::int64_t n = offset_of(segments, i + 1) - begin;
    std::vector<char> elements;
    if (selects.kind == mask_kind::bytes) {
      const char* const mask = static_cast<const char*>(selects.from(begin).mask);
      for (std::int64_t k = 0; k < n; ++k)
        if (mask[k * selects.stride] != 0) elements.insert(elements.end(), first + k * size, first + (k + 1) * size);
      first = elements.data();
      n = static_cast<std::int64_t>(elements.size()) / size;
    }
    char* const to = static_cast<char*>(out) + i * (finished ? o.result_size : o.host->state_size);
    if (finished)
      enqueue(handle, op, first, n, nullptr, init, to, nullptr, failed);
    else
      fold(o, op, first, n, to);
  }
  return true;
}

bool enqueue_segments(void* handle, const void* op, const void* data, const device_segments& segments,
                      const list_selection& selects, const void* init, void* results, CUstream_st*,
                      accelerator_failure* failed) {
  return run_segments(handle, op, data, segments, selects, init, true, results, nullptr, failed);
}

/// With a mask of bytes.
bool run_selected(void* handle, const void* op, const void* data, const void* mask, const void* init, bool, void* out,
                  std::int64_t*, accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  if (broken || o.selects.kind != mask_kind::bytes || o.gives_index)
    return fails(failed, error_code::device, "the stand-in cannot do that");
  const std::int64_t size = o.host->element_size;
  const problem& shape = o.selects.mask;
  for (std::int64_t i = 0; i < o.shape.outputs; ++i) {
    const char* const first = static_cast<const char*>(data) + offset(o.shape.kept, o.shape.kept_axes, i) * size;
    const char* const of_mask = static_cast<const char*>(mask) + offset(shape.kept, shape.kept_axes, i);
    std::vector<char> elements;
    for (std::int64_t k = 0; k < o.shape.n; ++k) {
      const char* const x = first + offset(o.shape.reduced, o.shape.reduced_axes, k) * size;
      if (of_mask[offset(shape.reduced, shape.reduced_axes, k)] != 0) elements.insert(elements.end(), x, x + size);
    }
    enqueue(handle, op, elements.data(), static_cast<std::int64_t>(elements.size()) / size, nullptr, init,
            static_cast<char*>(out) + i * o.result_size, nullptr, failed);
  }
  return true;
}

bool enqueue_selected(void* handle, const void* op, const void* data, const void* mask, const void* init, void* results,
                      CUstream_st*, accelerator_failure* failed) {
  return run_selected(handle, op, data, mask, init, true, results, nullptr, failed);
}

bool allocate(accelerator_memory, int, std::int64_t bytes, void** memory, accelerator_failure* failed) {
  *memory = std::aligned_alloc(4096, static_cast<std::size_t>((bytes + 4095) / 4096 * 4096));
  return *memory || fails(failed, error_code::device, "no memory");
}
void release(accelerator_memory, void* memory) { std::free(memory); }
bool copy(void* to, const void* from, std::int64_t bytes, accelerator_failure*) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
  return true;
}

/// By keys of type i32 alone.
bool group(void* handle, const keyed_elements& what, std::int64_t* count, accelerator_failure* failed) {
  session& o = *static_cast<session*>(handle);
  if (o.key_type != dtype::i32) return fails(failed, error_code::unsupported, "the stand-in groups by i32 alone");
  o.groups = {};
  const std::int64_t size = o.host->element_size;
  const auto* const keys = static_cast<const std::int32_t*>(what.keys);
  std::vector<std::int64_t> order(static_cast<std::size_t>(what.n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  if (!what.runs) std::ranges::stable_sort(order, {}, [&](std::int64_t i) { return keys[i]; });
  for (const std::int64_t i : order) {
    if (o.groups.keys.empty() || o.groups.keys.back() != keys[i]) {
      o.groups.offsets.push_back(static_cast<std::int64_t>(o.groups.elements.size()) / size);
      o.groups.keys.push_back(keys[i]);
    }
    const char* const from = static_cast<const char*>(what.elements) + i * size;
    o.groups.elements.insert(o.groups.elements.end(), from, from + size);
    if (what.selects.kind == mask_kind::bytes)
      o.groups.mask.push_back(static_cast<const char*>(what.selects.from(i).mask)[0]);
  }
  o.groups.offsets.push_back(what.n);
  *count = static_cast<std::int64_t>(o.groups.keys.size());
  return true;
}

bool run_groups(void* handle, const void* op, const void* init, bool finished, void* out, void* keys,
                std::int64_t* offsets, accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  const auto count = static_cast<std::int64_t>(o.groups.keys.size());
  std::memcpy(keys, o.groups.keys.data(), o.groups.keys.size() * sizeof(std::int32_t));
  if (offsets) std::ranges::copy(o.groups.offsets, offsets);
  return run_segments(
      handle, op, o.groups.elements.data(),
      {o.groups.offsets.back(), o.groups.offsets.back(), o.groups.offsets.data(), count, true},
      o.groups.mask.empty() ? list_selection{} : list_selection{mask_kind::bytes, dtype::other, o.groups.mask.data()},
      init, finished, out, nullptr, failed);
}

bool enqueue_groups(void* handle, const void* op, const keyed_elements& what, const void* init, const group_outputs& to,
                    CUstream_st*, accelerator_failure* failed) {
  if (!group(handle, what, to.count, failed)) return false;
  made_groups& made = static_cast<session*>(handle)->groups;
  const auto count = static_cast<std::size_t>(std::min(*to.count, to.room));
  made.keys.resize(count);
  made.offsets.resize(count + 1);
  return run_groups(handle, op, init, true, to.results, to.keys, nullptr, failed);
}

/// Each prefix of a line by itself, as the prefix law says; result i goes to to(i).
template <class To>
void scan_line(void* handle, const void* op, const std::vector<char>& elements, std::int64_t n, const void* init,
               const To& to, accelerator_failure* failed) {
  const bool exclusive = static_cast<session*>(handle)->exclusive;
  for (std::int64_t k = 0; k < n; ++k)
    enqueue(handle, op, elements.data(), exclusive ? k : k + 1, nullptr, init, to(k), nullptr, failed);
}

bool enqueue_scan(void* handle, const void* op, const void* data, const void* init, void* out, CUstream_st*,
                  accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  const std::int64_t size = o.host->element_size;
  std::vector<char> elements(static_cast<std::size_t>(o.shape.n * size + 1));
  for (std::int64_t i = 0; i < o.shape.outputs; ++i) {
    const char* const first = static_cast<const char*>(data) + offset(o.shape.kept, o.shape.kept_axes, i) * size;
    const std::int64_t to = offset(o.results.kept, o.results.kept_axes, i);
    for (std::int64_t k = 0; k < o.shape.n; ++k)
      std::memcpy(elements.data() + k * size, first + offset(o.shape.reduced, o.shape.reduced_axes, k) * size,
                  static_cast<std::size_t>(size));
    const auto result = [&](std::int64_t k) {
      return static_cast<char*>(out) +
             (to + offset(o.results.reduced, o.results.reduced_axes, k)) * std::int64_t{o.result_size};
    };
    scan_line(handle, op, elements, o.shape.n, init, result, failed);
  }
  return true;
}

bool run_scan(void* handle, const void* op, const void* data, const void* init, void* out,
              accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  return enqueue_scan(handle, op, data, init, out, nullptr, failed);
}

bool enqueue_segment_scan(void* handle, const void* op, const void* data, const device_segments& segments,
                          const void* init, void* out, CUstream_st*, accelerator_failure* failed) {
  const session& o = *static_cast<session*>(handle);
  const auto* const x = static_cast<const char*>(data);
  const std::int64_t size = o.host->element_size;
  for (std::int64_t i = 0; i < segments.count; ++i) {
    const std::int64_t begin = offset_of(segments, i), end = offset_of(segments, i + 1);
    const auto result = [&](std::int64_t k) { return static_cast<char*>(out) + (begin + k) * o.result_size; };
    scan_line(handle, op, {x + begin * size, x + end * size}, end - begin, init, result, failed);
  }
  return true;
}

bool run_segment_scan(void* handle, const void* op, const void* data, const device_segments& segments, const void* init,
                      void* out, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  return enqueue_segment_scan(handle, op, data, segments, init, out, nullptr, failed);
}

bool open_rows(const row_request& what, int, void** handle, int* device, accelerator_failure*) {
  *handle = new row_request(what);
  *device = 0;
  return true;
}
void close_rows(void* handle) { delete static_cast<row_request*>(handle); }

/// By definition.
template <class T>
void work_on_rows(const row_request& what, const row_memory& memory) {
  using reference = support::row_reference<T>;
  using V = typename reference::V;
  const reference by_definition{what.operation, what.eps, static_cast<const T*>(memory.weight),
                                static_cast<const T*>(memory.bias)};
  const auto n = static_cast<std::size_t>(what.from.n);
  const bool gives_one = what.operation == row_operation::logsumexp;
  std::vector<T> x(n), y(gives_one ? 1 : n);
  for (std::int64_t line = 0; line < what.from.outputs; ++line) {
    const T* const from = static_cast<const T*>(memory.data) + offset(what.from.kept, what.from.kept_axes, line);
    T* const to = static_cast<T*>(memory.results) + offset(what.to.kept, what.to.kept_axes, line);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = from[offset(what.from.reduced, what.from.reduced_axes, static_cast<std::int64_t>(i))];
    by_definition.line(x.data(), what.from.n, y.data(), memory.mean ? static_cast<V*>(memory.mean) + line : nullptr,
                       memory.rstd ? static_cast<V*>(memory.rstd) + line : nullptr);
    for (std::size_t i = 0; i < y.size(); ++i)
      to[offset(what.to.reduced, what.to.reduced_axes, static_cast<std::int64_t>(i))] = y[i];
  }
}

bool enqueue_rows(void* handle, const row_memory& memory, CUstream_st*, accelerator_failure*) {
  const row_request& what = *static_cast<row_request*>(handle);
  if (what.element == dtype::f32) work_on_rows<float>(what, memory);
  if (what.element == dtype::f64) work_on_rows<double>(what, memory);
  if (what.element == dtype::f16) work_on_rows<f16>(what, memory);
  if (what.element == dtype::bf16) work_on_rows<bf16>(what, memory);
  return true;
}

bool run_rows(void* handle, const row_memory& memory, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  return enqueue_rows(handle, memory, nullptr, failed);
}

/// A device on which every call takes a quarter of a millisecond.
bool replay(int, bool (*enqueue_one)(void*, int, CUstream_st*), void* context, int calls, int rounds, double* seconds,
            accelerator_failure* failed) {
  for (int i = 0; i < calls; ++i)
    if (!enqueue_one(context, i, nullptr)) return fails(failed, error_code::device, "a call could not be enqueued");
  for (int i = 0; i < rounds; ++i) seconds[i] = 0.25e-3;
  return true;
}

/// Three quarters.
bool occupancy(int, bool (*)(void*, int, CUstream_st*), void*, accelerator_occupancy* found, accelerator_failure*) {
  *found = {256, 6, 2048};
  return true;
}

constinit const accelerator_bench bench = {sizeof(accelerator_bench), allocate, release, replay, occupancy};

constinit const accelerator fake = {
    sizeof(accelerator),
    "cuda",
    version,
    why_not,
    devices,
    describe,
    kind_of,
    specifications,
    open,
    close,
    run,
    enqueue,
    run_shape,
    enqueue_shape,
    run_segments,
    enqueue_segments,
    run_selected,
    enqueue_selected,
    copy,
    group,
    run_groups,
    enqueue_groups,
    run_scan,
    enqueue_scan,
    run_segment_scan,
    enqueue_segment_scan,
    open_rows,
    close_rows,
    run_rows,
    enqueue_rows,
    measured ? &bench : nullptr,
};

}  // namespace

ONEFOLD_EXPORT_ACCELERATOR(cuda) { return &fake; }
