// What a partial keeps: raw elements up to the first page border, aligned nodes, raw elements after the last border.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "onefold/detail/partial.hpp"
#include "run/aligned_bytes.hpp"
#include "run/node_list.hpp"
#include "state_format.hpp"

namespace onefold::detail {

/// A node_list of one output with memory of its own.
class kept_nodes {
 public:
  explicit kept_nodes(const recipe& r);
  kept_nodes(const kept_nodes& other);
  kept_nodes& operator=(const kept_nodes&) = delete;
  ~kept_nodes() = default;

  int count() const { return list_.count(); }
  const node_list::node& operator[](int i) const { return list_[i]; }
  const std::byte* state(int i) const { return memory_.data() + static_cast<std::size_t>(i) * r_->state_size; }

  /// Makes room for n nodes more.
  void reserve(int n);
  /// Where the next node's state is written.
  void* next() {
    reserve(1);
    return list_.next();
  }
  /// Merges the node that was written at next() into the only one before it, which stands for both.
  void merge(const void* op, void* room) { r_->merge(op, memory_.data(), 2, room); }
  /// Takes the node that was written at next(), as node_list::push.
  void push(const void* op, int level, std::int64_t index, void* room) { list_.push(op, level, index, room); }
  /// As node_list::total.
  const void* total(const void* op, void* room) { return list_.total(op, 0, room); }

 private:
  const recipe* r_;
  aligned_bytes memory_;
  node_list list_;
};

/// Memory for recipe::fold, merge and finish, a page at a time.
class fold_memory {
 public:
  explicit fold_memory(const recipe& r);
  void* get() const { return bytes_.data(); }

 private:
  aligned_bytes bytes_;
};

/// Throws invalid_argument for elements beyond the last position that a partial can have, 2^63 - 1.
std::int64_t checked_end(std::int64_t begin, std::int64_t count);

struct partial_core::impl {
  impl(const partial_kind& what, std::int64_t first, const recipe& how);

  std::int64_t end() const { return begin + count; }
  /// The first page border, or where an order-independent partial begins.
  std::int64_t border() const;
  std::int64_t tail_count() const { return static_cast<std::int64_t>(tail.size()) / r->element_size; }

  /// Takes the next n elements. fold_full(p, pages) folds whole pages from p on and takes their nodes; readable(p,
  /// bytes) is where the host reads what is there.
  template <class FoldFull, class Readable>
  void push(const void* op, const void* data, std::int64_t n, void* room, const FoldFull& fold_full,
            const Readable& readable) {
    const auto* p = static_cast<const std::byte*>(data);
    const auto skip = [&](std::int64_t elements) {
      p += elements * r->element_size;
      n -= elements;
      count += elements;
    };
    const auto keep = [&](aligned_bytes& to, std::int64_t elements) {
      const auto bytes = static_cast<std::size_t>(elements * r->element_size);
      if (bytes > 0) to.append(readable(p, bytes), bytes);
      skip(elements);
    };
    if (end() < border()) keep(head, std::min(n, border() - end()));
    if (tail.size() > 0) {
      nodes.reserve(1);  // a page that is full becomes a node
      keep(tail, std::min(n, r->page - tail_count()));
      if (tail_count() == r->page) fold_tail(op, room);
    }
    if (const std::int64_t pages = n / r->page; pages > 0) {
      fold_full(p, pages);
      skip(pages * r->page);
    }
    keep(tail, n);
  }

  /// The same of elements that the host reads.
  template <class FoldFull>
  void push(const void* op, const void* data, std::int64_t n, void* room, const FoldFull& fold_full) {
    push(op, data, n, room, fold_full, [](const std::byte* from, std::size_t) { return from; });
  }

  /// Folds the raw elements of the tail, of which there are some.
  void fold_tail(const void* op, void* room);
  /// Takes a node that was written at nodes.next(): 2^level pages from page `index` * 2^level on.
  void take_node(const void* op, int level, std::int64_t index, void* room);
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
  bool has_places;             ///< whether the position of elements counts
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
