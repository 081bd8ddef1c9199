#include "run/mapped_reader.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "run/known_functions.hpp"
#include "run/problem.hpp"

namespace onefold::detail {
namespace {

// Lines of fewer elements cost more to begin than reading at a distance does.
constexpr std::int64_t least_outputs = 8;

/// Lines that go on where the one before ends are one line.
void join(mapped_lines& l, int arrays) {
  if (l.lines == 1 || l.distance != l.n) return;
  for (int k = 0; k < arrays; ++k)
    if (l.across[k] != l.n * l.along[k]) return;
  l.n *= std::exchange(l.lines, 1);
}

}  // namespace

mapped_reader::mapped_reader(const mapping& m) : m_(m) {
  for (int k = 0; k < m_.arrays; ++k) {
    problem& p = m_.of[k];
    inner_[k] = p.kept_axes > 0 ? p.kept[--p.kept_axes] : axis{1, 0};
  }
}

bool mapped_reader::prefers_columns() const {
  if (m_.of[0].reduced_axes != 1 || inner_[0].extent < least_outputs) return false;
  bool nearer = false;
  for (int k = 0; k < m_.arrays; ++k) {
    const std::int64_t across = std::abs(inner_[k].stride), along = std::abs(m_.of[k].reduced[0].stride);
    if (across > along) return false;
    nearer = nearer || across < along;
  }
  return nearer;
}

bool mapped_reader::reads_lines() const {
  return std::all_of(m_.of, m_.of + m_.arrays,
                     [](const problem& p) { return p.reduced_axes == 1 && p.reduced[0].stride == 1; });
}

std::int64_t mapped_reader::place_of(int array, std::int64_t output) const {
  const problem& p = m_.of[array];
  const std::int64_t width = inner_[array].extent;
  odometer line(p.kept, p.kept_axes);
  line.seek(output / width);
  return line.offset() + output % width * inner_[array].stride;
}

void mapped_reader::read(const mapped_source& from, const computed& which, bool columns, void* to) const {
  const std::int32_t reduced_axes = m_.of[0].reduced_axes, outer_axes = std::max(reduced_axes - 1, 0);
  const std::int64_t extent = reduced_axes > 0 ? m_.of[0].reduced[outer_axes].extent : 1;
  const std::int64_t element_size = from.element_size;
  std::int64_t output_at[most_mapped_arrays];
  for (int k = 0; k < m_.arrays; ++k) output_at[k] = place_of(k, which.output);
  for (std::int64_t done = 0, n; done < which.n; done += n) {
    const std::int64_t place = (which.first + done) % extent;
    n = std::min(which.n - done, extent - place);
    mapped_lines l{which.count, n, which.n, {}, {}, {}};
    for (int k = 0; k < m_.arrays; ++k) {
      odometer outer(m_.of[k].reduced, outer_axes);
      outer.seek((which.first + done) / extent);
      l.along[k] = reduced_axes > 0 ? m_.of[k].reduced[outer_axes].stride : 0;
      l.across[k] = inner_[k].stride;
      l.first[k] = output_at[k] + outer.offset() + place * l.along[k];
    }
    if (columns) {
      std::swap(l.lines, l.n);
      std::swap(l.along, l.across);
      l.distance = which.count;
    }
    join(l, m_.arrays);
    void* const there = static_cast<char*>(to) + done * element_size;
    if (!compute_known(from, l, there)) from.compute(from.context, l, there);
  }
}

}  // namespace onefold::detail
