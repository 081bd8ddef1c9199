// For authors of GPU operations: the record of a fold that runs on a device, as recipe.hpp is for the CPU.
//
// The side that compiled the kernels fills it in (the CUDA module for the catalog and for texts, a .cu file for its own
// operations); the module allocates, moves data and launches. Plain C++: needs no CUDA header.
#pragma once

#include <cstdint>

#include "onefold/problem.hpp"
#include "onefold/types.hpp"

struct CUstream_st;  // what cudaStream_t points to

namespace onefold {

/// One launch of a fold: everything that is not a type.
struct device_launch {
  const void* op;                ///< the operation object in host memory, or null where it has no members
  const void* data;              ///< elements that the device can read
  std::int64_t n;                ///< how many; with `device_n` the most
  const std::int64_t* device_n;  ///< null, or device memory that holds how many
  std::int64_t first;            ///< the index of data[0] in the whole array, a multiple of the page
  void* slots;                   ///< device memory of slot_bytes(n), zero before the first launch; left zero by each
  void* out;                     ///< where the state or the result goes, for the device to write
  std::uint32_t mailbox_flag;    ///< not 0: `out` is a mailbox of flagged words (below) with this flag
  bool finish;                   ///< write the result instead of the state
  bool has_init;                 ///< with `finish`: whether there is an initial value
  unsigned char init[16];        ///< with `finish`: a value of the operation's own result type
  int operation;                 ///< with `finish`: the operation's place in the catalog
  int processors;                ///< multiprocessors of the device
  int rung;                      ///< which kernel, as in enum kernel
  CUstream_st* stream;           ///< to launch on
  bool in_integers;              ///< exact sums add integers only
  bool follows;  ///< the work before it in the stream is such a launch too: this one may begin while that ends
  void* kept;    ///< null, or device memory of `kept_bytes` bytes for a scan (device_scan::kept_bytes)
  std::int64_t kept_bytes;  ///< at least what the scan asks for; the same in all launches with this memory
};

/// What launches need to know of a fold over elements of a type; in bytes.
struct fold_layout {
  std::int32_t fold;         ///< of the operation object
  std::int32_t element;      ///< of an element
  std::int32_t lane;         ///< of a lane's state
  std::int32_t state;        ///< of a page's state
  std::int32_t state_align;  ///< its alignment
  bool has_tiles;            ///< a thread can have several states, over plain elements that are loaded at once
  bool may_be_misaligned;    ///< elements need not be aligned to their size
};

/// A fold compiled for the device. A *flagged word* is 8 bytes: 4 of payload below, 4 of flag above, written at once,
/// so that a reader that sees the flag sees the payload. All functions take the record that they are in.
struct device_fold {
  std::uint32_t size;  ///< sizeof(device_fold) where it was filled in: a border check
  fold_layout layout;  ///< of the fold

  /// Bytes of scratch that a launch over up to n elements takes.
  std::int64_t (*slot_bytes)(const device_fold& self, std::int64_t n, int rung);

  /// Null if the kernel can hold the operation's state, else why not.
  const char* (*why_not)(const device_fold& self, int rung);

  /// Launches; returns a cudaError_t.
  int (*launch)(const device_fold& self, const device_launch& how);

  /// Bytes of scratch that a launch over a shape takes, of any contents.
  std::int64_t (*shape_slot_bytes)(const device_fold& self, const problem& shape);

  /// Launches kernel canonical over the outputs of a shape, whose first element is at how.data; `n`, `device_n`,
  /// `first`, `mailbox_flag` and `rung` are ignored. Results, or states, go to how.out, `distance` bytes apart. Returns
  /// a cudaError_t.
  int (*launch_shape)(const device_fold& self, const device_launch& how, const problem& shape, std::int32_t distance);

  /// Bytes of scratch that a launch over at most this many segments and elements takes, of any contents.
  std::int64_t (*segment_slot_bytes)(const device_fold& self, std::int64_t segments, std::int64_t elements);

  /// As launch_shape, over segments of the elements at how.data, whose offsets are in device memory.
  int (*launch_segments)(const device_fold& self, const device_launch& how, const device_segments& segments,
                         std::int32_t distance);
};

/// Scans with a fold, compiled for the device.
struct device_scan {
  std::uint32_t size;  ///< sizeof(device_scan) where it was filled in: a border check

  /// Bytes of scratch that a scan of these lines takes, of any contents.
  std::int64_t (*slot_bytes)(const problem& from);

  /// Bytes of scratch that is kept from launch to launch, zero before the first: for scans of any lines in turn, but
  /// for one at a time.
  std::int64_t (*kept_bytes)(const problem& from);

  /// Launches the scan of the lines of `from`, which begin at how.data and have elements, into results that lie at
  /// how.out as `to` says, `distance` bytes each. `n`, `device_n`, `first`, `mailbox_flag`, `finish` and `rung` are
  /// ignored. The results may be the elements. Returns a cudaError_t.
  int (*launch)(const device_launch& how, const problem& from, const problem& to, bool exclusive,
                std::int32_t distance);

  /// Launches the scan of segments of the elements at how.data, whose offsets are in device memory: the result of
  /// element i lies at how.out + i * distance. Segments of more than `longest` elements are left out; it takes no
  /// scratch. Else as `launch`.
  int (*launch_segments)(const device_launch& how, const device_segments& segments, std::int64_t longest,
                         bool exclusive, std::int32_t distance);
};

}  // namespace onefold
