// Folds with states that are too large for the stack, or that take their elements in place: the same order, in memory
// that the caller of a recipe provides.
#pragma once

#include <cstdint>
#include <cstring>
#include <new>

#include "onefold/detail/scalar_page.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Bytes of the largest state that works on the stack: a tree of 48 of them, and a page's, fit into 16 KiB.
inline constexpr int stack_state_bytes = 128;

/// Whether the states of fold F over elements T live in memory apart from the stack.
template <class F, class T>
inline constexpr bool works_apart = sizeof(tree_state<F, T>) > stack_state_bytes ||
                                    sizeof(lane_state<F, T>) > stack_state_bytes || pushes_in_place<F, T>;

/// a = a o b; `spare` is neither.
template <class F, class S>
void join(const F& f, S* a, const S* b, S* spare) {
  ::new (static_cast<void*>(spare)) S(f.combine(*a, *b));
  std::memcpy(static_cast<void*>(a), spare, sizeof(S));
}

/// aligned_tree over states in memory of its own, from `nodes` on: for 2^k states k + 3 places.
template <class S>
class placed_tree {
 public:
  explicit placed_tree(S* nodes) : nodes_(nodes) {}
  bool empty() const { return depth_ == 0; }
  /// Where the next state is written; the places after it are free.
  S* next() const { return nodes_ + depth_; }
  /// Takes the state that was written at next().
  template <class F>
  void push(const F& f) {
    for (std::uint64_t carry = count_++; carry & 1; carry >>= 1) {
      --depth_;
      join(f, nodes_ + depth_, nodes_ + depth_ + 1, nodes_ + depth_ + 2);
    }
    ++depth_;
  }
  /// The state of everything pushed; at least one must have been.
  template <class F>
  S* total(const F& f) {
    for (; depth_ > 1; --depth_) join(f, nodes_ + depth_ - 2, nodes_ + depth_ - 1, nodes_ + depth_);
    return nodes_;
  }

 private:
  S* nodes_;
  int depth_ = 0;
  std::uint64_t count_ = 0;
};

/// Folds one page into *to; the places after it are free.
template <class F, class T>
struct placed_page {
  using S = lane_state<F, T>;
  static constexpr int lanes = lanes_of(sizeof(T));
  /// Places that a page takes: a node for each halving of 512 lanes and a column's strips, or the tree over the strips
  /// of 512 * 32 elements; one where elements are pushed in place.
  static constexpr int places = pushes_in_place<F, T> ? 1 : 16;

  static void fold(const F& f, const T* p, int count, std::int64_t index, S* to) {
    if constexpr (layout_of<F, T> == layout::one_state) {
      ::new (static_cast<void*>(to)) S(lift_at(f, p[0], index));
      for (int i = 1; i < count; ++i) f.push(*to, p[i]);
    } else if constexpr (has_lanes<F, T>) {
      node(f, p, count, index, 0, 1, to);
    } else {
      placed_tree<S> tree(to);
      for (int i = 0; i < count; i += strip_rows) {
        const int left = count - i;
        strip(f, p + i, index + i, 1, left < strip_rows ? left : strip_rows, tree.next());
        tree.push(f);
      }
      tree.total(f);
    }
  }

 private:
  /// `count` elements p[0], p[stride], ... first to last.
  static void strip(const F& f, const T* p, std::int64_t index, int stride, int count, S* to) {
    ::new (static_cast<void*>(to)) S(lift_at(f, p[0], index));
    for (int r = 1; r < count; ++r) {
      const T& x = p[r * stride];
      if constexpr (requires { f.push(*to, x); }) {
        ::new (static_cast<void*>(to + 1)) S(f.push(*to, x));
        std::memcpy(static_cast<void*>(to), to + 1, sizeof(S));
      } else {
        ::new (static_cast<void*>(to + 1)) S(lift_at(f, x, index + r * stride));
        join(f, to, to + 1, to + 2);
      }
    }
    if constexpr (requires {
                    { f.end_strip(*to) } -> returns_as<S>;
                  }) {
      ::new (static_cast<void*>(to + 1)) S(f.end_strip(*to));
      std::memcpy(static_cast<void*>(to), to + 1, sizeof(S));
    }
  }
  /// A lane of `rows` elements: (s0 o s1) o (s2 o s3).
  static void column(const F& f, const T* p, int rows, std::int64_t index, S* to) {
    const auto put_strip = [&](int s, S* place) {
      const int first = s * strip_rows, left = rows - first;
      strip(f, p + first * lanes, index + first * lanes, lanes, left < strip_rows ? left : strip_rows, place);
    };
    const int strips = (rows + strip_rows - 1) / strip_rows;
    put_strip(0, to);
    if (strips > 1) {
      put_strip(1, to + 1);
      join(f, to, to + 1, to + 2);
    }
    if (strips > 2) {
      put_strip(2, to + 1);
      if (strips > 3) {
        put_strip(3, to + 2);
        join(f, to + 1, to + 2, to + 3);
      }
      join(f, to, to + 1, to + 2);
    }
  }
  /// Lane j after halving to w lanes; j < count.
  static void node(const F& f, const T* p, int count, std::int64_t index, int j, int w, S* to) {
    if (w == lanes) return column(f, p + j, (count - j + lanes - 1) / lanes, index + j, to);
    node(f, p, count, index, j, 2 * w, to);
    if (j + w >= count) return;
    node(f, p, count, index, j + w, 2 * w, to + 1);
    join(f, to, to + 1, to + 2);
  }
};

/// The memory that a fold works in: places for a page's states, then the nodes of the tree over pages.
template <class F, class T>
struct fold_room {
  using L = lane_state<F, T>;
  using S = tree_state<F, T>;
  static constexpr std::size_t align = alignof(L) > alignof(S) ? alignof(L) : alignof(S);
  /// Bytes of the places for a page.
  static constexpr std::size_t page_bytes = (placed_page<F, T>::places * sizeof(L) + align - 1) / align * align;
  L* page;
  S* nodes;
  explicit fold_room(void* memory)
      : page(static_cast<L*>(memory)),
        nodes(static_cast<S*>(static_cast<void*>(static_cast<unsigned char*>(memory) + page_bytes))) {}
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
