// A stand-in for the CUDA module: its device memory is host memory, and the CPU's own fold does the work. So the
// program's ways to an accelerator are tested without one.
//
// ONEFOLD_FAKE_NAME: the backend that it says it is, else cuda. ONEFOLD_FAKE_MEMORY: the environment variable that says
// of which kind all memory is, else FAKE_MEMORY. The environment variable FAKE_DECLINES names a backend that cannot
// run. ONEFOLD_FAKE_wrong: the states have a wrong bit. ONEFOLD_FAKE_broken: every run fails, and its specifications
// are unavailable. ONEFOLD_FAKE_choosy: only kernel canonical runs, and it neither counts in bins nor computes
// elements. ONEFOLD_FAKE_unmeasured: it has no functions for measuring. FAKE_BROKEN_COPY: below. FAKE_DEVICES,
// FAKE_BROKEN_DEVICE and FAKE_LOG: fake_cuda/session.hpp and fake_cuda/arrays.hpp.
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "onefold/backend.hpp"
#include "program/fake_cuda/arrays.hpp"
#include "program/fake_cuda/bins.hpp"
#include "program/fake_cuda/groups.hpp"
#include "program/fake_cuda/kernels.hpp"
#include "program/fake_cuda/mapped.hpp"
#include "program/fake_cuda/rows.hpp"
#include "program/fake_cuda/scans.hpp"
#include "program/fake_cuda/session.hpp"

#ifndef ONEFOLD_FAKE_NAME
#define ONEFOLD_FAKE_NAME cuda
#endif
#ifndef ONEFOLD_FAKE_MEMORY
#define ONEFOLD_FAKE_MEMORY "FAKE_MEMORY"
#endif
#define ONEFOLD_FAKE_TEXT_(x) #x
#define ONEFOLD_FAKE_TEXT(x) ONEFOLD_FAKE_TEXT_(x)

namespace {

using namespace onefold;
using namespace fake_cuda;

constexpr const char* own_name = ONEFOLD_FAKE_TEXT(ONEFOLD_FAKE_NAME);

/// Whether an environment variable says this.
bool says(const char* variable, const char* text) {
  const char* const value = std::getenv(variable);
  return value && std::strcmp(value, text) == 0;
}

const char* version() { return "a stand-in for CUDA"; }
const char* why_not() {
  errno = 0;
  return says("FAKE_DECLINES", own_name) ? "the stand-in declines" : nullptr;
}
void describe(int, char* text, int size) { std::snprintf(text, static_cast<std::size_t>(size), "no device"); }
/// All memory is of the kind that the environment names; "borders": what begins 8 bytes after a border of 4 KiB, where
/// the heap has nothing begin, is device memory; "halves": what begins in the middle between two such places is.
accelerator_memory kind_of(const void* p) {
  const auto is = [&](const char* kind) { return says(ONEFOLD_FAKE_MEMORY, kind); };
  const auto begins_at = [&](std::uintptr_t place) { return reinterpret_cast<std::uintptr_t>(p) % 4096 == place; };
  if (is("device") || (is("borders") && begins_at(8)) || (is("halves") && begins_at(2056)))
    return accelerator_memory::device;
  return is("managed")  ? accelerator_memory::managed
         : is("pinned") ? accelerator_memory::pinned
                        : accelerator_memory::pageable;
}

/// Blocks of 4 KiB of device memory belong to the devices in turn.
int device_of(const void* p) {
  if (kind_of(p) != accelerator_memory::device) return -1;
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) / 4096 % static_cast<std::uintptr_t>(devices()));
}

bool specifications(int, accelerator_specifications* of, accelerator_failure* failed) {
  if (broken) return fails(failed, error_code::device, "the stand-in is broken");
  *of = {"no device", 90, 0, 0};
  return true;
}

bool allocate(accelerator_memory, int, std::int64_t bytes, void** memory, accelerator_failure* failed) {
  void* const all = std::aligned_alloc(4096, static_cast<std::size_t>((bytes + 8 + 4095) / 4096 * 4096));
  *memory = all ? static_cast<char*>(all) + 8 : nullptr;
  return *memory || fails(failed, error_code::device, "no memory");
}
void release(accelerator_memory, void* memory) {
  if (memory) std::free(static_cast<char*>(memory) - 8);
}
/// Fails for as many bytes as the environment says.
bool copy(void* to, const void* from, std::int64_t bytes, accelerator_failure* failed) {
  const char* const broken_copy = std::getenv("FAKE_BROKEN_COPY");
  if (broken_copy && std::atoll(broken_copy) == bytes)
    return fails(failed, error_code::device, "the stand-in is broken");
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
  return true;
}

bool load_kernels(const loadable_kernels& from, const device_fold** loaded, accelerator_failure* failed) {
  const char* const wrong_with = load_named(from, loaded);
  return !wrong_with || fails(failed, error_code::device, wrong_with);
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
    own_name,
    version,
    why_not,
    devices,
    describe,
    kind_of,
    device_of,
    specifications,
    open,
    close,
    run,
    start_nodes,
    finish_nodes,
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
    choosy ? nullptr : count_in_bins,
    choosy ? nullptr : run_mapped,
    load_kernels,
    measured ? &bench : nullptr,
};

}  // namespace

ONEFOLD_EXPORT_ACCELERATOR(ONEFOLD_FAKE_NAME) { return &fake; }
