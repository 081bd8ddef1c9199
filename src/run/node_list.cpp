#include "run/node_list.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "planner/candidates.hpp"

namespace onefold::detail {

// The levels rise and then fall: the part begins in the middle of one node and ends in the middle of another.
int node_list::most(std::int64_t pages) {
  return 2 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(pages))) + 1;
}

std::int64_t node_list::bytes(const recipe& r, int width, std::int64_t pages) {
  return std::int64_t{width} * most(pages) * r.state_size;
}

void node_list::push(const void* op, int level, std::int64_t index, void* room) {
  for (; count_ > 0 && nodes_[count_ - 1].level == level && nodes_[count_ - 1].index == index - 1 && index % 2 == 1;
       ++level, index /= 2) {
    --count_;
    for (int o = 0; o < width_; ++o) r_->merge(op, state(o, count_), 2, room);
  }
  nodes_[count_++] = {level, index};
}

void node_list::push(const void* op, const node_list& later, void* room) {
  for (int i = 0; i < later.count_; ++i) {
    for (int o = 0; o < width_; ++o) std::memcpy(state(o, count_), later.state(o, i), r_->state_size);
    push(op, later.nodes_[i].level, later.nodes_[i].index, room);
  }
}

// A node without a sibling stands for both: neighbors in the list are combined whatever their levels.
const void* node_list::total(const void* op, int output, void* room) {
  for (int i = count_ - 2; i >= 0; --i) r_->merge(op, state(output, i), 2, room);
  return state(output, 0);
}

void fold_pages(const recipe& r, const void* op, const slice& whole, std::int64_t first, std::int64_t last,
                node_list& list, void* room, bool continues) {
  list.begin(1);
  for_each_run(
      r.page, whole, first, last, continues, [&](int level, std::int64_t index, std::int64_t from, std::int64_t n) {
        const char* const data = static_cast<const char*>(whole.data) + from * r.element_size;
        r.fold(op, {data, n, whole.index + from, std::max(whole.n, whole.together)}, 0, 1, level, list.next(), room);
        list.push(op, level, index, room);
      });
}

}  // namespace onefold::detail
