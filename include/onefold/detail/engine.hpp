// The part of a plan that knows no type: the request, the engine that runs it, the initial value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "onefold/catalog.hpp"
#include "onefold/error.hpp"
#include "onefold/options.hpp"
#include "onefold/problem.hpp"
#include "onefold/recipe.hpp"
#include "onefold/report.hpp"

struct CUstream_st;  // what cudaStream_t points to

namespace onefold {
struct mapped_source;
struct mapping;
struct selection;
}  // namespace onefold

namespace onefold::detail {

struct group_room;
struct key_data;
struct segment_data;
struct selected_data;

/// What a plan is made from: which recipe, for how many elements, to which result.
struct request {
  int operation = -1;            ///< place in the catalog, or -1 for a user-defined operation
  const recipe* own = nullptr;   ///< a user-defined operation
  bool own_gives_index = false;  ///< whether its result begins with the index of an element, an std::int64_t
  dtype element = dtype::other;
  dtype result = dtype::other;  ///< another result type than the operation's own, or `other`
  bool takes_init = false;
  bool has_init = false;
  std::int64_t n = 0;                  ///< at most this many elements a run; of a shape all there are
  int result_size = 0;                 ///< bytes of the result
  const problem* shape = nullptr;      ///< null: one array, one result, or segments
  const selection* selects = nullptr;  ///< which elements of the shape count; null: all
  const mapping* maps = nullptr;  ///< the arrays of the function that computes the shape's elements; null: none does
  bool maps_on_device = false;    ///< whether that function was compiled for a device, too
  bool segmented = false;         ///< whether it is one of segments, of n elements in all
  std::int64_t segments = 0;      ///< at most this many
  dtype keys = dtype::other;      ///< of the keys by which n elements are grouped to segments; other: none
};

/// A chosen backend with its scratch: the part of a plan that knows no type.
class ONEFOLD_API engine {
 public:
  /// Chooses. Throws onefold::error where the request cannot be met.
  engine(const request& what, const options& how);
  /// The same for elements with keys that are there: backends that cannot read them are not asked.
  engine(const request& what, const options& how, const key_data& from);
  engine(engine&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  engine& operator=(engine&& other) noexcept {
    engine taken(std::move(other));
    std::swap(impl_, taken.impl_);
    return *this;
  }
  ~engine();

  /// Reduces n elements at data into *result; n at most the request's. `op` and `init` as in the recipe.
  void run(const void* op, const void* data, std::int64_t n, const void* init, void* result);

  /// Reduces the request's shape: the outputs into `results`, which has room for `capacity` of them.
  void run_shape(const void* op, const void* data, const void* init, void* results, std::int64_t capacity);

  /// Reduces the request's selection from its shape, as run_shape.
  void run_selected(const void* op, const selected_data& from, const void* init, void* results, std::int64_t capacity);

  /// Enqueues the same on a stream, with data, mask and results in device memory; nothing of an output selected is no
  /// error, but leaves a result that means nothing where the operation has none.
  void enqueue_selected(const void* op, const selected_data& from, const void* init, void* results,
                        std::int64_t capacity, CUstream_st* stream);

  /// Reduces the request's mapping, as run_shape.
  void run_mapped(const void* op, const mapped_source& from, const void* init, void* results, std::int64_t capacity);

  /// Reduces segments within the request's numbers, one result each into `results`, which has room for `capacity` of
  /// them.
  void run_segments(const void* op, const segment_data& from, const void* init, void* results, std::int64_t capacity);

  /// Enqueues that on a CUDA stream: values, offsets and results are in device memory, and the offsets not checked.
  void enqueue_segments(const void* op, const segment_data& from, const void* init, void* results,
                        std::int64_t capacity, CUstream_st* stream);

  /// Groups elements, of which there are at most the request's, by their keys: runs of equal ones, or all equal ones in
  /// ascending order. Returns how many groups there are.
  std::int64_t group(const key_data& from);

  /// Reduces the groups that were made last from the same data: one result each, and their keys.
  void run_groups(const void* op, const key_data& from, const void* init, const group_room& to);

  /// Enqueues both on a CUDA stream, for runs of equal keys: all is in device memory, and no key is checked. Groups
  /// beyond the room are only counted. `count` gets how many there are.
  void enqueue_groups(const void* op, const key_data& from, const void* init, const group_room& to, std::int64_t* count,
                      CUstream_st* stream);

  /// Enqueues the reduction of an array on a CUDA stream, up to *result in device memory; device_n is null or device
  /// memory that holds the number of elements, then n is the most. The one backend that can is cuda.
  void enqueue(const void* op, const void* data, std::int64_t n, const std::int64_t* device_n, const void* init,
               void* result, CUstream_st* stream);

  /// The same for the request's shape, with results in device memory.
  void enqueue_shape(const void* op, const void* data, const void* init, void* results, std::int64_t capacity,
                     CUstream_st* stream);

  /// What runs, and why.
  run_report report() const;

 private:
  struct impl;
  impl* impl_;
};

/// Throws invalid_argument for a choice that is outside its enumeration or range.
ONEFOLD_API void require_valid(const options& how);

/// Chooses and runs once: what engine does, without the allocations of an object that lasts. `ran` is null, or gets
/// what ran.
ONEFOLD_API void run_once(const request& what, const options& how, const void* op, const void* data, const void* init,
                          void* result, run_report* ran);

/// Chooses and folds once, n > 0 elements to the state of a recipe whose states have `state_size` bytes.
ONEFOLD_API void fold_once(const request& what, const options& how, const void* data, void* state,
                           std::size_t state_size);

/// Writes an initial value, which must be there, as one of a result type to *value: rounded once, to nearest, ties to
/// even; a NaN is the canonical one. All of it is integer arithmetic, which no floating-point environment and no flag
/// of the caller's compiler changes. Throws if the type cannot hold it: an integer type every number but its own, a
/// floating-point type finite numbers that it would round to infinity.
ONEFOLD_API void convert_initial_value(const initial& init, dtype result, void* value);

/// Whether options.init was given.
inline bool is_given(const initial& init) { return !std::holds_alternative<std::monostate>(init.value()); }

inline namespace ONEFOLD_LEVEL {

/// options.init as a value of type R, or nothing where none was given. Throws where R is not a number, and as
/// convert_initial_value does.
template <class R, class Op>
std::optional<R> initial_value(const initial& init) {
  if (!is_given(init)) return std::nullopt;
  if constexpr (element<R> || std::is_same_v<R, bool>) {
    R value{};
    convert_initial_value(init, dtype_of<R>, &value);
    return value;
  } else if constexpr (cataloged_operation<Op>) {
    throw error(error_code::invalid_argument, std::string(Op::name) + " takes no initial value");
  } else {
    throw error(error_code::invalid_argument, "this operation takes no initial value: its result is not a number");
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
