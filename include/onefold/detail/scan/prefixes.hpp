// What every scan is made of: the nodes of the aligned tree before a page, and the states of a row on their way to
// results.
//
// A prefix that ends in page p is p's own prefix with the aligned nodes left of p in front: one for each bit of p that
// is set, the nearest first (docs/order.md). So a state is combined with as many nodes as p has bits.
#pragma once

#include <cstdint>
#include <cstring>

#include "onefold/detail/runs.hpp"
#include "onefold/scan_recipe.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// A state in place of another, which need not be assignable. Not by placement new: the library's scans define nothing
/// that does not carry their level's name.
template <class S>
void put(S& place, const S& s) {
  __builtin_memcpy(static_cast<void*>(&place), &s, sizeof(S));
}

/// Whether the prefixes of fold F may be made in any order: those of searches too, where ties go to the lower index.
template <class F>
inline constexpr bool scans_in_any_order = is_order_free<F>;
template <of_library F>
requires requires { typename F::extreme; }
inline constexpr bool scans_in_any_order<F> = true;

/// The aligned nodes left of a page, in the memory of a part.
template <class F, class S>
class left_nodes {
 public:
  left_nodes(const F& f, const scan_part& part, std::int64_t page_size)
      : f_(f), states_(static_cast<S*>(part.nodes)), count_(part.node_count), page_(part.index / page_size) {
    if constexpr (scans_in_any_order<F>) unite();
  }
  int count() const { return count_; }
  /// Node i, the nearest one first.
  const S& operator[](int i) const { return states_[count_ - 1 - i]; }

  /// The page's own state joins, and the next page begins.
  void push(const S& s) {
    put(states_[count_], s);
    ++count_;
    if constexpr (scans_in_any_order<F>) return unite();
    for (std::uint64_t carry = static_cast<std::uint64_t>(page_++); carry & 1; carry >>= 1) join_last();
  }
  /// A prefix of this page with all that is before it.
  ONEFOLD_INLINE S after(S s) const {
    for (int i = count_; i-- > 0;) s = f_.combine(states_[i], s);
    return s;
  }

 private:
  // Where the order of the elements does not matter, one node stands for all.
  void unite() {
    while (count_ > 1) join_last();
  }
  void join_last() {
    --count_;
    put(states_[count_ - 1], f_.combine(states_[count_ - 1], states_[count_]));
  }

  const F& f_;
  S* states_;
  int count_;
  std::int64_t page_;
};

/// States of neighboring prefixes, which become results a row at a time.
template <class S, int Row>
class prefix_row {
 public:
  /// `memory` has room for a row and one more state. `before` is the state of all elements before the part.
  prefix_row(const void* op, const scan_part& part, write_results write, S* memory, const S& before)
      : op_(op),
        part_(part),
        write_(write),
        states_(memory),
        first_(part.exclusive ? 0 : 1),
        n_(part.index + first_),
        to_(static_cast<char*>(part.results)) {
    put(states_[0], before);
  }
  /// Where the states of the next row's prefixes are written.
  S* states() const { return states_ + 1; }

  /// Writes the results of the first `count` of them.
  void flush(int count) {
    const char* const why =
        write_(op_, states_ + first_, count, n_, part_.init, part_.result_type, part_.result_size, to_);
    if (why && !why_) why_ = why;
    put(states_[0], states_[count]);
    n_ += count;
    to_ += std::int64_t{count} * part_.result_size;
  }
  /// Why a result does not exist; null: all do.
  const char* why() const { return why_; }

 private:
  const void* op_;
  const scan_part& part_;
  write_results write_;
  S* states_;  ///< the first one is that of the prefix before the row
  int first_;
  std::int64_t n_;
  char* to_;
  const char* why_ = nullptr;
};

/// Places in the room of a scan, one after the other, each at 64 bytes.
class scan_room {
 public:
  explicit scan_room(void* memory) : next_(static_cast<char*>(memory)) {}
  template <class S>
  S* take(std::int64_t count) {
    void* const place = next_;
    next_ += bytes<S>(count);
    return static_cast<S*>(place);
  }
  template <class S>
  static constexpr std::int64_t bytes(std::int64_t count) {
    return (count * static_cast<std::int64_t>(sizeof(S)) + 63) / 64 * 64;
  }

 private:
  char* next_;
};

/// The state of no elements.
template <class F, class T>
tree_state<F, T> empty_prefix(const F& f) {
  return to_tree<F, T>(f, identity_of<F, lane_value<F, T>>(f));
}

/// The state of all that is before a part: its nodes, or nothing.
template <class F, class T>
tree_state<F, T> state_before(const F& f, const left_nodes<F, tree_state<F, T>>& nodes) {
  if (nodes.count() == 0) return empty_prefix<F, T>(f);
  tree_state<F, T> s = nodes[0];
  for (int i = 1; i < nodes.count(); ++i) s = f.combine(nodes[i], s);
  return s;
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
