// Plans for what is asked for: over axes, of each column, or of each key's elements, which are segments once they lie
// together.
#include "reductions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "choices.hpp"
#include "input/failure.hpp"
#include "input/with_type.hpp"
#include "one_pass.hpp"
#include "onefold/dynamic.hpp"
#include "onefold/error.hpp"

namespace onefold::cli {
namespace {

/// Whether the operation's result is a position in the array.
bool counts_positions(int operation) { return operation_infos()[static_cast<std::size_t>(operation)].gives_index; }

/// The elements of an array in the order in which they lie.
std::vector<axis> listed(std::span<const axis> axes) {
  const bool empty = std::ranges::find(axes, 0, &axis::extent) != axes.end();
  axis list{1, 1};
  for (const axis& a : axes) list.extent *= empty ? 0 : a.extent;
  return {list};
}

/// The same, but positions count in C order.
std::vector<axis> listed_axes(int operation, std::span<const axis> axes) {
  return counts_positions(operation) ? joined(axes) : listed(axes);
}

/// The first group without values; if NaN is skipped, those that are NaN do not count.
std::size_t first_empty(dtype type, std::span<const std::byte> values, const numbered_groups& groups, bool skips_nan) {
  std::size_t group = 0;
  with_type(type, [&]<class T>() {
    const T* const x = reinterpret_cast<const T*>(values.data());
    const auto counts = [&](T value) { return !skips_nan || !std::isnan(static_cast<float>(value)); };
    while (std::any_of(x + groups.offsets()[group], x + groups.offsets()[group + 1], counts)) ++group;
  });
  return group;
}

}  // namespace

reductions::reductions(const arguments& given)
    : computation(given, chosen_operations(given.operation), !given.axes.empty() || given.keep || given.shape),
      over_axes_(!given.axes.empty() || given.keep),
      along_{given.axes.empty() ? over::list() : over::list(std::span<const int>(chosen_axes(given.axes))), given.keep},
      by_key_(given.by.has_value()),
      skips_nan_(given.skip_nan),
      takes_init_(given.init.has_value()) {}

bool reductions::needs_c_order() const {
  return std::ranges::any_of(list_, [](const one& r) { return counts_positions(r.operation); });
}

operation_results reductions::tried(const one& r, dtype type) const {
  if (by_key_) return {operation_name(r.operation), dynamic_segmented_plan(r.operation, type, 1, 1, r.how, result_)};
  const std::uint64_t zero = 0;
  dynamic_plan plan(r.operation, type, 1, r.how, result_);
  static_cast<void>(plan.run(&zero, 1));
  return {operation_name(r.operation), plan};
}

void reductions::accept_shape(dtype type, std::span<const axis> axes) const {
  for (const one& r : list_) static_cast<void>(planned(r, type, axes));
}

/// Where no axes matter, the elements are one list in the file's order.
std::vector<axis> reductions::planned_axes(const one& r, std::span<const axis> axes) const {
  if (keeps_shape_) return {axes.begin(), axes.end()};
  return listed_axes(r.operation, axes);
}

dynamic_shaped_plan reductions::planned(const one& r, dtype type, std::span<const axis> axes) const {
  return {r.operation, type, planned_axes(r, axes), keeps_shape_ ? along_ : over{}, r.how, result_};
}

/// Whether an operation has one result of all elements, in the order in which they are stored.
bool reductions::takes_list(const one& r, std::span<const axis> axes) const {
  const std::vector<axis> planned = listed_axes(r.operation, axes);
  return !over_axes_ && !by_key_ && !skips_nan_ &&
         (planned.empty() || (planned.size() == 1 && (planned.front().extent <= 1 || planned.front().stride == 1)));
}

/// Whether the operations read a list of elements together. An initial value is another number for each type of result.
bool reductions::shares_pass(std::span<const axis> axes) const {
  return list_.size() > 1 && !keeps_shape_ && !takes_init_ &&
         std::ranges::all_of(list_, [&](const one& r) { return takes_list(r, axes); });
}

bool reductions::takes_pieces(dtype type, std::span<const axis> axes, bool mapped) {
  const auto can = [&](const one& r) {
    return takes_list(r, axes) && !is_accelerator(dynamic_plan(r.operation, type, 1, r.how, result_).report().backend);
  };
  if ((mapped && list_.size() > 1) || !std::ranges::all_of(list_, can)) return false;
  for (const one& r : list_) all_.push_back(begun(r, type));
  return true;
}

dynamic_accumulator reductions::begun(const one& r, dtype type) const { return {r.operation, type, r.how, 0, result_}; }

reduced reductions::run_column(const one& r, const loaded_array& array, std::size_t column) const {
  const axis list{array.count(column), 1};
  const std::span<const axis> axes = column == 0 ? array.axes() : std::span(&list, 1);
  const void* const data = array.bytes(column).data();
  if (!skips_nan_) {
    dynamic_shaped_plan plan = planned(r, array.type(), axes);
    return results_of(operation_name(r.operation), plan, plan.extents(), plan.size(),
                      [&](void* results) { plan.run(data, results, plan.size()); });
  }
  dynamic_selected_plan plan(r.operation, array.type(), planned_axes(r, axes), {mask_kind::not_nan},
                             keeps_shape_ ? along_ : over{}, r.how, result_);
  return results_of(operation_name(r.operation), plan, plan.extents(), plan.size(),
                    [&](void* results) { plan.run(data, nullptr, results, plan.size()); });
}

reduced reductions::run_groups(const one& r, dtype type, std::span<const std::byte> values,
                               const numbered_groups& groups) const {
  const std::int64_t n = detail::elements_in(static_cast<std::int64_t>(values.size()), type);
  const auto offsets = static_cast<std::int64_t>(groups.offsets().size());
  dynamic_segmented_plan plan(r.operation, type, offsets - 1, n, r.how, result_);
  return results_of(operation_name(r.operation), plan, {offsets - 1}, offsets - 1, [&](void* results) {
    plan.run(values.data(), n, groups.offsets().data(), offsets, dtype::i64, results, offsets - 1,
             skips_nan_ ? list_selection{mask_kind::not_nan} : list_selection{});
  });
}

void reductions::reduce_columns(const loaded_array& array, const reduced_input& from, std::vector<reduced>& all) const {
  for (std::size_t c = 0; c < std::max<std::size_t>(from.columns.size(), 1); ++c) try {
      if (shares_pass(c == 0 ? array.axes() : std::span<const axis>())) {
        std::vector<int> operations;
        for (const one& r : list_) operations.push_back(r.operation);
        for (reduced& r : reduced_in_one_pass(operations, array.type(), list_.front().how, result_,
                                              array.bytes(c).data(), array.count(c)))
          all.push_back(std::move(r));
      } else {
        for (const one& r : list_) all.push_back(run_column(r, array, c));
      }
    } catch (const error& e) {
      if (keeps_shape_ && e.code() == error_code::empty_input) throw;  // which says that the axes are empty
      fail_column(e, array, from, c);
    }
}

void reductions::reduce_by_key(const loaded_array& array, const reduced_input& from, std::vector<reduced>& all) const {
  const auto keys = static_cast<std::int64_t>(array.keys().size());
  std::optional<numbered_groups> groups;
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    if (c == 0 || array.key_numbers(c).data() != array.key_numbers(c - 1).data())
      groups.emplace(array.key_numbers(c), keys);
    byte_buffer gathered;
    std::span<const std::byte> values = array.bytes(c);
    if (!groups->in_order()) {
      groups->gather(values.data(), static_cast<std::size_t>(size_of(array.type())), gathered.room(values.size()));
      gathered.grow(values.size());
      values = gathered.bytes();
    }
    for (const one& r : list_) try {
        all.push_back(run_groups(r, array.type(), values, *groups));
      } catch (const error& e) {
        const std::string column = in_quotes(from.columns[c]);
        if (e.code() != error_code::empty_input) throw error(e.code(), fmt::format("column {}: {}", column, e.what()));
        const std::size_t empty = first_empty(array.type(), values, *groups, skips_nan_);
        throw error(e.code(), fmt::format("{}: all values of column {} with the key {} are {} and were skipped",
                                          without_reason(e), column, in_quotes(array.keys()[empty]),
                                          skips_nan_ ? "missing or NaN" : "missing"));
      }
  }
}

std::vector<reduced> reductions::run(const loaded_array& array, const reduced_input& from) const {
  std::vector<reduced> all;
  if (!all_.empty()) try {
      for (std::size_t i = 0; i < all_.size(); ++i) {
        all.push_back(results_of(operation_name(list_[i].operation), all_[i], {}, 1,
                                 [&](void* result) { all_[i].write_result(result); }));
        all.back().count = all_[i].count();
      }
      return all;
    } catch (const error& e) {
      fail_column(e, array, from, 0);
    }
  if (by_key_)
    reduce_by_key(array, from, all);
  else
    reduce_columns(array, from, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].column = i / list_.size();
    all[i].count = array.count(all[i].column);
  }
  return all;
}

}  // namespace onefold::cli
