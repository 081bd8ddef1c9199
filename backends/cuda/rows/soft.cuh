// softmax, log_softmax and logsumexp of a line: the sum of e^(x - c) in the order of a sum, c the largest of a page.
#pragma once

#include "onefold/detail/folds/sum.hpp"
#include "onefold/math.hpp"
#include "rows/arguments.cuh"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// e^x for x <= 0, as onefold::exp_nonpositive has it, but not of NaN.
template <class V>
__device__ __forceinline__ V exp_of_number(V x) {
  if constexpr (sizeof(V) == 8)
    return onefold::exp(x);
  else
    return math::exp_of_clamped(max(x, math::exp_constants<float>::exp_low));
}

/// The state of pages: the sum of e^(x - c).
template <class V>
struct soft_state {
  V c, s;
};

template <class T>
struct soft_statistic {
  using V = line_value<T>;
  using element = V;  ///< lines have the order of a sum over it
  using F = kernel_t<fold_of<op::sum, V, accuracy::native>>;
  using L = lane_state<F, V>;
  using S = soft_state<V>;
  static constexpr bool shifts = true, counts = false, is_one_number = true;

  __device__ __forceinline__ static V of_page(V largest) {
    return largest - largest == V{} ? largest : largest == largest ? V{} : largest;
  }
  /// If the largest element is +infinity or NaN, it alone decides.
  __device__ __forceinline__ static S page_state(const L& total, V largest) {
    if (largest != largest) return {largest, largest};
    return largest == infinity() ? S{V{}, infinity()} : S{of_page(largest), total.s};
  }
  __device__ __forceinline__ static S combine(const S& a, const S& b) {
    if (a.s == V{}) return b;
    if (b.s == V{}) return a;
    if (a.s + b.s == infinity()) return {V{}, a.s + b.s};  // an infinite element, and no NaN
    const V c = a.c != a.c || b.c != b.c ? a.c + b.c : a.c < b.c ? b.c : a.c;
    return {c, a.s * onefold::exp_nonpositive(a.c - c) + b.s * onefold::exp_nonpositive(b.c - c)};
  }
  __device__ __forceinline__ static V infinity() {
    if constexpr (sizeof(V) == 8)
      return __builtin_bit_cast(double, std::uint64_t{0x7ff0000000000000});
    else
      return __builtin_bit_cast(float, 0x7f800000u);
  }

  /// What makes results of elements.
  struct outcome {
    V c, factor, log;
    bool is_number;
  };
  using line_total = S;  ///< what is the same for all pages of a line
  template <class A>
  __device__ __forceinline__ static line_total total_of(const A&, std::int64_t, const S& line) {
    return line;
  }
  template <class A>
  __device__ __forceinline__ static outcome of(const A& a, std::int64_t, const S& line, const S& page) {
    const bool is_number = line.s - line.s == V{} && line.s != V{};
    outcome o{line.c, V{}, V{}, is_number};
    if (a.operation == row_operation::softmax)
      o.factor = math::quotient(
          page.s == V{} || page.c == line.c ? static_cast<V>(1) : onefold::exp_nonpositive(page.c - line.c), line.s);
    else
      o.log = onefold::log(line.s);
    return o;
  }
  /// What is written once a line.
  template <class A>
  __device__ __forceinline__ static void write(const A& a, std::int64_t line, std::int64_t, const S& s) {
    if (a.operation != row_operation::logsumexp) return;
    const V y = s.s == V{} ? -infinity() : s.s == infinity() ? infinity() : s.c + onefold::log(s.s);
    *a.results(line) = stored_of<T>(y);
  }
};

/// Results of rows of elements.
template <class T, template <class, int> class Place>
struct soft_rows : placed_rows<T, Place, lanes_of(sizeof(line_value<T>))> {
  using base = placed_rows<T, Place, lanes_of(sizeof(line_value<T>))>;
  using base::K, typename base::place;
  using statistic = soft_statistic<T>;
  using V = line_value<T>;
  using outcome = typename statistic::outcome;
  struct weights {};

  /// What makes the results of a page, where lines are read twice: its c is subtracted from elements.
  template <class A>
  __device__ __forceinline__ static outcome of_page(const A& a, std::int64_t line, std::int64_t n, std::int64_t page) {
    using S = typename statistic::S;
    const S its = static_cast<const S*>(a.states)[line * a.parts + page];
    outcome o = statistic::of(a, n, static_cast<const S*>(a.totals)[line], its);
    if (a.operation == row_operation::softmax) o.c = its.c;
    return o;
  }
  template <bool, class A, class Line>
  __device__ __forceinline__ static weights weights_of(const A&, const Line&, std::int64_t, int, int) {
    return {};
  }
  template <class A>
  __device__ __forceinline__ static piece<T, K> results(const A& a, const piece<T, K>& x, const outcome& o, weights) {
    V y[K];
#pragma unroll
    for (int k = 0; k < K; ++k) y[k] = x[k];
    if (a.operation == row_operation::softmax)
#pragma unroll
      for (int k = 0; k < K; ++k) y[k] = exp_of_number(y[k] - o.c);
    return results_of(a, y, o);
  }

 protected:
  /// Of elements, or for softmax of e^(x - c).
  template <class A>
  __device__ __forceinline__ static piece<T, K> results_of(const A& a, const V (&x)[K], const outcome& o) {
    V y[K];
    if (a.operation == row_operation::log_softmax) {
#pragma unroll
      for (int k = 0; k < K; ++k) y[k] = (x[k] - o.c) - o.log;
    } else {
#pragma unroll
      for (int k = 0; k < K; ++k) y[k] = x[k] * o.factor;
    }
    return o.is_number ? piece<T, K>::of_numbers(y) : piece<T, K>::all_nan();
  }
};

/// Up to `Rows` rows of a line in a warp.
template <class T, template <class, int> class Place, int Rows>
struct soft_strip : soft_rows<T, Place> {
  using results = soft_rows<T, Place>;
  using results::K, results::lanes, results::where, typename results::place, typename results::V;
  using statistic = soft_statistic<T>;
  using F = typename statistic::F;
  using L = typename statistic::L;
  static constexpr int rows = Rows;
  static constexpr bool in_shared = false;
  V x[Rows][K];

  /// Loads the elements of a line at p.
  template <class Line>
  __device__ __forceinline__ void load(const Line& p, int n) {
    load_copied(p, p, n);
  }
  /// The same, where whole words come from `words`, a copy in shared memory.
  template <class Words, class Line>
  __device__ __forceinline__ void load_copied(const Words& words, const Line& p, int n) {
    piece<T, K> y[Rows];
    if (this->template is_full<Rows>(n)) {
#pragma unroll
      for (int r = 0; r < Rows; ++r) y[r] = where.load_full(words, r * lanes);
    } else {
#pragma unroll
      for (int r = 0; r < Rows; ++r) y[r] = where.template load_words<true>(words, r * lanes, n);
#pragma unroll
      for (int r = 0; r < Rows; ++r) where.add_edge(p, r * lanes, n, y[r]);
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r)
#pragma unroll
      for (int c = 0; c < K; ++c) x[r][c] = y[r][c];
  }
  __device__ __forceinline__ V largest() const {
    V m = x[0][0];
#pragma unroll
    for (int r = 0; r < Rows; ++r)
#pragma unroll
      for (int c = 0; c < K; ++c) m = largest_or_nan(m, x[r][c]);
    return m;
  }
  /// The lanes of e^(x - c); they replace the elements where softmax needs them.
  template <class A>
  __device__ __forceinline__ void fold(const A& a, V c, int n, L (&s)[K]) {
    const bool keeps = a.operation != row_operation::log_softmax;
    if (this->template is_full<Rows>(n)) {
      if (keeps)
        fold_rows<true>(c, n, true, s);
      else
        fold_rows<true>(c, n, false, s);
    } else {
      fold_rows<false>(c, n, keeps, s);
    }
  }
  /// The state of a page from its lanes' totals.
  __device__ __forceinline__ typename statistic::S state(int, const L (&s)[K], V largest) const {
    return statistic::page_state(where.template total<F, V>(F{}, s), largest);
  }
  template <class A, class Line>
  __device__ __forceinline__ void store(const A& a, const Line& out, int n, const typename statistic::outcome& o,
                                        std::int64_t) const {
    if (this->template is_full<Rows>(n))
      store_rows<true>(a, out, n, o);
    else
      store_rows<false>(a, out, n, o);
  }

 private:
  template <bool Full>
  __device__ __forceinline__ void fold_rows(V c, int n, bool keeps, L (&s)[K]) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      if (!Full && r > 0 && r * lanes >= n) continue;
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const V e = exp_of_number(x[r][k] - c);
        if (r == 0)
          s[k].s = e;
        else
          s[k].s = s[k].s + e;
        x[r][k] = keeps ? e : x[r][k];
      }
    }
  }
  template <bool Full, class A, class Line>
  __device__ __forceinline__ void store_rows(const A& a, const Line& out, int n,
                                             const typename statistic::outcome& o) const {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      if (!Full && r > 0 && r * lanes >= n) continue;
      this->template store_row<Full>(out, r * lanes, n, results::results_of(a, x[r], o));
    }
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
