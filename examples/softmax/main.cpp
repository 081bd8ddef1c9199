// Attention of one head: the softmax of scores, their rows normalized before, and the same bits from any backend.
#include <cstdio>
#include <cstring>
#include <vector>

#include "onefold/onefold.hpp"

int main() {
  // Three tokens of four features; the second one is ten times the first one.
  std::vector<float> tokens = {1, 2, 3, 4, 10, 20, 30, 40, -1, 0, 2, -1};
  const std::vector<float> weight = {1, 1, 0.5F, 0.5F};
  const onefold::array_view<float> rows(tokens.data(), {3, 4});
  onefold::rms_norm(rows, -1, tokens, {.weight = weight});  // in place
  for (std::size_t i = 0; i < 3; ++i)
    std::printf("token %zu  %6.3f %6.3f %6.3f %6.3f\n", i, tokens[4 * i], tokens[4 * i + 1], tokens[4 * i + 2],
                tokens[4 * i + 3]);

  // Each token's scores against all three.
  std::vector<float> scores(9);
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t k = 0; k < 4; ++k) scores[i] += tokens[i / 3 * 4 + k] * tokens[i % 3 * 4 + k];
  const onefold::array_view<float> matrix(scores.data(), {3, 3});
  const auto attention = onefold::softmax(matrix, {.backend = onefold::backend::sequential});
  for (std::size_t i = 0; i < 3; ++i)
    std::printf("weights %zu  %.3f %.3f %.3f\n", i, attention[3 * i], attention[3 * i + 1], attention[3 * i + 2]);

  const auto again = onefold::softmax(matrix, {.backend = onefold::backend::cpu, .threads = 2});
  const bool same = std::memcmp(again.data(), attention.data(), attention.size() * sizeof(float)) == 0;
  std::printf("the same bits with two threads: %s\n", same ? "yes" : "they differ");
}
