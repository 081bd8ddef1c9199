// The results of the catalog's folds: a state is finished as the operation that was asked for.
#pragma once

#include "onefold/catalog.hpp"
#include "onefold/detail/cuda/outcome.cuh"
#include "onefold/detail/folds.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// The fold that an operation's kernel stands for.
template <class F>
struct stands_for {
  using type = F;
};
template <class F>
requires requires { typename F::stands_for; }
struct stands_for<F> {
  using type = typename F::stands_for;
};

template <of_library F, class T>
struct result_writer<F, T> {
  __device__ static void write(const F&, const tree_state<F, T>& s, std::int64_t n, const destination& to, void* out) {
    using E = typename F::element;
    using K = typename stands_for<F>::type;
    for_each_type(operations{}, [&]<class Op>() {
      if constexpr (cataloged<Op, E>) {
        bool seen = false;  // folds that are the same at several accuracies are finished once
        for_each_accuracy<Op, E>([&]<class, class, accuracy A>() {
          using Full = fold_of<Op, E, A>;
          if constexpr (__is_same(kernel_t<Full>, K)) {
            if (seen || to.operation != operation_index<Op>) return;
            seen = true;
            finish_as_result<K, E, element_result<Op, E>>(Full{}, s, n, to, out);
          }
        });
      }
    });
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
