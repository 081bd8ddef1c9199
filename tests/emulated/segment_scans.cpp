// The general scans of the CUDA backend, of segments and of lines, run on the CPU: each prefix has the bits of the
// CPU's fold, and nothing but results is written.
#include <vector>

#include "onefold/detail/cuda/scan.cuh"
#include "reference.hpp"
#include "support/custom_operations.hpp"
#include "support/data.hpp"

namespace {

using namespace onefold;

/// How a scan is called.
struct call_form {
  bool exclusive, has_init, in_place, wide;
};

/// Reference: of a fold. Results are compared around the borders of rows and pages, and at some other places.
template <class Reference, class T>
class comparison : Reference {
  using typename Reference::fold, typename Reference::R;
  static constexpr std::int64_t page = page_elements(sizeof(T)), row = page / page_rows;
  static constexpr device_scan device = detail::make_device_scan<fold, T>();

 public:
  comparison(std::vector<T> elements, bool has_first) : x_(std::move(elements)), has_first_(has_first) {}

  /// Segments of these lengths, of which those above `longest` are left out.
  void segments(const std::vector<std::int64_t>& lengths, const call_form& form,
                std::int64_t longest = std::int64_t{1} << 40) {
    std::vector<std::int64_t> at{3};
    for (const std::int64_t n : lengths) at.push_back(at.back() + n);
    const std::vector<std::uint32_t> narrow(at.begin(), at.end());
    const std::int64_t all = at.back() + 2, count = std::ssize(lengths);
    REQUIRE(all <= std::ssize(x_));
    INFO(count << " segments from " << at.front() << " to " << at.back());
    const device_segments s{all, at.back() - at.front(),
                            form.wide ? static_cast<const void*>(at.data()) : narrow.data(), count, form.wide};
    const std::vector<char> out = results(all, form, [&](const device_launch& how) {
      return device.launch_segments(how, s, longest, form.exclusive, sizeof(R));
    });
    std::vector<bool> is_written(static_cast<std::size_t>(all));
    for (std::size_t i = 0; i < lengths.size(); ++i)
      if (lengths[i] <= longest) check_line(out, at[i], lengths[i], form, is_written);
    for (std::int64_t i = 0; i < all; ++i)
      if (!is_written[static_cast<std::size_t>(i)]) check_untouched(out, i, form);
  }

  /// Rows of n elements, one after the other.
  void rows(std::int64_t count, std::int64_t n, const call_form& form) {
    INFO(count << " rows of " << n);
    const problem p{sizeof(problem), 1, 1, {{count, n}}, {{n, 1}}, count, n};
    std::vector<uint4> slots(static_cast<std::size_t>(device.slot_bytes(p) / 16 + 1));
    const std::vector<char> out = results(count * n, form, [&](device_launch how) {
      how.slots = slots.data();
      return device.launch(how, p, p, form.exclusive, sizeof(R));
    });
    std::vector<bool> is_written(static_cast<std::size_t>(count * n));
    for (std::int64_t i = 0; i < count; ++i) check_line(out, i * n, n, form, is_written);
  }

  int compared() const { return Reference::compared; }

 private:
  template <class Launch>
  std::vector<char> results(std::int64_t all, const call_form& form, const Launch& launch) {
    const emulation::placed<T> data(x_.data(), all, 0);
    std::vector<char> out(static_cast<std::size_t>(all) * sizeof(R), unwritten);
    device_launch how = Reference::launch_of(data.first(), all, nullptr, out.data());
    if (form.in_place) {
      out.assign(reinterpret_cast<const char*>(x_.data()), reinterpret_cast<const char*>(x_.data() + all));
      how.data = how.out = out.data();
    }
    how.has_init = form.has_init;
    if constexpr (sizeof(R) <= sizeof how.init) {
      const R init = initial();
      std::memcpy(how.init, &init, sizeof init);
    }
    REQUIRE(launch(how) == 0);
    return out;
  }

  static R initial() {
    if constexpr (std::is_arithmetic_v<R>) return R(3);
    return R{};
  }

  void check_line(const std::vector<char>& out, std::int64_t first, std::int64_t n, const call_form& form,
                  std::vector<bool>& is_written) {
    const R init = initial();
    for (std::int64_t i = 0; i < n; ++i) {
      is_written[static_cast<std::size_t>(first + i)] = true;
      const std::int64_t in_row = i % row;
      if (in_row > 1 && in_row < row - 1 && i % 61 != 0) continue;
      if (i > 40 && i < page - 40 && i % 7 != 0 && i < n - 2) continue;
      const std::int64_t count = form.exclusive ? i : i + 1;
      if (count == 0 && !form.has_init && !has_first_) continue;
      R found;
      std::memcpy(static_cast<void*>(&found), out.data() + (first + i) * std::int64_t{sizeof(R)}, sizeof found);
      Reference::same(found, Reference::wanted(x_.data() + first, count, form.has_init ? &init : nullptr));
    }
  }
  void check_untouched(const std::vector<char>& out, std::int64_t i, const call_form& form) {
    const char* const is = out.data() + i * std::int64_t{sizeof(R)};
    const bool untouched = form.in_place ? std::memcmp(is, &x_[static_cast<std::size_t>(i)], sizeof(R)) == 0
                                         : std::all_of(is, is + sizeof(R), [](char c) { return c == unwritten; });
    if (!untouched) FAIL_CHECK("element " << i << " is in no segment, and its result was written");
  }

  static constexpr char unwritten = 0x5a;
  std::vector<T> x_;
  bool has_first_;
};

template <class Reference, class T>
void compare_segments(std::vector<T> elements, bool has_first, bool takes_init) {
  constexpr std::int64_t page = page_elements(sizeof(T));
  constexpr bool fits = sizeof(typename Reference::R) == sizeof(T);
  comparison<Reference, T> all(std::move(elements), has_first);
  const std::vector<std::int64_t> lengths{0,        1,        31, 2, 0, 0,  page - 1,    page, page + 1, 5 * page + 3,
                                          2 * page, 8 * page, 1,  7, 0, 33, page / 4 + 1};
  for (const bool exclusive : {false, true})
    for (const bool has_init : {false, true})
      for (const bool in_place : {false, true})
        if ((takes_init || !has_init) && (fits || !in_place))
          all.segments(lengths, {exclusive, has_init, in_place, has_init != in_place});
  all.segments(lengths, {false, false, false, true}, page);
  all.segments(std::vector<std::int64_t>(700, 3), {false, false, false, true});
  all.segments({0}, {false, false, false, false});
  CHECK(all.compared() > 5'000);
}

/// The elements of compare_segments.
template <class T>
constexpr std::int64_t elements_of = 24 * page_elements(sizeof(T));

template <class Op, class T, accuracy Mode = accuracy::native>
void compare(std::uint64_t seed) {
  compare_segments<emulation::reference<Op, T, Mode>, T>(support::normal_data<T>(elements_of<T>, seed),
                                                         Op::empty_allowed, Op::takes_init);
}

template <class Op, class T, class Fill>
void compare_custom(const Fill& fill) {
  std::vector<T> x(static_cast<std::size_t>(elements_of<T>));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = fill(i);
  using R = decltype(Op::finish(Op::identity()));
  compare_segments<emulation::fold_reference<Op, T, R, -1>, T>(std::move(x), true, false);
}

float ripple(std::size_t i) { return static_cast<float>(i % 1013) * 0.37f - 100; }

}  // namespace

TEST_CASE("sums of segments") {
  compare<op::sum, float>(1);
  compare<op::sum, double>(2);
  compare<op::sum, float, accuracy::kahan>(3);
  compare<op::sum, double, accuracy::wide>(4);
  compare<op::product, float>(5);
}
TEST_CASE("sums of segments of integers") {
  compare_segments<emulation::reference<op::sum, std::int32_t, accuracy::native>, std::int32_t>(
      support::integer_data<std::int32_t>(elements_of<std::int32_t>, 6), true, true);
}
TEST_CASE("extremes of segments") {
  compare<op::max, float>(7);
  compare<op::min, double>(8);
}
TEST_CASE("user-defined operations over segments") {
  compare_custom<support::absolute_sum, float>(ripple);
  compare_custom<support::affine_floats, float>(ripple);
  compare_custom<support::affine_maps, std::uint32_t>(
      [](std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761u); });
}
TEST_CASE("large states, of which a block has fewer") {
  constexpr std::int64_t page = page_elements(1);
  using reference = emulation::fold_reference<support::histogram_in_place, std::uint8_t, support::histogram::state, -1>;
  comparison<reference, std::uint8_t> all(support::integer_data<std::uint8_t>(page + 40, 11), true);
  all.segments({5, page + 1, 0, 1, 1, 1, 1, 1, 1, 1}, {false, false, false, true});
  CHECK(all.compared() > 50);
}
TEST_CASE("lines are scanned by the same code") {
  constexpr std::int64_t page = page_elements(sizeof(float));
  using sums = emulation::reference<op::sum, float, accuracy::kahan>;
  comparison<sums, float> all(support::normal_data<float>(70 * page, 9), true);
  using ordered = emulation::fold_reference<support::affine_floats, float, float, -1>;
  comparison<ordered, float> in_order(support::normal_data<float>(70 * page, 10), true);
  for (const bool exclusive : {false, true})
    for (const bool in_place : {false, true}) {
      all.rows(37, 5, {exclusive, !in_place, in_place, true});
      all.rows(2, 35 * page - 9, {exclusive, !in_place, in_place, true});
      in_order.rows(2, 35 * page - 9, {exclusive, false, in_place, true});
    }
  CHECK(all.compared() > 5'000);
  CHECK(in_order.compared() > 5'000);
}
