// Nodes of the aligned trees of some outputs that are folded together, in the order of their pages.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "onefold/recipe.hpp"

namespace onefold::detail {

/// The nodes that make up a part of the pages of `width` outputs: of each level and index one for each output. Siblings
/// are combined as soon as both are there. The memory is the caller's.
class node_list {
 public:
  /// 2^level pages from index * 2^level on.
  struct node {
    int level;
    std::int64_t index;
  };

  /// The most nodes that a part of `pages` pages leaves, one that is not combined yet included.
  static int most(std::int64_t pages);
  /// Bytes for lists of up to `width` outputs.
  static std::int64_t bytes(const recipe& r, int width, std::int64_t pages);

  node_list(const recipe& r, std::int64_t pages, void* memory)
      : r_(&r), capacity_(most(pages)), states_(static_cast<char*>(memory)) {}

  /// Empty again, for other outputs.
  void begin(int width) {
    width_ = width;
    count_ = 0;
  }
  bool empty() const { return count_ == 0; }
  int width() const { return width_; }

  /// The states of one output's nodes, one after the other.
  const void* states() const { return states_; }
  int count() const { return count_; }
  const node& operator[](int i) const { return nodes_[i]; }

  /// Where the next node's states are written, and how far apart those of two outputs are.
  void* next() const { return states_ + count_ * std::int64_t{r_->state_size}; }
  std::int64_t distance() const { return std::int64_t{capacity_} * r_->state_size; }

  /// Takes the node that was written at next(): 2^level pages from index * 2^level on. `room`: as for recipe::merge.
  void push(const void* op, int level, std::int64_t index, void* room);

  /// Takes all nodes of the list, which come after this one's.
  void push(const void* op, const node_list& later, void* room);

  /// The state of the whole output, all pages of which have been pushed; no node may be pushed afterwards.
  const void* total(const void* op, int output, void* room);

 private:
  void* state(int output, int i) const { return states_ + output * distance() + i * std::int64_t{r_->state_size}; }

  const recipe* r_;
  int capacity_, width_ = 0, count_ = 0;
  char* states_;
  node nodes_[128];  // two for each level
};

/// Calls f(level, index, from, n) for the runs of pages that the pages [first, last) of a slice make up, in order: node
/// `index` of a level, the n elements from the slice's element `from` on. As few as the tree has for them. `continues`:
/// the slice's pages are full, and others follow.
template <class Function>
void for_each_run(std::int64_t page, const slice& whole, std::int64_t first, std::int64_t last, bool continues,
                  const Function& f) {
  const bool ends = !continues && last == (whole.n + page - 1) / page;
  const std::int64_t before = whole.index / page;
  while (first < last) {  // the longest run that begins here: beyond the end there is nothing
    const std::int64_t place = before + first;
    int level = place == 0 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(last - 1)))
                           : std::countr_zero(static_cast<std::uint64_t>(place));
    while (level > 0 && (first + (std::int64_t{1} << level) > last) &&
           (!ends || first + (std::int64_t{1} << (level - 1)) >= last))
      --level;
    const std::int64_t from = first * page;
    f(level, place >> level, from, std::min(whole.n - from, page << level));
    first += std::int64_t{1} << level;
  }
}

/// Folds the pages [first, last) of a slice, counted from its first element, into a list of one output, in as few runs
/// as its tree has for them. `continues`: the slice's pages are full, and others follow. `room` as for recipe::fold.
void fold_pages(const recipe& r, const void* op, const slice& whole, std::int64_t first, std::int64_t last,
                node_list& list, void* room, bool continues = false);

}  // namespace onefold::detail
