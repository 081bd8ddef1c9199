// The folds of computed_pages.hpp over one element type, compiled once per instruction-set level, as fold.cpp.
#include "computed_pages.hpp"

#include "instances.hpp"
#include "onefold/detail/folds.hpp"
#include "onefold/detail/math/arithmetic.hpp"
#include "onefold/detail/runs.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {
namespace {

struct product_of_packs {
  template <class P>
  static ONEFOLD_INLINE P of(P x, P y) {
    return x * y;
  }
};
struct distance_of_packs {
  template <class P>
  static ONEFOLD_INLINE P of(P x, P y) {
    return math::with_sign_of(x - y, P{});
  }
};

/// Asks for the lines of Count elements.
template <int Count, class X>
ONEFOLD_INLINE void ask_for(const X* p) {
  constexpr int in_line = 64 / static_cast<int>(sizeof(X));
  for (int i = 0; i < Count; i += in_line) __builtin_prefetch(p + i, 0, 2);
}

/// A source (pack_full_page.hpp) of what F computes of elements X of two arrays.
template <class F, class X>
struct of_two {
  const X* x;
  const X* y;

  ONEFOLD_INLINE of_two operator+(std::int64_t n) const { return {x + n, y + n}; }
  template <class P>
  ONEFOLD_INLINE P values() const {
    using stored = pack<X, width_of<P>>;
    return F::of(convert<P>(load<stored>(x)), convert<P>(load<stored>(y)));
  }
  template <int Count>
  ONEFOLD_INLINE void prefetch(int distance) const {
    ask_for<Count>(x + distance);
    ask_for<Count>(y + distance);
  }
};
/// A source of magnitudes.
template <class X>
struct magnitudes {
  const X* x;

  ONEFOLD_INLINE magnitudes operator+(std::int64_t n) const { return {x + n}; }
  template <class P>
  ONEFOLD_INLINE P values() const {
    return math::with_sign_of(load<P>(x), P{});
  }
  template <int Count>
  ONEFOLD_INLINE void prefetch(int distance) const {
    ask_for<Count>(x + distance);
  }
};

template <class Op, class T, class Source>
void fold_page_of(const Source& from, std::int64_t bytes, void* state) {
  using K = kernel_t<fold_of<Op, T, accuracy::native>>;
  using page = pack_page<K, T>;
  static_assert(!has_speculative<K>);  // which would have to be folded first
  const auto s = origin_of(bytes) == origin::memory ? page::template full_of<walk::rows_ahead>(K{}, from)
                                                    : page::template full_of<walk::rows>(K{}, from);
  *static_cast<tree_state<K, T>*>(state) = to_tree<K, T>(K{}, s);
}
template <class Op, class T, class F, class X = T>
void fold_two(const void* x, const void* y, std::int64_t bytes, void* state) {
  fold_page_of<Op, T>(of_two<F, X>{static_cast<const X*>(x), static_cast<const X*>(y)}, bytes, state);
}
template <class T>
void fold_magnitudes(const void* x, const void*, std::int64_t bytes, void* state) {
  fold_page_of<op::sum, T>(magnitudes<T>{static_cast<const T*>(x)}, bytes, state);
}

}  // namespace
}  // namespace ONEFOLD_LEVEL

template <>
const computed_pages& computed_instance<ONEFOLD_ELEMENT, level::ONEFOLD_LEVEL>() {
  using T = ONEFOLD_ELEMENT;
  static constexpr computed_pages record = {.sum_of_products = fold_two<op::sum, T, product_of_packs>,
                                            .sum_of_products_of_f32 = fold_two<op::sum, T, product_of_packs, float>,
                                            .sum_of_distances = fold_two<op::sum, T, distance_of_packs>,
                                            .norm2_of_distances = fold_two<op::norm2, T, distance_of_packs>,
                                            .sum_of_magnitudes = fold_magnitudes<T>};
  return record;
}

}  // namespace onefold::detail
