// Reductions over ranks have the bits of `reduce` over the elements of all of them, wherever these are cut.
#include "onefold/mpi.hpp"

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "onefold/custom.hpp"
#include "ranks.hpp"
#include "support/backend.hpp"
#include "support/custom_operations.hpp"
#include "support/elements.hpp"

namespace {

namespace op = onefold::op;
using onefold::accuracy;

const MPI_Comm world = MPI_COMM_WORLD;

/// What reduce gives, or the code of its error.
template <class F>
auto outcome(F f) -> std::pair<std::optional<decltype(f())>, std::optional<onefold::error_code>> {
  try {
    return {f(), std::nullopt};
  } catch (const onefold::error& e) {
    return {std::nullopt, e.code()};
  }
}
template <class Outcome>
bool same(const Outcome& a, const Outcome& b) {
  return a.second == b.second && a.first.has_value() == b.first.has_value() &&
         (!a.first || support::same_bits(*a.first, *b.first));
}

/// Compares all functions with reductions of the whole, and of what comes before this rank.
template <class T, class Op>
void compare(const std::vector<T>& x, const std::vector<std::int64_t>& cuts, const onefold::options& how,
             Op operation) {
  const int rank = support::rank_in(world), root = static_cast<int>(cuts.size()) / 2 % support::size_of(world);
  const std::span<const T> mine = support::part_of(x, cuts, rank);
  const std::span<const T> before(x.data(), static_cast<std::size_t>(cuts[static_cast<std::size_t>(rank)]));
  INFO("rank " << rank << " of " << cuts.size() - 1 << " with the elements [" << before.size() << ", "
               << before.size() + mine.size() << ") of " << x.size());
  const auto reduced = [&](std::span<const T> all) {
    return outcome([&] { return onefold::reduce<T, Op>(all, how, operation); });
  };
  const auto whole = reduced(x);
  CHECK(same(outcome([&] { return onefold::mpi::allreduce<T, Op>(mine, world, how, operation); }), whole));

  const auto at_root = outcome([&] { return onefold::mpi::reduce<T, Op>(mine, root, world, how, operation); });
  CHECK(at_root.second == whole.second);
  if (at_root.first) {
    CHECK(at_root.first->has_value() == (rank == root));
    if (rank == root && *at_root.first) CHECK(support::same_bits(**at_root.first, *whole.first));
  }
  const auto scanned = onefold::mpi::exscan<T, Op>(mine, world, how, operation);
  CHECK(scanned.count() == std::ssize(before));
  CHECK(same(outcome([&] { return scanned.result(how.init); }), reduced(before)));
}

template <class T, class Op>
void check_cuts(const std::vector<T>& x, accuracy mode = accuracy::native, Op operation = {}) {
  const int ranks = support::size_of(world);
  support::random_numbers r(static_cast<std::uint64_t>(x.size()) + 17);  // the same on all ranks
  const auto n = std::ssize(x);
  const auto how = support::on_backend(mode, 1);
  compare<T, Op>(x, onefold::page_split<T>(n, ranks), how, operation);
  for (int i = 0; i < 6; ++i) compare<T, Op>(x, support::random_cuts(n, ranks, r), how, operation);
  std::vector<T> few(x.begin(), x.begin() + std::min<std::int64_t>(n, 5));
  compare<T, Op>(few, support::random_cuts(std::ssize(few), ranks, r), how, operation);
  few.clear();
  compare<T, Op>(few, std::vector<std::int64_t>(static_cast<std::size_t>(ranks) + 1), how, operation);
}

template <class T, class... Ops>
void check_all(std::int64_t pages, std::int64_t more, accuracy mode = accuracy::native) {
  const std::int64_t n = pages * onefold::page_elements(sizeof(T)) + more;
  support::random_numbers r(static_cast<std::uint64_t>(n));
  std::vector<T> x(static_cast<std::size_t>(n));
  support::fill<T>(x.data(), n, r);
  (check_cuts<T, Ops>(x, mode), ...);
}

}  // namespace

TEST_CASE("operations of f32 have the bits of reduce") {
  check_all<float, op::sum, op::product, op::max, op::argmax, op::minmax, op::mean, op::variance, op::moments>(9, 77);
  check_cuts<float, op::sum>(support::normal_data<float>(50000, 1));
  check_cuts<float, op::moments>(support::normal_data<float>(50000, 2));
  check_cuts<float, op::product>(support::factor_data<float>(50000, 3));
}

TEST_CASE("accuracies have the bits of reduce") {
  const auto x = support::ill_conditioned_data<float>(40000, 4);
  const auto y = support::ill_conditioned_data<double>(20000, 5);
  for (const accuracy mode : {accuracy::wide, accuracy::kahan, accuracy::exact}) {
    check_cuts<float, op::sum>(x, mode);
    check_cuts<double, op::sum>(y, mode);
  }
  check_cuts<double, op::variance>(y, accuracy::exact);
}

TEST_CASE("other types have the bits of reduce") {
  check_all<double, op::sum, op::argmin, op::stddev>(7, 1000);
  check_all<std::int32_t, op::sum, op::max, op::bit_xor, op::mean>(8, 5);
  check_all<onefold::bf16, op::sum, op::argmax, op::norm2>(6, 4095);
}

TEST_CASE("an initial value is folded in once") {
  const auto x = support::normal_data<float>(9000, 6);
  auto how = support::on_backend();
  how.init = 2.5f;
  support::random_numbers r(7);
  compare<float, op::sum>(x, support::random_cuts(std::ssize(x), support::size_of(world), r), how, op::sum());
  const float rounded = onefold::mpi::allreduce<float, op::sum>(
      support::part_of(x, onefold::page_split<float>(std::ssize(x), support::size_of(world)), support::rank_in(world)),
      world, how);
  CHECK(rounded == onefold::reduce<float, op::sum>(x, how));
  const double wide = onefold::mpi::allreduce<float, op::sum, double>(
      support::part_of(x, onefold::page_split<float>(std::ssize(x), support::size_of(world)), support::rank_in(world)),
      world, how);
  CHECK(wide == onefold::reduce<float, op::sum, double>(x, how));
}

TEST_CASE("user-defined operations have the bits of reduce") {
  const auto x = support::normal_data<float>(40000, 8);
  check_cuts<float, support::absolute_sum>(x);
  check_cuts<float, support::affine_floats>(x);  // does not commute
  check_cuts<std::uint32_t, support::affine_maps>(support::integer_data<std::uint32_t>(30000, 9));
  check_cuts<std::int32_t, support::index_sum>(support::integer_data<std::int32_t>(30000, 10));
  check_cuts<float, support::large_ordered_sums<1000>>(support::normal_data<float>(9000, 11));
  check_cuts(x, accuracy::native, support::weighted_count{-1, 1, 3});
  const double scale = 1.5;
  check_cuts(x, accuracy::native,
             support::mapped_sum{[scale](float y) { return y * static_cast<float>(scale); }, scale, 2});
}

// More elements in all than an int counts, and positions beyond them; the zeros take no memory until they are written.
TEST_CASE("rows of which each rank has a part have the bits of reductions over axes") {
  const int ranks = support::size_of(world), rank = support::rank_in(world);
  support::random_numbers r(23);  // the same on all ranks
  const std::int64_t page = onefold::page_elements(sizeof(float)), rows = 5, most = 3 * page + 100;
  const auto x = support::normal_data<float>(rows * most, 9);
  const auto check = [&]<class Op>(std::int64_t columns, const onefold::options& how) {
    const auto cuts = support::random_cuts(columns, ranks, r);
    const std::int64_t first = cuts[static_cast<std::size_t>(rank)], last = cuts[static_cast<std::size_t>(rank) + 1];
    const onefold::array_view<float> whole(x.data(), {rows, columns}, {most, 1});
    const onefold::array_view<float> mine(x.data() + first, {rows, last - first}, {most, 1});
    const onefold::over along{.axes = {1}};
    const auto wanted = onefold::reduce<float, Op>(whole, along, how);
    const auto got = onefold::mpi::allreduce<float, Op>(mine, along, world, how);
    REQUIRE(got.size() == wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(support::same_bits(got[i], wanted[i]));
    const auto at_root = onefold::mpi::reduce<float, Op>(mine, along, ranks - 1, world, how);
    REQUIRE(at_root.has_value() == (rank == ranks - 1));
    for (std::size_t i = 0; at_root && i < got.size(); ++i) CHECK(support::same_bits((*at_root)[i], wanted[i]));
    const auto before = onefold::mpi::exscan<float, Op>(mine, along, world, how);
    CHECK((before.begin() == 0 && before.end() == first && before.size() == rows));
    if (first == 0) return;
    const auto prefix =
        onefold::reduce<float, Op>(onefold::array_view<float>(x.data(), {rows, first}, {most, 1}), along, how);
    const auto scanned = before.result();
    for (std::size_t i = 0; i < prefix.size(); ++i) CHECK(support::same_bits(scanned[i], prefix[i]));
  };
  for (const std::int64_t columns : {most, page, std::int64_t{7}}) {
    check.operator()<op::sum>(columns, support::on_backend(accuracy::native, 1));
    check.operator()<op::sum>(columns, support::on_backend(accuracy::exact, 1));
    check.operator()<op::argmax>(columns, support::on_backend(accuracy::native, 1));
    check.operator()<op::moments>(columns, support::on_backend(accuracy::native, 1));
  }
}

TEST_CASE("wrong axes, extents and empty rows on one rank are errors on all") {
  const int ranks = support::size_of(world), rank = support::rank_in(world);
  const std::vector<float> x(60, 1);
  const auto code = [&](const onefold::array_view<float>& mine, int axis, auto op) {
    return outcome([&] { return onefold::mpi::allreduce<float, decltype(op)>(mine, {.axes = {axis}}, world)[0]; })
        .second;
  };
  const onefold::array_view<float> good(x.data(), {3, 20});
  CHECK(code(good, rank == ranks - 1 ? 2 : 1, op::sum{}) == onefold::error_code::invalid_argument);
  CHECK(code(rank == ranks - 1 ? onefold::array_view<float>(nullptr, {3, 20}) : good, 1, op::sum{}) ==
        onefold::error_code::invalid_argument);
  CHECK(code({x.data(), {3, 0}}, 1, op::min{}) == onefold::error_code::empty_input);
  if (ranks > 1)
    CHECK(code(rank == ranks - 1 ? onefold::array_view<float>(x.data(), {4, 15}) : good, 1, op::sum{}) ==
          onefold::error_code::invalid_argument);
}

TEST_CASE("counts do not end at 2^31", "[.huge]") {
  const int rank = support::rank_in(world), ranks = support::size_of(world);
  constexpr std::int64_t n = (std::int64_t{1} << 31) + 5;
  const std::unique_ptr<std::uint8_t, decltype(&std::free)> x(static_cast<std::uint8_t*>(std::calloc(n, 1)), std::free);
  REQUIRE(x);
  if (rank == ranks - 1) x.get()[n - 2] = 1;
  const auto at = onefold::mpi::allreduce<std::uint8_t, op::argmax>({x.get(), static_cast<std::size_t>(n)}, world);
  CHECK(at == ranks * n - 2);
}
