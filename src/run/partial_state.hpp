// What a partial keeps: raw elements up to the first page border, aligned nodes, raw elements after the last border.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "onefold/detail/partial.hpp"
#include "run/aligned_bytes.hpp"
#include "run/node_list.hpp"
#include "state_format.hpp"

namespace onefold::detail {

/// States of the aligned nodes that make up some pages, in order, with memory of its own. Siblings are combined as soon
/// as both are there, so that levels and indices follow from the pages: for_each_node has them.
class kept_nodes {
 public:
  /// None of pages from this one on.
  explicit kept_nodes(const recipe& r, std::int64_t first_page = 0);

  int count() const { return count_; }
  std::int64_t first_page() const { return first_page_; }
  const std::byte* state(int i) const { return memory_.data() + static_cast<std::size_t>(i) * r_->state_size; }

  /// Makes room for n nodes more.
  void reserve(int n);
  /// Where the next node's state is written.
  void* next() {
    reserve(1);
    return memory_.data() + static_cast<std::size_t>(count_) * r_->state_size;
  }
  /// Takes the node that was written at next(), and does not combine it with its sibling.
  void push() { ++count_; }
  /// Takes the node that was written at next(): 2^level pages from index * 2^level on, which follow the pages so far.
  void push(const void* op, int level, std::int64_t index, void* room);
  /// Combines all nodes into one; its state.
  const void* total(const void* op, void* room);

 private:
  /// Combines the last two nodes.
  void merge(const void* op, void* room);

  const recipe* r_;
  std::int64_t first_page_;
  aligned_bytes memory_;
  int count_ = 0;
};

/// What elements' addresses are a multiple of where they are copied: their size allows it.
std::size_t alignment_of_elements(const recipe& r);

/// Memory for recipe::fold, merge and finish, up to this many pages at a time.
class fold_memory {
 public:
  explicit fold_memory(const recipe& r, std::int64_t pages = 1);
  void* get() const { return bytes_.data(); }

 private:
  aligned_bytes bytes_;
};

/// Throws invalid_argument for elements beyond the last position that a partial can have, 2^63 - 1.
std::int64_t checked_end(std::int64_t begin, std::int64_t count);

/// Where the elements of a partial are.
struct partial_place {
  const partial_kind& kind;
  std::int64_t begin, count;

  std::int64_t end() const { return begin + count; }
};

/// Whether a partial is one state, of its elements in any order; and whether their position counts.
bool is_order_independent(const partial_kind& what);
bool has_places(const partial_kind& what);

/// Where two partials begin once they are joined. Throws as partial_core::append.
std::int64_t joined_begin(const partial_place& left, const partial_place& right);

struct partial_core::impl {
  impl(const partial_kind& what, std::int64_t first, const recipe& how);

  std::int64_t end() const { return begin + count; }
  /// The first page border, or where an order-independent partial begins.
  std::int64_t border() const;
  std::int64_t tail_count() const { return elements_of(tail); }
  /// The page after those that the nodes make up.
  std::int64_t last_page() const { return nodes.first_page() + (count - elements_of(head) - tail_count()) / r->page; }
  std::int64_t elements_of(const aligned_bytes& raw) const {
    return static_cast<std::int64_t>(raw.size()) / r->element_size;
  }
  std::size_t bytes_of(std::int64_t elements) const { return static_cast<std::size_t>(elements * r->element_size); }

  /// The next n elements: some up to the end of a page, whole pages, and the rest.
  struct pushed {
    std::int64_t n, first, pages;
    bool heads, fills_tail;
    const std::byte *raw, *whole, *last_raw;  ///< where each begins: the raw ones where the host reads them
  };

  /// Makes room for the next n elements; what can fail but the fold of their pages fails here, and nothing is changed.
  /// readable(p, bytes, q, more) is where the host reads the raw elements from p and from q on.
  template <class Readable>
  pushed prepare(const void* data, std::int64_t n, const Readable& readable) {
    const bool heads = end() < border();
    const std::int64_t first = heads             ? std::min(n, border() - end())
                               : tail.size() > 0 ? std::min(n, r->page - tail_count())
                                                 : 0;
    const std::int64_t pages = (n - first) / r->page, full = pages * r->page;
    const bool fills_tail = !heads && tail_count() + first == r->page;  // a page that is full becomes a node
    const std::size_t bytes = bytes_of(first), last_bytes = bytes_of(n - first - full);
    const auto* const p = static_cast<const std::byte*>(data);
    const std::byte* const pages_begin = p + bytes;

    aligned_bytes& to = heads ? head : tail;
    to.reserve(to.size() + bytes);
    if (last_bytes > 0) tail.reserve(last_bytes);
    if (fills_tail || pages > 0)
      nodes.reserve(order_independent ? 1 : (fills_tail ? 1 : 0) + (pages > 0 ? node_list::most(pages) : 0));
    const auto [raw, last_raw] = readable(p, bytes, pages_begin + bytes_of(full), last_bytes);
    return {n, first, pages, heads, fills_tail, raw, pages_begin, last_raw};
  }

  /// Takes what was prepared, whose pages have been folded: take() takes their nodes, for which there is room, and
  /// cannot fail.
  template <class Take>
  void complete(const void* op, const pushed& p, void* room, const Take& take) {
    const std::int64_t full = p.pages * r->page, last = p.n - p.first - full;
    (p.heads ? head : tail).append(p.raw, bytes_of(p.first));
    count += p.first;
    if (p.fills_tail) fold_tail(op, room);
    if (p.pages > 0) take();
    count += full;
    tail.append(p.last_raw, bytes_of(last));
    count += last;
  }
  /// The position of what was prepared's first whole page.
  std::int64_t position_of(const pushed& p) const { return end() + p.first; }

  /// Takes the next n elements, or throws and has none of them. fold(p, pages, position) folds the whole pages from p
  /// on.
  template <class Fold, class Take, class Readable>
  void push(const void* op, const void* data, std::int64_t n, void* room, const Fold& fold, const Take& take,
            const Readable& readable) {
    const pushed p = prepare(data, n, readable);
    if (p.pages > 0) fold(p.whole, p.pages, position_of(p));
    complete(op, p, room, take);
  }

  /// The same of elements that the host reads.
  template <class Fold, class Take>
  void push(const void* op, const void* data, std::int64_t n, void* room, const Fold& fold, const Take& take) {
    push(op, data, n, room, fold, take,
         [](const std::byte* p, std::size_t, const std::byte* q, std::size_t) { return std::pair(p, q); });
  }

  /// The same, folded by the calling thread; `room` is for all of their pages.
  void push(const void* op, const void* data, std::int64_t n, void* room);

  /// Folds the raw elements of the tail, of which there are some.
  void fold_tail(const void* op, void* room);
  /// Takes a node that was written at nodes.next(): 2^level pages from page `index` * 2^level on.
  void take_node(const void* op, int level, std::int64_t index, void* room);
  /// The same of one with this state.
  void take_node(const void* op, int level, std::int64_t index, const std::byte* state, void* room) {
    std::memcpy(nodes.next(), state, r->state_size);
    take_node(op, level, index, room);
  }
  /// Takes the elements of the next one.
  void append(const void* op, const impl& right);
  /// Folds what an order-independent partial holds of raw elements.
  void settle(const void* op, void* room) {
    if (order_independent && tail.size() > 0) fold_tail(op, room);
  }

  partial_kind kind;
  const recipe* r;
  const state_format* format;  ///< of the states of an operation of the catalog; else null
  bool order_independent;      ///< nothing is kept but one node, whose place means nothing
  std::int64_t begin, count = 0;
  aligned_bytes head, tail;
  kept_nodes nodes;
};

/// Calls f(level, index) for the aligned nodes that make up the pages [first, last), in order.
template <class Function>
void for_each_node(std::int64_t first, std::int64_t last, const Function& f) {
  while (first < last) {
    const int most = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(last - first))) - 1;
    const int level = first == 0 ? most : std::min(most, std::countr_zero(static_cast<std::uint64_t>(first)));
    f(level, first >> level);
    first += std::int64_t{1} << level;
  }
}

/// The recipe of a partial on this CPU, whatever the environment says. Throws where there is none.
const recipe& recipe_of(const partial_kind& what);

/// The request for a partial's elements, n at once, without a result.
request request_of(const partial_kind& what, std::int64_t n);

}  // namespace onefold::detail
