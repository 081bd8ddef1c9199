// Folds one page over SIMD packs. docs/order.md.
//
// pack_shape.hpp says how a row lies in packs; pack_full_page.hpp and pack_part_page.hpp fold its columns, strip by
// strip; pack_halves.hpp halves them to one lane.
#pragma once

#include "onefold/detail/pack_full_page.hpp"
#include "onefold/detail/pack_part_page.hpp"
#include "onefold/detail/walk.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Folds the pages of an array of T over packs of this level's width.
template <class F, class T>
struct pack_page {
  using shape = pack_shape<F, T>;
  using halves = pack_halves<F, T>;
  using full_page = pack_full_page<F, T>;
  using part_page = pack_part_page<F, T>;
  using V = typename shape::V;
  using S = typename shape::S;
  using stored = typename shape::stored;
  using lane = typename shape::lane;
  static constexpr int width = shape::width;

  /// The fastest walk (docs/notes/cpu.md has the figures).
  static constexpr walk walk_from(origin from) {
    if (!shape::rows_fit) return from == origin::own_cache ? walk::columns : walk::columns_ahead;
    if (from == origin::own_cache && shape::registers < 32)
      return light || members<S, V>::count > 2 ? walk::columns : walk::rows;
    return light && from == origin::memory ? walk::rows_ahead : walk::rows;
  }

  /// A full page.
  template <walk Walk>
  static lane full(const F& f, const T* data) {
    return full_of<Walk>(f, reinterpret_cast<const stored*>(data));
  }
  /// The same of elements as stored, or of a source.
  template <walk Walk, class Elements>
  static lane full_of(const F& f, const Elements& p) {
    S row[halves::kept];
    if constexpr (Walk == walk::rows || Walk == walk::rows_ahead)
      full_page::template by_rows<Walk == walk::rows_ahead>(f, p, row);
    else
      full_page::template by_columns<Walk == walk::columns_ahead>(f, p, row);
    return halves::template halve_pack<width>(f, halves::halve_columns(f, row, halves::kept), width);
  }

  /// The first `count` elements of a page, 1 <= count <= width: what the shortest inputs take.
  ONEFOLD_INLINE static lane few(const F& f, const T* data, int count) {
    return halves::template halve_pack<width>(f, part_page::leading(f, reinterpret_cast<const stored*>(data), count),
                                              count);
  }

  /// The first `count` elements of a page, 1 <= count <= page_elements.
  static lane part(const F& f, const T* data, int count) {
    return halves::template halve_pack<width>(f, part_page::fold(f, reinterpret_cast<const stored*>(data), count),
                                              count < width ? count : width);
  }

 private:
  /// Whether an element costs about one instruction, so that a core waits for its data and not for arithmetic.
  static constexpr bool light =
      sizeof(typename shape::value) == sizeof(stored) && (members<S, V>::count == 1 || flags_nan<F>);
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
