#include "run/page_device.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "fork.hpp"
#include "quantity.hpp"
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
  const int size = size_of(element);
  if (size <= 1 || reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(size) == 0) return;
  const accelerator_memory kind = by.kind_of(data);
  if (kind == accelerator_memory::device || kind == accelerator_memory::managed)
    refuse("the data is not aligned to " + quantity(size, "byte"));
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

void page_device::fold(const void* op, const slice& whole, std::int64_t first, std::int64_t last, bool continues) {
  nodes_.clear();
  runs_.clear();
  for_each_run(
      recipe_.page, whole, first, last, continues,
      [this](int level, std::int64_t index, std::int64_t from, std::int64_t n) { add(level, index, from, n); });
  run(op, whole);
}

void page_device::fold_whole(const void* op, const slice& whole) {
  nodes_.clear();
  runs_.clear();
  add(0, 0, 0, whole.n);
  run(op, whole);
}

void page_device::add(int level, std::int64_t index, std::int64_t from, std::int64_t n) {
  nodes_.push_back({level, index});
  runs_.push_back({from, n});
}

void page_device::run(const void* op, const slice& whole) {
  states_.clear();
  states_.extend(runs_.size() * recipe_.state_size);
  accelerator_failure failed{};
  if (!accelerator_.run_nodes(handle_, op, whole.data, whole.index, runs_.data(), static_cast<int>(runs_.size()),
                              states_.data(), &failed))
    fail(failed);
}

}  // namespace onefold::detail
