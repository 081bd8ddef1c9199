// Sums and extremes by rows on the device: every length at which the way of reading them changes, at every alignment
// and distance of the rows, has the bits of the sequential backend; and so have whole arrays.
#include <string>
#include <vector>

#include "memory.hpp"
#include "onefold/shapes.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/result_bits.hpp"

namespace {

using onefold::accuracy;
using onefold::array_view;
using onefold::backend;
namespace op = onefold::op;

/// Lengths of rows: in words of 16 bytes, rows of lanes, strips and pages, and around their borders.
template <class T>
std::vector<std::int64_t> lengths(std::int64_t most) {
  constexpr std::int64_t word = 16 / sizeof(T), lanes = 32 * word, strip = 8 * lanes, page = 4 * strip;
  std::vector<std::int64_t> all;
  for (const std::int64_t words : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 25, 31}) all.push_back(words * word);
  for (const std::int64_t n : {lanes, 2 * lanes, 3 * lanes, 4 * lanes, 5 * lanes, strip, 2 * strip, 3 * strip, page})
    for (const std::int64_t more : {-word, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, word})
      all.push_back(n + more);
  for (const std::int64_t pages : {2, 3, 7, 16, 17, 33, 64})
    for (const std::int64_t more : {std::int64_t{-3}, std::int64_t{0}, word, strip}) all.push_back(pages * page + more);
  std::erase_if(all, [&](std::int64_t n) { return n <= 0 || n > most; });
  return all;
}

/// Results of rows of a view, on a backend.
template <class Op, class T>
auto results(const array_view<T>& rows, backend where, accuracy mode) {
  return onefold::reduce<T, Op>(rows, {.axes = -1}, {.backend = where, .accuracy = mode});
}

template <class Op, class T>
struct arrays {
  std::vector<T> here;
  support::copied<T> there;
  accuracy mode;
  int compared = 0;

  /// Rows of n elements in axes of these extents and strides, from element `offset` on.
  void compare(std::int64_t offset, const std::vector<std::int64_t>& extents,
               const std::vector<std::int64_t>& strides) {
    const onefold::extents e{std::span<const std::int64_t>(extents)};
    const onefold::strides s{std::span<const std::int64_t>(strides)};
    std::int64_t first = offset, past = offset + 1;  // the elements between
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const std::int64_t reach = (extents[i] - 1) * strides[i];
      if (reach < 0) first -= reach;
      past += reach < 0 ? -reach : reach;
    }
    if (past > static_cast<std::int64_t>(here.size())) return;
    const auto wanted = results<Op, T>({here.data() + first, e, s}, backend::sequential, mode);
    const auto found = results<Op, T>({there.data() + first, e, s}, backend::cuda, mode);
    ++compared;
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (support::bits_of(found[i]) != support::bits_of(wanted[i])) {
        std::string text;
        for (std::size_t k = 0; k < extents.size(); ++k)
          text += std::to_string(extents[k]) + " every " + std::to_string(strides[k]) + ", ";
        FAIL_CHECK(support::entry_name<Op, T>(mode)
                   << ", " << text << "from element " << offset << ": result " << i << " is not the CPU's");
        return;
      }
  }

  void compare_all(const std::vector<std::int64_t>& all) {
    constexpr std::int64_t word = 16 / sizeof(T);
    for (const std::int64_t n : all)
      for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{1}, word, word - 1}) {
        for (const std::int64_t count : {1, 3, 37, 300})
          for (const std::int64_t pitch : {n, (n + word - 1) / word * word + word, n + 1})
            compare(offset, {count, n}, {pitch, 1});
        compare(offset, {5, n}, {0, 1});                                                  // all the same row
        compare(offset, {5, n}, {-(n + word - n % word), 1});                             // the last one first
        compare(offset, {7, 5, n}, {9 * (n + word - n % word), n + word - n % word, 1});  // axes that do not merge
      }
  }
};

template <class Op, class T>
arrays<Op, T> of(accuracy mode, std::int64_t elements) {
  const auto x = support::summable_data<T>(elements, 61);
  return {x, support::copied<T>(x), mode};
}

}  // namespace

TEST_CASE("some rows", "[small]") {
  auto f32 = of<op::sum, float>(accuracy::native, 100'000);
  f32.compare_all({4, 8, 12, 100, 128, 132, 256, 300, 512, 515, 1000, 1024, 2047, 4096, 5000});
  auto i8 = of<op::sum, std::int8_t>(accuracy::native, 100'000);
  i8.compare_all({16, 48, 512, 1024, 2050, 4099, 20'000});
  CHECK(f32.compared + i8.compared > 500);
}

TEST_CASE("rows of every length that is read in another way") {
  const auto over = []<class Op, class T>(accuracy mode) {
    constexpr std::int64_t elements = 3 << 20;
    auto all = of<Op, T>(mode, elements);
    all.compare_all(lengths<T>(elements));
    CHECK(all.compared > 1000);
  };
  over.template operator()<op::sum, float>(accuracy::native);
  over.template operator()<op::sum, float>(accuracy::kahan);
  over.template operator()<op::sum, float>(accuracy::wide);
  over.template operator()<op::sum, double>(accuracy::native);
  over.template operator()<op::sum, onefold::bf16>(accuracy::native);
  over.template operator()<op::sum, onefold::f16>(accuracy::kahan);
  over.template operator()<op::sum, std::int8_t>(accuracy::native);
  over.template operator()<op::mean, std::int64_t>(accuracy::native);
  over.template operator()<op::max, double>(accuracy::native);
  over.template operator()<op::minmax, float>(accuracy::native);
  over.template operator()<op::bit_xor, std::uint16_t>(accuracy::native);
  over.template operator()<op::argmax, float>(accuracy::native);
  over.template operator()<op::moments, float>(accuracy::native);
}

TEST_CASE("whole arrays at every alignment") {
  const auto over = []<class Op, class T>(accuracy mode) {
    constexpr std::int64_t word = 16 / sizeof(T), page = 4096 * 4 / sizeof(T), most = 3000 * page;
    const auto x = support::summable_data<T>(most + word, 62);
    const support::copied<T> there(x);
    for (const std::int64_t n : {std::int64_t{1}, word - 1, word, word + 1, page / 4, page - 1, page, page + 1,
                                 2 * page + 1, 5 * page - 7, 300 * page + 13, 3000 * page})
      for (std::int64_t offset = 0; offset < word; ++offset) {
        const auto wanted = onefold::reduce<T, Op>(std::span(x.data() + offset, static_cast<std::size_t>(n)),
                                                   {.backend = backend::sequential, .accuracy = mode});
        const auto found =
            onefold::reduce<T, Op>(std::span<const T>(there.data() + offset, static_cast<std::size_t>(n)),
                                   {.backend = backend::cuda, .accuracy = mode});
        if (support::bits_of(found) != support::bits_of(wanted))
          FAIL_CHECK(support::entry_name<Op, T>(mode) << " of " << n << " from element " << offset);
      }
  };
  over.template operator()<op::sum, float>(accuracy::native);
  over.template operator()<op::sum, float>(accuracy::kahan);
  over.template operator()<op::sum, onefold::bf16>(accuracy::native);
  over.template operator()<op::sum, std::int8_t>(accuracy::native);
  over.template operator()<op::sum, double>(accuracy::native);
  over.template operator()<op::max, double>(accuracy::native);
  over.template operator()<op::minmax, float>(accuracy::native);
  over.template operator()<op::min, std::uint16_t>(accuracy::native);
  SUCCEED();
}
