// Counting in bins on a CPU. Whatever finds the bin of an element, comparisons with the edges decide, so that all ways
// have the same counts:
//
// - by edges, where there are few: how many elements are not below each of them;
// - by values, of which 16 bits have few: each value is counted, and then looked up;
// - by places, for bins of equal width: the bin is computed, and only elements that near to an edge are compared;
// - by cells, for others: a table divides the range of the edges more finely, and in most cells all elements are in one
//   bin;
// - by a search for each of a few elements.
//
// Compiled without fused multiply-additions: the cells of edges and of elements must be computed alike.
#include "run/bin_counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "run/bin_cells.hpp"
#include "run/bin_edges.hpp"
#include "run/ordered_keys.hpp"
#include "run/widest.hpp"

namespace onefold::detail {
namespace {

using small_count = std::uint32_t;  // half as much memory as an i64: of pieces that are no longer than 2^31

/// Counts elements by their codes, block by block: fill(data, n, codes) computes them, slot_of(code) is a slot or
/// `unsure`, and then resolve(element, code) is the slot.
template <class T, class Fill, class SlotOf, class Resolve>
[[gnu::always_inline]] inline void count_codes(const T* data, std::int64_t n, std::uint32_t unsure, small_count* own,
                                               const Fill& fill, const SlotOf& slot_of, const Resolve& resolve) {
  constexpr int block = 512;  // their codes stay in the first cache
  std::int32_t codes[block];
  std::uint32_t open[block];
  for (std::int64_t at = 0; at < n; at += block, data += block) {
    const int count = static_cast<int>(std::min<std::int64_t>(block, n - at));
    fill(data, count, codes);
    int found = 0;
#pragma GCC unroll 8
    for (int i = 0; i < count; ++i) {
      const std::uint32_t slot = slot_of(codes[i]);
      ++own[slot];
      open[found] = static_cast<std::uint32_t>(i);
      found += slot == unsure;  // without a branch, which elements in random order would mislead
    }
    for (int i = 0; i < found; ++i) ++own[resolve(as_edge_number(data[open[i]]), codes[open[i]])];
  }
}

template <class Table, class T>
[[gnu::always_inline]] inline void count_cells(const T* data, std::int64_t n, const Table& table, small_count* own) {
  const auto* const slot = table.slot.data();
  count_codes(
      data, n, table.mixed, own,
      [scale = table.scale](const T* x, int count, std::int32_t* codes) __attribute__((always_inline)) {
        for (int i = 0; i < count; ++i) codes[i] = scale.cell_of(as_edge_number(x[i]));
      },
      [slot](std::int32_t cell) __attribute__((always_inline)) { return std::uint32_t{slot[cell]}; },
      [&](edge_number<T> x, std::int32_t cell) __attribute__((always_inline)) {
        return table.edges.find(x, table.first[static_cast<std::size_t>(cell)], table.step);
      });
}

/// Bins of equal width: the slot of an element is about its place. The place of edge i is about i + 1, and `margin` is
/// how far those of the edges and of the numbers just below them are on the wrong side of it. Since places ascend with
/// numbers, whatever is farther from all i + 1 than that is in the slot that its place says.
template <class C>
struct equal_bins {
  const bin_edges<C>& edges;
  double low, per_unit, end, margin = 0;

  equal_bins(const bin_edges<C>& e, std::span<const double> given)
      : edges(e),
        low(given.front() - (is_integer<C> ? 0.5 : 0)),  // integers at an edge are far from it
        per_unit(static_cast<double>(given.size() - 1) / (given.back() - given.front())),
        end(static_cast<double>(given.size()) + 0.5) {
    for (std::int64_t i = 0; i < std::ssize(e.at()); ++i) {
      const C edge = e.at()[static_cast<std::size_t>(i)];
      const auto meant = static_cast<double>(i + 1);
      margin = std::max({margin, meant - place_of(edge), place_of(number_beside(edge, false)) - meant});
    }
    margin += 0x1p-20;  // since remainders are compared with it rounded
  }
  bool applies() const { return end == static_cast<double>(edges.at().size()) + 0.5 && margin < 0.25; }

  [[gnu::always_inline]] double place_of(C x) const {
    const double place = (static_cast<double>(x) - low) * per_unit + 1, above = place > 0.5 ? place : 0.5;
    return above < end ? above : end;
  }
};

template <class C, class T>
[[gnu::always_inline]] inline void count_places(const T* data, std::int64_t n, const equal_bins<C>& bins,
                                                small_count* own) {
  const auto unsure = static_cast<std::int32_t>(bins.edges.at().size()) + 1;
  const C* const edge = bins.edges.at().data();
  count_codes(
      data, n, static_cast<std::uint32_t>(unsure), own,
      [=](const T* x, int count, std::int32_t* codes) __attribute__((always_inline)) {
        for (int i = 0; i < count; ++i) {
          const double place = bins.place_of(as_edge_number(x[i]));
          const auto slot = static_cast<std::int32_t>(place);
          const double rest = place - slot;
          const bool is_near = (rest < bins.margin) | (rest > 1 - bins.margin);
          codes[i] = is_near ? unsure : slot;
        }
      },
      [](std::int32_t slot) __attribute__((always_inline)) { return static_cast<std::uint32_t>(slot); },
      [&](C x, std::int32_t) __attribute__((always_inline)) {
        const std::int64_t near = std::lround(bins.place_of(x));
        return near - 1 + (x >= edge[near - 1]);
      });
}

/// Adds how many elements are not below each of a few edges to at_least. Vectors are as long as registers can be.
template <class C, class T>
[[gnu::always_inline]] inline void count_at_least(const T* data, std::int64_t n, std::span<const C> edges,
                                                  small_count* at_least) {
  constexpr int lanes = 64 / sizeof(C), together = 8;
  constexpr std::int64_t block = 4096;  // elements, which stay in the first cache
  using pack [[gnu::vector_size(64)]] = C;
  using mask [[gnu::vector_size(64)]] = std::conditional_t<sizeof(C) == 8, std::int64_t, std::int32_t>;
  const std::int64_t whole = n - n % lanes;
  for (std::int64_t begin = 0; begin < whole; begin += block) {
    const std::int64_t end = std::min(whole, begin + block);
    for (std::size_t first = 0; first < edges.size(); first += together) {
      pack edge[together]{};
      mask less[together]{};  // the counts, negative
#pragma GCC unroll 8
      for (std::size_t k = 0; k < together; ++k) edge[k] = edges[std::min(first + k, edges.size() - 1)] - pack{};
      for (std::int64_t i = begin; i < end; i += lanes) {
        pack x;
        std::memcpy(&x, data + i, sizeof x);
#pragma GCC unroll 8
        for (std::size_t k = 0; k < together; ++k) less[k] += x >= edge[k];
      }
#pragma GCC unroll 8
      for (std::size_t k = 0; k < together; ++k)
        if (first + k < edges.size())
          for (int lane = 0; lane < lanes; ++lane) at_least[first + k] -= static_cast<small_count>(less[k][lane]);
    }
  }
  for (std::int64_t i = whole; i < n; ++i)
    for (std::size_t k = 0; k < edges.size(); ++k) at_least[k] += data[i] >= edges[k];
}

/// Counts of each slot, by one thread or by all of them, each with counts of its own.
template <class Count>
std::vector<std::int64_t> sum_of_pieces(std::int64_t n, std::int64_t slots, const team& threads, bool alone,
                                        const Count& count) {
  constexpr std::int64_t longest = std::int64_t{1} << 31;  // for a small_count
  const auto width = static_cast<std::size_t>(slots);
  const auto pieces = static_cast<std::size_t>(alone ? 1 : threads.pieces(n));
  std::vector<std::int64_t> sums(width * pieces);
  std::vector<small_count> own(width * pieces);
  const auto count_piece = [&](int piece, std::int64_t first, std::int64_t end) {
    small_count* const counts = own.data() + width * static_cast<std::size_t>(piece);
    std::int64_t* const to = sums.data() + width * static_cast<std::size_t>(piece);
    for (; first < end; first += longest) {
      count(first, std::min(longest, end - first), counts);
      for (std::size_t i = 0; i < width; ++i) to[i] += std::exchange(counts[i], 0);
    }
  };
  if (alone)
    count_piece(0, 0, n);
  else
    threads.share_out(n, count_piece);
  for (std::size_t i = width; i < sums.size(); ++i) sums[i % width] += sums[i];
  sums.resize(width);
  return sums;
}

/// Counts each value of a type that has few.
template <class T, class Sum>
std::vector<std::int64_t> slots_by_values(const T* data, const bin_edges<edge_number<T>>& edges, const Sum& sum) {
  using word = word_of<T>;
  constexpr std::int64_t values = std::int64_t{1} << 8 * sizeof(T);
  const std::vector<std::int64_t> counts = sum(values, [&](std::int64_t first, std::int64_t n, small_count* own) {
    for (std::int64_t i = first; i < first + n; ++i) ++own[std::bit_cast<word>(data[i])];
  });
  std::vector<std::int64_t> slots(static_cast<std::size_t>(std::ssize(edges.at())) + 1);
  for (std::int64_t v = 0; v < values; ++v) {
    const auto x = std::bit_cast<T>(static_cast<word>(v));
    slots[static_cast<std::size_t>(edges.find(as_edge_number(x)))] += counts[static_cast<std::size_t>(v)];
  }
  return slots;
}

/// Counts the elements that are not below each edge.
template <class T, class Sum>
std::vector<std::int64_t> slots_by_edges(const T* data, std::int64_t n, std::span<const T> edges, const Sum& sum) {
  std::vector<std::int64_t> slots =
      sum(std::ssize(edges) + 1, [&](std::int64_t first, std::int64_t count, small_count* own) {
        run_widest([=]() __attribute__((always_inline)) { count_at_least(data + first, count, edges, own + 1); });
      });
  slots.front() = n;
  for (std::size_t i = 0; i + 1 < slots.size(); ++i) slots[i] -= slots[i + 1];
  return slots;
}

template <class Slot, class T, class Sum>
std::vector<std::int64_t> slots_by_cells(const T* data, std::int64_t n, const bin_edges<T>& edges, const Sum& sum) {
  const auto count = std::bit_ceil(static_cast<std::uint64_t>(edges.at().size()));
  // Most cells have no edge, the table stays in the caches, and to make it does not take longer than to use it.
  const auto aimed = std::clamp<std::uint64_t>(8 * count, 1 << 11, 1 << 19);
  constexpr std::uint64_t most = 1 << 23;  // whose numbers are exact in f32, too
  const auto cells =
      std::min(std::max(count, std::min(aimed, std::bit_floor(static_cast<std::uint64_t>(n) / 4))), most);
  const auto count_by = [&](const auto& table) {
    return sum(std::ssize(edges.at()) + 2, [&](std::int64_t first, std::int64_t length, small_count* own) {
      run_widest([ =, &table ]() __attribute__((always_inline)) { count_cells(data + first, length, table, own); });
    });
  };
  const cell_table<T, Slot, cell_widths::equal> equal(edges, static_cast<std::int64_t>(cells));
  if constexpr (is_float<T>)
    if (equal.step > 2) {
      const cell_table<T, Slot, cell_widths::relative> relative(edges, static_cast<std::int64_t>(cells));
      if (relative.step < equal.step) return count_by(relative);
    }
  return count_by(equal);
}

/// How many elements are in each slot, whichever way suits them.
template <class T, class Sum>
std::vector<std::int64_t> count_slots(const T* data, std::int64_t n, const bin_edges<edge_number<T>>& edges,
                                      std::span<const double> given, bin_widths widths, const Sum& sum) {
  constexpr std::int64_t few = 1 << 11;  // elements; a table takes about as long
  const std::int64_t bins = std::ssize(given) - 1;
  if constexpr (sizeof(T) <= 2) {
    if (n >= std::int64_t{2} << 8 * sizeof(T)) return slots_by_values(data, edges, sum);
  } else if (n >= std::max(few, bins)) {
    if (!edges.at().empty() && edges.at().size() <= 128 / sizeof(T)) return slots_by_edges(data, n, edges.at(), sum);
    if (widths == bin_widths::equal && bins < std::numeric_limits<std::int32_t>::max() / 2)
      if (const equal_bins<T> equal(edges, given); equal.applies())
        return sum(bins + 3, [&](std::int64_t first, std::int64_t count, small_count* own) {
          run_widest([ =, &equal ]() __attribute__((always_inline)) { count_places(data + first, count, equal, own); });
        });
    if (edges.at().size() < std::numeric_limits<std::uint16_t>::max() - 1)
      return slots_by_cells<std::uint16_t>(data, n, edges, sum);
    return slots_by_cells<std::uint32_t>(data, n, edges, sum);
  }
  return sum(std::ssize(edges.at()) + 1, [&](std::int64_t first, std::int64_t count, small_count* own) {
    for (std::int64_t i = first; i < first + count; ++i) ++own[edges.find(as_edge_number(data[i]))];
  });
}

}  // namespace

int count_by_threads(dtype element, const void* data, std::int64_t n, std::span<const double> edges, bin_widths widths,
                     const team& threads, std::int64_t* counts) {
  const auto bins = edges.size() - 1;
  // Each piece has counts of its own: they must not be more than its elements.
  const bool alone = static_cast<std::int64_t>(bins) >= n / threads.pieces(n);
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> != element) return;
    const auto sum = [&](std::int64_t slots, const auto& count) {
      return sum_of_pieces(n, slots, threads, alone, count);
    };
    const bin_edges<edge_number<T>> limits(edges);
    const std::vector<std::int64_t> found = count_slots(static_cast<const T*>(data), n, limits, edges, widths, sum);
    // Slot i + 1 is bin i; those that no element reaches have none.
    std::fill_n(counts, bins, 0);
    std::copy_n(found.begin() + 1, std::min(std::ssize(limits.at()), static_cast<std::ptrdiff_t>(bins)), counts);
  });
  return alone ? 1 : threads.pieces(n);
}

}  // namespace onefold::detail
