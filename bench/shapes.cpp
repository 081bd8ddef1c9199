#include "shapes.hpp"

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>

#include "onefold/onefold.hpp"

namespace bench {
namespace {

// Whether all results are near sums in f64; the elements lie in (-1, 1).
template <class T>
bool near_sums(const shape& s, const T* data, const T* results) {
  const std::int64_t columns = s.columns();
  std::vector<double> sums(static_cast<std::size_t>(s.results()));
  for (std::int64_t i = 0; i < s.rows(); ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      sums[static_cast<std::size_t>(s.axis == 0 ? j : i)] += static_cast<double>(data[i * columns + j]);
  const double allowed = 1e-4 * static_cast<double>(s.axis == 0 ? s.rows() : columns);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (!(std::abs(static_cast<double>(results[i]) - sums[i]) <= allowed)) return false;
  return true;
}

bool near_sums(const shape& s, std::string_view type, const void* data, const void* results) {
  if (type == type_name<float>)
    return near_sums(s, static_cast<const float*>(data), static_cast<const float*>(results));
  if (type == type_name<double>)
    return near_sums(s, static_cast<const double*>(data), static_cast<const double*>(results));
  throw std::invalid_argument("no sums over axes of type " + std::string(type));
}

// Room for the results of any type.
std::shared_ptr<std::vector<double>> room_for(const shape& s) {
  return std::make_shared<std::vector<double>>(static_cast<std::size_t>(s.results()));
}

template <class T>
void add_onefold_type(std::vector<contender>& list, const shape& s, runtime used, const onefold::options& how) {
  using onefold::op::sum;
  const std::string who = onefold::name_of(how.backend);
  list.push_back(shape_contender(s, type_name<T>, "onefold", who, used, [s, how](int threads) -> shape_reduction {
    onefold::options o = how;
    o.threads = threads;
    const onefold::extents e{std::span<const std::int64_t>(s.extents)};
    const auto count = static_cast<std::size_t>(s.results());
    const auto plan = std::make_shared<onefold::shaped_plan<T, sum>>(onefold::array_view<T>(nullptr, e),
                                                                     onefold::over{.axes = s.axis}, o);
    return [plan, count](const void* data, void* results) {
      (*plan)(static_cast<const T*>(data), std::span<T>(static_cast<T*>(results), count));
    };
  }));
  if (how.backend != onefold::backend::sequential || s.axis == 0) return;
  list.push_back(shape_contender(s, type_name<T>, "onefold, a call a row", who, used, [s, how](int) -> shape_reduction {
    return [rows = s.rows(), columns = static_cast<std::size_t>(s.columns()), how](const void* data, void* results) {
      const T* row = static_cast<const T*>(data);
      for (T *out = static_cast<T*>(results), *end = out + rows; out != end; ++out, row += columns)
        *out = onefold::sum(std::span(row, columns), how);
    };
  }));
}

}  // namespace

std::int64_t shape::elements() const {
  std::int64_t n = 1;
  for (const std::int64_t e : extents) n *= e;
  return n;
}

std::string shape::row() const {
  std::string text = "sum-";
  for (const std::int64_t e : extents) text.append(std::to_string(e)).append("x");
  text.back() = '-';
  return text.append("axis").append(std::to_string(axis));
}

std::vector<shape> shapes() {
  std::vector<shape> all;
  for (const std::int64_t n : {std::int64_t{1} << 18, std::int64_t{1} << 24})
    for (const std::int64_t length : {8, 32, 256, 1000, 4096}) all.push_back({{n / length, length}, 1});
  for (const std::int64_t side : {512, 4096}) all.push_back({{side, side}, 0});
  for (const std::int64_t side : {64, 256}) all.push_back({{side, side, side}, 0});
  return all;
}

contender shape_contender(const shape& s, const char* type, const std::string& name, const std::string& flavor,
                          runtime needs, const std::function<shape_reduction(int threads)>& prepare) {
  return {.row = s.row(),
          .type = type,
          .name = name,
          .flavor = flavor,
          .needs = needs,
          .prepare =
              [=](std::int64_t, int threads) {
                return [reduce = prepare(threads), out = room_for(s)](const void* data) {
                  reduce(data, out->data());
                  return 0.0;
                };
              },
          .elements = s.elements(),
          .is_right =
              [=](const void* data, int threads) {
                const auto out = room_for(s);
                prepare(threads)(data, out->data());
                return near_sums(s, type, data, out->data());
              }};
}

void add_onefold_shapes(std::vector<contender>& list, runtime used, const onefold::options& how) {
  for (const shape& s : shapes()) {
    add_onefold_type<float>(list, s, used, how);
    add_onefold_type<double>(list, s, used, how);
  }
}

}  // namespace bench
