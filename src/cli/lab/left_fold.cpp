// One addition after the other: without -ffast-math no compiler may reorder them.
#include "lab/left_fold.hpp"

#include <bit>
#include <type_traits>

#include "input/with_type.hpp"
#include "onefold/operations/sum.hpp"

#ifdef __FAST_MATH__
#error "onefold: with -ffast-math this would be no left fold"
#endif

namespace onefold::cli {
namespace {

template <class R, class T>
R added_up(std::span<const T> x) {
  using state = std::conditional_t<std::is_integral_v<R>, std::uint64_t, R>;  // integers wrap
  state s{};
  for (const T y : x) s += static_cast<state>(y);
  return static_cast<R>(s);
}

template <class R>
scalar as_scalar(R x) {
  if constexpr (sizeof(R) == 8)
    return {"value", dtype_of<R>, std::bit_cast<std::uint64_t>(x)};
  else
    return {"value", dtype_of<R>, std::bit_cast<std::uint32_t>(x)};
}

}  // namespace

scalar left_fold(dtype type, std::span<const std::byte> elements, bool mean) {
  scalar result{};
  with_type(type, [&]<class T>() {
    const std::span<const T> x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
    using real = typename detail::accumulator<T>::type;
    result = mean ? as_scalar(added_up<real>(x) / static_cast<real>(x.size()))
                  : as_scalar(added_up<typename detail::arithmetic_result<T>::type>(x));
  });
  return result;
}

}  // namespace onefold::cli
