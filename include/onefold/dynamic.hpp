// Reductions whose operation and types are known at run time only: for programs and for bindings.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onefold/array_view.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/engine.hpp"
#include "onefold/detail/keys.hpp"
#include "onefold/detail/row_engine.hpp"
#include "onefold/detail/scan.hpp"
#include "onefold/options.hpp"
#include "onefold/report.hpp"
#include "onefold/selection.hpp"

namespace onefold {

namespace detail {
struct result_layout;
}

/// One number of a result: its type and its bits, in the low bytes.
struct scalar {
  std::string name;    ///< "value", or the member's name for results of several numbers ("min", "max", ...)
  dtype type;          ///< of the number
  std::uint64_t bits;  ///< the value's, in the low bytes

  /// The number as a decimal text that reads back to the same bits (nan and inf as such; true, false); "?" where
  /// the type is not a number's.
  ONEFOLD_API std::string text() const;
  /// The bits as 0x and two hexadecimal digits a byte; "?" where the type is not a number's.
  ONEFOLD_API std::string hex() const;
};

/// The result of a reduction that was chosen at run time.
struct dynamic_result {
  std::vector<scalar> values;  ///< its numbers
  run_report ran;              ///< what ran
};

/// One number of a result in memory.
struct result_member {
  const char* name;  ///< as scalar::name
  dtype type;        ///< as scalar::type
  int offset;        ///< bytes from the beginning of the result
};

/// Room for the result of any operation of the catalogue, in bytes.
inline constexpr int most_result_size = 64;
/// An alignment that fits all results, in bytes.
inline constexpr int result_alignment = 8;

/// What the results of a dynamic plan look like in memory.
class ONEFOLD_API dynamic_results {
 public:
  /// Bytes of a result; at most most_result_size.
  int result_size() const;

  /// The numbers of a result, in the order of their offsets: one named "value", or those of minmax_result,
  /// moments_result or bounded_sum. Valid as long as the library is loaded.
  std::span<const result_member> members() const;

  /// The numbers of one result that run wrote, or of one that enqueue wrote, once it is copied to the host.
  std::vector<scalar> scalars(const void* result) const;

 protected:
  /// Of an operation (by its place), with its initial value.
  dynamic_results(int operation, dtype element, const options& how, std::optional<dtype> result);
  /// Of results that look like this, without an initial value.
  explicit dynamic_results(const detail::result_layout& layout);
  /// The initial value as a number of the result's type; null where there is none.
  const void* init() const { return has_init_ ? init_ : nullptr; }

  const detail::result_layout* layout_;  ///< where the numbers of a result are

 private:
  alignas(result_alignment) std::byte init_[8];
  bool has_init_;
};

/// A plan whose operation and types are known at run time only: what plan<T, Op, R> does, without templates.
///
/// A plan owns its scratch: one thread at a time may run it; different plans run concurrently. Of a plan that was moved
/// from, running, enqueueing and reporting throw invalid_argument; it can be assigned to and destroyed.
class ONEFOLD_API dynamic_plan : public dynamic_results {
 public:
  /// Chooses a backend for up to n elements of a type, with an operation of the catalogue (by its place, see
  /// find_operation). `result` asks for another type where the operation rounds. Throws onefold::error: unsupported
  /// where the catalogue does not have the operation, for this element type, at this accuracy, or with this result
  /// type; backend_unavailable where a forced backend cannot run; invalid_argument for a negative n, a value outside
  /// its enumeration or range, and an initial value that the operation does not take or its result type cannot hold.
  dynamic_plan(int operation, dtype element, std::int64_t n, const options& how = {},
               std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ("sum", "f32", n, how, "f64"). An empty `result` is the operation's own. Throws
  /// also unknown_name's error, which names the nearest name and lists all.
  dynamic_plan(std::string_view operation, std::string_view element, std::int64_t n, const options& how = {},
               std::string_view result = {});

  /// Reduces n elements at data and writes result_size() bytes to *result, aligned as its numbers are
  /// (result_alignment is enough for all). Bytes between members are unspecified. Allocates nothing. Throws
  /// onefold::error if n is negative or above the plan's, if data is null but n is not 0, if result is null or not
  /// aligned, for no elements where the operation has no identity (empty_input), and where an exact integer result does
  /// not fit (overflow).
  void run(const void* data, std::int64_t n, void* result);

  /// As above, and returns the numbers of the result and the report, which takes allocations: 0.2 us more than the form
  /// above (Xeon with AVX-512).
  dynamic_result run(const void* data, std::int64_t n);

  /// Enqueues the reduction of n elements at data on a CUDA stream (a cudaStream_t of the plan's device) and returns at
  /// once; the result_size() bytes are written to *result in stream order. Both are device memory. Can be captured into
  /// a CUDA graph. The plan must live until the work is done, and has room for one reduction at a time: enqueue the
  /// next one in order after it. Throws onefold::error as run does, where backend cuda cannot run
  /// (backend_unavailable), and for exact sums of integers, which may have no result (unsupported).
  void enqueue(const void* data, std::integral auto n, void* result, CUstream_st* stream) {
    enqueue(data, static_cast<std::int64_t>(n), nullptr, result, stream);
  }
  /// As above, where the number of elements is in device memory too and known only once the stream gets there; it is
  /// taken as 0 if negative, and as the plan's if above. No elements give the identity, for min and the like too.
  void enqueue(const void* data, const std::int64_t* n, void* result, CUstream_st* stream) {
    enqueue(data, n_, n, result, stream);
  }

  /// What runs it, and why.
  run_report report() const;

 private:
  void enqueue(const void* data, std::int64_t n, const std::int64_t* device_n, void* result, CUstream_st* stream);

  std::int64_t n_;
  detail::engine engine_;
};

/// A plan for a reduction over some axes whose operation and types are known at run time only: what
/// shaped_plan<T, Op, R> does, without templates. Like a dynamic_plan, it serves one thread at a time, and can be
/// moved.
class ONEFOLD_API dynamic_shaped_plan : public dynamic_results {
 public:
  /// Chooses a backend for arrays with these extents and strides (in elements), with an operation of the catalogue (by
  /// its place) over the axes that `along` names. Throws as dynamic_plan's constructor does, and invalid_argument for
  /// what array_view refuses and for axes that the array does not have.
  dynamic_shaped_plan(int operation, dtype element, std::span<const axis> axes, const over& along = {},
                      const options& how = {}, std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ("sum", "f32", view.axes(), {.axes = 0}, how, "f64"). Throws as above, and
  /// unknown_name's error.
  dynamic_shaped_plan(std::string_view operation, std::string_view element, std::span<const axis> axes,
                      const over& along = {}, const options& how = {}, std::string_view result = {});

  /// The extents of the results, and how many there are.
  const onefold::extents& extents() const { return extents_; }
  /// How many results there are.
  std::int64_t size() const { return shape_.outputs; }

  /// Reduces the array whose first element is at data into size() results of result_size() bytes, one after the other
  /// in C order. `results` has room for `capacity` of them, aligned as dynamic_plan::run wants it. Allocates nothing.
  /// Throws onefold::error as reduce does over a view: nothing is written then, except where an exact integer result
  /// does not fit (overflow).
  void run(const void* data, void* results, std::int64_t capacity);

  /// Enqueues the same on a CUDA stream and returns at once: data and results are in device memory, as for
  /// dynamic_plan::enqueue. Throws as that and run do.
  void enqueue(const void* data, void* results, std::int64_t capacity, CUstream_st* stream);

  /// What runs it, and why.
  run_report report() const;

 private:
  problem shape_ = {};
  onefold::extents extents_;
  detail::engine engine_;
};

/// A plan for reductions of segments whose operation and types are known at run time only: what
/// segmented_plan<T, Op, R> does, without templates. Like a dynamic_plan, it serves one thread at a time, and can be
/// moved.
class ONEFOLD_API dynamic_segmented_plan : public dynamic_results {
 public:
  /// Chooses a backend for at most `segments` segments with at most `elements` elements in all, with an operation of
  /// the catalogue (by its place). Throws as dynamic_plan's constructor does, invalid_argument also for a negative
  /// number of segments.
  dynamic_segmented_plan(int operation, dtype element, std::int64_t segments, std::int64_t elements,
                         const options& how = {}, std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ("sum", "f32", segments, elements, how, "f64"). Throws as above, and
  /// unknown_name's error.
  dynamic_segmented_plan(std::string_view operation, std::string_view element, std::int64_t segments,
                         std::int64_t elements, const options& how = {}, std::string_view result = {});

  /// Reduces segment i, the values from the offset i to the next, into result i of result_size() bytes. There are
  /// `elements` values, and one more offset than segments, integers of 32 or 64 bits of `offset_type`, all in host
  /// memory. `results` has room for `capacity` results, aligned as dynamic_plan::run wants it. Allocates nothing.
  /// `selects` says which values count, as `where` does: {.kind = mask_kind::bytes, .mask = mask}, or
  /// {mask_kind::not_nan}; its element type is not looked at. A plan's first run with a selection allocates. Throws
  /// onefold::error as reduce does over segments, where there are more segments, or elements in them, than the plan is
  /// for, and for another type of offsets (invalid_argument); nothing is written then, except where an exact integer
  /// result does not fit (overflow).
  void run(const void* values, std::int64_t elements, const void* offsets, std::int64_t offset_count, dtype offset_type,
           void* results, std::int64_t capacity, const list_selection& selects = {});

  /// Enqueues the same on a CUDA stream and returns at once: values, offsets, mask and results are in device memory,
  /// and the offsets are not checked, as for segmented_plan::enqueue. Throws as dynamic_plan::enqueue and run do.
  void enqueue(const void* values, std::int64_t elements, const void* offsets, std::int64_t offset_count,
               dtype offset_type, void* results, std::int64_t capacity, CUstream_st* stream,
               const list_selection& selects = {});

  /// What runs it, and why.
  run_report report() const;

 private:
  dtype element_;
  detail::engine engine_;
};

/// A plan for reductions by key whose operation and types are known at run time only: what keyed_plan<T, Op, K, R>
/// does, without templates. Like a dynamic_plan, it serves one thread at a time, and can be moved.
class ONEFOLD_API dynamic_keyed_plan : public dynamic_results {
 public:
  /// Chooses a backend for at most `elements` elements with keys of type `keys`, with an operation of the catalogue (by
  /// its place). Throws as dynamic_plan's constructor does, and unsupported where keys cannot have that type.
  dynamic_keyed_plan(int operation, dtype element, dtype keys, std::int64_t elements, const options& how = {},
                     std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ("sum", "f32", "i64", elements, how, "f64"). Throws as above, and unknown_name's
  /// error.
  dynamic_keyed_plan(std::string_view operation, std::string_view element, std::string_view keys, std::int64_t elements,
                     const options& how = {}, std::string_view result = {});

  /// Which elements are a group.
  enum class grouping : std::uint8_t {
    keys,  ///< all with equal keys, in ascending order of the keys, as by by_key
    runs,  ///< neighbours with equal keys, as by runs_by_key
  };

  /// Groups n values by their n keys, and writes the key of group i to found[i] and its result, of result_size() bytes,
  /// to result i. `found` and `results` have room for `capacity` groups each. `selects` is as for
  /// dynamic_segmented_plan::run. Returns how many groups there are. Throws onefold::error as reduce does by key, and
  /// for more elements than the plan is for (invalid_argument).
  std::int64_t run(const void* values, const void* keys, std::int64_t n, grouping by, void* found, void* results,
                   std::int64_t capacity, const list_selection& selects = {});

  /// Enqueues the same for runs on a CUDA stream and returns at once, as keyed_plan::enqueue: all is in device memory,
  /// and *count gets how many runs there are, of which those beyond `capacity` are only counted.
  void enqueue_runs(const void* values, const void* keys, std::int64_t n, void* found, void* results,
                    std::int64_t capacity, std::int64_t* count, CUstream_st* stream,
                    const list_selection& selects = {});

  /// What runs it, and why.
  run_report report() const;

 private:
  detail::key_data data_of(const void* values, const void* keys, std::int64_t n, grouping by,
                           const list_selection& selects) const;

  dtype element_, keys_;
  detail::engine engine_;
};

/// How the mask of a dynamic_selected_plan or a dynamic_row_plan lies in memory.
struct mask_layout {
  mask_kind kind = mask_kind::not_nan;  ///< bytes, bits, or not_nan, which needs nothing else
  std::span<const axis> axes = {};      ///< with the extents of the data, and strides in bytes or bits
  std::int64_t offset = 0;              ///< bits: the one of the first element, counted from the first byte's lowest
};

/// A plan for reductions of selected elements whose operation and types are known at run time only: what
/// selected_plan<T, Op, R> does, without templates. Like a dynamic_plan, it serves one thread at a time, and can be
/// moved.
class ONEFOLD_API dynamic_selected_plan : public dynamic_results {
 public:
  /// Chooses a backend for arrays with these extents and strides (in elements) and masks that lie as `mask` says, over
  /// the axes that `along` names. Throws as dynamic_shaped_plan's constructor does, and invalid_argument for what
  /// `where` refuses.
  dynamic_selected_plan(int operation, dtype element, std::span<const axis> axes, const mask_layout& mask,
                        const over& along = {}, const options& how = {}, std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case. Throws as above, and unknown_name's error.
  dynamic_selected_plan(std::string_view operation, std::string_view element, std::span<const axis> axes,
                        const mask_layout& mask, const over& along = {}, const options& how = {},
                        std::string_view result = {});

  /// The extents of the results, and how many there are.
  const onefold::extents& extents() const { return extents_; }
  /// How many results there are.
  std::int64_t size() const { return shape_.outputs; }

  /// Reduces what `mask`, which is not looked at for not_nan, selects of the array at data, as
  /// dynamic_shaped_plan::run. Throws onefold::error as reduce does over selected elements.
  void run(const void* data, const void* mask, void* results, std::int64_t capacity);

  /// Enqueues the same on a CUDA stream and returns at once: data, mask and results are in device memory, as for
  /// selected_plan::enqueue.
  void enqueue(const void* data, const void* mask, void* results, std::int64_t capacity, CUstream_st* stream);

  /// What runs it, and why.
  run_report report() const;

 private:
  problem shape_ = {};
  selection by_ = {};
  onefold::extents extents_;
  detail::engine engine_;
};

/// A plan for scans whose operation and types are known at run time only: what scan_plan<T, Op, R> does, without
/// templates. Like a dynamic_plan, it serves one thread at a time, and can be moved.
class ONEFOLD_API dynamic_scan_plan : public dynamic_results {
 public:
  /// Chooses a backend for arrays with these extents and strides (in elements), each line of which along an axis is
  /// scanned with an operation of the catalogue (by its place); without an axis the array is one line, in C order.
  /// Throws as dynamic_plan's constructor does, unsupported where the entry has no scan (why_no_scan), and
  /// invalid_argument for what array_view refuses and for an axis that the array does not have.
  dynamic_scan_plan(int operation, dtype element, std::span<const axis> axes, std::optional<int> along = std::nullopt,
                    scan_kind kind = scan_kind::inclusive, const options& how = {},
                    std::optional<dtype> result = std::nullopt);

  /// The same by names, in any case: ("sum", "f32", view.axes(), 0, scan_kind::inclusive, how, "f64"). Throws as above,
  /// and unknown_name's error.
  dynamic_scan_plan(std::string_view operation, std::string_view element, std::span<const axis> axes,
                    std::optional<int> along = std::nullopt, scan_kind kind = scan_kind::inclusive,
                    const options& how = {}, std::string_view result = {});

  /// The extents of the results: the array's, or without an axis one.
  const onefold::extents& extents() const { return extents_; }
  /// How many results there are.
  std::int64_t size() const { return size_; }

  /// Scans the array whose first element is at data into size() results of result_size() bytes, one after the other in
  /// C order. `results` has room for `capacity` of them, aligned as dynamic_plan::run wants it, and may be data where
  /// that lies in the same order, in elements of the same size. Allocates nothing. Throws onefold::error as
  /// inclusive_scan does.
  void run(const void* data, void* results, std::int64_t capacity);

  /// Enqueues the same on a CUDA stream and returns at once: data and results are in device memory, as for
  /// dynamic_plan::enqueue. Throws as that and run do.
  void enqueue(const void* data, void* results, std::int64_t capacity, CUstream_st* stream);

  /// What runs it, and why.
  run_report report() const;

 private:
  onefold::extents extents_;
  std::int64_t size_;
  detail::scan_engine engine_;
};

/// What a dynamic_row_plan is made for beside the data. All of it may be left out.
struct dynamic_row_parameters {
  std::optional<double> eps = {};        ///< as row_parameters::eps; for operations that have one
  std::int64_t weights = 0;              ///< of layer_norm and rms_norm: 0, or one for each place along a line
  std::int64_t biases = 0;               ///< the same of layer_norm's bias
  bool statistics = false;               ///< whether layer_norm writes row_parameters::mean and rstd
  std::optional<mask_layout> mask = {};  ///< which elements count, as `where` says; its axes are looked at once
};

/// A plan for a row operation that is known at run time only, as its types are: what row_plan<T> does, without
/// templates. Results have the type of elements. Like a dynamic_plan, it serves one thread at a time, and can be moved.
class ONEFOLD_API dynamic_row_plan : public dynamic_results {
 public:
  /// Chooses a backend for arrays with these extents and strides (in elements), whose lines lie along an axis. Throws
  /// as row_plan does, unsupported for elements that are not f16, bf16, f32 or f64, and invalid_argument for what
  /// array_view refuses and for an eps that the operation does not take.
  dynamic_row_plan(row_operation operation, dtype element, std::span<const axis> axes, int along = -1,
                   const dynamic_row_parameters& with = {}, const options& how = {});

  /// The same by names, in any case: ("softmax", "f32", view.axes()). Throws as above, and unknown_name's error.
  dynamic_row_plan(std::string_view operation, std::string_view element, std::span<const axis> axes, int along = -1,
                   const dynamic_row_parameters& with = {}, const options& how = {});

  /// The extents of the results: the array's, of logsumexp without the axis.
  const onefold::extents& extents() const { return extents_; }
  /// How many results there are.
  std::int64_t size() const { return size_; }

  /// Works on the array at memory.data, with size() results at memory.results, one after the other in C order.
  /// `results` has room for `capacity` of them, and may be data that lies in the same order. Weight, bias and
  /// statistics are there where the plan was made for them, and only there; so is the mask, which is not looked at for
  /// not_nan. Allocates nothing. Throws onefold::error as row_plan's call does.
  void run(const row_memory& memory, std::int64_t capacity, const void* mask = nullptr);

  /// What runs it, and why.
  run_report report() const;

 private:
  onefold::extents extents_;
  std::int64_t size_;
  dynamic_row_parameters with_;
  detail::row_engine engine_;
};

/// The names of all row operations, in the order of row_operation: softmax, ..., normalize_l1, normalize_l2, ...
ONEFOLD_API std::span<const std::string_view> row_operation_names();

/// The row operation with this name, in any case. Throws unknown_name's error, which names the nearest one and lists
/// all.
ONEFOLD_API row_operation row_operation_named(std::string_view name);

/// Reduces n elements once: what a dynamic_plan made for them runs. Throws as its constructor and run do.
ONEFOLD_API dynamic_result reduce_dynamic(int operation, dtype element, const void* data, std::int64_t n,
                                          const options& how = {}, std::optional<dtype> result = std::nullopt);

/// The element type with this name, as name_of spells it, in any case. Throws unknown_name's error, which names the
/// nearest type and lists all.
ONEFOLD_API dtype dtype_named(std::string_view name);

/// The same without exceptions: nothing where the name is unknown.
ONEFOLD_API std::optional<dtype> parse_dtype(std::string_view name);

/// The names of all element types.
ONEFOLD_API std::span<const std::string_view> dtype_names();

}  // namespace onefold
