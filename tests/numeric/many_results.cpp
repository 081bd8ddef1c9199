// Results that do not fit the caches are written past them: each has the bits of `reduce` over its own elements,
// wherever they are written, and nothing beside them is.
#include <span>
#include <vector>

#include "onefold/shapes.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

namespace {

using onefold::accuracy;
using onefold::array_view;

/// Outputs of `length` elements each, as rows or as columns of a matrix.
template <class T, class Op>
void reduce_many(std::int64_t length, bool by_rows, std::int64_t offset) {
  constexpr std::int64_t count = 2'200'001;  // of results: more than 4 MiB for each of two threads
  using R = onefold::default_result<T, Op>;
  const std::vector<T> x = support::normal_data<T>(count * length, 7);
  std::vector<R> out(static_cast<std::size_t>(count + offset + 9), R(77));
  const onefold::options how = support::on_backend(accuracy::native, 2);
  const array_view<const T> rows(x.data(), {count, length}), columns(x.data(), {length, count});
  const std::span<R> results = std::span(out).subspan(static_cast<std::size_t>(offset), count);
  onefold::reduce<T, Op>(by_rows ? rows : columns, {.axes = {by_rows ? 1 : 0}}, results, how);
  std::int64_t wrong = 0;
  std::vector<T> own(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < count; i += i < 2000 || i > count - 2000 ? 1 : 7) {
    for (std::int64_t k = 0; k < length; ++k)
      own[static_cast<std::size_t>(k)] = x[static_cast<std::size_t>(by_rows ? i * length + k : k * count + i)];
    wrong += results[static_cast<std::size_t>(i)] != onefold::reduce<T, Op>(own);
  }
  INFO(Op::name << " of " << onefold::name_of(onefold::dtype_of<T>) << ", by rows " << by_rows << ", " << offset);
  CHECK(wrong == 0);
  for (std::int64_t i = 0; i < std::ssize(out); ++i)
    if (i < offset || i >= offset + count) CHECK(out[static_cast<std::size_t>(i)] == R(77));
}

}  // namespace

TEST_CASE("results beyond the caches") {
  for (const std::int64_t offset : {0, 1, 7}) {
    reduce_many<float, onefold::op::sum>(8, true, offset);
    reduce_many<double, onefold::op::max>(3, true, offset);
    reduce_many<float, onefold::op::mean>(4, false, offset);
  }
  reduce_many<std::int16_t, onefold::op::sum>(8, true, 3);
}
