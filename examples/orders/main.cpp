// Sums and extremes of what a table of structs says, without arrays of their own: the same bits from any backend.
#include <cstdio>
#include <vector>

#include "onefold/onefold.hpp"

namespace {

struct order {
  double price;
  int amount;
  bool paid;

  double total() const { return price * amount; }
};

}  // namespace

int main() {
  const std::vector<order> orders = {{19.99, 3, true}, {5.25, 10, false}, {250, 1, true}, {0.1, 700, true}};
  namespace op = onefold::op;

  std::printf("revenue %.2f\n", onefold::map_reduce<op::sum>(&order::total, orders));
  std::printf("paid %.2f\n",
              onefold::map_reduce<op::sum>([](const order& o) { return o.paid ? o.total() : 0; }, orders));
  std::printf("largest order: number %lld\n",
              static_cast<long long>(onefold::argmax(onefold::mapped(&order::total, orders))));

  // Two quarters of three shops, and how alike they are.
  const std::vector<float> before = {10, 20, 30, 8, 0, 6}, after = {11, 22, 33, 0, 4, 0};
  const onefold::array_view<float> first(before.data(), {2, 3}), second(after.data(), {2, 3});
  const auto alike = onefold::cosine_similarity(first, second, 1);
  const auto moved = onefold::distance(first, second, 1, onefold::norm::l1);
  for (std::size_t i = 0; i < 2; ++i) std::printf("quarter %zu  cosine %.3f  moved %.0f\n", i, alike[i], moved[i]);

  const auto sequential =
      onefold::map_reduce<op::sum>(&order::total, orders, {.backend = onefold::backend::sequential});
  const auto threads = onefold::map_reduce<op::sum>(&order::total, orders, {.backend = onefold::backend::cpu});
  std::printf("the same bits from both backends: %s\n", sequential == threads ? "yes" : "they differ");
}
