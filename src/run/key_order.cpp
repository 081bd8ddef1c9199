#include "run/key_order.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "onefold/error.hpp"
#include "run/key_ranks.hpp"

namespace onefold::detail {
namespace {

constexpr std::int64_t block_ranks = 512;  // ranks that stay in the first-level cache

}  // namespace

/// Calls f(i, ranks, n) for elements i to i + n of the present order, block by block from `first` to `last`.
template <class Function>
void key_order::for_ranks(const key_data& from, std::int64_t first, std::int64_t last, const Function& f) const {
  const std::int64_t size = size_of(from.key_type);
  std::uint64_t ranks[block_ranks], keys[block_ranks];
  for (std::int64_t i = first; i < last; i += block_ranks) {
    const std::int64_t n = std::min(block_ranks, last - i);
    if (order_ == order::of_words) {
      for (std::int64_t j = 0; j < n; ++j) ranks[j] = sorter_.words()[i + j] >> place_bits_;
    } else if (order_ == order::of_places) {
      gather(from.keys, places(i, n), size, keys);
      rank_keys(keys, from.key_type, n, ranks);
    } else {
      rank_keys(static_cast<const char*>(from.keys) + i * size, from.key_type, n, ranks);
    }
    f(i, static_cast<const std::uint64_t*>(ranks), n);
  }
}

std::uint64_t key_order::rank_at(const key_data& from, std::int64_t i) const {
  std::uint64_t found = 0;
  // The analyzer does not see that a block of one element is written.
  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
  for_ranks(from, i, i + 1, [&](std::int64_t, const std::uint64_t* ranks, std::int64_t) { found = *ranks; });
  return found;
}

/// Surveys all elements, and keeps what each piece has seen.
key_order::survey key_order::look_at_ranks(const key_data& from, const team& by) {
  const auto pieces = static_cast<std::size_t>(by.pieces(from.elements));
  surveys_.resize(std::max(surveys_.size(), pieces));
  const std::uint64_t reference = rank_at(from, 0);
  by.share_out(from.elements, [&](int piece, std::int64_t first, std::int64_t last) {
    std::uint64_t before = rank_at(from, std::max<std::int64_t>(first - 1, 0));
    survey seen{before, before, 0, first == 0, false};
    for_ranks(from, first, last, [&](std::int64_t, const std::uint64_t* ranks, std::int64_t n) {
      for (std::int64_t j = 0; j < n; before = ranks[j++]) {
        seen.lowest = std::min(seen.lowest, ranks[j]);
        seen.highest = std::max(seen.highest, ranks[j]);
        seen.differing |= ranks[j] ^ reference;
        seen.runs += ranks[j] != before;
        seen.descend |= ranks[j] < before;
      }
    });
    surveys_[static_cast<std::size_t>(piece)] = seen;
  });
  survey all = surveys_[0];
  for (std::size_t piece = 1; piece < pieces; ++piece) {
    const survey& seen = surveys_[piece];
    all = {std::min(all.lowest, seen.lowest), std::max(all.highest, seen.highest), all.differing | seen.differing,
           all.runs + seen.runs, all.descend || seen.descend};
  }
  return all;
}

/// Sorts words that have, above an element's number, as much as there is room for of its rank: less the lowest one and
/// without the zeros that all then end in. What has no room is sorted by in further rounds.
void key_order::sort(const key_data& from, const team& by, const survey& all) {
  const std::int64_t n = from.elements;
  const auto bits = [](std::uint64_t x) { return static_cast<int>(std::bit_width(x)); };
  const int zeros = std::countr_zero(all.differing), rank_bits = bits(all.highest - all.lowest) - zeros;
  place_bits_ = bits(static_cast<std::uint64_t>(n - 1));
  sorter_.resize(n);
  for (int done = 0; done < rank_bits; done += 64 - place_bits_) {
    by.share_out(n, [&](int, std::int64_t first, std::int64_t last) {
      for_ranks(from, first, last, [&](std::int64_t i, const std::uint64_t* ranks, std::int64_t count) {
        std::uint64_t* const words = sorter_.words() + i;
        const std::uint64_t mask = places(i, count).mask;
        for (std::int64_t j = 0; j < count; ++j) {
          const std::uint64_t place = done == 0 ? static_cast<std::uint64_t>(i + j) : words[j] & mask;
          words[j] = (ranks[j] - all.lowest) >> (zeros + done) << place_bits_ | place;
        }
      });
    });
    order_ = place_bits_ + rank_bits > 64 ? order::of_places : order::of_words;
    sorter_.sort(by, n, place_bits_, std::min(64, place_bits_ + rank_bits - done));
  }
}

/// Finds where neighbors of equal rank begin. Of elements as given a survey has counted them: each piece writes to its
/// place in offsets_. Sorted ones are looked at once only, as their keys may lie far apart: each piece writes to the
/// sorter's spare words first.
void key_order::find_runs(const key_data& from, const team& by) {
  const auto runs_before = [&](int piece) {
    std::int64_t runs = 0;
    for (int i = 0; i < piece; ++i) runs += surveys_[static_cast<std::size_t>(i)].runs;
    return runs;
  };
  const auto make_offsets = [&] {
    offsets_.resize(static_cast<std::size_t>(runs_before(by.pieces(from.elements))) + 1);
    offsets_.back() = from.elements;
  };
  const auto find = [&]<class Offset>(std::int64_t first, std::int64_t last, Offset* to) {
    if (first == 0) *to++ = 0;
    std::uint64_t before = rank_at(from, std::max<std::int64_t>(first - 1, 0));
    for_ranks(from, first, last, [&](std::int64_t i, const std::uint64_t* ranks, std::int64_t n) {
      std::int64_t found[block_ranks], count = 0;  // no branch that a CPU has to guess
      for (std::int64_t j = 0; j < n; before = ranks[j++]) {
        found[count] = i + j;
        count += ranks[j] != before;
      }
      to = std::copy_n(found, count, to);
    });
    return to;
  };
  if (order_ == order::as_given) {
    make_offsets();
    by.share_out(from.elements, [&](int piece, std::int64_t first, std::int64_t last) {
      find(first, last, offsets_.data() + runs_before(piece));
    });
  } else {
    by.share_out(from.elements, [&](int piece, std::int64_t first, std::int64_t last) {
      std::uint64_t* const to = sorter_.spare() + first;
      surveys_[static_cast<std::size_t>(piece)].runs = find(first, last, to) - to;
    });
    make_offsets();
    by.share_out(from.elements, [&](int piece, std::int64_t first, std::int64_t) {
      std::copy_n(sorter_.spare() + first, surveys_[static_cast<std::size_t>(piece)].runs,
                  offsets_.data() + runs_before(piece));
    });
  }
}

void key_order::make(const key_data& from, const team& by) {
  order_ = order::as_given;
  const survey all = look_at_ranks(from, by);
  const rank_limits limits = limits_of(from.key_type);
  if (!limits.contain(all.lowest) || !limits.contain(all.highest)) {
    std::int64_t i = 0;
    while (limits.contain(rank_at(from, i))) ++i;
    throw error(error_code::invalid_argument, "key " + std::to_string(i) + " is a NaN");
  }
  if (!from.runs && all.descend) sort(from, by, all);
  find_runs(from, by);
}

}  // namespace onefold::detail
