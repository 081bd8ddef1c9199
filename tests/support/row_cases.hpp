// Cases of row operations that are made up at random: lines and options, parameters, where the results lie, and whether
// they and the statistics are those of each line.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "onefold/onefold.hpp"
#include "onefold/row_operations.hpp"
#include "support/backend.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/elements.hpp"
#include "support/row_calls.hpp"
#include "support/slices.hpp"
#include "support/views.hpp"

namespace support {

/// Calls f.operator()<T>() for each element type of row operations that the library has.
template <class Function>
void for_each_row_element(const Function& f) {
  onefold::for_each_type(onefold::type_list<float, double, onefold::f16, onefold::bf16>{}, [&]<class T>() {
    if (!onefold::why_not(onefold::operation_index<onefold::op::sum>, onefold::dtype_of<T>, onefold::accuracy::native))
      f.template operator()<T>();
  });
}

/// An operation on the lines of a view along an axis.
struct row_case {
  onefold::row_operation operation;
  onefold::dtype element;
  onefold::options how;
  int along;
  made_up_view lines;

  bool one_a_line() const { return operation == onefold::row_operation::logsumexp; }
  /// Whether results can take the places of the elements: one for each, and each in a place of its own.
  bool fits_in_place() const {
    return !one_a_line() && std::ranges::none_of(lines.axes, [](const onefold::axis& a) { return a.stride == 0; });
  }
};

inline std::string text_of(const row_case& c) {
  return std::string(row_operation_names[static_cast<int>(c.operation)]) + ' ' + onefold::name_of(c.element) + ' ' +
         text_of(c.how) + ": " + text_of(c.lines);
}

inline bool has_accuracy(onefold::row_operation what, onefold::accuracy mode, onefold::dtype element) {
  using onefold::row_operation;
  if (what == row_operation::normalize_max || mode == onefold::accuracy::native) return true;
  if (what <= row_operation::logsumexp || what == row_operation::normalize_l1) return false;
  const bool moments = what == row_operation::layer_norm || what == row_operation::standardize;
  return !onefold::why_not(
      moments ? onefold::operation_index<onefold::op::moments> : onefold::operation_index<onefold::op::sum_squares>,
      element, mode);
}

/// Any operation on the backend under test, with any threads, instruction set and accuracy that it has.
template <class T>
row_case random_row_case(random_numbers& r) {
  row_case c{static_cast<onefold::row_operation>(r.integer(0, 8)), onefold::dtype_of<T>, {}, 0, {}};
  c.how = on_backend(static_cast<onefold::accuracy>(r.integer(0, 3)), r.integer(1, 4));
  if (!has_accuracy(c.operation, c.how.accuracy, c.element)) c.how.accuracy = onefold::accuracy::native;
  c.how.isa = onefold::isas()[r.bits() % onefold::isas().size()];
  c.lines = random_lines(r, static_cast<int>(onefold::page_elements(sizeof(onefold::row_value<T>))), &c.along);
  return c;
}

/// Parameters that the operation takes, each now and then, and the memory that they lie in.
template <class T>
struct made_up_parameters {
  made_up_parameters(const row_case& c, random_numbers& r)
      : weight(static_cast<std::size_t>(c.lines.n)),
        bias(weight.size()),
        mean(static_cast<std::size_t>(c.lines.outputs)),
        rstd(mean.size()) {
    fill<T>(weight.data(), c.lines.n, r);
    fill<T>(bias.data(), c.lines.n, r);
    with.eps = r.integer(0, 2) == 0 ? 0 : r.uniform();
    const bool layer = c.operation == onefold::row_operation::layer_norm;
    if ((layer || c.operation == onefold::row_operation::rms_norm) && r.integer(0, 1)) with.weight = weight;
    if (layer && r.integer(0, 1)) with.bias = bias;
    if (layer && r.integer(0, 1)) with.mean = mean, with.rstd = rstd;
  }
  made_up_parameters(const made_up_parameters&) = delete;
  made_up_parameters& operator=(const made_up_parameters&) = delete;

  std::vector<T> weight, bias;
  std::vector<onefold::row_value<T>> mean, rstd;
  onefold::row_parameters<T> with;
};

/// What the places of a line should have, and its statistics.
template <class T>
struct line_outcome {
  std::vector<T> results;
  onefold::row_value<T> mean, rstd;
};

/// Results in memory that is made up, over the elements or apart from them, and what should be there after a call: what
/// was there before, and the results of each line.
template <class T>
class made_up_results {
 public:
  using V = onefold::row_value<T>;

  /// Of a case whose first element is at data.
  made_up_results(const row_case& c, T* data, random_numbers& r)
      : in_place_(c.fits_in_place() && r.integer(0, 3) == 0),
        places_(in_place_ ? c.lines : random_results(c.lines, c.one_a_line(), r)),
        offsets_(offsets(places_)),
        memory_(places_.before + places_.after, sizeof(T), r),
        first_(in_place_ ? data : reinterpret_cast<T*>(memory_.data()) + places_.before) {
    if (!in_place_) fill<T>(first_ - places_.before, places_.before + places_.after, r);
    expected_.assign(first_ - places_.before, first_ + places_.after);
  }

  bool in_place() const { return in_place_; }
  /// The first result.
  T* data() const { return first_; }
  onefold::output_view<T> view() const { return output_of(first_, places_); }
  std::string text() const { return (in_place_ ? ", in place" : "") + (", results " + text_of(places_)); }

  /// The next line should have this.
  void expect(const line_outcome<T>& line) {
    const auto o = static_cast<std::int64_t>(means_.size());
    for (std::int64_t i = 0; i < places_.n; ++i)
      expected_[static_cast<std::size_t>(places_.before + offsets_[static_cast<std::size_t>(o * places_.n + i)])] =
          line.results[static_cast<std::size_t>(i)];
    means_.push_back(line.mean);
    rstds_.push_back(line.rstd);
  }

  /// Whether all has the bits that it should have; if not, checks fail, and say `what`.
  bool check(const onefold::row_parameters<T>& with, const std::string& what) const {
    const T* const found = first_ - places_.before;
    std::size_t place = 0;
    while (place < expected_.size() && same_bits(found[place], expected_[place])) ++place;
    bool statistics = true;
    const auto same = [](V a, V b) { return same_bits(a, b) || (std::isnan(a) && std::isnan(b)); };
    if (places_.n > 0)
      for (std::size_t o = 0; o < with.mean.size(); ++o)
        statistics = statistics && same(with.mean[o], means_[o]) && same(with.rstd[o], rstds_[o]);
    if (place == expected_.size() && statistics) return true;
    INFO(what);
    CHECK(place == expected_.size());
    CHECK(statistics);
    if (place < expected_.size())
      CHECK(static_cast<double>(value_of(found[place])) == static_cast<double>(value_of(expected_[place])));
    return false;
  }

 private:
  template <class X>
  static bool same_bits(const X& a, const X& b) {
    return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(X)) == 0;
  }

  bool in_place_;
  made_up_view places_;
  std::vector<std::int64_t> offsets_;
  placed_elements memory_;
  T* first_;
  std::vector<T> expected_;
  std::vector<V> means_, rstds_;
};

}  // namespace support
