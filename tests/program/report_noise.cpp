// What a report makes of rows of which only some are noisy, from measurements made by hand.
#include <string>
#include <vector>

#include "report_rows.hpp"
#include "support/catch.hpp"

using namespace onefold;
using namespace onefold::cli;

TEST_CASE("a quiet row's speed-up over a noisy base is no headline") {
  measurement quiet = measured(omp, 1 << 20, 1e-3);
  quiet.speedup = 1.75;
  measurement beside_noise = measured(tbb, 1 << 20, 1e-3);
  beside_noise.speedup = 1.25;
  beside_noise.base_noisy = true;
  const record r = with(bandwidth, {disturbed(measured(seq, 1 << 20, 2e-3)), quiet, beside_noise});
  const table t = composed(r, "").sections.front().tables.front();
  using line = std::vector<std::string>;
  CHECK(t.lines[0] == line{"sequential", "noisy", "-", "-", "-"});
  CHECK(t.lines[1] == line{"openmp", "1.00 ms", "4.19", "-", "1.75"});
  CHECK(t.lines[2] == line{"tbb", "1.00 ms", "4.19", "-", "-"});
}

TEST_CASE("a speed-up is marked where the row or its base is noisy") {
  measurement m = measured(omp, 1 << 20, 1e-3);
  m.speedup = 1.75;
  CHECK(speedup_cell(m) == "1.75");
  CHECK(speedup_cell(disturbed(m)) == "1.75, noisy");
  m.base_noisy = true;
  CHECK(speedup_cell(m) == "1.75, noisy");
}

TEST_CASE("a mode's cost is marked where the mode or native is noisy") {
  const auto cell = [](const measurement& native, const measurement& other) {
    const table t = modes.shown(with(modes, {native, other})).tables.front();
    return t.lines[1][1];
  };
  const measurement native = measured(seq, 1 << 20, 1e-3);
  measurement kahan = measured(seq, 1 << 20, 2e-3);
  kahan.what.mode = accuracy::kahan;
  CHECK(cell(native, kahan) == "2.1 (2.00)");
  CHECK(cell(disturbed(native), kahan) == "2.1 (2.00), noisy");
  CHECK(cell(native, disturbed(kahan)) == "2.1 (2.00), noisy");
}

TEST_CASE("noisy rows decide no crossover") {
  // Quiet, OpenMP's row of 1,024 elements would be the fastest of the CPU there, and faster than one thread.
  const auto found = [](bool noise) {
    const measurement fast = measured(omp, 1 << 10, 1e-6);
    return crossings(
        with(bandwidth, {measured(seq, 1 << 10, 4e-6), measured(seq, 1 << 20, 4e-3), noise ? disturbed(fast) : fast,
                         measured(omp, 1 << 20, 2e-3), measured(gpu, 1 << 10, 2e-6), measured(gpu, 1 << 20, 1e-3)}));
  };
  const auto quiet = found(false), noisy = found(true);
  REQUIRE((quiet.size() == 2 && noisy.size() == 2));
  CHECK((quiet[0].faster == "openmp" && quiet[0].n == 1 << 10 && quiet[0].lengths == 2));
  CHECK((noisy[0].faster == "openmp" && noisy[0].n == 1 << 20 && noisy[0].lengths == 1));
  CHECK((quiet[1].than == "the fastest CPU backend" && quiet[1].n == 1 << 20 && quiet[1].lengths == 2));
  CHECK((noisy[1].than == "the fastest CPU backend" && noisy[1].n == 1 << 10 && noisy[1].lengths == 2));
}
