// Copies of one array, more than the caches hold, so that no call finds its elements there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "onefold/options.hpp"

namespace onefold {
struct accelerator;
}

namespace onefold::measure {

/// Where elements are.
enum class location : std::uint8_t { host, pinned, device };
inline constexpr std::string_view location_names[] = {"host", "pinned", "device"};
inline constexpr int location_count = static_cast<int>(std::size(location_names));

/// The location's name.
constexpr const char* name_of(location where) { return location_names[static_cast<std::size_t>(where)].data(); }

/// Owns memory that holds an array several times.
class arena {
 public:
  /// Room for `copies` arrays of `bytes` bytes, each aligned to 4096; other memory than the host's is the accelerator's
  /// `owner`, or, where that is automatic, the first one's that can be measured. Throws std::bad_alloc, and
  /// onefold::error where an accelerator's memory is not available (backend_unavailable, unsupported, device).
  arena(location where, std::int64_t bytes, std::int64_t copies, backend owner = backend::automatic);
  ~arena();
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  /// Makes every copy this array of `bytes` bytes, which may be the first copy itself.
  void fill(const void* array);

  location where() const { return where_; }
  std::int64_t bytes() const { return bytes_; }
  std::int64_t copies() const { return copies_; }

  std::byte* first() const { return data_; }
  /// The next copy, from the first to the last and then again.
  std::byte* next() {
    if (++at_ >= copies_) at_ = 0;
    return data_ + at_ * stride_;
  }

 private:
  location where_;
  const accelerator* owner_;  ///< null: the host
  std::int64_t bytes_, stride_, copies_, at_ = 0;
  std::byte* data_ = nullptr;
};

/// The first accelerator that can be measured: it gives out memory, and its time can be taken. Nothing where there is
/// none.
std::optional<backend> measurable_accelerator();

/// Copies of an array that together are twice the largest cache, at least one and at most what `most_bytes` have room
/// for. An array beyond that is one copy: its own beginning is out of the cache when its end is read.
std::int64_t copies_beyond(std::int64_t cache, std::int64_t bytes, std::int64_t most_bytes);

}  // namespace onefold::measure
