// The one-pass scans of the CUDA backend, run on the CPU: each prefix has the bits of the CPU's fold, blocks leave the
// counters as they found them, and nothing but the results is written.
#include <vector>

#include "reference.hpp"
#include "scans/launch.cuh"
#include "support/data.hpp"

namespace {

using namespace onefold;

template <class Op, class T, accuracy A>
class comparison : emulation::reference<Op, T, A> {
  using base = emulation::reference<Op, T, A>;
  using typename base::full, typename base::fold, typename base::R;
  using nodes = detail::page_nodes<fold, T>;
  static constexpr std::int64_t page = page_elements(sizeof(T));

 public:
  explicit comparison(std::int64_t most, std::uint64_t seed)
      : x_(support::normal_data<T>(most, seed)),
        kept_(static_cast<std::size_t>(nodes::bytes(pages_of(most, sizeof(T))) / 16)) {}

  template <class How, bool Init = false>
  void of(std::int64_t n, bool exclusive, bool in_place = false) {
    INFO(Op::name << " of " << n << " elements, exclusive " << exclusive);
    REQUIRE(n <= std::ssize(x_));
    std::vector<uint4> memory(static_cast<std::size_t>((n * static_cast<std::int64_t>(sizeof(R)) + 31) / 16),
                              uint4{7, 7, 7, 7});
    R* const out = reinterpret_cast<R*>(memory.data());
    const emulation::placed<T> data(x_.data(), n, 0);
    const T* from = data.first();
    if (in_place) {
      std::memcpy(static_cast<void*>(out), from, static_cast<std::size_t>(n) * sizeof(T));
      from = reinterpret_cast<const T*>(out);
    }
    const detail::scan_job<fold, T, R> job{
        {}, from, out, n, nodes::in(kept_.data(), std::ssize(kept_) * 16, pages_of(n, sizeof(T))), exclusive, R(3)};
    const device_launch how = base::launch_of(data.first(), n, nullptr, out);
    REQUIRE(detail::launch_line<full, T, R, How, Init>(how, job) == 0);
    CHECK(counters_are_zero());
    const R past = out[n];
    CHECK(std::memcmp(&past, &memory.back(), sizeof(R)) == 0);
    for (const std::int64_t i : places(n)) {
      const std::int64_t count = exclusive ? i : i + 1;
      if (count == 0 && !Init && !Op::empty_allowed) continue;
      const R init(3);
      base::same(out[i], base::wanted(x_.data(), count, Init ? &init : nullptr));
    }
  }
  int compared() const { return base::compared; }

 private:
  /// The results of an array of n elements that are looked at: around the borders of rows and strips, and of some
  /// pages.
  static std::vector<std::int64_t> places(std::int64_t n) {
    constexpr std::int64_t row = page / page_rows, strip = strip_rows * row;
    const std::int64_t pages = pages_of(n, sizeof(T));
    std::vector<std::int64_t> at;
    for (std::int64_t p = 0; p < pages; p += p < 40 ? 1 : 97)
      for (const std::int64_t border : {std::int64_t{0}, row, 5 * row + 37, strip, 2 * strip + 1, 3 * strip, page - 1})
        for (std::int64_t i = p * page + border - 1; i <= p * page + border + 1; ++i)
          if (i >= 0 && i < n) at.push_back(i);
    for (std::int64_t i = 0; i < std::min(n, 2 * row); i += 3) at.push_back(i);
    return at;
  }
  bool counters_are_zero() {
    const nodes all = nodes::in(kept_.data(), std::ssize(kept_) * 16, 1);
    const auto* const end = reinterpret_cast<const unsigned*>(all.flagged);
    return std::all_of(static_cast<const unsigned*>(all.arrived), end, [](unsigned n) { return n == 0; }) &&
           all.run->next_page == 0 && all.run->finished_blocks == 0;
  }
  std::vector<T> x_;
  std::vector<uint4> kept_;
};

template <class Op, class T, accuracy A = accuracy::native>
void compare(std::uint64_t seed) {
  constexpr std::int64_t page = page_elements(sizeof(T)), most = 1056 * page;
  comparison<Op, T, A> c(most, seed);
  for (const bool exclusive : {false, true}) {
    for (const std::int64_t n :
         {std::int64_t{1}, std::int64_t{2}, std::int64_t{31}, std::int64_t{33}, page / 4 + 1, page - 1, page, page + 1,
          std::int64_t{3} * page, std::int64_t{32} * page, 33 * page + 5, 64 * page - 7}) {
      c.template of<detail::few_pages>(n, exclusive);
      c.template of<detail::many_pages>(n, exclusive, n % 2 == 0);
    }
    c.template of<detail::few_pages, true>(2 * page + 3, exclusive);
    c.template of<detail::many_pages, true>(65 * page + 3, exclusive);
  }
  c.template of<detail::many_pages>(most, false);  // whole groups of pages and of groups
  CHECK(c.compared() > 5'000);
}

}  // namespace

TEST_CASE("sums") {
  compare<op::sum, float>(1);
  compare<op::sum, double>(2);
}
TEST_CASE("states larger than elements") {
  compare<op::sum, float, accuracy::kahan>(5);
  compare<op::sum, float, accuracy::wide>(6);
  compare<op::sum, double, accuracy::kahan>(7);
  compare<op::sum, double, accuracy::wide>(8);
}
TEST_CASE("other operations") {
  compare<op::product, double>(3);
  compare<op::max, float>(4);
}
