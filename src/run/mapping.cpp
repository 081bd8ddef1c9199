#include "run/mapping.hpp"

#include <algorithm>
#include <string>

#include "cpu.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/mapped_reader.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

/// "(2, 3)"
std::string extents_of(const mapped_axes& array) {
  std::string text;
  for (const axis& a : std::span(array.axes, array.rank)) text += (text.empty() ? "" : ", ") + std::to_string(a.extent);
  return "(" + text + ")";
}

[[noreturn]] void refuse_device_data(const mapping& m, int k) {
  refuse("the data" + number_of_array(m, k) +
         " is in device memory, where the function that computes the elements cannot run; copy it to the host");
}

/// Throws invalid_argument where the pointer to an array is null.
void require_arrays(const mapping& m, const mapped_source& from) {
  const problem& p = m.of[0];
  for (int k = 0; p.n > 0 && k < m.arrays; ++k)
    if (from.arrays[k].element_size > 0 && !from.arrays[k].data)
      refuse("the data pointer" + number_of_array(m, k) + " is null, but " + there_are(p.outputs * p.n, "element"));
}

/// Throws unsupported where elements are not in memory that is known, which an accelerator cannot read.
void require_contiguous(const mapping& m, const mapped_source& from, backend accelerator) {
  for (int k = 0; m.of[0].n > 0 && k < m.arrays; ++k)
    if (from.arrays[k].element_size == 0)
      throw error(error_code::unsupported, "the elements" + number_of_array(m, k) +
                                               " are not in contiguous memory, where backend " + name_of(accelerator) +
                                               " finds them; use backend cpu, or copy them to a std::vector");
}

}  // namespace

void check_mapped_axes(std::span<const mapped_axes> arrays) {
  const mapped_axes& first = arrays[0];
  for (const mapped_axes& a : arrays)
    if (!std::ranges::equal(std::span(a.axes, a.rank), std::span(first.axes, first.rank), {}, &axis::extent,
                            &axis::extent))
      refuse("the arrays have the extents " + extents_of(first) + " and " + extents_of(a) +
             "; they must be equal, with a stride of 0 where an array repeats");
}

std::string number_of_array(const mapping& m, int k) {
  return m.arrays == 1 ? "" : " of array " + std::to_string(k + 1);
}

memory_location locate_arrays(const mapping& m, const mapped_source& from, bool any_backend) {
  if (m.of[0].n == 0 || m.of[0].outputs == 0) return {};
  memory_location all{};  // of the kind that decides: device memory, else the host's, else managed memory
  int far = -1, near = -1;
  for (int k = 0; k < m.arrays; ++k) {
    const memory_location at = from.arrays[k].element_size > 0 ? locate(from.arrays[k].data) : memory_location{};
    if (at.kind == accelerator_memory::device) {
      if (!from.device.exists()) refuse_device_data(m, k);
      if (far >= 0 && at.owner != all.owner)
        refuse("the data" + number_of_array(m, far) + " is in memory of backend " + name_of(all.backend) +
               ", and that" + number_of_array(m, k) + " in memory of backend " + name_of(at.backend));
      if (far < 0) all = at;
      far = k;
    } else if (at.kind != accelerator_memory::managed) {
      if (far < 0) all = at;
      near = k;
    } else if (far < 0 && near < 0) {
      all = at;
    }
  }
  if (any_backend && far >= 0 && near >= 0)
    refuse("the data" + number_of_array(m, far) + " is in device memory, and that" + number_of_array(m, near) +
           " is in host memory; copy one of them, or use backend " + name_of(all.backend) +
           ", which copies what is in host memory");
  return from.device.exists() ? all : memory_location{};
}

void require_host_arrays(const mapping& m, const mapped_source& from) {
  require_arrays(m, from);
  for (int k = 0; m.of[0].n > 0 && k < m.arrays; ++k)
    if (from.arrays[k].element_size > 0 && locate(from.arrays[k].data).kind == accelerator_memory::device)
      refuse_device_data(m, k);
}

void store_elements(const mapping& maps, const mapped_source& from, void* to) {
  const float_environment ieee;
  require_host_arrays(maps, from);
  if (maps.of[0].n > 0) mapped_reader(maps).read(from, {0, 1, 0, maps.of[0].n}, false, to);
}

void require_arrays_for(const mapping& m, const mapped_source& from, backend accelerator) {
  if (!from.device.exists()) throw runs_on_cpus_only(accelerator);
  require_arrays(m, from);
  require_contiguous(m, from, accelerator);
}

bool check_mapped(const mapping& m, const mapped_source& from, const choice& c, const void* init, const void* results,
                  std::int64_t capacity) {
  const problem& p = m.of[0];
  if (!check_outputs(p, c, init, capacity)) return false;
  if (!c.scheduler && !from.device.exists()) throw runs_on_cpus_only(c.backend);
  require_results(c, results);
  require_writable(c, results);
  require_arrays(m, from);
  for (int k = 0; p.n > 0 && k < m.arrays; ++k) {
    const mapped_array& array = from.arrays[k];
    if (array.element_size > 0 &&
        overlap(results, p.outputs * c.result_size, array.data, reach_of(m.of[k], array.element_size)))
      refuse("the results would overwrite the data" + number_of_array(m, k) + ": their memory overlaps");
  }
  if (!c.scheduler) require_contiguous(m, from, c.backend);
  return true;
}

}  // namespace onefold::detail
