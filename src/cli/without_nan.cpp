#include "without_nan.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "computation.hpp"
#include "input/with_type.hpp"
#include "onefold/catalog.hpp"

namespace onefold::cli {

reduced reduced_without_nan(int operation, dtype type, const options& how, const void* data, std::int64_t n) {
  const axis list{n, 1};
  dynamic_selected_plan plan(operation, type, {&list, 1}, {mask_kind::not_nan}, {}, how);
  return results_of(operation_name(operation), plan, plan.extents(), plan.size(),
                    [&](void* to) { plan.run(data, nullptr, to, plan.size()); });
}

std::int64_t count_nan(dtype type, options how, const void* data, std::int64_t n) {
  how.accuracy = accuracy::native;
  constexpr int count = operation_index<op::count>;
  const auto value = [](const std::vector<scalar>& numbers) { return static_cast<std::int64_t>(numbers[0].bits); };
  return value(reduce_dynamic(count, type, data, n, how).values) -
         value(reduced_without_nan(count, type, how, data, n).numbers(0));
}

byte_buffer copied_without_nan(dtype type, std::span<const std::byte> elements) {
  byte_buffer copy;
  std::byte* const room = copy.room(elements.size());
  with_type(type, [&]<class T>() {
    const auto* const x = reinterpret_cast<const T*>(elements.data());
    auto* const to = reinterpret_cast<T*>(room);
    const T* const end = std::copy_if(x, x + elements.size() / sizeof(T), to,
                                      [](T value) { return !std::isnan(static_cast<float>(value)); });
    copy.grow(static_cast<std::size_t>(end - to) * sizeof(T));
  });
  return copy;
}

}  // namespace onefold::cli
