#include "run/bin_limits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "onefold/catalog.hpp"
#include "run/as_f64.hpp"
#include "run/ordered_keys.hpp"

namespace onefold::detail {
namespace {

/// An element of a type near x: one of the two beside it, or x itself.
template <class T>
T near_f64(double x) {
  if constexpr (is_small_float<T>)
    return static_cast<T>(static_cast<float>(x));
  else
    return static_cast<T>(x);
}

template <class T>
std::uint64_t element_key(T x) {
  return keys_in<T>({}).key(std::bit_cast<word_of<T>>(x));
}

/// The key of the first element that is not below an edge (`up`), or of the last one that is not above it; none where
/// that would be beyond all elements. +0 is the last zero, -0 the first.
template <class T>
std::optional<std::uint64_t> key_beside(double edge, bool up) {
  if constexpr (is_integer<T>) {
    // Both are powers of two, or 0, which f64 has.
    const auto least = static_cast<double>(std::numeric_limits<T>::min());
    const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const double x = up ? std::ceil(edge) : std::floor(edge);
    if (up ? x >= end : x < least) return {};
    if (x < least) return element_key(std::numeric_limits<T>::min());
    if (x >= end) return element_key(std::numeric_limits<T>::max());
    return element_key(static_cast<T>(x));
  } else {
    const T near = near_f64<T>(edge);
    const double x = as_f64(near);
    if (up && x < edge) return element_key(near) + 1;
    if (!up && x > edge) return element_key(near) - 1;
    return x == 0 ? element_key(near_f64<T>(up ? -0.0 : 0.0)) : element_key(near);
  }
}

/// The margin of a guess in numbers of type G, for elements of type T: twice a bound of what the place of an element
/// and those of the edges are off. 1, which tells nothing, where a number would leave the range in which that bound
/// holds.
template <class G, class T>
double margin_of(const bin_guess& g, double high, double bins) {
  constexpr double unit = std::numeric_limits<G>::epsilon() / 2, of_edges = 0x1p-53;
  constexpr bool rounds = is_integer<T> && 8 * sizeof(T) > std::numeric_limits<G>::digits;  // elements, to G
  const double largest = std::max(std::abs(g.low), std::abs(high)), width = (high - g.low) / bins;
  if (!(largest < std::numeric_limits<G>::max() / 4) || !std::isnormal(static_cast<G>(g.per_unit))) return 1;
  const double low_is_off = std::abs(static_cast<double>(static_cast<G>(g.low)) - g.low);
  // x - low, per_unit and the place are rounded in G; the width of the bins, its product and its sum with low in f64.
  const double place = 3 * bins * unit + (low_is_off + (rounds ? largest * unit : 0)) / width;
  const double edge = 3 * bins * of_edges + largest * of_edges / width;
  const double margin = 2 * (place + edge);
  return margin < 1 ? margin : 1;
}

template <class T>
bin_guess guess_for(std::span<const double> edges) {
  const double low = edges.front(), high = edges.back(), bins = static_cast<double>(edges.size() - 1);
  bin_guess g{low, bins / (high - low), 1, 1};
  if constexpr (sizeof(T) <= 4) g.margin_f32 = margin_of<float, T>(g, high, bins);
  g.margin_f64 = margin_of<double, T>(g, high, bins);
  return g;
}

/// As limits_of; nothing where no element is in a bin.
template <class T>
void find_limits(std::span<const double> edges, bin_widths widths, bin_limits& bins) {
  const std::optional<std::uint64_t> last = key_beside<T>(edges.back(), false),
                                     first = key_beside<T>(edges.front(), true);
  if (!last || !first || *first > *last) return;
  bins.last = *last;
  if (widths == bin_widths::equal) bins.guess = guess_for<T>(edges);
  bins.first.reserve(edges.size() - 1);
  for (const double edge : edges.first(edges.size() - 1)) {
    const std::optional<std::uint64_t> key = key_beside<T>(edge, true);
    if (!key) return;  // this bin is beyond all elements, and those after it are, too
    bins.first.push_back(*key);
  }
}

}  // namespace

bin_limits limits_of(dtype element, std::span<const double> edges, bin_widths widths) {
  bin_limits bins{{}, 0, {0, 0, 1, 1}};
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> == element) find_limits<T>(edges, widths, bins);
  });
  return bins;
}

}  // namespace onefold::detail
