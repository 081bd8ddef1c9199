// The read limit: the loops of measure/reader.hpp as contenders. The limit is the faster of the two orders of reading.
#include <cstdint>
#include <string>
#include <utility>

#include "contender.hpp"
#include "measure/reader.hpp"
#include "shapes.hpp"

namespace bench {
namespace {

using onefold::measure::reading;

// Static chunks of whole 512-byte rows, as a reduction with threads reads.
double read(reading one, const char* p, std::int64_t bytes, int threads) {
  const std::int64_t rows = bytes / 512;  // some arrays of shapes end within one
  if (threads == 1) return static_cast<double>(one(p, rows * 512));
  std::uint64_t word = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(| : word)
  for (int i = 0; i < threads; ++i) {
    const std::int64_t first = rows * i / threads * 512, last = rows * (i + 1) / threads * 512;
    word |= one(p + first, last - first);
  }
  return static_cast<double>(word);
}

}  // namespace

void add_limits(std::vector<contender>& list) {
  const onefold::measure::reader l = onefold::measure::widest_reader();
  const auto add = [&](const std::string& row, std::int64_t elements) {
    for (const auto& [type, element] : {std::pair{"f32", std::int64_t{4}}, std::pair{"f64", std::int64_t{8}}})
      for (const auto& [name, one] : {std::pair{"read", l.forward}, std::pair{"read-streams", l.side_by_side}}) {
        contender c{row, type, name, l.name, runtime::openmp, [element, one](std::int64_t n, int threads) {
                      return
                          [=](const void* p) { return read(one, static_cast<const char*>(p), n * element, threads); };
                    }};
        c.elements = elements;
        list.push_back(std::move(c));
      }
  };
  for (const char* row : {"sum", "max", "modes"}) add(row, 0);
  for (const shape& s : shapes()) add(s.row(), s.elements());
}

}  // namespace bench
