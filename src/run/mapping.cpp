#include "run/mapping.hpp"

#include <algorithm>
#include <string>

#include "modules.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

/// "(2, 3)"
std::string extents_of(const mapped_axes& array) {
  std::string text;
  for (const axis& a : std::span(array.axes, array.rank)) text += (text.empty() ? "" : ", ") + std::to_string(a.extent);
  return "(" + text + ")";
}

}  // namespace

void check_mapped_axes(std::span<const mapped_axes> arrays) {
  const mapped_axes& first = arrays[0];
  for (const mapped_axes& a : arrays)
    if (!std::ranges::equal(std::span(a.axes, a.rank), std::span(first.axes, first.rank), {}, &axis::extent,
                            &axis::extent))
      refuse("the arrays of the function have the extents " + extents_of(first) + " and " + extents_of(a) +
             "; they must be equal, with a stride of 0 where an array repeats");
}

std::string number_of_array(const mapping& m, int k) {
  return m.arrays == 1 ? "" : " of array " + std::to_string(k + 1);
}

void require_arrays(const mapping& m, const mapped_source& from) {
  const problem& p = m.of[0];
  if (p.n == 0) return;
  for (int k = 0; k < m.arrays; ++k) {
    const mapped_array& array = from.arrays[k];
    if (array.element_size == 0) continue;
    if (!array.data)
      refuse("the data pointer" + number_of_array(m, k) + " is null, but " + there_are(p.outputs * p.n, "element"));
    if (locate(array.data).kind == accelerator_memory::device)
      refuse("the data" + number_of_array(m, k) +
             " is in device memory, where the function that computes the elements cannot run; copy it to the host");
  }
}

bool check_mapped(const mapping& m, const mapped_source& from, const choice& c, const void* init, const void* results,
                  std::int64_t capacity) {
  const problem& p = m.of[0];
  if (!check_outputs(p, c, init, capacity)) return false;
  require_results(c, results);
  require_writable(c, results);
  require_arrays(m, from);
  for (int k = 0; p.n > 0 && k < m.arrays; ++k) {
    const mapped_array& array = from.arrays[k];
    if (array.element_size > 0 &&
        overlap(results, p.outputs * c.result_size, array.data, reach_of(m.of[k], array.element_size)))
      refuse("the results would overwrite the data" + number_of_array(m, k) + ": their memory overlaps");
  }
  return true;
}

}  // namespace onefold::detail
