// Partials: what they are of, joining them, and their results.
#include "onefold/detail/partial.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "cpu.hpp"
#include "onefold/catalog.hpp"
#include "onefold/order.hpp"
#include "run/checks.hpp"
#include "run/cpu_executor.hpp"
#include "run/partial_state.hpp"

namespace onefold::detail {
namespace {

bool same_operation(const partial_kind& a, const partial_kind& b) {
  if (a.own || b.own)
    return a.own && b.own && std::strcmp(a.identity, b.identity) == 0 && a.own->state_size == b.own->state_size &&
           a.own->element_size == b.own->element_size;
  return a.operation == b.operation && a.element == b.element;
}

/// "the elements [0, 10)"
std::string elements_in(std::int64_t begin, std::int64_t end) {
  return "the elements [" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

std::string elements_of(const partial_place& p) { return elements_in(p.begin, p.end()); }

void require_same_kind(const partial_kind& a, const partial_kind& b) {
  const bool same = same_operation(a, b);
  if (same && a.mode == b.mode) return;
  refuse("a partial of " + describe(a, same) + " cannot be joined with one of " + describe(b, same) +
         (a.own && b.own ? ", which other types or another compiler made; make both with the same"
          : same         ? "; make both at the same accuracy"
                         : "; make both with the same operation and element type"));
}

/// Why two partials are not adjacent, and what to do about it.
std::string why_not_adjacent(const partial_place& left, const partial_place& right) {
  const bool reversed = right.begin < left.begin;
  const partial_place &first = reversed ? right : left, &second = reversed ? left : right;
  const std::int64_t from = second.begin, to = std::min(first.end(), second.end());
  if (from < to) return "both have " + elements_in(from, to) + "; leave those out of one of them";
  if (first.end() < from)
    return "they are not adjacent; join a partial of " + elements_in(first.end(), from) + " between them";
  if (right.end() == left.begin) return "they are not adjacent in this order; swap them";
  return "they are not adjacent; an empty one must begin where the other one begins or ends";
}

}  // namespace

std::string describe(const partial_kind& what, bool accuracy_too) {
  if (what.own) return "a user-defined operation";
  const std::string_view name = operation_infos()[static_cast<std::size_t>(what.operation)].name;
  std::string text = std::string("aeiou").find(name.front()) == std::string::npos ? "a " : "an ";
  text.append(name).append(" of ").append(name_of(what.element));
  if (accuracy_too) text.append(" at accuracy ").append(name_of(what.mode));
  return text;
}

std::vector<std::int64_t> page_borders(std::int64_t n, int ranks, std::int64_t element_size) {
  if (n < 0) refuse("the number of elements is negative: " + std::to_string(n));
  if (ranks < 1) refuse("the number of ranks is " + std::to_string(ranks) + "; there must be at least one");
  const std::int64_t page = page_elements(element_size), pages = n / page + (n % page != 0);
  std::vector<std::int64_t> borders(static_cast<std::size_t>(ranks) + 1, n);
  for (int i = 0; i < ranks; ++i)
    if (const std::int64_t first = share(pages, i, ranks); first < pages)
      borders[static_cast<std::size_t>(i)] = first * page;
  return borders;
}

partial_core::partial_core(const partial_kind& what, std::int64_t begin)
    : impl_(new impl(what, begin, recipe_of(what))) {}

partial_core::partial_core(const partial_core& other) : impl_(other.impl_ ? new impl(*other.impl_) : nullptr) {}

partial_core::~partial_core() { delete impl_; }

partial_core::impl& partial_core::made() const {
  if (!impl_) refuse("the partial was moved from; assign another one to it first");
  return *impl_;
}

const partial_kind& partial_core::kind() const { return made().kind; }
std::int64_t partial_core::begin() const { return made().begin; }
std::int64_t partial_core::count() const { return made().count; }
bool partial_core::order_independent() const { return made().order_independent; }

std::int64_t joined_begin(const partial_place& left, const partial_place& right) {
  require_same_kind(left.kind, right.kind);
  std::int64_t begin = left.begin;
  if (!has_places(left.kind)) {
    if (left.count == 0 || (right.count > 0 && right.begin < begin)) begin = right.begin;
  } else if (left.end() != right.begin) {
    if (!is_order_independent(left.kind) || right.end() != left.begin)
      refuse("a partial of " + elements_of(left) + " cannot be joined with one of " + elements_of(right) + ": " +
             why_not_adjacent(left, right));
    begin = right.begin;
  }
  static_cast<void>(checked_end(begin, checked_end(left.count, right.count)));
  return begin;
}

void partial_core::append(const void* op, const partial_core& right) {
  const float_environment ieee;
  impl& to = made();
  const impl& from = right.made();
  const std::int64_t begin = joined_begin({to.kind, to.begin, to.count}, {from.kind, from.begin, from.count});
  if (to.count == 0 && !has_places(to.kind)) {
    *this = right;
    return;
  }
  to.append(op, from);
  to.begin = begin;
}

void partial_core::result(const void* op, const request& to, const void* init, void* result) const {
  const float_environment ieee;
  const impl& p = made();
  const recipe& r = *p.r;
  check_initial(to, r);
  if (p.begin > 0 && !p.order_independent)
    refuse("a partial of " + elements_in(p.begin, p.end()) + " has no result of its own: " + describe(p.kind, false) +
           " needs the elements before them; join theirs first");
  check_empty(r, p.count, init);
  if (is_small(r, p.count) && p.nodes.count() == 0)
    return check_result(r, r.small(op, p.tail.data(), p.count, init, to.result, result));
  const fold_memory room(r);
  kept_nodes nodes = p.nodes;
  if (const std::int64_t n = p.tail_count(); n > 0 || nodes.count() == 0) {
    const std::int64_t from = p.end() - n;
    r.fold(op, {p.tail.data(), n, from}, 0, 1, 0, nodes.next(), room.get());
    nodes.push();
  }
  check_result(r, r.finish(op, nodes.total(op, room.get()), p.count, init, to.result, result, room.get()));
}

}  // namespace onefold::detail
