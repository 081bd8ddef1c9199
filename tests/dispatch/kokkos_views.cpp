// Kokkos::View as an array_view: its layouts, its subviews, and views of constants.
#include <Kokkos_Core.hpp>
#include <numeric>
#include <vector>

#include "onefold/shapes.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/values.hpp"

using support::values;

namespace {

/// 0, 1, 2, ...
const std::vector<float> data = [] {
  std::vector<float> x(24);
  std::iota(x.begin(), x.end(), 0.0f);
  return x;
}();

}  // namespace

TEST_CASE("views of Kokkos's") {
  const auto how = support::on_backend();
  const Kokkos::View<const float**, Kokkos::LayoutRight, Kokkos::HostSpace> rows(data.data(), 4, 6);
  const Kokkos::View<const float* [6], Kokkos::LayoutLeft, Kokkos::HostSpace> columns(data.data(), 4);
  const Kokkos::View<const float***, Kokkos::LayoutStride, Kokkos::HostSpace> strided(
      data.data(), Kokkos::LayoutStride(2, 12, 3, 1, 2, 3));
  CHECK(values(onefold::sum(rows, 1, how)) == std::vector<float>{15, 51, 87, 123});
  CHECK(values(onefold::sum(columns, 1, how)) == std::vector<float>{60, 66, 72, 78});
  CHECK(values(onefold::reduce<float, onefold::op::max>(strided, {.axes = {1, -1}}, how)) == std::vector<float>{5, 17});
  CHECK(onefold::sum(Kokkos::subview(rows, Kokkos::ALL, 2), how) == 44);
  CHECK(values(onefold::sum(Kokkos::subview(columns, std::pair(1, 3), Kokkos::ALL), 0, how)) ==
        std::vector<float>{3, 11, 19, 27, 35, 43});
  const onefold::array_view view(Kokkos::subview(rows, 3, Kokkos::ALL));
  CHECK(view.rank() == 1);
  CHECK(view.data() == data.data() + 18);
  const Kokkos::View<const float, Kokkos::HostSpace> one(data.data() + 7);
  CHECK(onefold::sum(one, how) == 7);
}
