// The sentence at the top of a report, from measurements made by hand.
#include <string>
#include <vector>

#include "report/headline.hpp"
#include "report_rows.hpp"
#include "support/catch.hpp"

using namespace onefold;
using namespace onefold::cli;

namespace {

measurement on_device(measurement m) {
  m.what.where = measure::location::device;
  return m;
}

/// Sums that a CPU and a GPU took so long for, at two lengths; the GPU's host data is never the faster.
std::vector<measurement> both() {
  return {measured(seq, 1 << 10, 1e-6),   measured(omp, 1 << 10, 2e-6),
          measured(gpu, 1 << 10, 9e-6),   on_device(measured(gpu, 1 << 10, 8e-6)),
          measured(seq, 1 << 20, 4e-3),   measured(omp, 1 << 20, 2e-3),
          measured(gpu, 1 << 20, 2.5e-3), on_device(measured(gpu, 1 << 20, 1e-4))};
}

std::string said(const std::vector<measurement>& rows) { return headline_of(with(bandwidth, rows)); }

const std::string best = "Best CPU backend: openmp, 2.1 GB/s for sum f32 of 2^20 elements, 2 x one thread.";

}  // namespace

TEST_CASE("the headline has the best CPU backend, and the GPU beside it") {
  CHECK(said(both()) == best +
                            " The GPU: 20 x that for device data, faster from 2^20 elements on; 0.8 x that for host "
                            "data, never faster.");
}

TEST_CASE("the headline says that there is no GPU, and why") {
  std::vector<measurement> cpu = both();
  std::erase_if(cpu, [](const measurement& m) { return m.ran.backend == gpu; });
  record r = with(bandwidth, cpu);
  CHECK(headline_of(r) == best + " No GPU was measured.");
  r.parts[0].found.without.push_back({"cuda", "no driver", error_code::backend_unavailable});
  CHECK(headline_of(r) == best + " No GPU was measured: cuda cannot run here.");
}

TEST_CASE("one thread may be the best") {
  CHECK(
      said({measured(seq, 1 << 20, 1e-3), measured(omp, 1 << 20, 2e-3)}) ==
      "Best CPU backend: sequential, 4.19 GB/s for sum f32 of 2^20 elements, no other is faster than that one thread. "
      "No GPU was measured.");
}

TEST_CASE("noisy rows are no headline") {
  std::vector<measurement> rows = both();
  rows[4] = disturbed(rows[4]);
  CHECK(said(rows).starts_with(
      "Best CPU backend: openmp, 2.1 GB/s for sum f32 of 2^20 elements, with no quiet time of one thread beside it."));
  rows[7] = disturbed(rows[7]);
  CHECK(said(rows).find("The GPU: unknown, because of noise, for device data, never faster;") != std::string::npos);
  rows[5] = disturbed(rows[5]);
  CHECK(said(rows).starts_with("Best CPU backend: sequential, 4.1 GB/s for sum f32 of 2^10 elements, "));
  for (measurement& m : rows) m = disturbed(m);
  CHECK(said(rows) == "Every time of a CPU backend is noisy: measure again on a quiet machine.");
}

TEST_CASE("a report without rows has no headline") {
  CHECK(said({}).empty());
  CHECK(headline_of(with(notebook, {})).empty());
}

TEST_CASE("the headline of a preset is its fastest row") {
  std::vector<measurement> rows{measured(seq, 1'000'000, 1e-3), measured(gpu, 1'000'000, 1e-4)};
  rows[1].ran.kernel = kernel::shuffle;
  record r = with(notebook, rows);
  r.asked.set = notebook.name;
  CHECK(headline_of(r) ==
        "Fastest at sum f32 of 1000000 elements: kernel shuffle with host data, 100.0 us and 40 GB/s, 10 x one CPU "
        "core.");
  r.parts[0].found.rows.pop_back();
  CHECK(headline_of(r) ==
        "Fastest at sum f32 of 1000000 elements: one CPU core, 1.00 ms and 4 GB/s. No GPU was measured.");
}
