// The slice law over Eigen's objects of all kinds: every result of a reduction over axes has the bits of `reduce` over
// a copy of its own elements, which Eigen itself reads one by one.
#include "onefold/eigen.hpp"

#include <string>
#include <type_traits>
#include <vector>

#include "onefold/shapes.hpp"
#include "onefold/vectors.hpp"
#include "onefold/where.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/result_bits.hpp"

namespace {

using Eigen::Dynamic;
using Eigen::Index;
using support::error_of;
using support::random_numbers;
using support::result_bits;
using strides = Eigen::Stride<Dynamic, Dynamic>;

/// An operation over elements T: over some axes of a view, and of one slice.
template <class T>
struct operation {
  const char* name;
  std::vector<result_bits> (*over_axes)(const onefold::array_view<T>&, const onefold::over&, const onefold::options&);
  result_bits (*alone)(const std::vector<T>&, const onefold::options&);
};
template <class T, class Op>
constexpr operation<T> operation_of() {
  return {Op::name,
          [](const onefold::array_view<T>& view, const onefold::over& along, const onefold::options& how) {
            std::vector<result_bits> all;
            for (const auto& x : onefold::reduce<T, Op>(view, along, how)) all.push_back(support::bits_of(x));
            return all;
          },
          [](const std::vector<T>& slice, const onefold::options& how) {
            return support::bits_of(onefold::reduce<T, Op>(slice, how));
          }};
}
template <class T>
constexpr operation<T> operations[] = {operation_of<T, onefold::op::sum>(), operation_of<T, onefold::op::mean>(),
                                       operation_of<T, onefold::op::minmax>(), operation_of<T, onefold::op::argmax>()};

/// Compares reductions of Eigen's objects over any axes with reductions of their slices.
class slice_check {
 public:
  explicit slice_check(std::uint64_t seed) : random(seed) {}

  /// Over axes drawn by lot. `rank`: how many axes the view of m should have.
  template <class M>
  void operator()(const std::string& name, M&& m, std::size_t rank = 2) {
    using T = onefold::viewed_element<M>;
    const onefold::array_view view(std::forward<M>(m));
    static_assert(std::is_same_v<decltype(view), const onefold::array_view<T>>);
    INFO(name << ", " << m.rows() << " x " << m.cols());
    REQUIRE(view.rank() == rank);
    CHECK(view.extent(0) == (rank == 1 ? m.size() : m.rows()));
    if (rank == 2) CHECK(view.extent(1) == m.cols());

    const bool over_rows = random.integer(0, 1) == 0, over_columns = random.integer(0, 1) == 0;
    std::vector<int> axes;
    std::vector<std::vector<T>> slices;
    if (rank == 1) {
      if (over_rows) axes.push_back(random.integer(-1, 0));
      slices.resize(over_rows ? 1 : static_cast<std::size_t>(m.size()));
      for (Index i = 0; i < m.size(); ++i)
        slices[over_rows ? 0 : static_cast<std::size_t>(i)].push_back(m.coeff(i / m.cols(), i % m.cols()));
    } else {
      if (over_rows) axes.push_back(random.integer(0, 1) == 0 ? 0 : -2);
      if (over_columns) axes.push_back(random.integer(0, 1) == 0 ? 1 : -1);
      const Index rows = over_rows ? 1 : m.rows(), columns = over_columns ? 1 : m.cols();
      slices.resize(static_cast<std::size_t>(rows * columns));
      for (Index i = 0; i < m.rows(); ++i)
        for (Index j = 0; j < m.cols(); ++j)
          slices[static_cast<std::size_t>((over_rows ? 0 : i) * columns + (over_columns ? 0 : j))].push_back(
              m.coeff(i, j));
    }
    compare(view, axes, slices);
  }

  random_numbers random;
  std::int64_t cases = 0, compared = 0, long_slices = 0;

 private:
  template <class T>
  void compare(const onefold::array_view<T>& view, const std::vector<int>& axes,
               const std::vector<std::vector<T>>& slices) {
    onefold::options how =
        support::on_backend(static_cast<onefold::accuracy>(random.integer(0, 3)), random.integer(1, 4));
    const auto& operation = operations<T>[random.integer(0, 3)];
    if (onefold::why_not(onefold::operation_named(operation.name), onefold::dtype_of<T>, how.accuracy))
      how.accuracy = onefold::accuracy::native;
    how.isa = onefold::isas()[random.bits() % onefold::isas().size()];
    const onefold::over along{.axes = std::span<const int>(axes), .keep = random.integer(0, 1) == 0};
    std::vector<result_bits> found, meant;
    const auto problem = error_of([&] { found = operation.over_axes(view, along, how); });
    const auto reason = error_of([&] {
      for (const auto& slice : slices) meant.push_back(operation.alone(slice, how));
    });
    INFO(operation.name << ' ' << onefold::name_of(how.accuracy) << " over " << axes.size() << " axes");
    CHECK(problem == reason);
    if (!reason) CHECK(found == meant);
    ++cases;
    compared += static_cast<std::int64_t>(meant.size());
    long_slices += !slices.empty() && slices[0].size() > 4096;
  }
};

/// Memory for maps: elements before and after the pointer.
template <class T>
struct memory {
  memory(std::int64_t reach, random_numbers& r) : elements(static_cast<std::size_t>(2 * reach + 1)), middle(reach) {
    support::fill<T>(elements.data(), static_cast<std::int64_t>(elements.size()), r);
  }
  T* at() { return elements.data() + middle; }
  std::vector<T> elements;
  std::int64_t middle;
};

template <class M>
M filled(Index rows, Index columns, random_numbers& r) {
  M m(rows, columns);
  support::fill<typename M::Scalar>(m.data(), m.size(), r);
  return m;
}

/// What matrices and arrays have alike, in either order.
template <class M>
void check_parts(slice_check& check, const std::string& name, M& m) {
  const auto any = [&](Index most) {
    return static_cast<Index>(check.random.bits() % static_cast<std::uint64_t>(most));
  };
  const Index top = any(m.rows()), left = any(m.cols()), rows = any(m.rows() - top + 1),
              columns = any(m.cols() - left + 1);
  const M& constant = m;
  check(name, m);
  check(name + ", const", constant);
  check(name + " block", m.block(top, left, rows, columns));
  check(name + " block, const", constant.block(top, left, rows, columns));
  check(name + " transposed block", m.block(top, left, rows, columns).transpose());
  check(name + " block of the transpose", constant.transpose().block(left, top, columns, rows));
  check(name + " transpose", m.transpose());
  check(name + " corner", m.bottomRightCorner(rows, columns));
  check(name + " corner of 1 x 1", m.template topLeftCorner<1, 1>(), 1);
  check(name + " rows", m.middleRows(top, rows));
  check(name + " columns", constant.rightCols(columns));
  check(name + " row", m.row(top), 1);
  check(name + " column", constant.col(left), 1);
  check(name + " row of the transpose", m.transpose().row(left), 1);
  check(name + " segment of a row", m.row(top).segment(left, columns), 1);
  check(name + " tail of a column", m.col(left).tail(rows), 1);
  check(name + " diagonal", m.matrix().diagonal(), 1);
  check(name + " as an array", m.array());
  check(name + " as a matrix, const", constant.matrix());
  if constexpr (!M::IsRowMajor) {
    check(name + " reshaped", m.reshaped(m.cols(), m.rows()));
    check(name + " reshaped to a vector", constant.reshaped(), 1);
  }
}

template <class T>
void check_matrices(slice_check& check) {
  random_numbers& r = check.random;
  const bool is_long = r.integer(0, 5) == 0;
  const Index rows = r.integer(1, is_long ? 9'000 : 40), columns = r.integer(1, is_long ? 4 : 40);
  {
    auto m = filled<Eigen::Matrix<T, Dynamic, Dynamic>>(rows, columns, r);
    check_parts(check, "matrix", m);
    Eigen::Ref<Eigen::Matrix<T, Dynamic, Dynamic>> ref(m);
    const Eigen::Ref<const Eigen::Matrix<T, Dynamic, Dynamic>> ref_of_const(m.topRows(rows / 2));
    const Eigen::Ref<const Eigen::Matrix<T, Dynamic, Dynamic, Eigen::RowMajor>> copied(m);
    check("ref", ref);
    check("ref of a block", Eigen::Ref<Eigen::Matrix<T, Dynamic, Dynamic>>(m.bottomRows(rows / 2)));
    check("ref of const", ref_of_const);
    check("ref with a copy", copied);
    check("block of a ref", ref.rightCols(columns / 2));
  }
  {
    auto m = filled<Eigen::Matrix<T, Dynamic, Dynamic, Eigen::RowMajor>>(columns, rows, r);
    check_parts(check, "row-major matrix", m);
    check("ref in rows", Eigen::Ref<Eigen::Matrix<T, Dynamic, Dynamic, Eigen::RowMajor>, 0, strides>(m));
  }
  auto array = filled<Eigen::Array<T, Dynamic, Dynamic>>(rows, columns, r);
  check_parts(check, "array", array);
  auto rows_of_array = filled<Eigen::Array<T, Dynamic, 5, Eigen::RowMajor>>(rows, 5, r);
  check_parts(check, "row-major array with 5 columns", rows_of_array);
  auto fixed = filled<Eigen::Matrix<T, 3, 7>>(3, 7, r);
  check_parts(check, "matrix of fixed size", fixed);
  check("block of fixed size", fixed.template block<2, 3>(1, 2));
  auto bounded = filled<Eigen::Matrix<T, Dynamic, Dynamic, Eigen::RowMajor, 9, 9>>(r.integer(1, 9), 4, r);
  check_parts(check, "row-major matrix of bounded size", bounded);
  check("matrix without rows", Eigen::Map<Eigen::Matrix<T, Dynamic, Dynamic>>(nullptr, 0, columns));
}

template <class T>
void check_vectors(slice_check& check) {
  random_numbers& r = check.random;
  const Index n = r.integer(0, 3) == 0 ? r.integer(4'000, 20'000) : r.integer(1, 200);
  auto column = filled<Eigen::Matrix<T, Dynamic, 1>>(n, 1, r);
  auto row = filled<Eigen::Matrix<T, 1, Dynamic>>(1, n, r);
  auto array = filled<Eigen::Array<T, Dynamic, 1>>(n, 1, r);
  const auto fixed = filled<Eigen::Matrix<T, 1, 6>>(1, 6, r);
  const Index first = r.integer(0, static_cast<int>(n) - 1);
  check("vector", column, 1);
  check("row vector", std::as_const(row), 1);
  check("array of one axis", array, 1);
  check("vector of fixed size", fixed, 1);
  check("segment", column.segment(first, n - first), 1);
  check("head", std::as_const(array).head(first), 1);
  check("transposed segment", row.tail(n - first).transpose(), 1);
  check("segment of fixed size", fixed.template segment<3>(2), 1);
  check("ref of a vector", Eigen::Ref<Eigen::Matrix<T, Dynamic, 1>>(column), 1);
  check("vector as a matrix", column.reshaped(n, 1));
}

template <class T>
void check_maps(slice_check& check) {
  random_numbers& r = check.random;
  const Index rows = r.integer(1, 60), columns = r.integer(1, 60);
  const auto stride = [&] { return static_cast<Index>(r.integer(0, 3) == 0 ? 0 : r.integer(-130, 130)); };
  const Index outer = stride(), inner = stride();
  memory<T> m(60 * 130 * 2, r);
  using matrix = Eigen::Matrix<T, Dynamic, Dynamic>;
  using row_major = Eigen::Matrix<T, Dynamic, Dynamic, Eigen::RowMajor>;
  using vector = Eigen::Matrix<T, Dynamic, 1>;
  using Eigen::Map;
  Map<matrix, 0, strides> strided(m.at(), rows, columns, strides(outer, inner));
  const Map<const row_major, 0, strides> strided_rows(m.at(), rows, columns, strides(outer, inner));
  check("map", Map<matrix>(m.at(), rows, columns));
  check("map with strides", strided);
  check("map in rows with strides", strided_rows);
  check("map of an array with strides",
        Map<Eigen::Array<T, Dynamic, 7>, 0, strides>(m.at(), rows, 7, strides(outer, inner)));
  check("map of fixed size", Map<const Eigen::Matrix<T, 4, 5>, 0, strides>(m.at(), strides(outer, inner)));
  check("map with outer stride",
        Map<matrix, 0, Eigen::OuterStride<>>(m.at(), rows, columns, Eigen::OuterStride<>(outer)));
  check("map with inner stride",
        Map<row_major, 0, Eigen::InnerStride<>>(m.at(), rows, columns, Eigen::InnerStride<>(2)));
  check("map with fixed strides", Map<const matrix, 0, Eigen::Stride<131, 2>>(m.at(), rows, columns));
  check("map of a vector with stride", Map<vector, 0, Eigen::InnerStride<>>(m.at(), rows, Eigen::InnerStride<>(inner)),
        1);
  check("map of a row vector with stride",
        Map<const Eigen::Matrix<T, 1, Dynamic>, 0, strides>(m.at(), rows, strides(outer, inner)), 1);
  check("map of an array backwards",
        Map<Eigen::Array<T, 9, 1>, 0, Eigen::InnerStride<>>(m.at(), Eigen::InnerStride<>(-1)), 1);
  check("block of a map", strided.block(rows / 3, columns / 3, rows / 2, columns / 2));
  check("transposed map", strided_rows.transpose());
  check("column of a map", strided.col(columns / 2), 1);
  check("row of a map", strided.row(rows / 2), 1);
  check("column of a map in rows", strided_rows.col(columns / 2), 1);
  check("diagonal of a map", Map<matrix, 0, Eigen::OuterStride<>>(m.at(), rows, columns, outer).diagonal(), 1);
  if (outer != 0 && inner != 0) check("ref of a map", Eigen::Ref<matrix, 0, strides>(strided));  // 0 is Eigen's default
}

}  // namespace

TEMPLATE_TEST_CASE("every result over Eigen's objects has the bits of reduce over its own elements", "", float, double,
                   std::int32_t) {
  slice_check check(31 + sizeof(TestType) + std::is_integral_v<TestType>);
  for (int i = 0; i < 20; ++i) {
    check_matrices<TestType>(check);
    check_vectors<TestType>(check);
    check_maps<TestType>(check);
  }
  CHECK(check.cases > 3000);
  CHECK(check.compared > 10 * check.cases);
  CHECK(check.long_slices > 30);
}

TEST_CASE("Eigen's objects are passed as they are") {
  const auto how = support::on_backend();
  Eigen::Matrix<float, Dynamic, Dynamic> m(2, 3);
  m << 1, 2, 3, 4, 5, 6;
  const auto values = [](const auto& results) { return std::vector<float>(results.begin(), results.end()); };
  CHECK(onefold::sum(m, how) == 21);
  CHECK(values(onefold::sum(m, 0, how)) == std::vector<float>{5, 7, 9});
  CHECK(values(onefold::max(m.transpose(), {0}, how)) == std::vector<float>{3, 6});
  CHECK(onefold::mean(m.row(1), how) == 5);
  CHECK(values(onefold::reduce<float, onefold::op::sum>(m.rightCols(2), {.axes = -1}, how)) ==
        std::vector<float>{5, 11});
  std::vector<float> out(3);
  onefold::reduce<float, onefold::op::min>(m.array(), {.axes = 0}, out, how);
  CHECK(out == std::vector<float>{1, 2, 3});
  onefold::shaped_plan<float, onefold::op::sum> by_column(m, {.axes = 0}, how);
  by_column(m.data(), out);
  CHECK(out == std::vector<float>{5, 7, 9});
  // A verb has its result before a temporary ends.
  CHECK(values(onefold::sum(Eigen::Matrix<float, Dynamic, Dynamic>(m + m), 0, how)) == std::vector<float>{10, 14, 18});
  CHECK(onefold::nansum(Eigen::Matrix<float, Dynamic, Dynamic>(m + m), how) == 42);
  // As a function takes matrices of all kinds.
  const auto total = []<class Derived>(const Eigen::MatrixBase<Derived>& x, const onefold::options& options) {
    return onefold::sum(x, options);
  };
  CHECK(total(m.col(2), how) == 9);
}

TEST_CASE("Eigen's objects are selected from, and are masks, as they are") {
  const auto how = support::on_backend();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Eigen::Matrix<float, Dynamic, Dynamic> m(2, 3);
  m << 1, nan, 3, 4, 5, nan;
  const auto values = [](const auto& results) { return std::vector<float>(results.begin(), results.end()); };
  CHECK(onefold::nansum(m, how) == 13);
  CHECK(values(onefold::nansum(m, 0, how)) == std::vector<float>{5, 5, 3});
  CHECK(values(onefold::nanmean(m.transpose(), {0}, how)) == std::vector<float>{2, 4.5});
  CHECK(onefold::nanmax(m.row(0), how) == 3);

  Eigen::Array<bool, Dynamic, Dynamic> small = m.array() < 4;
  CHECK(onefold::sum(onefold::where(m, small), how) == 4);
  CHECK(values(onefold::sum(onefold::where(m, small), 1, how)) == std::vector<float>{4, 0});
  CHECK(values(onefold::sum(onefold::where(m.leftCols(1), small.rightCols(1)), 1, how)) == std::vector<float>{1, 0});
  const std::uint8_t rows[] = {0, 1};
  CHECK(values(onefold::sum(onefold::where(m, onefold::array_view<std::uint8_t>(rows, {2, 3}, {1, 0})), 0, how))[0] ==
        4);
  const std::vector<float> three{1, 2, 3};
  CHECK(onefold::sum(onefold::where(three, small.row(0)), how) == 4);
  const Eigen::VectorXf x = m.col(0);
  const Eigen::Array<bool, Dynamic, 1> last = x.array() > 2;
  CHECK(onefold::argmin(onefold::where(x, last), how) == 1);
  const onefold::selected_plan<float, onefold::op::sum> plan(onefold::where(m, small), {.axes = 0}, how);
  CHECK(plan.size() == 3);
}

TEST_CASE("Eigen's objects are vectors as they are") {
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(30, 40), b = Eigen::MatrixXd::Random(30, 40);
  const auto how = support::on_backend();
  const Eigen::Map<const Eigen::MatrixXd> x(a.data(), 30, 40), y(b.data(), 30, 40);
  CHECK(onefold::dot(a, b, how) == onefold::dot(x, y, how));
  CHECK(onefold::dot(a, b, 1, how)[3] == onefold::dot(x, y, 1, how)[3]);
  CHECK(onefold::distance(a, b, onefold::norm::l1, how) == onefold::distance(x, y, onefold::norm::l1, how));
  CHECK(onefold::cosine_similarity(a, a, how) == 1);
  CHECK(onefold::weighted_mean(a, b, how) == onefold::weighted_mean(x, y, how));
  CHECK(onefold::dot(a, b, how) - (a.array() * b.array()).sum() < 1e-12);
}

TEST_CASE("order statistics and histograms of Eigen's objects") {
  const auto how = support::on_backend();
  const Eigen::MatrixXf m = Eigen::MatrixXf::Random(30, 41);
  const Eigen::VectorXf x = m.col(3);
  /// Checks an object against a copy of its coefficients in C order.
  const auto check = [&how](const auto& object) {
    const onefold::array_view<float> view(object);
    std::vector<float> copy;
    for (Index i = 0; i < object.rows(); ++i)
      for (Index j = 0; j < object.cols(); ++j) copy.push_back(object(i, j));
    CHECK(onefold::median(object, how) == onefold::median(copy, how));
    CHECK(onefold::nanmedian(object, how) == onefold::median(copy, how));
    CHECK(onefold::quantile(object, 0.3, onefold::quantile_method::lower, how) ==
          onefold::quantile(copy, 0.3, onefold::quantile_method::lower, how));
    CHECK(onefold::quantiles(object, {0.1, 0.9}, onefold::quantile_method::linear, how) ==
          onefold::quantiles(copy, {0.1, 0.9}, onefold::quantile_method::linear, how));
    CHECK(onefold::nth_smallest(object, 2, how) == onefold::nth_smallest(copy, 2, how));
    const auto most = onefold::top_k(object, 5, how), meant = onefold::top_k(copy, 5, how);
    CHECK(most.values == meant.values);
    CHECK(most.indices == meant.indices);
    CHECK(onefold::bottom_k(object, 5, how).indices == onefold::bottom_k(copy, 5, how).indices);
    CHECK(onefold::histogram(object, 7, how).counts == onefold::histogram(copy, 7, how).counts);
    CHECK(onefold::histogram(object, {-0.5, 0, 0.5}, how).counts ==
          onefold::histogram(copy, {-0.5, 0, 0.5}, how).counts);
    CHECK(onefold::summary(object, how).max == onefold::summary(copy, how).max);
  };
  check(x);
  check(m);
  check(m.row(2));
  check(m.block(3, 4, 7, 9));
  check(m.transpose());
  check(x.reverse().eval());
  check(Eigen::Map<const Eigen::VectorXf, 0, Eigen::InnerStride<>>(m.data(), 100, Eigen::InnerStride<>(3)));
}
