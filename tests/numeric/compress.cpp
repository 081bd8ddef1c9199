// Masks as words, and elements compressed and expanded, by the instructions of every level that this CPU has, against
// plain loops; no byte is read beyond the mask and the elements, and none is written beyond what compress says.
#include "run/compress.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "run/expand.hpp"
#include "run/mask_words.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

namespace {

using onefold::isa;
using onefold::detail::words_for;
using support::random_numbers;

std::vector<isa> levels() {
  std::vector<isa> all{isa::baseline};
#if defined(__x86_64__)
  all.push_back(isa::x86_64_v2);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) all.push_back(isa::x86_64_v3);
  if (__builtin_cpu_supports("avx512f")) all.push_back(isa::x86_64_v4);
#endif
  return all;
}

/// Bytes at the end of an allocation of their size, which sanitizers watch.
std::unique_ptr<char[]> exactly(std::int64_t bytes) {
  return std::unique_ptr<char[]>(new char[static_cast<std::size_t>(bytes)]);
}

}  // namespace

TEST_CASE("words of masks have the bits of the elements that are selected") {
  random_numbers r(3);
  int checked = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t n = r.integer(0, 300), offset = r.integer(0, 90);
    std::vector<bool> meant(static_cast<std::size_t>(n));
    const int rate = r.integer(0, 4);
    for (std::size_t k = 0; k < meant.size(); ++k) meant[k] = r.integer(1, 4) <= rate;
    const auto bytes = exactly(n), bits = exactly((offset + n + 7) / 8), floats = exactly(4 * n),
               doubles = exactly(8 * n), halves = exactly(2 * n), brains = exactly(2 * n);
    for (std::int64_t k = 0; k < (offset + n + 7) / 8; ++k)
      bits[static_cast<std::size_t>(k)] = static_cast<char>(r.bits());
    for (std::int64_t k = 0; k < n; ++k) {
      const bool is = meant[static_cast<std::size_t>(k)];
      bytes[static_cast<std::size_t>(k)] = static_cast<char>(is ? r.integer(1, 255) : 0);
      char& byte = bits[static_cast<std::size_t>((offset + k) / 8)];
      const int bit = 1 << (offset + k) % 8;
      byte = static_cast<char>(is ? byte | bit : byte & ~bit);
      // Infinities are numbers, and a NaN may have any sign and payload.
      const auto put = [&](const std::unique_ptr<char[]>& to, auto infinity, auto payload, auto sign) {
        using Bits = decltype(infinity);
        const auto x =
            static_cast<Bits>((is ? (r.integer(0, 3) == 0 ? infinity : infinity - payload) : infinity + payload) |
                              (r.integer(0, 1) == 0 ? 0 : sign));
        std::memcpy(to.get() + k * static_cast<std::int64_t>(sizeof x), &x, sizeof x);
      };
      const auto payload = static_cast<std::uint16_t>(r.integer(1, 100));
      put(floats, std::uint32_t{0x7f800000}, std::uint32_t{payload}, std::uint32_t{0x80000000});
      put(doubles, std::uint64_t{0x7ff0000000000000}, std::uint64_t{payload}, std::uint64_t{0x8000000000000000});
      put(halves, std::uint16_t{0x7c00}, payload, std::uint16_t{0x8000});
      put(brains, std::uint16_t{0x7f80}, payload, std::uint16_t{0x8000});
    }
    const auto check = [&](const char* what, const auto& fill) {
      std::vector<std::uint64_t> words(static_cast<std::size_t>(words_for(n)), 0x5a5a5a5a5a5a5a5a);
      fill(words.data());
      bool same = true;
      for (std::int64_t k = 0; k < 64 * words_for(n); ++k)
        same = same && ((words[static_cast<std::size_t>(k / 64)] >> k % 64 & 1) != 0) ==
                           (k < n && meant[static_cast<std::size_t>(k)]);
      INFO(what << ", n " << n << ", offset " << offset);
      CHECK(same);
      ++checked;
    };
    using std::uint64_t;
    const auto numbers = [&](onefold::dtype type, const std::unique_ptr<char[]>& x) {
      check(onefold::name_of(type),
            [&](uint64_t* words) { onefold::detail::words_of_numbers(type, x.get(), n, words); });
    };
    check("bytes", [&](uint64_t* words) {
      onefold::detail::words_of_bytes(reinterpret_cast<const unsigned char*>(bytes.get()), n, words);
    });
    check("bits", [&](uint64_t* words) {
      onefold::detail::words_of_bits(reinterpret_cast<const unsigned char*>(bits.get()), offset, n, words);
    });
    numbers(onefold::dtype::f32, floats);
    numbers(onefold::dtype::f64, doubles);
    numbers(onefold::dtype::f16, halves);
    numbers(onefold::dtype::bf16, brains);
  }
  CHECK(checked == 12'000);
}

TEST_CASE("compressed elements are the selected ones, in their order, at every level") {
  random_numbers r(5);
  int checked = 0;
  for (int i = 0; i < 4000; ++i)
    for (const isa level : levels()) {
      const std::int64_t sizes[] = {1, 2, 4, 8, 12};
      const std::int64_t size = sizes[r.integer(0, 4)], n = r.integer(0, 400), enough = r.integer(0, 400);
      const auto data = exactly(n * size);
      for (std::int64_t k = 0; k < n * size; ++k) data[static_cast<std::size_t>(k)] = static_cast<char>(r.bits());
      std::vector<std::uint64_t> words(static_cast<std::size_t>(words_for(n)), 0);
      const int rate = r.integer(0, 20);
      for (std::int64_t k = 0; k < n; ++k)
        if (r.integer(1, 20) <= rate) words[static_cast<std::size_t>(k / 64)] |= std::uint64_t{1} << k % 64;
      // Word by word, until there are more than enough.
      std::vector<char> meant;
      std::int64_t used = 0;
      for (; used < words_for(n) && static_cast<std::int64_t>(meant.size()) <= enough * size; ++used)
        for (std::int64_t k = 64 * used; k < std::min(n, 64 * used + 64); ++k)
          if (words[static_cast<std::size_t>(used)] >> k % 64 & 1)
            meant.insert(meant.end(), data.get() + k * size, data.get() + (k + 1) * size);
      const auto to = exactly(static_cast<std::int64_t>(meant.size()) + (size <= 8 ? 64 * size : 0));
      const auto done = onefold::detail::compress({data.get(), words.data(), n}, size, level, enough, to.get());
      INFO("level " << onefold::name_of(level) << ", size " << size << ", n " << n << ", enough " << enough);
      CHECK(done.words == used);
      CHECK(done.elements * size == static_cast<std::int64_t>(meant.size()));
      CHECK(std::equal(meant.begin(), meant.end(), to.get()));
      ++checked;
    }
  CHECK(checked >= 4000);
}

TEST_CASE("expanded elements are at the selected places, and the others are filled, at every level") {
  random_numbers r(7);
  int checked = 0, over_itself = 0;
  for (int i = 0; i < 4000; ++i)
    for (const isa level : levels()) {
      const std::int64_t sizes[] = {2, 4, 8};
      const std::int64_t size = sizes[r.integer(0, 2)], n = r.integer(0, 400);
      std::vector<std::uint64_t> words(static_cast<std::size_t>(words_for(n)), 0);
      const int rate = r.integer(0, 20);
      std::int64_t selected = 0;
      for (std::int64_t k = 0; k < n; ++k)
        if (r.integer(1, 20) <= rate) {
          words[static_cast<std::size_t>(k / 64)] |= std::uint64_t{1} << k % 64;
          ++selected;
        }
      const std::uint64_t fill = r.bits();
      const bool in_place = r.integer(0, 1) == 0;
      const auto from = exactly((std::max(selected, in_place ? n : 0) + 64) * size), apart = exactly(n * size);
      for (std::int64_t k = 0; k < (selected + 64) * size; ++k)
        from[static_cast<std::size_t>(k)] = static_cast<char>(r.bits());
      std::vector<char> meant;
      const char* next = from.get();
      for (std::int64_t k = 0; k < n; ++k) {
        const bool is = words[static_cast<std::size_t>(k / 64)] >> k % 64 & 1;
        const char* const x = is ? next : reinterpret_cast<const char*>(&fill);
        meant.insert(meant.end(), x, x + size);
        if (is) next += size;
      }
      char* const to = in_place ? from.get() : apart.get();
      onefold::detail::expand(from.get(), {words.data(), n, selected, fill}, size, level, to);
      INFO("level " << onefold::name_of(level) << ", size " << size << ", n " << n << ", selected " << selected);
      CHECK(std::equal(meant.begin(), meant.end(), to));
      ++checked;
      over_itself += in_place;
    }
  CHECK(checked >= 4000);
  CHECK(over_itself > checked / 3);
}
