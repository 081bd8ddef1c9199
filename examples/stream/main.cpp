// The sum and the extremes of a file that may be larger than memory: one piece is folded while the next ones are read.
#include <cstdio>
#include <random>
#include <vector>

#include "onefold/onefold.hpp"

int main() {
  std::vector<float> values((5 << 20) / 2 + 3);
  std::mt19937 random(1);
  for (float& x : values) x = static_cast<float>(random()) / 4294967296.0f;

  std::FILE* const file = std::tmpfile();
  if (!file) return 1;
  if (std::fwrite(values.data(), sizeof(float), values.size(), file) != values.size()) return 1;
  std::rewind(file);

  onefold::accumulator<float, onefold::op::sum> sum;
  onefold::accumulator<float, onefold::op::minmax> extremes;
  onefold::element_reader<float> from(fileno(file));
  from.push_to(sum, extremes);
  std::printf("%lld elements, sum %.9g, from %.3g to %.3g\n", static_cast<long long>(from.count()), sum.result(),
              extremes.result().min, extremes.result().max);
  std::printf("the bits of a reduction of the whole: %s\n", sum.result() == onefold::sum(values) ? "yes" : "no");
  std::fclose(file);
}
