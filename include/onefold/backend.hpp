// For authors of backends: the records that a backend module exports. backends/README.md shows how.
#pragma once

#include <cstdint>

#include "onefold/bin_request.hpp"
#include "onefold/device.hpp"
#include "onefold/error.hpp"
#include "onefold/groups.hpp"
#include "onefold/map_request.hpp"
#include "onefold/problem.hpp"
#include "onefold/recipe.hpp"
#include "onefold/row_problem.hpp"
#include "onefold/scan_recipe.hpp"
#include "onefold/selection.hpp"

struct CUstream_st;  // what cudaStream_t points to

/// The version of the records that cross the border between the library and its modules. It is part of the
/// exported symbol's name, so that a module of another version is not found rather than misread.
#define ONEFOLD_BACKEND_ABI 23

#define ONEFOLD_CONCAT_(a, b) a##b
#define ONEFOLD_CONCAT(a, b) ONEFOLD_CONCAT_(a, b)

/// The name of the function that backend NAME exports, onefold_openmp_backend_abi and the version for backend openmp.
#define ONEFOLD_BACKEND_FUNCTION(name) ONEFOLD_CONCAT(onefold_##name##_backend_abi, ONEFOLD_BACKEND_ABI)

/// Declares that function for a CPU backend: in a module its only exported symbol.
#define ONEFOLD_EXPORT_BACKEND(name) \
  extern "C" __attribute__((visibility("default"))) const onefold::scheduler* ONEFOLD_BACKEND_FUNCTION(name)()

/// As ONEFOLD_EXPORT_BACKEND for an accelerator.
#define ONEFOLD_EXPORT_ACCELERATOR(name) \
  extern "C" __attribute__((visibility("default"))) const onefold::accelerator* ONEFOLD_BACKEND_FUNCTION(name)()

namespace onefold {

/// A CPU backend: a scheduler of numbered pieces of work. It knows no type and no operation. Plain C functions;
/// no exception and no standard-library object crosses.
struct scheduler {
  std::uint32_t size;   ///< sizeof(scheduler)
  const char* name;     ///< in lists and messages
  const char* version;  ///< what it stands on, for people: "oneTBB 2021.8"

  /// Null if it can run here, else the reason.
  const char* (*why_not)();

  /// How many threads take part where the caller wants this many; 0: by its own rule.
  int (*threads)(int wanted);

  /// Makes what runs with this many threads can share (may be null); `close` ends its use. Called for each one-shot
  /// reduction.
  void* (*open)(int threads);
  /// Ends the use of what `open` made.
  void (*close)(void* handle);

  /// Calls work(context, i) once for each i in [0, pieces), spread statically over the threads, and returns
  /// when all are done. `work` does not throw. Many threads may call it at once, with one handle, too.
  void (*run)(void* handle, int pieces, void (*work)(void* context, int piece), void* context);
};

/// What went wrong in an accelerator, as plain data.
struct accelerator_failure {
  error_code code;  ///< the kind of error
  char text[400];   ///< the message
};

/// What an accelerator is opened for.
struct accelerator_work {
  std::uint32_t size;        ///< sizeof(accelerator_work)
  const recipe* host;        ///< the fold on the CPU: sizes, page, merge; `device` for a user-defined operation
  int operation;             ///< place in the catalog, or -1
  dtype element;             ///< of the data
  accuracy mode;             ///< of the state
  onefold::kernel kernel;    ///< which kernel folds
  int device;                ///< -1: the current one
  dtype result;              ///< what enqueue writes, as for recipe::finish
  int result_size;           ///< bytes of a result, and of an initial value
  std::int64_t n;            ///< at most this many elements a run
  const problem* shape;      ///< null: one array and one result, or segments
  const mapping* maps;       ///< null; or the arrays of the function that computes the elements of `shape`
  const selection* selects;  ///< null: all elements of the shape
  bool gives_index;          ///< whether results are indices, of selected elements: counted with those that are not
  bool segmented;            ///< whether it reduces, or scans, segments
  dtype keys;                ///< the type of the keys by which n elements are grouped; other: there are none
  bool exclusive;            ///< with `scan`: whether a result leaves out its own element
  std::int64_t segments;     ///< at most this many, with n elements in all
  const scan_recipe* scan;   ///< null; or the scan on the CPU, where the lines of `shape`, or segments, are scanned
  const problem* results;    ///< with `scan`: how the results lie, with the axes of `shape`
};

/// Memory, as an accelerator sees it. It gives out pinned and device memory.
enum class accelerator_memory : std::uint8_t {
  pinned,    ///< host memory that the device reads by itself
  device,    ///< memory that only the device can read
  managed,   ///< memory that both can read and that was moved to a device last
  pageable,  ///< other host memory
};

/// Neighboring elements of an array that make up an aligned node of the tree over its pages.
struct node_run {
  const void* data;    ///< the first of them
  std::int64_t index;  ///< its place in the array, a multiple of the page
  std::int64_t n;      ///< how many
};

/// The name of a kind of memory: "pinned", ...
ONEFOLD_API const char* name_of(accelerator_memory kind);

/// What a device's data sheet says: its name, and peak bytes a second of its memory and of the bus to it; 0: unknown.
struct accelerator_specifications {
  char name[256];  ///< the device
  int capability;  ///< its compute capability: 90 is 9.0
  double memory;   ///< bytes a second of its memory
  double bus;      ///< bytes a second of the bus to it
};

/// The kernels of an operation that were compiled while the program runs: an image that a device loads, and their names
/// in it. Those that no plan of the kind at hand launches are null.
struct loadable_kernels {
  std::uint32_t size;           ///< sizeof(loadable_kernels)
  const void* image;            ///< need not outlive the call that loads it
  fold_layout layout;           ///< of the operation over its elements, as the host has it
  const char* layout_variable;  ///< the same, as the kernels have it
  const char* pages;            ///< whole arrays
  const char* columns[4];       ///< columns of up to 1, 2 or 4 rows of lanes, and of any number
  const char* tiles;            ///< other shapes
  const char* segments;         ///< segments, and rows that follow each other
  const char* scattered;        ///< shapes and segments, where the layout has no tiles
  const char* find_tiles;       ///< where segments are
  const char* join;             ///< pages of outputs
};

/// How many threads of a kernel a multiprocessor can hold at a time: the blocks that its registers and its shared
/// memory leave room for. What runs may be less (a small input, the last blocks).
struct accelerator_occupancy {
  int block_threads;  ///< threads of a block
  int blocks;         ///< that fit
  int most_threads;   ///< that any kernel can have there
};

/// What programs that measure an accelerator, and have no toolkit of their own, need of it. The library itself calls
/// none of these. `device` is -1 for the current one.
struct accelerator_bench {
  std::uint32_t size;  ///< sizeof(accelerator_bench)

  /// Memory of a kind; `release` frees it.
  bool (*allocate)(accelerator_memory kind, int device, std::int64_t bytes, void** memory, accelerator_failure* failed);
  /// Frees memory that `allocate` gave out.
  void (*release)(accelerator_memory kind, void* memory);

  /// The device's own time: records `enqueue(context, i, stream)` for i in [0, calls), which says whether it could
  /// enqueue, then replays the record and writes the seconds of one call to seconds[0 .. rounds).
  bool (*replay)(int device, bool (*enqueue)(void* context, int i, CUstream_st* stream), void* context, int calls,
                 int rounds, double* seconds, accelerator_failure* failed);

  /// The occupancy of the first kernel that `enqueue(context, 0, stream)` enqueues, which is not run.
  bool (*occupancy)(int device, bool (*enqueue)(void* context, int i, CUstream_st* stream), void* context,
                    accelerator_occupancy* found, accelerator_failure* failed);
};

/// A backend with its own kernels and memory. It computes states; the library finishes them. Functions that can fail
/// return false and fill in the failure; afterwards the backend is usable, unless the device itself is lost.
struct accelerator {
  std::uint32_t size;  ///< sizeof(accelerator)
  const char* name;    ///< in lists and messages

  /// What it stands on, for people; valid until the process ends.
  const char* (*version)();

  /// Null if it can run here, else the reason; errno is then EAGAIN if that may pass, and 0 if not.
  const char* (*why_not)();

  /// How many devices there are, and a sentence about each.
  int (*devices)();
  /// Writes a sentence about a device to text[0 .. size).
  void (*describe)(int device, char* text, int size);

  /// The kind of memory that p points into.
  accelerator_memory (*kind_of)(const void* p);

  /// The device whose memory p points into; -1 for memory of the host, and for managed memory.
  int (*device_of)(const void* p);

  /// The specifications of a device, -1 for the current one. Cheap from the second call on.
  bool (*specifications)(int device, accelerator_specifications* of, accelerator_failure* failed);

  /// Makes what runs can share: scratch, streams. `device` gets the number of the device.
  bool (*open)(const accelerator_work& what, void** handle, int* device, accelerator_failure* failed);
  /// Ends the use of what `open` made.
  void (*close)(void* handle);

  /// The state of data[0 .. n), n > 0, into host memory. `data` may be in any memory.
  bool (*run)(void* handle, const void* op, const void* data, std::int64_t n, void* state, accelerator_failure* failed);

  /// Folds some nodes of arrays, one or more, each of at most as many elements as it was opened for, all in memory of
  /// one kind. Does not wait where that is device memory. Nothing else is done with the handle before finish_nodes.
  bool (*start_nodes)(void* handle, const void* op, const node_run* runs, int count, accelerator_failure* failed);

  /// Waits for the nodes that were started last, and writes their states to host memory, one after another.
  bool (*finish_nodes)(void* handle, void* states, accelerator_failure* failed);

  /// Enqueues the reduction on a stream, up to the result in device memory, and does not wait. `init` as for
  /// recipe::finish; `device_n`: null, or device memory that holds the number of elements, at most n.
  bool (*enqueue)(void* handle, const void* op, const void* data, std::int64_t n, const std::int64_t* device_n,
                  const void* init, void* result, CUstream_st* stream, accelerator_failure* failed);

  /// Reduces the outputs of the shape that it was opened for; `data` is the first element, in memory of any kind. If
  /// `finished`, their results are written to `out`, in memory of any kind, one after another; else their states, to
  /// host memory. `init` as for recipe::finish.
  bool (*run_shape)(void* handle, const void* op, const void* data, const void* init, bool finished, void* out,
                    accelerator_failure* failed);

  /// Enqueues the same on a stream, with results in device memory, and does not wait.
  bool (*enqueue_shape)(void* handle, const void* op, const void* data, const void* init, void* results,
                        CUstream_st* stream, accelerator_failure* failed);

  /// Reduces segments, within the numbers that it was opened for; `data`, the offsets and `out` may be in memory of any
  /// kind. Offsets in host memory were checked; those in device memory are checked here, for an empty segment too where
  /// the operation has no result for it. `selects` says which elements of the array count; the mask may be in memory of
  /// any kind. Fails with empty_input where nothing of a segment is selected and the operation has no result for it.
  /// `selected`: null, or host memory for one number more than segments, which gets how many elements are selected
  /// before each segment, and in all; only where not all elements count. Else as run_shape.
  bool (*run_segments)(void* handle, const void* op, const void* data, const device_segments& segments,
                       const list_selection& selects, const void* init, bool finished, void* out,
                       std::int64_t* selected, accelerator_failure* failed);

  /// Enqueues the same on a stream, with data, offsets, mask and results in device memory; nothing is checked.
  bool (*enqueue_segments)(void* handle, const void* op, const void* data, const device_segments& segments,
                           const list_selection& selects, const void* init, void* results, CUstream_st* stream,
                           accelerator_failure* failed);

  /// Reduces the selected elements of the outputs of the shape and selection that it was opened for. `mask`, null
  /// without one, may be in memory of any kind. Fails with empty_input where nothing of an output is selected and the
  /// operation has no result for it. `offsets`: null, or host memory for one number more than outputs, which gets how
  /// many elements are selected before each output, and in all. Else as run_shape.
  bool (*run_selected)(void* handle, const void* op, const void* data, const void* mask, const void* init,
                       bool finished, void* out, std::int64_t* offsets, accelerator_failure* failed);

  /// Enqueues the same on a stream, with data, mask and results in device memory; nothing is checked.
  bool (*enqueue_selected)(void* handle, const void* op, const void* data, const void* mask, const void* init,
                           void* results, CUstream_st* stream, accelerator_failure* failed);

  /// Copies between memory of any kinds, and waits.
  bool (*copy)(void* to, const void* from, std::int64_t bytes, accelerator_failure* failed);

  /// Groups elements by their keys, within the number that it was opened for, and waits: runs of equal keys, or all of
  /// a key in the order of the keys; within a group the elements keep their order. Fails with invalid_argument for a
  /// key that is a NaN, whose number it says. `count` gets how many groups there are.
  bool (*group)(void* handle, const keyed_elements& what, std::int64_t* count, accelerator_failure* failed);

  /// Reduces the groups that `group` made last, and writes the key of each to `keys`, in memory of any kind. `offsets`:
  /// null, or host memory for one number more than groups, which gets how many elements that count are before each, and
  /// in all. Fails with empty_input where nothing of a group is selected and the operation has no result for it. Else
  /// as run_shape.
  bool (*run_groups)(void* handle, const void* op, const void* init, bool finished, void* out, void* keys,
                     std::int64_t* offsets, accelerator_failure* failed);

  /// Enqueues both on a stream, with elements and keys in device memory: runs of equal keys, and nothing is checked.
  bool (*enqueue_groups)(void* handle, const void* op, const keyed_elements& what, const void* init,
                         const group_outputs& to, CUstream_st* stream, accelerator_failure* failed);

  /// Scans the lines that it was opened for, which have elements; `data` is the first element and `out` the first
  /// result, in memory of any kind. `init` as for recipe::finish.
  bool (*run_scan)(void* handle, const void* op, const void* data, const void* init, void* out,
                   accelerator_failure* failed);

  /// Enqueues the same on a stream, with data and results in device memory, and does not wait.
  bool (*enqueue_scan)(void* handle, const void* op, const void* data, const void* init, void* out, CUstream_st* stream,
                       accelerator_failure* failed);

  /// Scans segments, within the numbers that it was opened for; the result of value i goes to place i of `out`, and
  /// those of values in no segment are not written. `data`, the offsets and `out` may be in memory of any kind. Offsets
  /// in host memory were checked; those in device memory are checked here. `init` as for recipe::finish.
  bool (*run_segment_scan)(void* handle, const void* op, const void* data, const device_segments& segments,
                           const void* init, void* out, accelerator_failure* failed);

  /// Enqueues the same on a stream, with data, offsets and results in device memory; nothing is checked.
  bool (*enqueue_segment_scan)(void* handle, const void* op, const void* data, const device_segments& segments,
                               const void* init, void* out, CUstream_st* stream, accelerator_failure* failed);

  /// As `open`, for an operation on rows, which needs no fold of the library's; device -1: the current one.
  bool (*open_rows)(const row_problem& what, int asked_device, void** handle, int* device, accelerator_failure* failed);
  /// Ends the use of what `open_rows` made.
  void (*close_rows)(void* handle);

  /// Works on the rows that it was opened for, with arrays and mask, too, in memory of any kind, and waits. Where
  /// results lie in the memory of the elements, or of an array, each lies in its element's place. Functions have what
  /// a device needs.
  bool (*run_rows)(void* handle, const row_memory& memory, const row_extras& extras, accelerator_failure* failed);

  /// Enqueues the same on a stream, with everything in device memory, and does not wait.
  bool (*enqueue_rows)(void* handle, const row_memory& memory, const row_extras& extras, CUstream_st* stream,
                       accelerator_failure* failed);

  /// Counts elements in bins, and waits: counts[0 .. what.bins), in host memory. `device` gets the number of the
  /// device. Null: it does not count.
  bool (*count_in_bins)(const bin_request& what, int* device, std::int64_t* counts, accelerator_failure* failed);

  /// Reduces the outputs of the mapping that it was opened for, whose elements `from` computes from arrays in memory of
  /// any kind. Else as run_shape. Null: it computes no elements.
  bool (*run_mapped)(void* handle, const void* op, const mapped_source& from, const void* init, bool finished,
                     void* out, accelerator_failure* failed);

  /// Loads kernels, which stay until the process ends. The record's launches take the operation object as `op`. Null:
  /// it loads none.
  bool (*load_kernels)(const loadable_kernels& from, const device_fold** loaded, accelerator_failure* failed);

  const accelerator_bench* bench;  ///< null: it cannot be measured
};

/// The accelerator of that name, looked for on first need; null where it cannot run, and backends() says why.
ONEFOLD_API const accelerator* accelerator_of(backend b);

}  // namespace onefold
