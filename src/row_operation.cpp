// The functions of row operations over one element type, compiled once per instruction-set level, as fold.cpp: without
// std::min and its like, which the levels would share.
#include "instances.hpp"
#include "onefold/detail/folds.hpp"
#include "onefold/detail/many.hpp"
#include "onefold/order.hpp"
#include "row_packs.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {
namespace {

/// Operation Op's reductions of up to a page of elements E at accuracy native, to results R.
template <class Op, class E, class R>
struct page_reduction {
  using F = fold_of<Op, E, accuracy::native>;
  using K = kernel_t<F>;
  using KE = kernel_element<F, E>;
  using S = tree_state<K, KE>;

  static R of(const E* p, std::int64_t n) {
    return finish_as<F, E, R>(F{}, run_strategy<K, KE>::small(K{}, reinterpret_cast<const KE*>(p), n), n);
  }
  /// Those of `count` rows of n elements, `across` elements apart: of few rows one by one.
  static void of_rows(const E* p, std::int64_t across, std::int64_t n, int count, R* results, S* states, void* room) {
    if (count < pack_page<K, KE>::width) {
      for (int i = 0; i < count; ++i) results[i] = of(p + i * across, n);
      return;
    }
    pack_rows<K, KE>::fold(nullptr, p, across, static_cast<int>(n), count, false, states, room);
    for (int i = 0; i < count; ++i) results[i] = finish_as<F, E, R>(F{}, states[i], n);
  }
};

template <class T>
struct row_functions {
  using packs = row_packs<T>;
  using V = typename packs::V;
  using P = typename packs::P;
  using stored = typename packs::stored;
  using largest = page_reduction<op::max, T, T>;
  using sum = page_reduction<op::sum, V, V>;
  static constexpr std::int64_t page = page_elements(sizeof(V));
  /// Short lines whose exponentials are made at once.
  static constexpr int most_lines = 128;
  static constexpr V nan = __builtin_bit_cast(V, math::ieee<V>::nan);

  static const stored* elements(const void* p) { return static_cast<const stored*>(p); }

  /// What is taken from the elements of a page: the largest, or where that is infinite 0.
  static V shift_of(T largest) {
    const V m = static_cast<V>(largest);
    return is_finite(m) ? m : m == m ? V{} : nan;
  }

  /// The state of a page. The sum of one with +infinity and without NaN is +infinity.
  static row_state state_of(T largest, V sum) {
    return {shift_of(largest), is_plus_infinity(largest) ? static_cast<V>(largest) : sum};
  }
  static bool is_plus_infinity(T largest) {
    const V m = static_cast<V>(largest);
    return m > 0 && m - m != 0;
  }

  static void exponentials_of(const stored* x, std::int64_t n, V shift, std::int64_t ahead, V* e) {
    const P c = splat<P>(shift);
    packs::map_to_values(x, n, e, ahead, [c](P v, std::int64_t) { return exp_nonpositive(v - c); });
  }

  static void scale_values(const V* e, std::int64_t n, V factor, stored* y) {
    const P f = splat<P>(factor);
    std::int64_t i = 0;
    for (; i + packs::width <= n; i += packs::width) packs::store_all(y + i, load<P>(e + i) * f);
    if (i < n) packs::store_some(y + i, load<P>(e + i) * f, static_cast<int>(n - i));
  }

  /// What the exponentials of a page are multiplied by.
  static V factor_of(row_state page_, row_state line) {
    const V s = static_cast<V>(line.s), c = static_cast<V>(page_.c), all = static_cast<V>(line.c);
    if (!is_finite(s) || s == 0) return nan;
    return (page_.s == 0 || c == all ? V{1} : exp_nonpositive(c - all)) / s;
  }

  static void exponentials(row_operation what, const row_block& b, void* room) {
    V* const e = static_cast<V*>(room);
    const int at_once = page / b.n < most_lines ? static_cast<int>(page / b.n) : most_lines;
    T maxima[most_lines];
    V sums[most_lines];
    typename largest::S max_states[most_lines];
    typename sum::S sum_states[most_lines];
    alignas(64) unsigned char rows_room[largest_room > sum_room ? largest_room : sum_room];
    for (std::int64_t first = 0; first < b.lines; first += at_once) {
      const int count = b.lines - first < at_once ? static_cast<int>(b.lines - first) : at_once;
      const stored* const x = elements(b.data) + first * b.across;
      stored* const y = static_cast<stored*>(b.results) + first * b.to_across;
      largest::of_rows(reinterpret_cast<const T*>(x), b.across, b.n, count, maxima, max_states, rows_room);
      for (int i = 0; i < count; ++i) exponentials_of(x + i * b.across, b.n, shift_of(maxima[i]), b.ahead, e + i * b.n);
      sum::of_rows(e, b.n, b.n, count, sums, sum_states, rows_room);
      for (int i = 0; i < count; ++i) {
        const row_state line = state_of(maxima[i], sums[i]);
        stored* const to = y + i * b.to_across;
        if (what == row_operation::softmax)
          scale_values(e + i * b.n, b.n, factor_of(line, line), to);
        else if (what == row_operation::log_softmax)
          map_differences(x + i * b.across, b.n, map_of(what, line, line, 0), 0, to);
        else
          finish(line, to);
      }
    }
  }

  static row_state page_state(row_operation what, const void* data, std::int64_t n, void* room) {
    const stored* const x = elements(data);
    V* const e = static_cast<V*>(room);
    if (what == row_operation::normalize_l1 || what == row_operation::normalize_max) {
      packs::map_to_values(x, n, e, 0, [](P v, std::int64_t) { return math::with_sign_of(v, P{}); });
      return {0, what == row_operation::normalize_l1 ? sum::of(e, n) : page_reduction<op::max, V, V>::of(e, n)};
    }
    const T m = largest::of(static_cast<const T*>(data), n);
    exponentials_of(x, n, shift_of(m), 0, e);
    return state_of(m, sum::of(e, n));
  }

  /// The state of neighbors a, then b.
  static row_state join(row_operation what, row_state a, row_state b) {
    if (what == row_operation::normalize_l1) return {0, static_cast<V>(a.s) + static_cast<V>(b.s)};
    if (what == row_operation::normalize_max) return {0, a.s != a.s || a.s > b.s ? a.s : b.s};
    if (a.s == 0) return b;
    if (b.s == 0) return a;
    const double c = a.c != a.c || a.c > b.c ? a.c : b.c;
    const auto moved = [c](row_state of) {
      const V s = static_cast<V>(of.s);
      return s - s == 0 ? s * exp_nonpositive(static_cast<V>(of.c) - static_cast<V>(c)) : s;  // an infinite sum stays
    };
    return {c, moved(a) + moved(b)};
  }
  static row_state line_state(row_operation what, const row_state* pages, std::int64_t count) {
    const auto joined = [what](row_state a, row_state b) { return join(what, a, b); };
    aligned_tree<row_state> tree;
    for (std::int64_t i = 0; i < count; ++i) tree.push(pages[i], joined);
    return tree.total(joined);
  }

  static row_map map_of(row_operation what, row_state page_, row_state line, double eps) {
    switch (what) {
      case row_operation::softmax:
        return {page_.c, factor_of(page_, line)};
      case row_operation::log_softmax: {
        const V s = static_cast<V>(line.s);
        return is_finite(s) && s != 0 ? row_map{line.c, log(s)} : row_map{nan, nan};
      }
      default:
        return {0, reciprocal(line.s < eps ? eps : line.s)};
    }
  }
  static V reciprocal(double x) { return round_to<V>(1 / x); }

  /// The map of each line. Packs of lines hide the latency of roots and divisions.
  static void maps_of_statistics(row_operation what, const void* statistics, std::int64_t lines, std::int64_t n,
                                 double eps, row_map* maps) {
    using D = pack<double, vector_bytes / static_cast<int>(sizeof(double))>;
    constexpr int together = width_of<D>;
    const bool centers = what == row_operation::layer_norm || what == row_operation::standardize;
    const auto* const moments = static_cast<const moments_result*>(statistics);
    const auto* const squares = static_cast<const double*>(statistics);
    for (std::int64_t first = 0; first < lines; first += together) {
      const int count = lines - first < together ? static_cast<int>(lines - first) : together;
      D sums = splat<D>(1);
      for (int l = 0; l < count; ++l) sums[l] = centers ? moments[first + l].m2 : squares[first + l];
      const D factors = splat<D>(1) / divisors(what, sums, static_cast<double>(n), eps);
      for (int l = 0; l < count; ++l)
        maps[first + l] = {centers ? round_to<V>(moments[first + l].mean) : 0, round_to<V>(factors[l])};
    }
  }
  /// The divisors of lines, from the sums of their squares or squared deviations.
  template <class D>
  static D divisors(row_operation what, D sums, double n, double eps) {
    if (what != row_operation::normalize_l2)
      return sqrt(sums / splat<D>(n) + splat<D>(what == row_operation::standardize ? 0 : eps));
    const D norms = sqrt(sums);
    return norms < splat<D>(eps) ? splat<D>(eps) : norms;
  }

  /// (x - shift) - factor.
  static void map_differences(const stored* x, std::int64_t n, row_map by, std::int64_t ahead, stored* y) {
    const P c = splat<P>(static_cast<V>(by.shift)), f = splat<P>(static_cast<V>(by.factor));
    packs::map(x, n, y, ahead, [c, f](P v, std::int64_t, int) { return (v - c) - f; });
  }
  /// exp(x - shift) * factor.
  static void map_exponentials(const stored* x, std::int64_t n, row_map by, std::int64_t ahead, stored* y) {
    const P c = splat<P>(static_cast<V>(by.shift)), f = splat<P>(static_cast<V>(by.factor));
    packs::map(x, n, y, ahead, [c, f](P v, std::int64_t, int) { return exp_nonpositive(v - c) * f; });
  }
  /// (x - shift) * factor, times weight, plus bias.
  template <bool Weighted, bool Biased>
  static void map_scaled(const stored* x, std::int64_t n, row_map by, const stored* weight, const stored* bias,
                         std::int64_t ahead, stored* y) {
    const P c = splat<P>(static_cast<V>(by.shift)), f = splat<P>(static_cast<V>(by.factor));
    packs::map(x, n, y, ahead, [=](P v, std::int64_t i, int count) {
      const auto at = [i, count](const stored* p) {
        return count == packs::width ? packs::load_all(p + i) : packs::load_some(p + i, count);
      };
      P r = (v - c) * f;
      if constexpr (Weighted) r = r * at(weight);
      if constexpr (Biased) r = r + at(bias);
      return r;
    });
  }

  /// Calls f.operator()<Weighted, Biased>().
  template <class Function>
  ONEFOLD_INLINE static void with_parameters(const void* weight, const void* bias, const Function& f) {
    if (weight && bias)
      f.template operator()<true, true>();
    else if (weight)
      f.template operator()<true, false>();
    else if (bias)
      f.template operator()<false, true>();
    else
      f.template operator()<false, false>();
  }

  static void map(row_operation what, const row_block& b, const row_map* maps, const void* weight, const void* bias) {
    const auto each = [&](const auto& map_line) {
      for (std::int64_t i = 0; i < b.lines; ++i)
        map_line(elements(b.data) + i * b.across, maps[i], static_cast<stored*>(b.results) + i * b.to_across);
    };
    const auto scaled = [&]<bool Weighted, bool Biased>() {
      each([&](const stored* x, row_map by, stored* y) {
        map_scaled<Weighted, Biased>(x, b.n, by, elements(weight), elements(bias), b.ahead, y);
      });
    };
    if (what == row_operation::softmax)
      each([&](const stored* x, row_map by, stored* y) { map_exponentials(x, b.n, by, b.ahead, y); });
    else if (what == row_operation::log_softmax)
      each([&](const stored* x, row_map by, stored* y) { map_differences(x, b.n, by, b.ahead, y); });
    else
      with_parameters(weight, bias, scaled);
  }

  static void scale(const void* e, std::int64_t n, double factor, void* results) {
    scale_values(static_cast<const V*>(e), n, static_cast<V>(factor), static_cast<stored*>(results));
  }

  /// Numbers for each column, which packs read.
  struct column_maps {
    V shift[most_columns + packs::width], factor[most_columns + packs::width];

    /// In a room; what packs read after the last column is a number, too.
    ONEFOLD_INLINE static column_maps& in(void* room, std::int64_t lines) {
      column_maps& made = *static_cast<column_maps*>(room);
      const P zero{};
      __builtin_memcpy(made.shift + lines / packs::width * packs::width, &zero, sizeof zero);
      __builtin_memcpy(made.factor + lines / packs::width * packs::width, &zero, sizeof zero);
      return made;
    }
  };
  /// What is read ahead of a column's elements, in bytes.
  static std::int64_t ahead_in(const column_block& b) {
    constexpr std::int64_t rows = 16;
    return rows * b.along * static_cast<std::int64_t>(sizeof(stored));
  }

  static void column_values(row_operation what, const column_block& b, const void* largest, double* shifts,
                            void* values, void* room) {
    const auto each_row = [&](const auto& f) {
      for (std::int64_t r = 0; r < b.n; ++r)
        packs::map_to_values(elements(b.data) + r * b.along, b.lines, static_cast<V*>(values) + r * b.lines,
                             ahead_in(b), f);
    };
    if (what == row_operation::normalize_l1 || what == row_operation::normalize_max)
      return each_row([](P v, std::int64_t) { return math::with_sign_of(v, P{}); });
    column_maps& by = column_maps::in(room, b.lines);
    for (std::int64_t i = 0; i < b.lines; ++i) {
      const T m = static_cast<const T*>(largest)[i];
      by.shift[i] = shift_of(m);
      shifts[i] = is_plus_infinity(m) ? static_cast<V>(m) : by.shift[i];
    }
    each_row([&by](P v, std::int64_t i) { return exp_nonpositive(v - load<P>(by.shift + i)); });
  }

  static void map_columns(row_operation what, const column_block& b, const row_map* maps, const void* weight,
                          const void* bias, void* room) {
    column_maps& by = column_maps::in(room, b.lines);
    for (std::int64_t i = 0; i < b.lines; ++i) {
      by.shift[i] = static_cast<V>(maps[i].shift);
      by.factor[i] = static_cast<V>(maps[i].factor);
    }
    // f_of(r) is the function of row r: of packs of elements, shifts and factors.
    const auto each_row = [&](const auto& f_of) {
      for (std::int64_t r = 0; r < b.n; ++r) {
        const auto f = f_of(r);
        packs::map(elements(b.data) + r * b.along, b.lines, static_cast<stored*>(b.results) + r * b.to_along,
                   ahead_in(b),
                   [&, f](P v, std::int64_t i, int) { return f(v, load<P>(by.shift + i), load<P>(by.factor + i)); });
      }
    };
    const auto scaled = [&]<bool Weighted, bool Biased>() {
      each_row([=](std::int64_t r) {
        const auto at = [r](const void* of) { return splat<P>(static_cast<V>(static_cast<const T*>(of)[r])); };
        const P w = Weighted ? at(weight) : P{}, a = Biased ? at(bias) : P{};
        return [=](P v, P c, P f) {
          P y = (v - c) * f;
          if constexpr (Weighted) y = y * w;
          if constexpr (Biased) y = y + a;
          return y;
        };
      });
    };
    if (what == row_operation::softmax)
      each_row([](std::int64_t) { return [](P v, P c, P f) { return exp_nonpositive(v - c) * f; }; });
    else if (what == row_operation::log_softmax)
      each_row([](std::int64_t) { return [](P v, P c, P f) { return (v - c) - f; }; });
    else
      with_parameters(weight, bias, scaled);
  }

  static void scale_columns(const void* e, const column_block& b, const row_map* maps, void* room) {
    column_maps& by = column_maps::in(room, b.lines);
    for (std::int64_t i = 0; i < b.lines; ++i) by.factor[i] = static_cast<V>(maps[i].factor);
    for (std::int64_t r = 0; r < b.n; ++r) {
      const V* const from = static_cast<const V*>(e) + r * b.lines;
      stored* const to = static_cast<stored*>(b.results) + r * b.to_along;
      std::int64_t i = 0;
      for (; i + packs::width <= b.lines; i += packs::width)
        packs::store_all(to + i, load<P>(from + i) * load<P>(by.factor + i));
      if (i < b.lines)
        packs::store_some(to + i, load<P>(from + i) * load<P>(by.factor + i), static_cast<int>(b.lines - i));
    }
  }

  static void finish(row_state line, void* result) {
    const V s = static_cast<V>(line.s), c = static_cast<V>(line.c);
    const V y = c + log(s);  // of no elements, or of -infinity alone: log(0)
    *static_cast<T*>(result) = T(y == y ? y : nan);
  }
  static void store(double x, void* value) { *static_cast<V*>(value) = round_to<V>(x); }

  static constexpr int largest_room = pack_rows<typename largest::K, typename largest::KE>::room_bytes,
                       sum_room = pack_rows<typename sum::K, typename sum::KE>::room_bytes;
};

}  // namespace
}  // namespace ONEFOLD_LEVEL

template <>
const row_recipe& row_instance<ONEFOLD_ELEMENT, level::ONEFOLD_LEVEL>() {
  using f = row_functions<ONEFOLD_ELEMENT>;
  static constexpr row_recipe record = {.page = f::page,
                                        .value_size = sizeof(typename f::V),
                                        .room_size = (f::page + f::packs::width) * std::int64_t{sizeof(typename f::V)},
                                        .maps_size = sizeof(f::column_maps),
                                        .exponentials = f::exponentials,
                                        .page_state = f::page_state,
                                        .line_state = f::line_state,
                                        .map_of = f::map_of,
                                        .maps_of_statistics = f::maps_of_statistics,
                                        .map = f::map,
                                        .scale = f::scale,
                                        .column_values = f::column_values,
                                        .map_columns = f::map_columns,
                                        .scale_columns = f::scale_columns,
                                        .finish = f::finish,
                                        .store = f::store};
  return record;
}

}  // namespace onefold::detail
