// One addition after the other: without -ffast-math no compiler may reorder them.
#include "lab/left_fold.hpp"

#include <bit>
#include <cmath>
#include <type_traits>

#include "input/with_type.hpp"
#include "lab/power_reference.hpp"
#include "onefold/catalog.hpp"

#ifdef __FAST_MATH__
#error "onefold: with -ffast-math this is not a left fold"
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

/// The textbook's one pass over sums and squares, which cancel.
template <class R, class T>
R powers_added_up(std::span<const T> x, power which) {
  R sum{}, squares{};
  for (const T y : x) {
    const R v = static_cast<R>(y);
    sum += v;
    squares += v * v;
  }
  const R n = static_cast<R>(x.size()), divisor = which.sample ? n - 1 : n;
  const R result = which.deviations ? (squares - sum * sum / n) / divisor : squares;
  return which.root ? std::sqrt(result) : result;
}

template <class R>
scalar as_scalar(R x) {
  if constexpr (std::is_integral_v<R>)
    return {"value", dtype_of<R>, std::bit_cast<std::uint64_t>(x)};
  else
    return scalar_of(x);
}

}  // namespace

scalar left_fold(int operation, dtype type, std::span<const std::byte> elements) {
  scalar result{};
  with_type(type, [&]<class T>() {
    const std::span<const T> x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
    using real = typename detail::accumulator<T>::type;
    if (operation == operation_index<op::sum>)
      result = as_scalar(added_up<typename detail::arithmetic_result<T>::type>(x));
    else if (operation == operation_index<op::mean>)
      result = as_scalar(added_up<real>(x) / static_cast<real>(x.size()));
    else
      result = as_scalar(powers_added_up<real>(x, power_of(operation)));
  });
  return result;
}

}  // namespace onefold::cli
