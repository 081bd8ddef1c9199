// The kernels of the CUDA backend over rows, columns and segments, run on the CPU: at every alignment and length at
// which they read in another way they have the bits of the CPU's folds, and touch nothing but their elements.
#include <string>
#include <vector>

#include "reference.hpp"
#include "support/data.hpp"

namespace {

using namespace onefold;

template <class Op, class T, accuracy Mode>
class comparison : emulation::reference<Op, T, Mode> {
  using base = emulation::reference<Op, T, Mode>;
  using base::launch_of, base::same;
  using typename base::fold, typename base::R;
  static constexpr std::int64_t word = 16 / sizeof(T), lanes = 32 * word, strip = 8 * lanes, page = 4 * strip;

 public:
  explicit comparison(std::vector<T> elements) : x_(std::move(elements)) {}

  void rows() {
    std::vector<std::int64_t> lengths{1, 2, 3, 5, 7, 31, 33, 100, 127, 129};
    for (const int words : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 25, 31}) lengths.push_back(words * word);
    for (const std::int64_t n : {lanes, 2 * lanes, 3 * lanes, 4 * lanes, 5 * lanes, strip, 2 * strip, 3 * strip, page})
      for (const std::int64_t more : {-word, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, word})
        lengths.push_back(n + more);
    for (const std::int64_t pages : {2, 3, 17}) lengths.push_back(pages * page - 3);
    for (const std::int64_t n : lengths) {
      if (n <= 0) continue;
      for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{1}, word - 1}) {
        for (const std::int64_t count : {1, 3, 37}) {
          rows_of(offset, count, n, n);
          rows_of(offset, count, n, (n + word - 1) / word * word + word);
        }
        if (n <= 100) rows_of(offset, 300, n, n);  // several tiles of packed rows
        rows_of(offset, 5, n, n + 1);
        rows_of(offset, 5, n, 0);
        rows_of(offset, 5, n, -(n + word - n % word));
      }
    }
  }

  void segments() {
    for (const std::int64_t n : {std::int64_t{0},   std::int64_t{1},   std::int64_t{4},
                                 std::int64_t{7},   std::int64_t{8},   std::int64_t{31},
                                 std::int64_t{32},  std::int64_t{33},  std::int64_t{64},
                                 std::int64_t{100}, std::int64_t{129}, lanes,
                                 lanes + 1,         2 * lanes + 5,     strip,
                                 strip + 1,         2 * strip + 3,     page,
                                 page + 1,          3 * page + 7,      37 * page + 1})
      for (const int count : {1, 3, 300})
        if (n * count < 200'000 || count == 1)
          segments_of(count % word, std::vector<std::int64_t>(static_cast<std::size_t>(count), n), count % 5,
                      count > 1);
    support::random_numbers r(81);
    for (int i = 0; i < 40; ++i) {
      std::vector<std::int64_t> lengths;
      std::int64_t all = 0;
      const int kind = r.integer(0, 4), count = r.integer(1, 700);
      while (static_cast<int>(lengths.size()) < count && all < 250'000) {
        const std::int64_t most = kind == 0   ? 40
                                  : kind == 1 ? lanes + 3
                                  : kind == 2 ? (r.integer(0, 50) == 0 ? 3 * page : 9)
                                  : kind == 3 ? std::int64_t{1} << r.integer(0, 14)
                                              : 2 * strip;
        lengths.push_back(kind == 4 && r.integer(0, 2) != 0 ? 0 : r.integer(0, static_cast<int>(most)));
        all += lengths.back();
      }
      segments_of(r.integer(0, static_cast<int>(word) - 1), lengths, r.integer(0, 8), r.integer(0, 1) != 0);
    }
  }

  /// Columns of lengths around every border, of as many as threads share and a few more.
  void columns() {
    constexpr std::int64_t lanes = lanes_of(sizeof(T)), strip = strip_rows * lanes, page = page_elements(sizeof(T));
    for (const std::int64_t n :
         {std::int64_t{2}, std::int64_t{5}, std::int64_t{31}, lanes / 2, lanes - 1, lanes, lanes + 1, 2 * lanes,
          2 * lanes + 1, 3 * lanes + 5, 4 * lanes, 4 * lanes + 1, strip, strip + 3, page + 9})
      for (const std::int64_t count : {32, 37, 150})
        for (const std::int64_t spare : {0, 3}) columns_of(spare, count, n, count + spare);
  }

  int compared() const { return base::compared; }

 private:
  static constexpr device_fold device = detail::make_device_fold<fold, T>();

  /// `count` rows of n elements, `pitch` apart.
  void rows_of(std::int64_t offset, std::int64_t count, std::int64_t n, std::int64_t pitch) {
    const std::int64_t reach = (count - 1) * pitch, before = reach < 0 ? -reach : 0;
    const std::int64_t all = (reach < 0 ? -reach : reach) + n;
    if (all > static_cast<std::int64_t>(x_.size())) return;
    INFO(Op::name << " of " << count << " rows of " << n << " every " << pitch << " from element " << offset);
    problem p{};
    p.n = n;
    p.outputs = count;
    p.kept_axes = 1;
    p.kept[0] = {count, pitch};
    p.reduced_axes = n > 1;
    p.reduced[0] = {n, 1};
    const emulation::placed<T> data(x_.data(), all, offset);
    std::vector<R> found(static_cast<std::size_t>(count));
    std::vector<char> slots(static_cast<std::size_t>(device.shape_slot_bytes(device, p) + 16));
    const device_launch how = launch_of(data.first() + before, n, slots.data(), found.data());
    REQUIRE(device.launch_shape(device, how, p, sizeof(R)) == 0);
    for (std::int64_t i = 0; i < count; ++i)
      same(found[static_cast<std::size_t>(i)], x_.data() + before + i * pitch, n);
  }

  /// `count` neighboring columns of n elements, each `along` from the one before it.
  void columns_of(std::int64_t offset, std::int64_t count, std::int64_t n, std::int64_t along) {
    const std::int64_t all = (n - 1) * along + count;
    if (all > static_cast<std::int64_t>(x_.size())) return;
    INFO(Op::name << " of " << count << " columns of " << n << ", " << along << " apart, from element " << offset);
    problem p{};
    p.n = n;
    p.outputs = count;
    p.kept_axes = 1;
    p.kept[0] = {count, 1};
    p.reduced_axes = 1;
    p.reduced[0] = {n, along};
    const emulation::placed<T> data(x_.data(), all, offset);
    std::vector<R> found(static_cast<std::size_t>(count));
    std::vector<char> slots(static_cast<std::size_t>(device.shape_slot_bytes(device, p) + 16));
    REQUIRE(device.launch_shape(device, launch_of(data.first(), n, slots.data(), found.data()), p, sizeof(R)) == 0);
    std::vector<T> column(static_cast<std::size_t>(n));
    for (std::int64_t c = 0; c < count; ++c) {
      for (std::int64_t i = 0; i < n; ++i)
        column[static_cast<std::size_t>(i)] = x_[static_cast<std::size_t>(c + i * along)];
      same(found[static_cast<std::size_t>(c)], column.data(), n);
    }
  }

  void segments_of(std::int64_t offset, const std::vector<std::int64_t>& lengths, std::int64_t first, bool wide) {
    std::vector<std::int64_t> offsets{first};
    for (const std::int64_t n : lengths) offsets.push_back(offsets.back() + n);
    const std::vector<std::uint32_t> narrow(offsets.begin(), offsets.end());
    const std::int64_t all = offsets.back(), count = static_cast<std::int64_t>(lengths.size());
    if (all > static_cast<std::int64_t>(x_.size())) return;
    INFO(Op::name << " of " << count << " segments in " << all << " elements from element " << offset);
    const emulation::placed<T> data(x_.data(), all, offset);
    const device_segments s{all, all - first, wide ? static_cast<const void*>(offsets.data()) : narrow.data(), count,
                            wide};
    std::vector<R> found(static_cast<std::size_t>(count));
    std::vector<uint4> slots(static_cast<std::size_t>(device.segment_slot_bytes(device, count, all) / 16 + 1));
    REQUIRE(device.launch_segments(device, launch_of(data.first(), all, slots.data(), found.data()), s, sizeof(R)) ==
            0);
    for (std::size_t i = 0; i < lengths.size(); ++i)
      if (lengths[i] > 0) same(found[i], x_.data() + offsets[i], lengths[i]);
  }

  std::vector<T> x_;
};

template <class Op, class T, accuracy Mode = accuracy::native>
void compare_all(std::uint64_t seed) {
  comparison<Op, T, Mode> all(support::normal_data<T>(300'000, seed));
  all.rows();
  all.columns();
  all.segments();
  CHECK(all.compared() > 10'000);
}

}  // namespace

TEST_CASE("sums") {
  compare_all<op::sum, float>(1);
  compare_all<op::sum, float, accuracy::kahan>(2);
}
TEST_CASE("extremes and their places") {
  compare_all<op::max, double>(3);
  compare_all<op::argmax, float>(4);
}
TEST_CASE("moments") { compare_all<op::moments, float>(5); }
TEST_CASE("exact sums") { compare_all<op::sum, float, accuracy::exact>(6); }
