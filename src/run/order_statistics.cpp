// The elements at some ranks of an array, if it were sorted.
#include "onefold/detail/order_statistics.hpp"

#include <string>

#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/catalog.hpp"
#include "onefold/detail/sortable.hpp"
#include "onefold/error.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/cpu_team.hpp"
#include "run/gather.hpp"
#include "run/selector.hpp"

namespace onefold::detail {

void copy_elements(const void* data, const problem& all, std::size_t element_size, void* to) {
  if (!data) refuse("the data pointer is null, but " + there_are(all.n, "element"));
  if (const memory_location where = locate(data); where.kind == accelerator_memory::device && where.owner)
    throw error(error_code::unsupported,
                "the elements are not neighbors, and they are in device memory: copy them to host memory");
  gather(data, {1, 0, &all, 0, all.n}, static_cast<std::int64_t>(element_size), to);
}

void select_ranks(dtype element, const void* data, std::int64_t n, std::span<const std::int64_t> ranks, void* values,
                  const options& how, run_report* ran) {
  const float_environment ieee;
  if (n == 0)
    throw error(error_code::empty_input, "an order statistic of no elements has no value: the input is empty");
  const cpu_team opened("order statistics", element, data, n, how, ran);
  for (const std::int64_t rank : ranks)
    if (rank < 0 || rank >= n)
      refuse("position " + std::to_string(rank) + " is not between 0 and " + std::to_string(n - 1) + ", the last of " +
             quantity(n, "element"));
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> != element) return;
    selector(data, n, keys_in<T>({}), opened.threads(), values).select(ranks);
  });
}

}  // namespace onefold::detail
