// Catastrophic cancellation in a variance: the textbook's one-pass formula beside onefold's.
#include <cstdio>
#include <vector>

#include "onefold/onefold.hpp"

int main() {
  for (const double shift : {0.0, 1e4, 1e8, 1e9}) {
    std::vector<double> x, squares;
    for (const double d : {4.0, 7.0, 13.0, 16.0}) {
      x.push_back(shift + d);
      squares.push_back(x.back() * x.back());
    }
    const double mean = onefold::mean(x);
    const double difference = onefold::mean(squares) - mean * mean;
    std::printf("shift %5g: E[x^2] - E[x]^2 = %6g, variance %g\n", shift, difference, onefold::variance(x));
  }
}
