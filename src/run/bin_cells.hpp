// A table that finds the bins of most elements: it divides the range of the edges more finely than they do. To be
// included in files that are compiled without fused multiply-additions: the cells of edges and of elements must be
// computed alike.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "run/bin_edges.hpp"

namespace onefold::detail {

/// In what cells are computed: it need not have all numbers, since rounding keeps their order.
template <class C>
using cell_number = std::conditional_t<sizeof(C) == 8, double, float>;

/// How cells divide the edges' range: into equal parts, or into parts of about equal ratio, for edges that span orders
/// of magnitude.
enum class cell_widths : std::uint8_t { equal, relative };

/// A number that ascends with x; of relative widths its leading bits, about as a logarithm. NaN is first or NaN.
template <cell_widths Widths, class C>
[[gnu::always_inline]] inline cell_number<C> cell_position(C x) {
  if constexpr (Widths == cell_widths::relative) {
    const C unsigned_zero = x + 0;
    std::int32_t leading;
    if constexpr (sizeof(C) == 8)
      leading = static_cast<std::int32_t>(std::bit_cast<std::int64_t>(unsigned_zero) >> 32);
    else
      leading = std::bit_cast<std::int32_t>(unsigned_zero);
    leading ^= (leading >> 31) & std::numeric_limits<std::int32_t>::max();
    const auto position = static_cast<cell_number<C>>(leading);
    return x == x ? position : -std::numeric_limits<cell_number<C>>::infinity();
  } else {
    return static_cast<cell_number<C>>(x);
  }
}

/// The cells of numbers: they ascend, 0 is for what is below all edges, and NaN.
template <class C, cell_widths Widths>
struct cell_scale {
  using G = cell_number<C>;
  G low = 0, per_unit = 1;
  G last;  ///< the last cell

  cell_scale(std::span<const C> edges, std::int64_t cells) : last(static_cast<G>(cells - 1)) {
    const auto is_finite = [](C x) { return std::isfinite(static_cast<G>(x)); };
    const auto first = std::ranges::find_if(edges, is_finite);
    if (first == edges.end()) return;
    low = cell_position<Widths>(*first);
    const G scale = (last - 2) / (cell_position<Widths>(*std::find_if(edges.rbegin(), edges.rend(), is_finite)) - low);
    if (std::isfinite(scale) && scale > 0) per_unit = scale;
  }

  [[gnu::always_inline]] std::int32_t cell_of(C x) const {
    const G place = (cell_position<Widths>(x) - low) * per_unit + 1, above = place > 0 ? place : 0;
    return static_cast<std::int32_t>(above < last ? above : last);
  }
};

/// Cells, and the slots of what is in them, in a type that has them.
template <class C, class Slot, cell_widths Widths>
struct cell_table {
  const bin_edges<C>& edges;
  cell_scale<C, Widths> scale;
  std::vector<std::uint32_t> first;  ///< the slot of a cell's smallest numbers
  std::vector<Slot> slot;            ///< the slot of a cell's elements, `mixed` where an edge divides them
  std::uint32_t mixed;
  std::int64_t step = 0;  ///< for a search in a cell

  explicit cell_table(const bin_edges<C>& e, std::int64_t cells)
      : edges(e),
        scale(e.at(), cells),
        first(static_cast<std::size_t>(cells) + 1),
        slot(static_cast<std::size_t>(cells)),
        mixed(static_cast<std::uint32_t>(std::ssize(e.at()) + 1)) {
    for (const C edge : e.at()) {
      const auto cell = static_cast<std::size_t>(scale.cell_of(edge));
      ++first[cell + 1];
      if (scale.cell_of(number_beside(edge, false)) == static_cast<std::int32_t>(cell))
        slot[cell] = static_cast<Slot>(mixed);
    }
    std::uint32_t most = 0;
    for (std::size_t cell = 0; cell < slot.size(); ++cell) {
      most = std::max(most, first[cell + 1]);
      first[cell + 1] += first[cell];
      if (slot[cell] != mixed) slot[cell] = static_cast<Slot>(first[cell + 1]);
    }
    step = std::bit_floor(most);
  }
};

}  // namespace onefold::detail
