#include "run/device_rows.hpp"

#include <string>

#include "fork.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/mapping.hpp"
#include "run/page_device.hpp"

namespace onefold::detail {

device_rows::device_rows(const accelerator& on, const row_problem& what, int& device) : on_(on), what_(what) {
  accelerator_failure failed{};
  if (!on_.open_rows(what, device, &handle_, &device, &failed)) fail(failed);
}

device_rows::~device_rows() {
  if (!accelerator_lost()) on_.close_rows(handle_);
}

/// As in device_executor: elements and results in device memory have their own alignment.
void device_rows::require_aligned(const row_memory& memory, const row_extras& extras) const {
  const auto require = [&](const void* p, int size) {
    if ((reinterpret_cast<std::uintptr_t>(p) & static_cast<std::uintptr_t>(size - 1)) == 0) return;
    const accelerator_memory kind = on_.kind_of(p);
    if (kind == accelerator_memory::device || kind == accelerator_memory::managed)
      throw error(error_code::invalid_argument, "the data is not aligned to " + quantity(size, "byte"));
  };
  const int size = size_of(what_.what.element), of_value = size == 8 ? 8 : 4;
  for (const void* p : {memory.data, static_cast<const void*>(memory.results), memory.weight, memory.bias})
    require(p, size);
  require(memory.mean, of_value);
  require(memory.rstd, of_value);
  for (int k = 0; k < what_.maps.arrays; ++k)
    require_aligned_on_device(on_, extras.from.arrays[k].element_align, extras.from.arrays[k].data,
                              "the data" + number_of_array(what_.maps, k));
}

void device_rows::run(const row_memory& memory, const row_extras& extras) {
  if (accelerator_lost())
    throw error(error_code::backend_unavailable,
                std::string("backend ") + on_.name + " cannot run: " + why_accelerator_lost);
  require_aligned(memory, extras);
  accelerator_failure failed{};
  if (!on_.run_rows(handle_, memory, extras, &failed)) fail(failed);
}

void device_rows::enqueue(const row_memory& memory, const row_extras& extras, CUstream_st* stream) {
  require_aligned(memory, extras);
  accelerator_failure failed{};
  if (!on_.enqueue_rows(handle_, memory, extras, stream, &failed)) fail(failed);
}

}  // namespace onefold::detail
