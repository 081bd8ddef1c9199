// Histograms: the edges of bins, and the bin of each element on a CPU. Compiled without fused multiply-additions, which
// would move edges.
#include "onefold/detail/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>

#include "cpu.hpp"
#include "onefold/catalog.hpp"
#include "onefold/dynamic.hpp"
#include "quantity.hpp"
#include "run/as_f64.hpp"
#include "run/checks.hpp"
#include "run/cpu_team.hpp"
#include "run/device_histogram.hpp"
#include "run/ordered_keys.hpp"

namespace onefold::detail {
namespace {

/// What elements are compared as: a type that has the numbers of them all.
__extension__ using wide_integer = __int128;
template <class T>
using edge_number = std::conditional_t<
    is_integer<T> && sizeof(T) == 8, wide_integer,
    std::conditional_t<is_small_float<T> || std::is_same_v<T, float> || sizeof(T) <= 2, float, double>>;

template <class T>
edge_number<T> as_edge_number(T x) {
  return static_cast<edge_number<T>>(x);
}

/// An f64 without fraction; beyond 64 bits one that is as far from all elements.
wide_integer integer_of_f64(double x) {
  const double limit = 0x1p65;
  return static_cast<wide_integer>(std::clamp(x, -limit, limit));
}

/// The first C that is not below x, the last one that is not above it, and the one after c.
template <class C>
C first_from(double x) {
  const C near = static_cast<C>(x);
  return near < x ? std::nextafter(near, static_cast<C>(HUGE_VAL)) : near;
}
template <class C>
C last_to(double x) {
  const C near = static_cast<C>(x);
  return near > x ? std::nextafter(near, static_cast<C>(-HUGE_VAL)) : near;
}
template <class C>
C after(C c) {
  return std::nextafter(c, static_cast<C>(HUGE_VAL));
}
template <>
wide_integer first_from(double x) {
  return integer_of_f64(std::ceil(x));
}
template <>
wide_integer last_to(double x) {
  return integer_of_f64(std::floor(x));
}
template <>
wide_integer after(wide_integer c) {
  return c + 1;
}

/// The edges as elements are compared with them. Slot 0 is for what is in no bin, slot i + 1 for bin i, the last one
/// for what is above all bins; where at[slot] <= x < at[slot + 1], x is in that slot.
template <class C>
struct slot_edges {
  std::vector<C> at;
  C last;                ///< not above the upper edge of the last bin
  double low, per_unit;  ///< where bins begin, and how many there are in a unit
  std::int64_t bins;

  explicit slot_edges(std::span<const double> edges)
      : last(last_to<C>(edges.back())),
        low(edges.front()),
        per_unit(static_cast<double>(edges.size() - 1) / (edges.back() - edges.front())),
        bins(static_cast<std::int64_t>(edges.size()) - 1) {
    at.reserve(edges.size() + 2);
    at.push_back(first_from<C>(-HUGE_VAL));
    for (const double e : edges.first(edges.size() - 1)) at.push_back(first_from<C>(e));
    at.push_back(after(last));
    at.push_back(after(last_to<C>(HUGE_VAL)));
  }

  /// The slot of x, by halves; that of NaN is 0.
  std::int64_t find(C x) const {
    if (!(x >= at[1] && x <= last)) return 0;
    std::int64_t slot = 1;
    for (std::int64_t left = bins; left > 1;) {
      const std::int64_t half = left / 2;
      slot += x >= at[static_cast<std::size_t>(slot + half)] ? half : 0;
      left -= half;
    }
    return slot;
  }
};

/// Counts the elements of a piece in their slots.
template <class T>
void count_searched(const T* data, std::int64_t first, std::int64_t end, const slot_edges<edge_number<T>>& edges,
                    std::int64_t* own) {
  for (std::int64_t i = first; i < end; ++i) ++own[edges.find(as_edge_number(data[i]))];
}

/// The same where bins are equally wide: block by block, slots are guessed in numbers of type G, and searched for where
/// a comparison says that the guess is wrong. NaN fails it.
template <class G, class T>
void count_guessed(const T* data, std::int64_t first, std::int64_t end, const slot_edges<edge_number<T>>& edges,
                   std::int64_t* own) {
  constexpr std::int64_t block = 256;  // their slots stay in the first cache
  std::int32_t slots[block];
  const auto* const at = edges.at.data();
  const G low = static_cast<G>(edges.low), per_unit = static_cast<G>(edges.per_unit),
          most = static_cast<G>(edges.bins + 1);
  for (std::int64_t i = first; i < end; i += block) {
    const std::int64_t n = std::min(block, end - i);
    for (std::int64_t j = 0; j < n; ++j) {
      G place = (static_cast<G>(data[i + j]) - low) * per_unit + 1;
      place = place > 0 ? place : 0;  // NaN, too
      slots[j] = static_cast<std::int32_t>(place < most ? place : most);
    }
    for (std::int64_t j = 0; j < n; ++j) {
      const auto x = as_edge_number(data[i + j]);
      std::int64_t slot = slots[j];
      if (!(x >= at[slot] && x < at[slot + 1])) [[unlikely]]
        slot = edges.find(x);
      ++own[slot];
    }
  }
}

/// Whichever of them suits the bins.
template <class T>
void count_piece(const T* data, std::int64_t first, std::int64_t end, const slot_edges<edge_number<T>>& edges,
                 bin_widths widths, std::int64_t* own) {
  constexpr std::int64_t most_of_f32 = 1 << 12;  // with its 24 bits few guesses of so few bins are wrong
  constexpr std::int64_t most_of_f64 = std::numeric_limits<std::int32_t>::max() - 1;
  if (widths == bin_widths::equal) {
    if constexpr (std::is_same_v<edge_number<T>, float>)
      if (edges.bins <= most_of_f32) return count_guessed<float>(data, first, end, edges, own);
    if constexpr (!is_small_float<T>)
      if (edges.bins <= most_of_f64) return count_guessed<double>(data, first, end, edges, own);
  }
  count_searched(data, first, end, edges, own);
}

/// Adds up the counts of all pieces.
template <class T>
void count_all(const T* data, std::int64_t n, std::span<const double> edges, bin_widths widths, const team& threads,
               bool alone, std::int64_t* counts) {
  const slot_edges<edge_number<T>> slots(edges);
  const std::size_t width = edges.size() + 1;
  std::vector<std::int64_t> own(width * static_cast<std::size_t>(alone ? 1 : threads.pieces(n)));
  const auto count = [&](int piece, std::int64_t first, std::int64_t end) {
    count_piece(data, first, end, slots, widths, own.data() + width * static_cast<std::size_t>(piece));
  };
  if (alone)
    count(0, 0, n);
  else
    threads.share_out(n, count);
  std::fill_n(counts, width - 2, 0);
  for (std::size_t from = 0; from < own.size(); from += width)
    for (std::size_t bin = 0; bin < width - 2; ++bin) counts[bin] += own[from + bin + 1];
}

std::string number_text(double x) { return scalar{"", dtype::f64, std::bit_cast<std::uint64_t>(x)}.text(); }

void check_edges(std::span<const double> edges) {
  if (edges.size() < 2) refuse("bins have at least 2 edges, but " + there_are(edges.size(), "edge"));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (std::isnan(edges[i])) refuse("edge " + std::to_string(i) + " of the bins is NaN");
    if (i > 0 && edges[i] < edges[i - 1])
      refuse("edge " + std::to_string(i) + " of the bins, " + number_text(edges[i]) + ", is below the one before it, " +
             number_text(edges[i - 1]));
  }
}

/// The element as f64; on the side that is named if f64 does not have it.
template <class T>
double outside_of(T x, bool above) {
  const double near = as_f64(x);
  if constexpr (std::is_same_v<edge_number<T>, wide_integer>) {
    const auto rounded = static_cast<wide_integer>(near);
    if (above ? rounded < x : rounded > x) return std::nextafter(near, above ? HUGE_VAL : -HUGE_VAL);
  }
  return near;
}

}  // namespace

std::vector<double> uniform_edges(uniform_bins bins) {
  const float_environment ieee;
  if (bins.count < 1) refuse("a histogram has at least 1 bin, not " + std::to_string(bins.count));
  const std::string ends = "from " + number_text(bins.low) + " to " + number_text(bins.high);
  if (!std::isfinite(bins.low) || !std::isfinite(bins.high) || !(bins.low <= bins.high))
    refuse("bins have finite ends that ascend, not " + ends);
  if (bins.low == bins.high) bins = {bins.low - 0.5, bins.high + 0.5, bins.count};
  const double width = (bins.high - bins.low) / static_cast<double>(bins.count);
  if (!std::isfinite(width)) refuse("the bins " + ends + " are wider together than any f64");
  const std::string too_many = quantity(bins.count, "bin") + " " + ends + " are too many for f64: edges are equal";
  if (bins.count > std::int64_t{1} << 53) refuse(too_many);
  std::vector<double> edges(static_cast<std::size_t>(bins.count) + 1);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) edges[i] = bins.low + static_cast<double>(i) * width;
  edges.back() = bins.high;
  if (std::ranges::adjacent_find(edges, std::greater_equal{}) != edges.end()) refuse(too_many);
  return edges;
}

uniform_bins bins_of(dtype element, const void* data, std::int64_t n, std::int64_t count, const options& how) {
  const float_environment ieee;
  static_cast<void>(choose_for_histogram(element, data, n, how, nullptr));  // throws what count_in_bins would
  uniform_bins bins{0, 1, count};
  options native = how;
  native.accuracy = accuracy::native;
  native.init = {};
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> != element || n == 0) return;
    const auto extreme = [&](int operation) {
      return std::bit_cast<T>(
          static_cast<word_of<T>>(reduce_dynamic(operation, element, data, n, native).values.front().bits));
    };
    bins.low = outside_of(extreme(operation_index<op::fmin>), false);
    bins.high = outside_of(extreme(operation_index<op::fmax>), true);
  });
  if (!std::isfinite(bins.low) || !std::isfinite(bins.high))
    refuse("the elements are from " + number_text(bins.low) + " to " + number_text(bins.high) +
           "; name the finite ends of the bins");
  return bins;
}

void count_in_bins(dtype element, const void* data, std::int64_t n, std::span<const double> edges, bin_widths widths,
                   std::int64_t* counts, const options& how, run_report* ran) {
  const float_environment ieee;
  check_edges(edges);
  const choice c = choose_for_histogram(element, data, n, how, ran);
  if (c.accelerator) return count_on_device(c, data, edges, widths, counts, ran);
  const cpu_team opened(c, n, ran);
  const team& threads = opened.threads();
  const auto bins = static_cast<std::int64_t>(edges.size()) - 1;
  // Each piece has counts of its own: they must not be more than its elements.
  const bool alone = bins >= n / threads.pieces(n);
  if (alone && ran) ran->threads = 1;
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> == element) count_all(static_cast<const T*>(data), n, edges, widths, threads, alone, counts);
  });
}

}  // namespace onefold::detail
