#include "run/partial_state.hpp"

#include <limits>
#include <string>

#include "choose.hpp"
#include "onefold/catalog.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"

namespace onefold::detail {
namespace {

constexpr std::int64_t last_position = std::numeric_limits<std::int64_t>::max();

std::size_t alignment_of_states(const recipe& r) {
  return std::max<std::size_t>(r.state_align, alignof(std::max_align_t));
}

}  // namespace

std::size_t alignment_of_elements(const recipe& r) {
  return std::clamp<std::size_t>(r.element_size & (~r.element_size + 1), alignof(std::max_align_t), 4096);
}

kept_nodes::kept_nodes(const recipe& r, std::int64_t first_page)
    : r_(&r), first_page_(first_page), memory_(alignment_of_states(r)) {}

void kept_nodes::reserve(int n) {
  const std::size_t bytes = static_cast<std::size_t>(count_ + n) * r_->state_size;
  if (bytes > memory_.size()) memory_.extend(bytes - memory_.size());
}

// The sibling before a node that has one is a node of its own: of the pages so far none is in its parent but its own.
void kept_nodes::push(const void* op, int level, std::int64_t index, void* room) {
  push();
  for (; index % 2 == 1 && (index - 1) << level >= first_page_; ++level, index /= 2) merge(op, room);
}

void kept_nodes::merge(const void* op, void* room) {
  --count_;
  r_->merge(op, memory_.data() + static_cast<std::size_t>(count_ - 1) * r_->state_size, 2, room);
}

// A node without a sibling stands for both: neighbors are combined whatever their levels.
const void* kept_nodes::total(const void* op, void* room) {
  while (count_ > 1) merge(op, room);
  return memory_.data();
}

fold_memory::fold_memory(const recipe& r, std::int64_t pages) : bytes_(std::max<std::size_t>(r.state_align, 64)) {
  if (const std::int64_t bytes = room_bytes(r, pages); bytes > 0) bytes_.extend(static_cast<std::size_t>(bytes));
}

std::int64_t checked_end(std::int64_t begin, std::int64_t count) {
  std::int64_t end = 0;
  if (__builtin_add_overflow(begin, count, &end))
    throw error(error_code::overflow, "the elements reach beyond position 2^63 - 1, the last that a partial can have");
  return end;
}

bool is_order_independent(const partial_kind& what) {
  return !what.own && format_of_states(what.operation, what.element, what.mode).order_independent;
}

bool has_places(const partial_kind& what) {
  return !is_order_independent(what) || operation_infos()[static_cast<std::size_t>(what.operation)].gives_index;
}

partial_core::impl::impl(const partial_kind& what, std::int64_t first, const recipe& how)
    : kind(what),
      r(&how),
      format(what.own ? nullptr : &format_of_states(what.operation, what.element, what.mode)),
      order_independent(is_order_independent(what)),
      begin(first),
      head(alignment_of_elements(how)),
      tail(alignment_of_elements(how)),
      nodes(how, first / how.page + (first % how.page != 0)) {
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
  if (!order_independent) return nodes.push(op, level, index, room);
  nodes.push();
  nodes.total(op, room);
}

void partial_core::impl::push(const void* op, const void* data, std::int64_t n, void* room) {
  slice whole{};
  const auto fold = [&](int level, std::int64_t index, std::int64_t from, std::int64_t elements) {
    const std::byte* const first = static_cast<const std::byte*>(whole.data) + bytes_of(from);
    r->fold(op, {first, elements, whole.index + from, whole.n}, 0, 1, level, nodes.next(), room);
    take_node(op, level, index, room);
  };
  push(
      op, data, n, room,
      [&](const std::byte* p, std::int64_t pages, std::int64_t position) {
        whole = {p, pages * r->page, position};
      },
      [&] {
        const std::int64_t pages = whole.n / r->page;
        if (order_independent)  // one run, from wherever it begins
          fold(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(pages - 1))), 0, 0, whole.n);
        else
          for_each_run(r->page, whole, 0, pages, true, fold);
      });
}

void partial_core::impl::append(const void* op, const impl& right) {
  const fold_memory room(*r);
  int taken = 0;
  const auto take = [&](int level, std::int64_t index) {
    take_node(op, level, index, right.nodes.state(taken++), room.get());
  };
  if (order_independent) {
    if (right.nodes.count() > 0) take(0, 0);
    count += right.count;
    return;
  }
  push(op, right.head.data(), elements_of(right.head), room.get());
  for_each_node(right.nodes.first_page(), right.last_page(), [&](int level, std::int64_t index) {
    take(level, index);
    count += r->page << level;
  });
  push(op, right.tail.data(), elements_of(right.tail), room.get());
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
