// Elements that any operation bears.
#include <cstdint>
#include <cstring>
#include <vector>

#include "elements.hpp"
#include "measure/calibration.hpp"
#include "onefold/reduce.hpp"

namespace onefold::measure {

void fill_with_small_numbers(arena& a, dtype element) {
  const std::int64_t n = detail::elements_in(a.bytes(), element);
  std::vector<std::byte> array(static_cast<std::size_t>(a.bytes()));
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> != element) return;
    for (std::int64_t i = 0; i < n; ++i) {
      const auto number = static_cast<int>((static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15) >> 58);
      T x;
      if constexpr (detail::is_integer<T>)
        x = static_cast<T>(number);
      else
        x = static_cast<T>(static_cast<float>(number) / 64);
      std::memcpy(array.data() + i * static_cast<std::int64_t>(sizeof(T)), &x, sizeof x);
    }
  });
  a.fill(array.data());
}

}  // namespace onefold::measure
