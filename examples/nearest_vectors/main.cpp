// Search by cosine similarity: vectors scaled to length 1, so that the dot product of two is the cosine between them.
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

#include "onefold/onefold.hpp"

int main() {
  // Five documents, a row each, counted by four words; the last one is empty, and the fourth is half of the first.
  const std::vector<float> counts = {8, 0, 4, 2, 1, 5, 0, 0, 7, 1, 3, 3, 4, 0, 2, 1, 0, 0, 0, 0};
  const onefold::array_view<float> documents(counts.data(), {5, 4});
  const auto unit = onefold::normalize(documents, {.kind = onefold::norm::l2});

  std::vector<float> cosines;  // between the first document and each of them
  for (std::size_t i = 0; i < 5; ++i) {
    float dot = 0;
    for (std::size_t k = 0; k < 4; ++k) dot += unit[k] * unit[4 * i + k];
    cosines.push_back(dot);
    std::printf("document %zu  cosine %.3f\n", i, static_cast<double>(dot));
  }
  const auto others = std::span<const float>(cosines).subspan(1);
  std::printf("nearest to document 0: document %lld\n", static_cast<long long>(onefold::argmax(others)) + 1);

  // A vector alone has the same bits as among others.
  const auto alone = onefold::normalize(std::vector<float>(counts.begin() + 4, counts.begin() + 8));
  const bool same = std::memcmp(alone.data(), unit.data() + 4, 4 * sizeof(float)) == 0;
  std::printf("document 1 alone has the same bits: %s\n", same ? "yes" : "they differ");
}
