// What a report says of shapes, from measurements made by hand.
#include <algorithm>
#include <string>
#include <vector>

#include "report_rows.hpp"
#include "support/catch.hpp"

using namespace onefold;
using namespace onefold::cli;

namespace {

/// A sum of 512,000 elements as rows or columns of a matrix with rows of `width`.
measurement shaped(backend who, std::int64_t width, int axis, double seconds) {
  measurement m = measured(who, 512'000, seconds);
  m.what.shape = {512'000 / width, width};
  m.what.reduced = {axis};
  return m;
}

/// Such rows beside those of the whole array, for which one thread takes 1 ms and OpenMP 0.5 ms.
std::vector<measurement> with_whole(std::vector<measurement> rows) {
  rows.insert(rows.begin(), {measured(seq, 512'000, 1e-3), measured(omp, 512'000, 0.5e-3)});
  return rows;
}

}  // namespace

TEST_CASE("the matrices that are measured have the elements of the array beside them") {
  const auto check = [](const chapter& c, const char* set, std::int64_t n, std::size_t types) {
    const assignment asked{set, 3, 0.1, {}};
    std::vector<std::vector<int>> reduced;
    for (const axes& a : c.measured(asked)) {
      CHECK((a.seconds == asked.seconds / 4 && a.elements.size() == types && a.warm == (&c == &shapes_cached)));
      CHECK((a.shapes.empty() ? a.counts == std::vector{n} : a.counts.empty()));
      for (const auto& shape : a.shapes) CHECK((shape.size() == 2 && shape[0] * shape[1] == n));
      reduced.push_back(a.reduced);
    }
    CHECK(reduced == std::vector<std::vector<int>>{{}, {1}, {0}, {}, {1}, {0}});  // of the CPU, of accelerators
  };
  check(shapes, "quick", 4'096'000, 1);
  check(shapes, "full", 65'536'000, 2);
  check(shapes_cached, "quick", 512'000, 1);
  check(shapes_cached, "full", 512'000, 2);
}

TEST_CASE("a shape's share is of the same backend's sum of the whole array, and of the same type and length") {
  std::vector<measurement> all =
      with_whole({shaped(seq, 8, 1, 4e-3), shaped(omp, 8, 1, 1e-3), shaped(seq, 32, 0, 2e-3)});
  all.insert(all.begin(), measured(seq, 8'192'000, 1e-6));
  measurement other = measured(seq, 512'000, 1e-6);
  other.what.element = dtype::f64;
  all.insert(all.begin(), other);
  const std::vector<shape_line> lines = shape_lines(with(shapes, all), shapes);
  const auto rows = std::ranges::find(lines, "rows of 8", &shape_line::what);
  REQUIRE(rows != lines.end());
  CHECK((rows->n == 512'000 && rows->reduction == "sum f32" && rows->fastest == "openmp"));
  CHECK(rows->shares == std::vector<shape_share>{{"sequential", 0.25}, {"openmp", 0.5}});
  const auto columns = std::ranges::find(lines, "32 columns", &shape_line::what);
  REQUIRE(columns != lines.end());
  CHECK((columns->shares == std::vector<shape_share>{{"sequential", 0.5}} && columns->fastest == "sequential"));
}

TEST_CASE("a shape's share and its fastest backend are never a noisy row's") {
  const auto line = [](const std::vector<measurement>& rows) { return shape_lines(with(shapes, rows), shapes).back(); };
  const measurement slow = shaped(seq, 8, 1, 4e-3), fast = shaped(omp, 8, 1, 1e-3);
  CHECK(line(with_whole({slow, disturbed(fast)})).fastest == "sequential");
  CHECK(line(with_whole({slow, disturbed(fast)})).shares ==
        std::vector<shape_share>{{"sequential", 0.25}, {"openmp", {}}});
  CHECK(!line(with_whole({disturbed(slow), disturbed(fast)})).fastest);
  std::vector<measurement> noisy_base = with_whole({slow, fast});
  noisy_base[1] = disturbed(noisy_base[1]);
  CHECK(line(noisy_base).shares == std::vector<shape_share>{{"sequential", 0.25}, {"openmp", {}}});
  CHECK(line(noisy_base).fastest == "openmp");  // its own row is quiet
}

TEST_CASE("data on the device is not compared with data on the host") {
  measurement there = shaped(gpu, 8, 1, 1e-6);
  there.what.where = measure::location::device;
  const shape_line line = shape_lines(with(shapes, with_whole({shaped(seq, 8, 1, 4e-3), there})), shapes).back();
  CHECK(line.fastest == "sequential");
  const table t = shapes.shown(with(shapes, with_whole({shaped(seq, 8, 1, 4e-3), disturbed(there)}))).tables.front();
  CHECK(t.lines.back().back() == "sequential");  // unmarked: the noise was elsewhere
}

TEST_CASE("the table of shapes marks what noisy rows say") {
  const auto lines = [](const std::vector<measurement>& rows) {
    return shapes.shown(with(shapes, rows)).tables.front();
  };
  using line = std::vector<std::string>;
  std::vector<measurement> all = with_whole({shaped(seq, 8, 1, 4e-3), shaped(omp, 8, 1, 1e-3)});
  for (measurement& m : all) m.limit = 4.096e9;
  table t = lines(all);
  CHECK(t.names == line{"shape", "sequential", "openmp", "fastest"});
  CHECK(t.lines[0] == line{"read limit", "4.1", "4.1", "-"});
  CHECK(t.lines[1] == line{"whole array", "2.05", "4.1", "openmp"});
  CHECK(t.lines[2] == line{"rows of 8", "0.512 (25 %)", "2.05 (50 %)", "openmp"});
  all[3] = disturbed(all[3]);
  CHECK(lines(all).lines[2] == line{"rows of 8", "0.512 (25 %)", "2.05 (50 %), noisy", "sequential, noisy"});
  all[0] = disturbed(all[0]);
  CHECK(lines(all).lines[1] == line{"whole array", "2.05, noisy", "4.1", "openmp, noisy"});
  CHECK(lines(all).lines[2] == line{"rows of 8", "0.512 (25 %), noisy", "2.05 (50 %), noisy", "sequential, noisy"});
  all[2] = disturbed(all[2]);
  CHECK(lines(all).lines[2].back() == "-");
}

TEST_CASE("the sentence on shapes is of the backend with the fastest quiet sum of the whole array") {
  const auto said = [](const std::vector<measurement>& rows) { return shapes_in_short(with(shapes, rows)); };
  const std::string begin = "Row and column sums, as a share of the speed of a whole-array sum on the same backend: ";
  std::vector<measurement> all =
      with_whole({shaped(seq, 8, 1, 5e-3), shaped(omp, 8, 1, 2e-3), shaped(seq, 32, 1, 2e-3), shaped(omp, 32, 1, 1e-3),
                  shaped(seq, 32, 0, 1.25e-3), shaped(omp, 32, 0, 0.625e-3)});
  CHECK(said(all) == begin + "from memory 25 % (rows of 8) to 80 % (32 columns) on openmp.");
  all[3] = disturbed(all[3]);  // OpenMP's rows of 8
  CHECK(said(all) ==
        begin + "from memory 50 % (rows of 32) to 80 % (32 columns) on openmp, leaving out 1 noisy shape.");
  all[5] = disturbed(all[5]);
  CHECK(said(all) == begin + "from memory 80 % (32 columns) on openmp, leaving out 2 noisy shapes.");
  all[1] = disturbed(all[1]);  // its whole array
  CHECK(said(all) == begin + "from memory 20 % (rows of 8) to 80 % (32 columns) on sequential.");
  all[0] = disturbed(all[0]);
  CHECK(said(all) == begin + "from memory unknown, because of noise.");
  CHECK(said({}).empty());
  // Ctrl-C left no row of the one, or of the other.
  CHECK(said(with_whole({})).empty());
  CHECK(said(with_whole({shaped(seq, 8, 1, 5e-3)})).empty());  // none of OpenMP's, which is the fastest
  CHECK(said({shaped(seq, 8, 1, 5e-3)}).empty());
}

TEST_CASE("the sentence on shapes has a clause for data on a device, and for the caches") {
  std::vector<measurement> all = with_whole({shaped(seq, 8, 1, 5e-3), shaped(omp, 8, 1, 2e-3)});
  for (measurement m : {measured(gpu, 512'000, 1e-4), shaped(gpu, 8, 1, 1e-3)}) {
    m.what.where = measure::location::device;
    all.push_back(m);
  }
  record r = with(shapes, all);
  r.parts.push_back(
      {shapes_cached.name, {}, {with_whole({shaped(seq, 8, 1, 5e-3), shaped(omp, 8, 1, 5e-3)}), {}, false}});
  CHECK(shapes_in_short(r) ==
        "Row and column sums, as a share of the speed of a whole-array sum on the same backend: from memory 25 % (rows "
        "of 8) "
        "on openmp; from memory 10 % (rows of 8) on cuda, device data; from the caches 10 % (rows of 8) on openmp.");
  const std::vector<std::string> paragraphs = composed(r, "").sections.front().paragraphs;
  CHECK(std::ranges::find(paragraphs, shapes_in_short(r)) != paragraphs.end());
}
