// An mdspan whose accessor computes the elements: a view would read what is stored.
// says: onefold: the accessor of this mdspan does not return references to its elements, so that a view would read other values: copy
#include "onefold/onefold.hpp"

struct scaled {
  using element_type = const float;
#ifdef ONEFOLD_MISTAKE
  using reference = float;
#else
  using reference = const float&;
#endif
  const float* data_handle() const { return p; }
  static constexpr std::size_t rank() { return 1; }
  std::size_t extent(std::size_t) const { return 3; }
  std::size_t stride(std::size_t) const { return 1; }
  const float* p;
};

float f(const scaled& m) { return onefold::sum(m); }
