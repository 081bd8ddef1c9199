// Row operations under a mask: the selected elements of each line get the bits of the operation over a copy of them
// alone, the others a constant; along any axis, on every backend, with any number of threads, in place and planned.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "onefold/dynamic.hpp"
#include "onefold/onefold.hpp"
#include "onefold/row_operations.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/masks.hpp"
#include "support/row_calls.hpp"
#include "support/slices.hpp"
#include "support/views.hpp"

namespace {

using onefold::row_operation;
using support::random_numbers;

/// A mask of a view, whose first element has the place places.before.
struct made_up_mask : support::stored_mask {
  support::made_up_view places;
};

made_up_mask random_mask(random_numbers& r, const support::made_up_view& s) {
  support::made_up_view places = s;
  if (r.integer(0, 1))
    support::lay_out_in_c_order(places);
  else
    support::lay_out(places, r);
  return {support::random_mask(r, places.before + places.after), places};
}

/// Calls f(what the mask selects of the view).
template <class T, class Function>
void with_selected(const onefold::array_view<T>& view, const made_up_mask& mask, const Function& f) {
  const auto& axes = mask.places.axes;
  const unsigned char* const bytes = mask.bytes.data() + mask.places.before;
  const onefold::array_view<std::uint8_t> places = support::view_of<std::uint8_t>(bytes, axes);
  onefold::extents extents;
  onefold::strides strides;
  for (const onefold::axis& a : axes) {
    extents.push_back(a.extent);
    strides.push_back(a.stride);
  }
  switch (mask.as) {
    case support::mask_form::bytes:
      return f(onefold::where(view, places));
    case support::mask_form::bools:
      return f(onefold::where(view, support::view_of<bool>(bytes, axes)));
    case support::mask_form::bits:
      return f(
          onefold::where(view, onefold::bitmap(mask.bits.data(), mask.offset + mask.places.before, extents, strides)));
    default:
      return f(onefold::where(view, onefold::not_nan));
  }
}

/// What the places of a line should have, and its statistics.
template <class T>
struct outcome_of_line {
  std::vector<T> results;
  onefold::row_value<T> mean, rstd;
};

template <class T>
std::vector<T> chosen(std::span<const T> from, const std::vector<bool>& selects) {
  std::vector<T> some;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (selects[i]) some.push_back(from[i]);
  return some;
}

/// The operation over a copy of the selected elements.
template <class T>
outcome_of_line<T> meant(row_operation what, std::span<const T> line, const std::vector<bool>& selects,
                         const onefold::row_parameters<T>& with, onefold::accuracy mode) {
  using V = onefold::row_value<T>;
  onefold::options alone;
  alone.backend = onefold::backend::sequential;
  alone.accuracy = mode;
  const std::vector<T> x = chosen(line, selects),
                       weight = chosen(with.weight, with.weight.empty() ? std::vector<bool>{} : selects),
                       bias = chosen(with.bias, with.bias.empty() ? std::vector<bool>{} : selects);
  const bool one_a_line = what == row_operation::logsumexp;
  std::vector<T> y(one_a_line ? 1 : x.size());
  V mean = std::numeric_limits<V>::quiet_NaN(), rstd = mean;
  onefold::row_parameters<T> own{.weight = weight, .bias = bias, .eps = with.eps};
  if (!with.mean.empty()) own.mean = {&mean, 1}, own.rstd = {&rstd, 1};
  support::call_rows(
      what, x, -1,
      onefold::output_view<T>(y.data(),
                              one_a_line ? onefold::extents{} : onefold::extents{static_cast<std::int64_t>(x.size())}),
      own, alone);
  if (one_a_line) return {y, mean, rstd};
  const T other = support::nearest<T>(what == row_operation::log_softmax ? -HUGE_VAL : 0.0);
  std::vector<T> all(line.size(), other);
  for (std::size_t i = 0, j = 0; i < all.size(); ++i)
    if (selects[i]) all[i] = y[j++];
  return {all, mean, rstd};
}

struct tally {
  std::int64_t cases = 0, selected = 0, left_out = 0, wrong = 0, in_place = 0, planned = 0, weighted = 0, empty = 0;
  std::int64_t of_pages = 0, kept_twice = 0;  ///< lines with so many selected elements
};

bool runs(row_operation what, onefold::accuracy mode, onefold::dtype element) {
  if (what == row_operation::normalize_max || mode == onefold::accuracy::native) return true;
  if (what <= row_operation::logsumexp || what == row_operation::normalize_l1) return false;
  const bool moments = what == row_operation::layer_norm || what == row_operation::standardize;
  return !onefold::why_not(
      moments ? onefold::operation_index<onefold::op::moments> : onefold::operation_index<onefold::op::sum_squares>,
      element, mode);
}

template <class V>
bool same_bits(const V& a, const V& b) {
  return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(V)) == 0;
}

template <class T>
void one_case(const support::made_up_view& s, int along, row_operation what, const onefold::options& how,
              random_numbers& r, tally& t) {
  using V = onefold::row_value<T>;
  const bool one_a_line = what == row_operation::logsumexp;
  const made_up_mask mask = random_mask(r, s);
  support::placed_elements elements(s.before + s.after, sizeof(T), r);
  T* const data = reinterpret_cast<T*>(elements.data()) + s.before;
  support::fill<T>(data - s.before, s.before + s.after, r);
  if (mask.as == support::mask_form::not_nan || r.integer(0, 3) == 0)
    support::fill_nan<T>(data - s.before, s.before + s.after, r);
  const bool repeats = std::ranges::any_of(s.axes, [](const onefold::axis& a) { return a.stride == 0; });
  const bool in_place = !one_a_line && !repeats && r.integer(0, 3) == 0;
  const support::made_up_view to = in_place ? s : support::random_results(s, one_a_line, r);
  support::placed_elements memory(to.before + to.after, sizeof(T), r);
  T* const out = in_place ? data : reinterpret_cast<T*>(memory.data()) + to.before;
  if (!in_place) support::fill<T>(out - to.before, to.before + to.after, r);

  std::vector<T> weight(static_cast<std::size_t>(s.n)), bias(weight.size());
  std::vector<V> means(static_cast<std::size_t>(s.outputs)), rstds(means.size()), meant_means, meant_rstds;
  support::fill<T>(weight.data(), s.n, r);
  support::fill<T>(bias.data(), s.n, r);
  onefold::row_parameters<T> with;
  with.eps = r.integer(0, 2) == 0 ? 0 : r.uniform();
  const bool layer = what == row_operation::layer_norm;
  if ((layer || what == row_operation::rms_norm) && r.integer(0, 1)) with.weight = weight;
  if (layer && r.integer(0, 1)) with.bias = bias;
  if (layer && r.integer(0, 1)) with.mean = means, with.rstd = rstds;

  const std::vector<std::int64_t> from_places = support::offsets(s), to_places = support::offsets(to),
                                  mask_places = support::offsets(mask.places);
  std::vector<T> expected(out - to.before, out + to.after);
  for (std::int64_t o = 0; o < s.outputs; ++o) {
    std::vector<T> line;
    std::vector<bool> selects;
    for (std::int64_t i = 0; i < s.n; ++i) {
      const auto number = static_cast<std::size_t>(o * s.n + i);
      line.push_back(data[from_places[number]]);
      selects.push_back(mask.as == support::mask_form::not_nan
                            ? !support::is_nan<T>(&line.back())
                            : mask.bytes[static_cast<std::size_t>(mask.places.before + mask_places[number])] != 0);
    }
    const auto m = meant<T>(what, line, selects, with, how.accuracy);
    for (std::int64_t i = 0; i < to.n && (s.n > 0 || one_a_line); ++i)
      expected[static_cast<std::size_t>(to.before + to_places[static_cast<std::size_t>(o * to.n + i)])] =
          m.results[static_cast<std::size_t>(i)];
    meant_means.push_back(m.mean);
    meant_rstds.push_back(m.rstd);
    const std::int64_t some = std::ranges::count(selects, true);
    t.selected += some;
    t.left_out += s.n - some;
    t.empty += some == 0 && s.n > 0;
    t.of_pages += some > onefold::page_elements(sizeof(V));
    t.kept_twice += some * static_cast<std::int64_t>(sizeof(V)) > (256 << 10);
  }
  ++t.cases;
  t.in_place += in_place;
  t.weighted += !with.weight.empty();
  const bool planned = r.integer(0, 2) == 0;
  t.planned += planned;
  const onefold::output_view<T> results = support::output_of(out, to);
  with_selected(support::view_of<T>(data, s.axes), mask, [&](const auto& selected) {
    if (!planned) return support::call_rows(what, selected, along, results, with, how);
    onefold::row_plan<T> plan(what, selected, results, along, with, how);
    plan(selected, out, with);
    if (!in_place) plan(selected, out, with);
  });

  std::size_t place = 0;
  while (place < expected.size() && same_bits(out[static_cast<std::int64_t>(place) - to.before], expected[place]))
    ++place;
  bool statistics = true;
  const auto same = [](V a, V b) { return same_bits(a, b) || (a != a && b != b); };
  if (s.n > 0 && !with.mean.empty())
    for (std::size_t o = 0; o < means.size(); ++o)
      statistics = statistics && same(means[o], meant_means[o]) && same(rstds[o], meant_rstds[o]);
  if (place == expected.size() && statistics) return;
  ++t.wrong;
  INFO(support::row_operation_names[static_cast<int>(what)]
       << ' ' << onefold::name_of(onefold::dtype_of<T>) << ' ' << support::text_of(how) << ": " << support::text_of(s)
       << ", mask " << static_cast<int>(mask.as) << ' ' << support::text_of(mask.places)
       << (in_place ? ", in place" : "") << ", results " << support::text_of(to) << (planned ? ", planned" : ""));
  CHECK(place == expected.size());
  CHECK(statistics);
  if (place < expected.size())
    CHECK(static_cast<double>(support::value_of(out[static_cast<std::int64_t>(place) - to.before])) ==
          static_cast<double>(support::value_of(expected[place])));
}

template <class T>
void random_case(random_numbers& r, tally& t) {
  const auto page = static_cast<int>(onefold::page_elements(sizeof(onefold::row_value<T>)));
  const auto what = static_cast<row_operation>(r.integer(0, 8));
  onefold::options how = support::on_backend(static_cast<onefold::accuracy>(r.integer(0, 3)), r.integer(1, 4));
  if (!runs(what, how.accuracy, onefold::dtype_of<T>)) how.accuracy = onefold::accuracy::native;
  how.isa = onefold::isas()[r.bits() % onefold::isas().size()];
  int along = 0;
  const support::made_up_view s = support::random_lines(r, page, &along);
  one_case<T>(s, along, what, how, r, t);
}

}  // namespace

TEST_CASE("row operations under a mask have the bits of copies of the selected elements") {
  random_numbers r(43);
  tally t;
  while (t.cases < 6'000 && t.wrong <= 5) {
    onefold::for_each_type(onefold::type_list<float, double, onefold::f16, onefold::bf16>{}, [&]<class T>() {
      if (!onefold::why_not(onefold::operation_index<onefold::op::sum>, onefold::dtype_of<T>,
                            onefold::accuracy::native))
        random_case<T>(r, t);
    });
  }
  CHECK(t.wrong == 0);
  CHECK(t.selected > 100 * t.cases);
  CHECK(t.left_out > 100 * t.cases);
  CHECK(t.in_place > t.cases / 20);
  CHECK(t.planned > t.cases / 5);
  CHECK(t.weighted > t.cases / 20);
  CHECK(t.empty > t.cases / 20);
  CHECK(t.of_pages > 100);
  CHECK(t.kept_twice > 5);
}
