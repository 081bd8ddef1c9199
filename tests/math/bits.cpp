// The same bits: of every level, of packs of every width, and those that were recorded.
#include <string>

#include "checksums.hpp"
#include "sums.hpp"
#include "support/catch.hpp"

namespace {

template <class Bits>
void check_widths(const math::level& l, const char* function) {
  std::vector<Bits> x(1 << 16), y(x.size()), expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if constexpr (sizeof(Bits) == 4)
      x[i] = math::argument32(i);
    else
      x[i] = math::argument64(i);
  }
  const auto n = static_cast<std::int64_t>(x.size());
  l.of(function, sizeof(Bits), 1).run(x.data(), expected.data(), n);
  for (int width = 2; width * static_cast<int>(sizeof(Bits)) <= 64; width *= 2) {
    l.of(function, sizeof(Bits), width).run(x.data(), y.data(), n);
    INFO(function << " at level " << l.name << ", width " << width);
    CHECK(y == expected);
  }
}

}  // namespace

TEST_CASE("every level has the recorded bits") {
  for (const math::level& l : math::levels()) {
    if (!l.runs) continue;
    for (const math::golden& g : math::recorded) {
      INFO(g.function << " of " << g.bytes << " bytes at level " << l.name);
      CHECK(math::sum_of_arguments(l, g.function, g.bytes) == g.sum);
    }
  }
}

TEST_CASE("packs of every width have the bits of scalars") {
  for (const math::level& l : math::levels()) {
    if (!l.runs) continue;
    for (const char* f : math::names) {
      check_widths<std::uint32_t>(l, f);
      check_widths<std::uint64_t>(l, f);
    }
  }
}

// Levels without fused multiply-adds round twice, which could show. Above -2^-27 the result is 1, and below -104 it is
// 0.
TEST_CASE("every level has the recorded bits of exp_nonpositive of all f32 from -104 to -2^-27") {
  const int index = math::functions - 1;
  REQUIRE(std::string(math::names[index]) == "exp_nonpositive");
  for (const math::level& l : math::levels())
    for (int block = 0xb2; l.runs && block <= 0xc2; ++block) {
      INFO("level " << l.name << ", block " << block);
      CHECK(math::sum_of_block(l, "exp_nonpositive", block) == math::recorded_blocks[block][index]);
    }
}

// Two of the blocks that a GPU is compared with: numbers from 1/2 to 2, and from -8 to -2.
TEST_CASE("blocks of f32 arguments have the recorded bits") {
  for (int f = 0; f < math::functions; ++f)
    for (const int block : {0x3f, 0xc0}) {
      INFO(math::names[f] << ", block " << block);
      CHECK(math::sum_of_block(math::best_level(), math::names[f], block) == math::recorded_blocks[block][f]);
    }
}
