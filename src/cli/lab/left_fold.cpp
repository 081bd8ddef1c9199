// One addition after the other: without -ffast-math no compiler may reorder them.
#include "lab/left_fold.hpp"

#include <cmath>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "input/with_type.hpp"
#include "lab/power_reference.hpp"
#include "onefold/catalog.hpp"

#ifdef __FAST_MATH__
#error "onefold: with -ffast-math this is not a left fold"
#endif

namespace onefold::cli {
namespace {

/// What a left fold of T adds up in: f32 or f64; for sums of integers, which wrap, u64.
template <class T>
using real_of = typename detail::accumulator<T>::type;
template <class T>
using sum_of = std::conditional_t<std::is_integral_v<typename detail::arithmetic_result<T>::type>, std::uint64_t,
                                  typename detail::arithmetic_result<T>::type>;

/// A number whose bits are the lowest of 64.
template <class R>
R number_in(std::uint64_t bits) {
  R x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <class R>
std::uint64_t bits_of(R x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}

template <class R, class T>
void add(std::span<const T> x, std::uint64_t& sum) {
  R s = number_in<R>(sum);
  for (const T y : x) s += static_cast<R>(y);
  sum = bits_of(s);
}

/// The textbook's one pass over sums and squares, which cancel.
template <class R, class T>
void add_powers(std::span<const T> x, std::uint64_t& sum, std::uint64_t& squares) {
  R s = number_in<R>(sum), q = number_in<R>(squares);
  for (const T y : x) {
    const R v = static_cast<R>(y);
    s += v;
    q += v * v;
  }
  sum = bits_of(s);
  squares = bits_of(q);
}
template <class R>
R power_from(R sum, R squares, R n, power which) {
  const R divisor = which.sample ? n - 1 : n;
  const R result = which.deviations ? (squares - sum * sum / n) / divisor : squares;
  return which.root ? std::sqrt(result) : result;
}

}  // namespace

void left_fold::push(std::span<const std::byte> elements) {
  with_type(type_, [&]<class T>() {
    const std::span<const T> x(reinterpret_cast<const T*>(elements.data()), elements.size() / sizeof(T));
    count_ += std::ssize(x);
    if (operation_ == operation_index<op::sum>)
      add<sum_of<T>>(x, sum_);
    else if (operation_ == operation_index<op::mean>)
      add<real_of<T>>(x, sum_);
    else
      add_powers<real_of<T>>(x, sum_, squares_);
  });
}

scalar left_fold::value() const {
  scalar result{};
  with_type(type_, [&]<class T>() {
    using R = real_of<T>;
    const R n = static_cast<R>(count_);
    if (operation_ == operation_index<op::sum>)
      result = {"value", dtype_of<typename detail::arithmetic_result<T>::type>, sum_};
    else if (operation_ == operation_index<op::mean>)
      result = scalar_of(number_in<R>(sum_) / n);
    else
      result = scalar_of(power_from(number_in<R>(sum_), number_in<R>(squares_), n, power_of(operation_)));
  });
  return result;
}

}  // namespace onefold::cli
