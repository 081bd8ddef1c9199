// What the stand-in for CUDA opens: a session, the CPU's fold that works for it, and the ways in which it fails.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "onefold/backend.hpp"
#include "program/fake_cuda/kernels.hpp"

namespace fake_cuda {

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
  int device;
  const recipe* host;
  dtype result;
  int result_size;
  problem shape;
  mapping maps;
  selection selects;
  bool gives_index;
  dtype key_type;
  problem results;
  bool exclusive;
  made_groups groups;
  std::unique_ptr<void, decltype(&std::free)> nodes{nullptr, std::free};  ///< states of those started last
  std::size_t node_bytes = 0;
};

inline bool fails(accelerator_failure* failed, error_code code, const char* text) {
  failed->code = code;
  std::snprintf(failed->text, sizeof failed->text, "%s", text);
  return false;
}

/// How many devices there are: as many as the environment says, else one.
inline int devices() {
  const char* const said = std::getenv("FAKE_DEVICES");
  return said ? std::atoi(said) : 1;
}

inline bool open(const accelerator_work& what, void** handle, int* device, accelerator_failure* failed) {
  if (choosy && what.kernel != kernel::canonical && what.kernel != kernel::automatic)
    return fails(failed, error_code::unsupported, "the stand-in has no such kernel");
  if (what.device >= devices()) return fails(failed, error_code::invalid_argument, "the device is out of range");
  if (!has_kernels(what)) return fails(failed, error_code::device, "the session lacks its kernels");
  *device = what.device < 0 ? 0 : what.device;
  *handle = new session{*device,
                        what.host,
                        what.result,
                        what.result_size,
                        what.shape ? *what.shape : problem{},
                        what.maps ? *what.maps : mapping{},
                        what.selects ? *what.selects : selection{},
                        what.gives_index,
                        what.keys,
                        what.results ? *what.results : problem{},
                        what.exclusive,
                        {}};
  return true;
}
inline void close(void* handle) { delete static_cast<session*>(handle); }

inline void fold(const session& o, const void* op, const void* data, std::int64_t n, void* state,
                 std::int64_t index = 0) {
  const std::int64_t pages = std::max<std::int64_t>((n + o.host->page - 1) / o.host->page, 1);
  const int log2 = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(pages - 1)));
  std::vector<std::max_align_t> room(static_cast<std::size_t>(room_bytes(*o.host, pages)) / sizeof(std::max_align_t) +
                                     1);
  o.host->fold(op, {data, n, index}, 0, 1, log2, state, room.data());
}

/// How far the element with this number, in C order, is from the first.
inline std::int64_t offset(const axis* axes, std::int32_t count, std::int64_t number) {
  std::int64_t at = 0;
  for (std::int32_t i = count; i-- > 0; number /= axes[i].extent) at += number % axes[i].extent * axes[i].stride;
  return at;
}

}  // namespace fake_cuda
