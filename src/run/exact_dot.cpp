#include "onefold/detail/exact_dot.hpp"

#include <span>
#include <string>

#include "choose.hpp"
#include "cpu.hpp"
#include "modules.hpp"
#include "onefold/detail/exact/product_parts.hpp"
#include "onefold/detail/vector_functions.hpp"
#include "onefold/map_reduce.hpp"
#include "quantity.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/executor.hpp"
#include "run/mapping.hpp"

namespace onefold::detail {
namespace {

/// The exact sum of computed elements of type f64, folded by an accelerator.
template <class M>
superaccumulator sum_of(const M& elements, options how) {
  const mapped_problem<double> problem(elements.axes(), over{});
  const mapped_source from = elements.source();
  how.accuracy = accuracy::exact;
  const float_environment ieee;
  const request what = problem.request_for<op::sum, double>(false, from.device);
  choice c = choose(what, how, nullptr);
  superaccumulator sum{};
  if (c.recipe->state_size != sizeof sum)
    throw error(error_code::unsupported, "exact sums of f64 have another form in this build");
  executor(c).device().fold_mapped(from, &sum);
  return sum;
}

template <class T>
void add_products(std::span<const T> x, std::span<const T> y, const options& how, product_accumulator* sum) {
  add_scaled(*sum, sum_of(mapped(product_as<double>{}, x, y), how), 0);  // f64 holds products of narrower elements
}
template <>
void add_products(std::span<const double> x, std::span<const double> y, const options& how, product_accumulator* sum) {
  const superaccumulator rounded = sum_of(mapped(rounded_product{}, x, y), how);
  if (rounded.special == 0) {
    add_scaled(*sum, rounded, 0);
    add_scaled(*sum, sum_of(mapped(lost_product{}, x, y), how), 0);
    return;
  }
  const unsigned bands = reduce_mapped<op::bit_or, void>(mapped(band_of_product{}, x, y), how, op::bit_or{});
  for (int band = 0; band < product_bands; ++band)
    for (const bool high : {false, true})
      if ((bands >> band & 1) != 0)
        add_scaled(*sum, sum_of(mapped(part_of_product{band, high}, x, y), how), shift_of_band(band));
}

}  // namespace

void require_host_reads_second(const void* y, const options& how) {
  if (locate(y).kind != accelerator_memory::device) return;
  const backend asked = resolve_backend(how).backend;
  refuse("the second array is in device memory, which " +
         (asked == backend::automatic ? "a CPU" : std::string("backend ") + name_of(asked)) + " cannot read");
}

bool dot_on_device(dtype element, const void* x, const void* y, std::int64_t n, const options& how,
                   product_accumulator* sum) {
  const backend asked = resolve_backend(how).backend;
  if (!is_accelerator(asked) && asked != backend::automatic) {
    require_host_reads_second(y, how);
    return false;
  }
  if (n > 0 && !x) refuse("the data pointer is null, but " + there_are(n, "element"));
  bool is_done = false;
  for_each_type(element_types{}, [&]<class T>() {
    if constexpr (is_float<T>) {
      if (element != dtype_of<T>) return;
      const auto size = static_cast<std::size_t>(n);
      const std::span<const T> first(static_cast<const T*>(x), size), second(static_cast<const T*>(y), size);
      const auto products = mapped(product_as<double>{}, first, second);
      mapping arrays;
      make_mapping(products.axes(), over{}, &arrays);
      options there = how;
      there.accuracy = accuracy::native;
      there.backend = asked;
      if (asked == backend::automatic) {
        const memory_location at = locate_arrays(arrays, products.source(), true);
        if (at.kind != accelerator_memory::device && at.kind != accelerator_memory::managed) return;
        there.backend = at.backend;
      }
      *sum = {};
      add_products(first, second, there, sum);
      is_done = true;
    }
  });
  return is_done;
}

}  // namespace onefold::detail
