#include "run/problem.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "onefold/detail/mapping.hpp"
#include "onefold/detail/row_engine.hpp"
#include "onefold/detail/scan.hpp"
#include "onefold/detail/selection.hpp"
#include "onefold/detail/shape.hpp"
#include "onefold/error.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"

namespace onefold::detail {
namespace {

/// The most problems that are merged together: of lines, results, a mask, and the arrays of a function.
constexpr int most_parallel = most_mapped_arrays + 3;

/// The axes of another array with the same extents, and the problem that it gets.
struct companion {
  const axis* axes;
  problem* made;
};

/// The axes `list` of some problems in C order as few axes: those of one element are left out, and an axis joins the
/// one before it where that goes on as this one does, in all problems. A view without elements may have any extents and
/// strides beside its zero.
std::int32_t merge(std::span<problem* const> all, axis (problem::*list)[most_axes], std::int32_t count) {
  const auto goes_on = [](const axis& before, const axis& a) {
    std::int64_t length = 0;
    return !__builtin_mul_overflow(a.stride, a.extent, &length) && before.stride == length;
  };
  std::int32_t kept = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    std::int64_t extent = (all[0]->*list)[i].extent, both = 0;
    if (extent == 1) continue;
    const bool joins =
        kept > 0 &&
        std::ranges::all_of(all, [&](problem* p) { return goes_on((p->*list)[kept - 1], (p->*list)[i]); }) &&
        !__builtin_mul_overflow((all[0]->*list)[kept - 1].extent, extent, &both);
    if (joins)
      extent = both;
    else
      ++kept;
    for (problem* p : all) (p->*list)[kept - 1] = {extent, (p->*list)[i].stride};
  }
  return kept;
}

[[noreturn]] void refuse_axes(const char* of, std::size_t rank) {
  refuse(std::string(of) + " of " + std::to_string(rank) + " axes is not supported; at most " +
         std::to_string(most_axes));
}

/// How many elements the axes have together. A view without elements may have any extents beside its zero. `too_many`
/// begins the message if there are more than can be counted.
std::int64_t product(const axis* axes, std::int32_t count, const char* too_many) {
  std::int64_t n = 1;
  bool overflows = false;
  for (std::int32_t i = 0; i < count; ++i) {
    if (axes[i].extent == 0) return 0;
    overflows |= __builtin_mul_overflow(n, axes[i].extent, &n);
  }
  if (overflows) refuse(std::string(too_many) + " than there are addresses");
  return n;
}

/// Throws where places to write are the same.
void require_apart(const axis* results, std::size_t rank) {
  for (std::size_t i = 0; i < rank; ++i)
    if (results[i].extent > 1 && results[i].stride == 0)
      refuse("axis " + std::to_string(i) + " of the results has stride 0: they would overwrite each other");
}

/// As make_problem, for other arrays with the same extents too.
extents make(std::span<const axis> axes, const over& along, problem* made, std::span<const companion> others = {}) {
  const int rank = static_cast<int>(axes.size());
  bool reduced[most_axes];
  std::fill_n(reduced, most_axes, along.axes.all());
  const auto& named = along.axes.numbers();
  if (named.size() > most_axes)
    refuse(quantity(static_cast<std::int64_t>(named.size()), "axis", "axes") + " are named; a view has at most " +
           std::to_string(most_axes));
  for (const int a : named) {
    if (a < -rank || a >= rank)
      refuse("axis " + std::to_string(a) + " is out of range for a view of " + quantity(rank, "axis", "axes") +
             (rank > 0 ? "; expected " + std::to_string(-rank) + " to " + std::to_string(rank - 1) : ""));
    bool& is = reduced[a < 0 ? a + rank : a];
    if (is) refuse("axis " + std::to_string(a) + " is named twice");
    is = true;
  }
  problem* all[most_parallel] = {made};
  std::size_t count = 1;
  for (const companion& c : others) all[count++] = c.made;
  const std::span<problem* const> problems(all, count);
  for (std::size_t k = 0; k < count; ++k) {
    problem& p = *all[k];
    p = {};
    p.size = sizeof(problem);
    for (int i = 0; i < rank; ++i)
      (reduced[i] ? p.reduced[p.reduced_axes++] : p.kept[p.kept_axes++]) =
          k == 0 ? axes[static_cast<std::size_t>(i)] : others[k - 1].axes[i];
  }
  extents kept;
  for (int i = 0; i < rank; ++i)
    if (!reduced[i] || along.keep) kept.push_back(reduced[i] ? 1 : axes[static_cast<std::size_t>(i)].extent);
  const std::int64_t outputs = product(made->kept, made->kept_axes, "the reduction has more results"),
                     n = product(made->reduced, made->reduced_axes, "a result has more elements");
  const std::int32_t kept_axes = merge(problems, &problem::kept, made->kept_axes);
  const std::int32_t reduced_axes = merge(problems, &problem::reduced, made->reduced_axes);
  for (problem* p : problems) {
    p->kept_axes = kept_axes;
    p->reduced_axes = reduced_axes;
    p->outputs = outputs;
    p->n = n;
  }
  return kept;
}

}  // namespace

void check_view(const axis* axes, std::size_t rank, std::size_t stride_count, std::size_t element_size) {
  if (rank > most_axes) refuse_axes("a view", rank);
  if (stride_count != rank)
    refuse("a view of " + quantity(static_cast<std::int64_t>(rank), "extent") + " has " +
           quantity(static_cast<std::int64_t>(stride_count), "stride") + "; there must be as many");
  const auto element = static_cast<std::int64_t>(element_size);
  std::int64_t elements = 1, below = 0, above = 0;
  bool empty = false, too_many = false;
  for (std::size_t i = 0; i < rank; ++i) {
    if (axes[i].extent < 0)
      refuse("the extent of axis " + std::to_string(i) + " is negative: " + std::to_string(axes[i].extent));
    empty = empty || axes[i].extent == 0;
  }
  for (std::size_t i = 0; i < rank && !empty; ++i) {
    std::int64_t bytes = 0;
    too_many |= __builtin_mul_overflow(elements, axes[i].extent, &elements);
    too_many |= __builtin_mul_overflow(axes[i].extent - 1, axes[i].stride, &bytes) ||
                __builtin_mul_overflow(bytes, element, &bytes) ||
                __builtin_add_overflow(bytes < 0 ? below : above, bytes, bytes < 0 ? &below : &above);
  }
  std::int64_t bytes = 0;
  if (too_many || __builtin_mul_overflow(elements, element, &bytes) || __builtin_add_overflow(above, element, &above))
    refuse("the view has more elements, or reaches farther, than there are addresses");
}

std::size_t count_results(const extents& e, std::size_t result_size) {
  if (e.size() > most_axes) refuse_axes("an array", e.size());
  std::int64_t count = 1, bytes = 0;
  bool too_many = false;
  for (const std::int64_t extent : e) {
    if (extent == 0) return 0;
    too_many |= extent < 0 || __builtin_mul_overflow(count, extent, &count);
  }
  if (too_many || __builtin_mul_overflow(count, static_cast<std::int64_t>(result_size), &bytes))
    refuse("the results take more bytes than there are addresses");
  return static_cast<std::size_t>(count);
}

void fail_to_allocate(std::size_t count, std::size_t result_size) {
  refuse("not enough memory for " + quantity(count, "result") + " of " + quantity(result_size, "byte"));
}

extents make_problem(std::span<const axis> axes, const over& along, problem* made) { return make(axes, along, made); }

extents make_selected_problem(std::span<const axis> axes, const mask_view& mask, const over& along, problem* made,
                              selection* by) {
  *by = {mask.kind, mask.element, mask.offset, {}};
  if (!is_in_memory(mask.kind)) return make(axes, along, made);
  const companion of_mask{mask.axes, &by->mask};
  return make(axes, along, made, {&of_mask, 1});
}

extents make_mapping(std::span<const mapped_axes> arrays, const over& along, mapping* made) {
  made->arrays = static_cast<int>(arrays.size());
  companion others[most_mapped_arrays];
  for (std::size_t k = 1; k < arrays.size(); ++k) others[k - 1] = {arrays[k].axes, &made->of[k]};
  return make({arrays[0].axes, arrays[0].rank}, along, &made->of[0], {others, arrays.size() - 1});
}

extents scan_extents(std::span<const axis> from, std::optional<int> along) {
  extents e;
  if (along)
    for (const axis& a : from) e.push_back(a.extent);
  else
    e.push_back(product(from.data(), static_cast<std::int32_t>(from.size()), "the reduction has more results"));
  return e;
}

void make_lines(std::span<const axis> from, std::span<const axis> to, std::optional<int> along, scan_request* made) {
  const over axes = along ? over{.axes = *along} : over{};
  problem elements;
  make(from, axes, &elements);
  axis results[most_axes] = {};
  const auto refuse_extents = [&] {
    refuse("the results do not have the extents of the array" +
           std::string(along ? ""
                             : "; without an axis, one axis of " + quantity(elements.n, "element") + " will do, too"));
  };
  if (!along && to.size() == 1 && to[0].extent == elements.n) {  // one line
    std::int64_t stride = to[0].stride;
    for (std::size_t i = from.size(); i-- > 0;) {
      results[i] = {from[i].extent, stride};
      if (elements.n > 0) stride *= from[i].extent;
    }
  } else {
    if (to.size() != from.size()) refuse_extents();
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (to[i].extent != from[i].extent) refuse_extents();
      results[i] = to[i];
    }
  }
  if (elements.outputs * elements.n > 0) require_apart(results, from.size());
  const companion of_results{results, &made->to};
  make(from, axes, &made->from, {&of_results, 1});
  made->operation.n = made->from.outputs * made->from.n;
}

extents row_extents(std::span<const axis> from, int along, row_operation operation) {
  problem lines;
  const extents kept = make_problem(from, over{.axes = along}, &lines);
  if (operation == row_operation::logsumexp) return kept;
  extents e;
  for (const axis& a : from) e.push_back(a.extent);
  return e;
}

void make_row_lines(const row_layout& lines, std::span<const axis> to, int along, row_problem* made) {
  row_request& what = made->what;
  const std::span<const axis> from = lines.axes;
  const extents e = row_extents(from, along, what.operation);
  const bool one_a_line = what.operation == row_operation::logsumexp;
  bool fits = to.size() == e.size();
  for (std::size_t i = 0; fits && i < to.size(); ++i) fits = to[i].extent == e[i];
  if (!fits)
    refuse(one_a_line ? "the results do not have the extents of the array without the axis"
                      : "the results do not have the extents of the array");
  if (count_results(e, 1) > 0) require_apart(to.data(), to.size());
  axis results[most_axes] = {};
  const auto reduced = static_cast<std::size_t>(along < 0 ? along + static_cast<int>(from.size()) : along);
  for (std::size_t i = 0, j = 0; i < from.size(); ++i)
    results[i] = one_a_line && i == reduced ? axis{from[i].extent, 0} : to[j++];
  companion others[most_parallel] = {{results, &what.to}};
  std::size_t count = 1;
  const mask_view& mask = lines.mask;
  made->selects = {mask.kind, mask.element, mask.offset, {}};
  if (is_in_memory(mask.kind)) others[count++] = {mask.axes, &made->selects.mask};
  made->maps.arrays = static_cast<int>(lines.arrays.size());
  for (std::size_t k = 0; k < lines.arrays.size(); ++k) others[count++] = {lines.arrays[k].axes, &made->maps.of[k]};
  make(from, over{.axes = along}, &what.from, {others, count});
}

}  // namespace onefold::detail
