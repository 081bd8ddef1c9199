// Records the checksums of all functions: of golden.inc, or of blocks.inc.
//
// usage: math_checksums golden|blocks > FILE
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "sums.hpp"

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "golden") == 0) {
    for (const int bytes : {4, 8})
      for (const char* f : math::names)
        std::printf("{\"%s\", %d, 0x%016" PRIx64 "},\n", f, bytes,
                    math::sum_of_arguments(math::best_level(), f, bytes));
  } else if (argc == 2 && std::strcmp(argv[1], "blocks") == 0) {
    for (int b = 0; b < 256; ++b) {
      std::printf("{");
      for (const char* f : math::names)
        std::printf("%s0x%08" PRIx32, f == math::names[0] ? "" : ", ", math::sum_of_block(math::best_level(), f, b));
      std::printf("},\n");
    }
  } else {
    std::fprintf(stderr, "usage: math_checksums golden|blocks\n");
    return 2;
  }
}
