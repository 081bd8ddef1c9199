#include "run/partial_state.hpp"

#include <cstring>
#include <limits>
#include <string>

#include "choose.hpp"
#include "onefold/catalog.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"

namespace onefold::detail {
namespace {

constexpr std::int64_t last_position = std::numeric_limits<std::int64_t>::max();

/// Elements are read with the alignment that their size allows; states need theirs.
std::size_t alignment_of_elements(const recipe& r) {
  return std::clamp<std::size_t>(r.element_size & (~r.element_size + 1), alignof(std::max_align_t), 4096);
}
std::size_t alignment_of_states(const recipe& r) {
  return std::max<std::size_t>(r.state_align, alignof(std::max_align_t));
}

}  // namespace

kept_nodes::kept_nodes(const recipe& r) : r_(&r), memory_(alignment_of_states(r)), list_(r, 0, nullptr) {
  list_.begin(1);
  list_.move_to(nullptr, 0);
}

kept_nodes::kept_nodes(const kept_nodes& other) : r_(other.r_), memory_(other.memory_), list_(other.list_) {
  list_.move_to(memory_.data(), other.list_.capacity());
}

void kept_nodes::reserve(int n) {
  if (list_.count() + n <= list_.capacity()) return;
  const int capacity = std::max(list_.count() + n, 2 * list_.capacity());
  aligned_bytes larger = memory_;
  larger.extend(static_cast<std::size_t>(capacity) * r_->state_size - larger.size());
  list_.move_to(larger.data(), capacity);
  memory_ = std::move(larger);
}

fold_memory::fold_memory(const recipe& r) : bytes_(std::max<std::size_t>(r.state_align, 64)) {
  if (const std::int64_t bytes = room_bytes(r, 1); bytes > 0) bytes_.extend(static_cast<std::size_t>(bytes));
}

std::int64_t checked_end(std::int64_t begin, std::int64_t count) {
  std::int64_t end = 0;
  if (__builtin_add_overflow(begin, count, &end))
    throw error(error_code::overflow, "the elements reach beyond position 2^63 - 1, the last that a partial can have");
  return end;
}

partial_core::impl::impl(const partial_kind& what, std::int64_t first, const recipe& how)
    : kind(what),
      r(&how),
      format(what.own ? nullptr : &format_of_states(what.operation, what.element, what.mode)),
      order_independent(format && format->order_independent),
      has_places(!order_independent || operation_infos()[static_cast<std::size_t>(what.operation)].gives_index),
      begin(first),
      head(alignment_of_elements(how)),
      tail(alignment_of_elements(how)),
      nodes(how) {
  if (first < 0) refuse("the position of the first element is negative: " + std::to_string(first));
}

std::int64_t partial_core::impl::border() const {
  const std::int64_t behind = begin % r->page;
  return order_independent || behind == 0 ? begin : begin + std::min(r->page - behind, last_position - begin);
}

void partial_core::impl::fold_tail(const void* op, void* room) {
  const std::int64_t n = tail_count(), from = end() - n;
  r->fold(op, {tail.data(), n, from}, 0, 1, 0, nodes.next(), room);
  tail.clear();
  take_node(op, 0, from / r->page, room);
}

void partial_core::impl::take_node(const void* op, int level, std::int64_t index, void* room) {
  if (!order_independent)
    nodes.push(op, level, index, room);
  else if (nodes.count() == 0)
    nodes.push(op, 0, 0, room);
  else
    nodes.merge(op, room);
}

void partial_core::impl::append(const void* op, const impl& right) {
  const fold_memory room(*r);
  const auto take = [&](int i) {
    std::memcpy(nodes.next(), right.nodes.state(i), r->state_size);
    take_node(op, right.nodes[i].level, right.nodes[i].index, room.get());
  };
  if (order_independent) {
    for (int i = 0; i < right.nodes.count(); ++i) take(i);
    count += right.count;
    return;
  }
  const auto push_raw = [&](const aligned_bytes& elements) {  // less than a page
    push(
        op, elements.data(), static_cast<std::int64_t>(elements.size()) / r->element_size, room.get(),
        [](const std::byte*, std::int64_t, std::int64_t) {}, [] {});
  };
  push_raw(right.head);
  for (int i = 0; i < right.nodes.count(); ++i) {
    take(i);
    count += r->page << right.nodes[i].level;
  }
  push_raw(right.tail);
}

request request_of(const partial_kind& what, std::int64_t n) {
  request q;
  q.operation = what.operation;
  q.own = what.own;
  q.element = what.element;
  q.n = n;
  return q;
}

const recipe& recipe_of(const partial_kind& what) {
  options at;
  at.accuracy = what.mode;
  at.environment = false;
  check_choices(at);
  return recipe_for(request_of(what, 0), at, at.isa);
}

}  // namespace onefold::detail
