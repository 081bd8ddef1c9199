#include "run/keys.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "onefold/error.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"
#include "run/key_ranks.hpp"

namespace onefold::detail {
namespace {

constexpr std::int64_t block = 512;  // ranks that stay in the first-level cache

[[noreturn]] void refuse(const std::string& why) { throw error(error_code::invalid_argument, why); }

/// The bytes of n elements of a size, from p on.
struct extent_of {
  std::uintptr_t begin, end;
  extent_of(const void* p, std::int64_t n, std::int64_t size)
      : begin(reinterpret_cast<std::uintptr_t>(p)), end(begin + static_cast<std::uintptr_t>(n * size)) {}
  bool overlaps(const extent_of& other) const { return begin < other.end && other.begin < end; }
};

}  // namespace

void require_keys(const key_data& from, std::int64_t most) {
  if (from.key_count != from.elements)
    refuse("the number of keys, " + std::to_string(from.key_count) + ", is not that of the elements, " +
           std::to_string(from.elements));
  if (from.elements > most)
    refuse("the plan is for at most " + quantity(most, "element") + ", not for " + std::to_string(from.elements));
  if (from.elements == 0) return;
  if (!from.keys) refuse("the keys' pointer is null, but " + there_are(from.key_count, "key"));
  if (!from.values) refuse("the data pointer is null, but " + there_are(from.elements, "element"));
  require_aligned(from.keys, size_of(from.key_type), "the keys are");
}

void require_room(const key_data& from, std::int64_t count, const choice& c, const group_room& to) {
  if (count == 0) return;
  if (!to.keys) refuse("the pointer to the groups' keys is null");
  if (!to.results) refuse("the result pointer is null");
  const std::int64_t key_size = size_of(from.key_type);
  require_aligned(to.keys, key_size, "the groups' keys are");
  require_aligned(c, to.results);
  const extent_of values(from.values, from.elements, from.element_size), keys(from.keys, from.elements, key_size),
      results(to.results, count, c.result_size), found(to.keys, count, key_size);
  const auto refuse_overlap = [](const char* what, const char* of) {
    refuse(std::string("the ") + what + " would overwrite the " + of + ": their memory overlaps");
  };
  if (results.overlaps(values)) refuse_overlap("results", "data");
  if (results.overlaps(keys)) refuse_overlap("results", "keys");
  if (found.overlaps(values)) refuse_overlap("groups' keys", "data");
  if (found.overlaps(keys)) refuse_overlap("groups' keys", "keys");
  if (found.overlaps(results)) refuse_overlap("groups' keys", "results");
}

/// The numbers of n elements, from place `first` of the sorted ones on.
numbers host_groups::places(std::int64_t first, std::int64_t n) const {
  return {sorter_.words() + first, (std::uint64_t{1} << place_bits_) - 1, n};
}

/// Calls f(i, ranks, n) for elements i to i + n of the present order, block by block from `first` to `last`.
template <class Function>
void host_groups::for_ranks(const key_data& from, std::int64_t first, std::int64_t last, const Function& f) const {
  const std::int64_t size = size_of(from.key_type);
  std::uint64_t ranks[block], keys[block];
  for (std::int64_t i = first; i < last; i += block) {
    const std::int64_t n = std::min(block, last - i);
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

std::uint64_t host_groups::rank_at(const key_data& from, std::int64_t i) const {
  std::uint64_t found = 0;
  for_ranks(from, i, i + 1, [&](std::int64_t, const std::uint64_t* ranks, std::int64_t) { found = *ranks; });
  return found;
}

/// Surveys all elements, and keeps what each piece has seen.
host_groups::survey host_groups::look_at_ranks(const key_data& from, const team& by) {
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
void host_groups::sort(const key_data& from, const team& by, const survey& all) {
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

/// Finds where neighbours of equal rank begin. Of elements as given a survey has counted them: each piece writes to its
/// place in offsets_. Sorted ones are looked at once only, as their keys may lie far apart: each piece writes to the
/// sorter's spare words first.
void host_groups::find_runs(const key_data& from, const team& by) {
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
      std::int64_t found[block], count = 0;  // no branch that a CPU has to guess
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

std::int64_t host_groups::group(const key_data& from, const team& by) {
  order_ = order::as_given;
  const survey all = look_at_ranks(from, by);
  const rank_limits limits = limits_of(from.key_type);
  if (!limits.contain(all.lowest) || !limits.contain(all.highest)) {
    std::int64_t i = 0;
    while (limits.contain(rank_at(from, i))) ++i;
    refuse("key " + std::to_string(i) + " is a NaN");
  }
  if (!from.runs && all.descend) sort(from, by, all);
  find_runs(from, by);
  return static_cast<std::int64_t>(offsets_.size()) - 1;
}

segment_list host_groups::segments(const key_data& from, const team& by) {
  const char* values = static_cast<const char*>(from.values);
  if (order_ != order::as_given) {
    const auto size = static_cast<std::size_t>(from.element_size),
               bytes = static_cast<std::size_t>(from.elements) * size;
    // The largest power of two that divides an element's size; no allocator has to do with more than a page of memory.
    const std::align_val_t align{std::min<std::size_t>(size & (~size + 1), 4096)};
    if (bytes > room_ || align != values_.get_deleter().align) {
      room_ = 0;
      values_ = {static_cast<char*>(::operator new(bytes, align)), release{align}};
      room_ = bytes;
    }
    by.share_out(from.elements, [&](int, std::int64_t first, std::int64_t last) {
      gather(values, places(first, last - first), from.element_size, values_.get() + first * from.element_size);
    });
    values = values_.get();
  }
  return {values, from.elements, offsets_.data(), static_cast<std::int64_t>(offsets_.size()) - 1, true, false, false};
}

void host_groups::write_keys(const key_data& from, const team& by, void* to) const {
  const std::int64_t size = size_of(from.key_type);
  by.share_out(static_cast<std::int64_t>(offsets_.size()) - 1, [&](int, std::int64_t first, std::int64_t last) {
    std::uint64_t at[block];
    for (std::int64_t g = first; g < last; g += block) {
      const std::int64_t n = std::min(block, last - g);
      for (std::int64_t j = 0; j < n; ++j) {
        const std::int64_t i = offsets_[static_cast<std::size_t>(g + j)];
        at[j] = order_ == order::as_given ? static_cast<std::uint64_t>(i) : *places(i, 1).words & places(i, 1).mask;
      }
      gather(from.keys, {at, ~std::uint64_t{0}, n}, size, static_cast<char*>(to) + g * size);
    }
  });
}

}  // namespace onefold::detail
