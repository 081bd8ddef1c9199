#include "run/page_device.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "fork.hpp"
#include "quantity.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"

namespace onefold::detail {

accelerator_work work_of(const choice& c, int device) {
  return {sizeof(accelerator_work),
          c.recipe,
          c.operation,
          c.element,
          c.mode,
          c.kernel,
          device,
          c.result,
          c.result_size,
          c.segmented ? c.elements : c.n,
          c.shape,
          c.maps,
          c.selects,
          gives_index(c),
          c.segmented,
          c.keys,
          c.exclusive,
          c.segments,
          c.scan,
          c.scan_results};
}

void require_accelerator(backend b) {
  if (accelerator_lost())
    throw error(error_code::backend_unavailable,
                std::string("backend ") + name_of(b) + " cannot run: " + why_accelerator_lost);
}

void require_aligned_on_device(const accelerator& by, dtype element, const void* data) {
  require_aligned_on_device(by, size_of(element), data, "the data");
}

void require_aligned_on_device(const accelerator& by, std::int64_t align, const void* data, const std::string& what) {
  if (align <= 1 || reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(align) == 0) return;
  const accelerator_memory kind = by.kind_of(data);
  if (kind == accelerator_memory::device || kind == accelerator_memory::managed)
    refuse(what + " is not aligned to " + quantity(align, "byte"));
}

page_device::page_device(const choice& c, int device, std::int64_t n)
    : recipe_(*c.recipe),
      accelerator_(*c.accelerator),
      states_(std::max<std::size_t>(c.recipe->state_align, alignof(std::max_align_t))) {
  accelerator_work work = work_of(c, device);
  work.n = n;
  accelerator_failure failed{};
  if (!accelerator_.open(work, &handle_, &device_, &failed)) fail(failed);
}

page_device::~page_device() {
  if (!accelerator_lost()) accelerator_.close(handle_);
}

void page_device::clear() {
  nodes_.clear();
  runs_.clear();
}

void page_device::add(const slice& whole, std::int64_t first, std::int64_t last, bool continues) {
  for_each_run(recipe_.page, whole, first, last, continues,
               [&](int level, std::int64_t index, std::int64_t from, std::int64_t n) {
                 nodes_.push_back({level, index});
                 runs_.push_back(
                     {static_cast<const std::byte*>(whole.data) + from * recipe_.element_size, whole.index + from, n});
               });
}

void page_device::add_full(const slice& whole, std::int64_t pages, bool order_independent) {
  if (!order_independent) return add(whole, 0, pages, true);
  nodes_.push_back({0, 0});
  runs_.push_back({whole.data, whole.index, whole.n});
}

void page_device::start(const void* op) {
  states_.clear();
  states_.extend(runs_.size() * recipe_.state_size);
  accelerator_failure failed{};
  if (!accelerator_.start_nodes(handle_, op, runs_.data(), static_cast<int>(runs_.size()), &failed)) fail(failed);
}

void page_device::finish() {
  accelerator_failure failed{};
  if (!accelerator_.finish_nodes(handle_, states_.data(), &failed)) fail(failed);
}

std::pair<const std::byte*, const std::byte*> copied_ends::copy(const std::byte* p, std::size_t bytes,
                                                                const std::byte* q, std::size_t more) {
  copies_.clear();
  std::byte* const to = copies_.extend(bytes + more);
  const auto copy = [this](std::byte* here, const std::byte* there, std::size_t size) {
    accelerator_failure failed{};
    if (size > 0 && !by_->copy(here, there, static_cast<std::int64_t>(size), &failed)) fail(failed);
  };
  copy(to, p, bytes);
  copy(to + bytes, q, more);
  return {to, to + bytes};
}

void require_reads(const options& how, const memory_location& where) {
  const backend asked = resolve_backend(how).backend;
  if (asked != backend::automatic && asked != where.backend)
    refuse(std::string("the data is in device memory, which backend ") + name_of(asked) +
           " cannot read; use automatic");
}

choice choice_on_device(const partial_kind& what, const recipe& r, const memory_location& where, int device) {
  choice c{};
  c.recipe = &r;
  c.accelerator = where.owner;
  c.backend = where.backend;
  c.operation = what.operation;
  c.element = what.element;
  c.mode = what.mode;
  c.device = device;
  c.level = r.level;
  c.why = "the data is in device memory";
  c.keys = c.result = dtype::other;
  return c;
}

}  // namespace onefold::detail
