// What a launch writes: a state, flagged words for a waiting host, or the finished result of an operation.
#pragma once

#include "onefold/detail/cuda/stream.cuh"
#include "onefold/detail/cuda/words.cuh"
#include "onefold/detail/finish.hpp"
#include "onefold/detail/pack.hpp"
#include "onefold/device.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Where a launch writes its outcome, and as what.
struct destination {
  void* out;
  std::uint32_t mailbox_flag;
  bool finish, has_init;
  int operation;
  alignas(16) unsigned char init[16];
};

inline destination destination_of(const device_launch& how) {
  destination to{how.out, how.mailbox_flag, how.finish, how.has_init, how.operation, {}};
  memcpy(to.init, how.init, sizeof to.init);
  return to;
}

template <class F, class T, class R, class Full>
__device__ void finish_as_result(const Full& full, tree_state<F, T> s, std::int64_t n, const destination& to,
                                 void* out) {
  const R* const init = to.has_init ? reinterpret_cast<const R*>(to.init) : nullptr;
  *static_cast<R*>(out) = finish_from<Full, T, R>(full, s, n, init);
}

/// Writes the result of a state. This one serves user-defined operations; folds of the catalog, which several
/// operations share, have another, in the module (backends/cuda/results.cuh).
template <class F, class T>
struct result_writer {
  __device__ static void write(const F& f, const tree_state<F, T>& s, std::int64_t n, const destination& to,
                               void* out) {
    using R = decltype(finished(f, s));
    finish_as_result<F, T, R>(f, s, n, to, out);
  }
};
template <of_library F, class T>
struct result_writer<F, T>;

/// Writes the result of a state to `out`, or the state itself where `to` asks for no result; for one thread.
template <class F, class T>
__device__ void write_result(const F& f, const tree_state<F, T>& s, std::int64_t n, const destination& to, void* out) {
  if (!to.finish) {
    *static_cast<tree_state<F, T>*>(out) = s;
    return;
  }
  result_writer<F, T>::write(f, s, n, to, out);
}

/// How a state is handed to a function that is not inlined: in registers, unless it is too large for them.
template <class S>
using handed = std::conditional_t<sizeof(S) <= 64, S, const S&>;

/// As write_result, not inlined: the finishes of all operations with this fold stand there. Not for kernels over whole
/// arrays: with a call in it one of 1024 elements takes 1.6 us instead of 1.1 (H200).
template <class F, class T>
__device__ __noinline__ void write_result_apart(const F& f, handed<tree_state<F, T>> s, std::int64_t n,
                                                const destination& to, void* out) {
  write_result<F, T>(f, s, n, to, out);
}

/// Writes an outcome; for one thread.
template <class F, class T>
__device__ void write_outcome(const F& f, tree_state<F, T> s, std::int64_t n, const destination& to) {
  if constexpr (of_library<F> && requires { f.with_tail(s); }) s = f.with_tail(s);
  if (to.mailbox_flag)
    write_flagged(static_cast<std::uint64_t*>(to.out), s, to.mailbox_flag);
  else
    write_result<F, T>(f, s, n, to, to.out);
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
