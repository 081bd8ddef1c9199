// How an exact launch ends: the sums are written, or rounded.
#pragma once

#include <new>

#include "onefold/catalog.hpp"
#include "onefold/detail/cuda/outcome.cuh"
#include "onefold/detail/folds.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The sum, or the mean, rounded: by a warp, in its first thread. Few limbs are not zero as a rule, and those are
/// rounded alone.
template <class R>
__device__ R round_by_warp(const superaccumulator& sum, bool mean, std::int64_t n) {
  constexpr int few = 12;
  int low = superaccumulator::limbs, top = 0;
  for (int i = lane_id(); i < superaccumulator::limbs; i += 32)
    if (sum.limb[i] != 0) {
      low = min(low, i);
      top = i + 1;
    }
  low = __reduce_min_sync(whole_warp, low);
  top = __reduce_max_sync(whole_warp, top);
  if (mean && n == 0) return special_value<R>(not_a_number);
  if (sum.special || top - low > few - 2) return mean ? round_mean<R>(sum, n).value : round<R>(sum).value;
  long_integer<few, superaccumulator::low_bit> part{};
  for (int i = 0; i < few; ++i) part.limb[i] = low + i < top ? sum.limb[low + i] : 0;
  const magnitude<few, superaccumulator::low_bit> m(part);
  front f = mean ? quotient_front(m, static_cast<std::uint64_t>(n)) : front_of(m);
  f.exponent += 32 * low;
  return round_front<R>(f).value;
}

/// Writes the sums themselves, by all threads of a block.
template <class Total>
__device__ void write_sums(const Total& sums, const destination& to) {
  const auto* const word = reinterpret_cast<const std::uint32_t*>(&sums);
  for (int i = static_cast<int>(threadIdx.x); i < words<Total>::count; i += static_cast<int>(blockDim.x)) {
    if (to.mailbox_flag)
      static_cast<volatile std::uint64_t*>(to.out)[i] = std::uint64_t{to.mailbox_flag} << 32 | word[i];
    else
      static_cast<std::uint32_t*>(to.out)[i] = word[i];
  }
}

/// The shared memory that a result of Total takes while it is made.
template <class Total>
struct exact_room {};

/// Calls f.operator()<Op, F>() for each operation over T whose fold F at accuracy exact has the state Total: what it
/// asks of F is what a new operation has to say before it compiles.
template <class Total, class T, class Function>
__device__ void for_each_exact(Function&& f) {
  for_each_type(operations{}, [&]<class Op>() {
    if constexpr (cataloged<Op, T>) {
      if constexpr (Op::template declines<T>(accuracy::exact) == nullptr) {
        using F = fold_of<Op, T, accuracy::exact>;
        if constexpr (__is_same(lane_state<F, T>, Total)) f.template operator()<Op, F>();
      }
    }
  });
}

/// Whether a mean of elements T is asked for; otherwise their sum.
template <class T>
__device__ bool asks_for_mean(const destination& to) {
  bool mean = false;
  for_each_exact<superaccumulator, T>([&]<class Op, class F>() {
    static_assert(__is_same(element_result<Op, T>, element_result<op::sum, T>));
    if (to.operation == operation_index<Op>) mean = F::is_mean;
  });
  return mean;
}

/// Writes the outcome of a sum of elements T, by all threads of a block.
template <class T>
__device__ void write_exact(superaccumulator& sum, std::int64_t n, const destination& to, void*) {
  if (!to.finish) return write_sums(sum, to);
  if (threadIdx.x >= 32) return;
  using R = element_result<op::sum, T>;
  const bool mean = asks_for_mean<T>(to);
  const bool join = to.has_init && n > 0;
  if (threadIdx.x == 0 && join) add(sum, *reinterpret_cast<const R*>(to.init));
  __syncwarp();
  // Of no elements there is no zero whose sign could count.
  const R r = to.has_init && !join ? *reinterpret_cast<const R*>(to.init) : round_by_warp<R>(sum, mean, n);
  if (threadIdx.x == 0) *static_cast<R*>(to.out) = r;
}

// ---- powers ------------------------------------------------------------------------------------------------

/// The numbers of a variance: thousands of bytes, of which each thread of a device would have to have its own.
template <>
struct exact_room<power_sums> {
  quotient value;
  magnitude<product_accumulator::limbs, product_accumulator::low_bit> squares;
  magnitude<superaccumulator::limbs, superaccumulator::low_bit> sum;
  magnitude<quotient::limbs, quotient::low_bit> size;

  template <int Limbs, int LowBit>
  __device__ static unrounded unrounded_in(magnitude<Limbs, LowBit>& m, const long_integer<Limbs, LowBit>& a,
                                           bool root) {
    new (&m) magnitude<Limbs, LowBit>(a);
    return {root ? root_front(m) : front_of(m), a.special};
  }
  /// As unrounded_of. Not inlined, as the other: several kernels share it.
  __device__ __noinline__ unrounded of_squares(const power_sums& s, bool root) {
    return unrounded_in(squares, s.squares, root);
  }
  /// As unrounded_variance; NaN for no elements, too.
  __device__ __noinline__ unrounded of_variance(const power_sums& s, std::int64_t n, std::int64_t divisor, bool root) {
    if (n == 0 || divisor == 0 || has_no_variance(s)) return {{}, not_a_number};
    new (&squares) magnitude<product_accumulator::limbs, product_accumulator::low_bit>(s.squares);
    new (&sum) magnitude<superaccumulator::limbs, superaccumulator::low_bit>(s.sum);
    new (&value) quotient{};
    set_variance(value, squares, sum, n, divisor);
    return unrounded_in(size, value, root);
  }
};

/// Writes the outcome of sums of elements T and of their squares, by all threads of a block. At `memory` there is room
/// for what is needed on the way.
template <class T>
__device__ void write_exact(power_sums& sums, std::int64_t n, const destination& to, void* memory) {
  if (!to.finish) return write_sums(sums, to);
  if (threadIdx.x >= 32) return;
  auto& room = *static_cast<exact_room<power_sums>*>(memory);
  power_result gives{};
  for_each_exact<power_sums, T>([&]<class Op, class F>() {
    static_assert(F::gives.moments || __is_same(element_result<Op, T>, element_result<op::variance, T>));
    if (to.operation == operation_index<Op>) gives = F::gives;
  });
  if (gives.moments) {
    const auto mean = round_by_warp<double>(sums.sum, true, n);
    if (threadIdx.x != 0) return;
    const unrounded m2 = room.of_variance(sums, n, 1, false);
    *static_cast<moments_result*>(to.out) = {n, mean, m2.rounded_to<double>()};
  } else if (threadIdx.x == 0) {
    const unrounded r =
        gives.squares ? room.of_squares(sums, gives.root) : room.of_variance(sums, n, n - gives.sample, gives.root);
    using R = element_result<op::variance, T>;
    *static_cast<R*>(to.out) = r.rounded_to<R>();
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
