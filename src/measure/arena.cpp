#include "measure/arena.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "backends.hpp"
#include "onefold/backend.hpp"

namespace onefold::measure {
namespace {

constexpr std::int64_t memory_page = 4096;

/// The accelerator that gives out memory where that is not the host's.
const accelerator* owner_of(location where, backend asked) {
  if (where == location::host) return nullptr;
  if (asked == backend::automatic) asked = measurable_accelerator().value_or(detail::accelerators().front());
  const accelerator* const device = accelerator_of(asked);
  if (!device)
    throw error(error_code::backend_unavailable,
                std::string("pinned and device memory require backend ") + name_of(asked) + ", which cannot run here");
  if (!device->bench)
    throw error(error_code::unsupported,
                std::string("backend ") + device->name + " cannot be measured: it provides no memory");
  return device;
}

accelerator_memory kind_of(location where) {
  return where == location::pinned ? accelerator_memory::pinned : accelerator_memory::device;
}

}  // namespace

arena::arena(location where, std::int64_t bytes, std::int64_t copies, backend owner)
    : where_(where),
      owner_(owner_of(where, owner)),
      bytes_(bytes),
      stride_((std::max<std::int64_t>(bytes, 1) + memory_page - 1) / memory_page * memory_page),
      copies_(copies) {
  const std::int64_t size = stride_ * copies_;
  if (!owner_) {
    data_ = static_cast<std::byte*>(::operator new (static_cast<std::size_t>(size), std::align_val_t{memory_page}));
    return;
  }
  accelerator_failure failed{};
  void* memory = nullptr;
  if (!owner_->bench->allocate(kind_of(where_), -1, size, &memory, &failed)) throw error(failed.code, failed.text);
  data_ = static_cast<std::byte*>(memory);
}

arena::~arena() {
  if (!owner_)
    ::operator delete (data_, std::align_val_t{memory_page});
  else
    owner_->bench->release(kind_of(where_), data_);
}

void arena::fill(const void* array) {
  for (std::int64_t i = 0; i < copies_; ++i) {
    std::byte* const to = data_ + i * stride_;
    if (to == array) continue;
    if (where_ != location::device) {
      std::memcpy(to, array, static_cast<std::size_t>(bytes_));
      continue;
    }
    accelerator_failure failed{};
    if (!owner_->copy(to, i == 0 ? array : data_, bytes_, &failed)) throw error(failed.code, failed.text);
  }
}

std::optional<backend> measurable_accelerator() {
  for (const backend b : detail::accelerators())
    if (const accelerator* const device = accelerator_of(b); device && device->bench) return b;
  return std::nullopt;
}

std::int64_t copies_beyond(std::int64_t cache, std::int64_t bytes, std::int64_t most_bytes) {
  const std::int64_t stride = (std::max<std::int64_t>(bytes, 1) + memory_page - 1) / memory_page * memory_page;
  return std::clamp<std::int64_t>((2 * cache + stride - 1) / stride, 1, std::max<std::int64_t>(1, most_bytes / stride));
}

}  // namespace onefold::measure
