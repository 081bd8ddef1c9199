// Views that are made up at random: extents, strides, axes to reduce, and the elements of each output.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "onefold/array_view.hpp"
#include "support/data.hpp"

namespace support {

/// The view's elements start at data.
template <class T>
onefold::array_view<T> view_of(const void* data, const std::vector<onefold::axis>& axes) {
  onefold::extents extents;
  onefold::strides strides;
  for (const onefold::axis& a : axes) {
    extents.push_back(a.extent);
    strides.push_back(a.stride);
  }
  return {static_cast<const T*>(data), extents, strides};
}

/// A view that was made up: its axes, those that are reduced, and how many elements lie before and after its data.
struct made_up_view {
  std::vector<onefold::axis> axes;
  std::vector<int> reduced;
  std::int64_t before = 0, after = 0;  ///< elements from the first to data, and from data to the end
  std::int64_t outputs = 1, n = 1;
};

inline std::string text_of(const made_up_view& s) {
  std::string text;
  for (const onefold::axis& a : s.axes)
    text += '(' + std::to_string(a.extent) + " by " + std::to_string(a.stride) + ") ";
  text += "over";
  for (const int a : s.reduced) text += ' ' + std::to_string(a);
  return text;
}

/// Gives the axes strides: in any order in memory, some of them padded, backwards, or of one place.
inline void lay_out(made_up_view& s, random_numbers& r) {
  const int rank = static_cast<int>(s.axes.size());
  std::vector<int> order;
  for (int i = 0; i < rank; ++i) order.push_back(i);
  s.before = s.after = 0;
  for (int i = rank - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(r.integer(0, i))]);
  if (r.integer(0, 1) == 0) std::ranges::sort(order);
  std::int64_t step = r.integer(0, 5) == 0 ? r.integer(2, 3) : 1;
  for (int i = rank - 1; i >= 0; --i) {
    onefold::axis& a = s.axes[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
    a.stride = step;
    step *= std::max<std::int64_t>(a.extent, 1);
    if (r.integer(0, 4) == 0) step += r.integer(1, 9);
    if (r.integer(0, 4) == 0) a.stride = -a.stride;
    if (r.integer(0, 15) == 0) a.stride = 0;
    const std::int64_t far = std::max<std::int64_t>(a.extent - 1, 0) * a.stride;
    (far < 0 ? s.before : s.after) += far < 0 ? -far : far;
  }
  s.after += 1;
}

inline made_up_view random_view(random_numbers& r, std::int64_t page) {
  made_up_view s;
  const int rank = r.integer(0, 3) == 0 ? r.integer(6, onefold::most_axes) : r.integer(0, 5);
  std::int64_t most = r.integer(0, 9) == 0 ? 4 * page + 1000 : r.integer(0, 3) == 0 ? 3000 : 200;
  for (int i = 0; i < rank; ++i) {
    const auto largest = static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(most, 1 << 20)));
    const int kind = r.integer(0, 9);
    std::int64_t extent = kind == 0 ? 1 : kind <= 5 ? r.integer(1, std::min(largest, 40)) : r.integer(1, largest);
    if (r.integer(0, 60) == 0) extent = 0;
    s.axes.push_back({extent, 0});
    most = std::max<std::int64_t>(1, most / std::max<std::int64_t>(extent, 1));
    if (r.integer(0, 1) == 0) s.reduced.push_back(r.integer(0, 1) == 0 ? i : i - rank);
  }
  // Now and then a few outputs of several pages each.
  if (rank > 0 && r.integer(0, 15) == 0) {
    const int longest = r.integer(0, rank - 1);
    for (std::size_t i = 0; i < s.axes.size(); ++i) {
      const std::int64_t few = i >= 5 ? 1 : rank > 3 ? 2 : 5;
      s.axes[i].extent = std::min(s.axes[i].extent, few);
    }
    s.axes[static_cast<std::size_t>(longest)].extent = r.integer(static_cast<int>(page), 5 * static_cast<int>(page));
    if (std::ranges::none_of(s.reduced, [&](int a) { return (a + rank) % rank == longest; }))
      s.reduced.push_back(longest);
  }
  lay_out(s, r);
  if (r.integer(0, 199) == 0) {  // neighboring columns of several pages
    const std::int64_t columns = r.integer(2, 40), gap = r.integer(0, 3);
    s = {{{r.integer(static_cast<int>(page) / 2, 2 * static_cast<int>(page)), columns + gap}, {columns, 1}}, {0}};
    s.after = s.axes[0].extent * (columns + gap);
  }
  const int axes = static_cast<int>(s.axes.size());
  for (int i = 0; i < axes; ++i) {
    const bool is = std::ranges::any_of(s.reduced, [&](int a) { return (a + axes) % axes == i; });
    (is ? s.n : s.outputs) *= s.axes[static_cast<std::size_t>(i)].extent;
  }
  return s;
}

/// The elements of each output one after the other.
inline std::vector<char> slices(const char* data, const made_up_view& s, std::int64_t size) {
  const int rank = static_cast<int>(s.axes.size());
  std::vector<onefold::axis> axes[2];  // kept, reduced
  for (int i = 0; i < rank; ++i)
    axes[std::ranges::any_of(s.reduced, [&](int a) { return (a + rank) % rank == i; })].push_back(
        s.axes[static_cast<std::size_t>(i)]);
  const auto place = [](std::int64_t number, const std::vector<onefold::axis>& in) {
    std::int64_t offset = 0;
    for (std::size_t i = in.size(); i-- > 0; number /= in[i].extent) offset += number % in[i].extent * in[i].stride;
    return offset;
  };
  std::vector<char> all(static_cast<std::size_t>(s.outputs * s.n * size) + 1);
  char* to = all.data();
  for (std::int64_t o = 0; o < s.outputs; ++o)
    for (std::int64_t i = 0; i < s.n; ++i, to += size)
      std::memcpy(to, data + (place(o, axes[0]) + place(i, axes[1])) * size, static_cast<std::size_t>(size));
  return all;
}

}  // namespace support
