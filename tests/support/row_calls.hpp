// Calls of row operations by their value, and results of a case that are made up at random.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "onefold/row_operations.hpp"
#include "support/views.hpp"

namespace support {

inline constexpr const char* row_operation_names[] = {"softmax",         "log_softmax",      "logsumexp",
                                                      "layer_norm",      "rms_norm",         "normalize by l1",
                                                      "normalize by l2", "normalize by max", "standardize"};

/// The verb of a row operation.
template <class Data, class Out, class T>
void call_rows(onefold::row_operation what, const Data& data, int along, const Out& out,
               const onefold::row_parameters<T>& with, const onefold::options& how) {
  using onefold::row_operation;
  const auto by = [&](onefold::norm kind) { return onefold::normalization{kind, with.eps.value_or(1e-12)}; };
  switch (what) {
    case row_operation::softmax:
      return onefold::softmax(data, along, out, how);
    case row_operation::log_softmax:
      return onefold::log_softmax(data, along, out, how);
    case row_operation::logsumexp:
      return onefold::logsumexp(data, along, out, how);
    case row_operation::layer_norm:
      return onefold::layer_norm(data, along, out, with, how);
    case row_operation::rms_norm:
      return onefold::rms_norm(data, along, out, with, how);
    case row_operation::normalize_l1:
      return onefold::normalize(data, along, out, by(onefold::norm::l1), how);
    case row_operation::normalize_l2:
      return onefold::normalize(data, along, out, by(onefold::norm::l2), how);
    case row_operation::normalize_max:
      return onefold::normalize(data, along, out, by(onefold::norm::max), how);
    default:
      return onefold::standardize(data, along, out, how);
  }
}

/// A view whose lines lie along an axis.
inline void set_lines(made_up_view& s, int along) {
  const int rank = static_cast<int>(s.axes.size()), reduced = (along + rank) % rank;
  s.reduced = {reduced};
  s.n = s.axes[static_cast<std::size_t>(reduced)].extent;
  s.outputs = 1;
  for (int i = 0; i < rank; ++i)
    if (i != reduced) s.outputs *= s.axes[static_cast<std::size_t>(i)].extent;
}

/// Gives it strides in C order.
inline void lay_out_in_c_order(made_up_view& s) {
  s.before = 0;
  s.after = 1;
  for (std::size_t i = s.axes.size(); i-- > 0;) {
    s.axes[i].stride = s.after;
    s.after *= s.axes[i].extent;
  }
}

/// Where the results of lines along an axis may lie: in C order or in any order, each in a place of its own; of
/// logsumexp one a line.
inline made_up_view random_results(const made_up_view& lines, bool one_a_line, random_numbers& r) {
  made_up_view to;
  for (int i = 0; i < static_cast<int>(lines.axes.size()); ++i)
    if (i != lines.reduced[0] || !one_a_line) to.axes.push_back({lines.axes[static_cast<std::size_t>(i)].extent, 0});
  if (r.integer(0, 1)) {
    lay_out_in_c_order(to);
  } else {
    do {
      lay_out(to, r);
    } while (std::ranges::any_of(to.axes, [](const onefold::axis& a) { return a.stride == 0; }));
  }
  to.reduced.clear();
  if (!one_a_line) to.reduced = lines.reduced;
  to.outputs = lines.outputs;
  to.n = one_a_line ? 1 : lines.n;
  return to;
}

/// Offsets of the elements of each line in turn.
inline std::vector<std::int64_t> offsets(const made_up_view& s) {
  std::vector<std::int64_t> places;
  std::int64_t low = 0, high = 0;
  for (const onefold::axis& a : s.axes)
    (a.stride < 0 ? low : high) += std::max<std::int64_t>(a.extent - 1, 0) * a.stride;
  if (s.outputs * s.n == 0) return places;
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = low; i <= high; ++i) numbers.push_back(i);
  const std::vector<char> all = slices(reinterpret_cast<const char*>(numbers.data() - low), s, 8);
  places.resize(static_cast<std::size_t>(s.outputs * s.n));
  std::memcpy(places.data(), all.data(), places.size() * 8);
  return places;
}

/// The view of results that were made up, from their first element on.
template <class T>
onefold::output_view<T> output_of(T* data, const made_up_view& s) {
  onefold::extents e;
  onefold::strides strides;
  for (const onefold::axis& a : s.axes) {
    e.push_back(a.extent);
    strides.push_back(a.stride);
  }
  return {data, e, strides};
}

/// A view whose lines are of any length: short, of a few pages, few and long, many and long, rows as networks have
/// them, columns of matrices; and which axis they lie along.
inline made_up_view random_lines(random_numbers& r, int page, int* along) {
  made_up_view s = random_view(r, page);
  const int kind = r.integer(0, 199);
  if (kind == 0)
    s.axes = {{r.integer(1, 3), 0}, {r.integer(15 * page, 70 * page), 1}};
  else if (kind == 1)
    s.axes = {{r.integer(16, 20), 0}, {r.integer(page, 18 * page), 1}};
  else if (kind < 36)
    s.axes = {{r.integer(1, 2), 0}, {r.integer(page / 2, 5 * page), 1}};
  else if (kind < 66)
    s.axes = {{r.integer(1, 70), 0}, {r.integer(1, r.integer(0, 3) ? 80 : 1500), 1}};
  else if (kind < 68)
    s.axes = {{1, 0}, {r.integer(page, 3 * page), 0}, {r.integer(16, 40), 1}};
  else if (kind < 90)
    s.axes = {{r.integer(1, 3), 0},
              {r.integer(1, r.integer(0, 3) ? 60 : 400), 0},
              {r.integer(16, r.integer(0, 3) ? 80 : 600), 1}};
  if (s.axes.empty()) s.axes = {{r.integer(0, 600), 0}};
  const int rank = static_cast<int>(s.axes.size());
  *along = kind < 90 ? 1 : r.integer(-rank, rank - 1);
  if (kind < 90) {
    s.before = 0;
    for (int i = rank - 2; i >= 0; --i)
      s.axes[static_cast<std::size_t>(i)].stride =
          s.axes[static_cast<std::size_t>(i) + 1].extent * s.axes[static_cast<std::size_t>(i) + 1].stride +
          (r.integer(0, 1) ? r.integer(0, 5) : 0);
    s.after = s.axes[0].extent * s.axes[0].stride;
  } else {
    lay_out(s, r);
  }
  set_lines(s, *along);
  return s;
}

}  // namespace support
