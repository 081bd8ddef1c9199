// Selection by digits of the elements' bits: histograms of the leading ones find the few elements that are then
// ordered. Each pass reads the array once, on all threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "run/ordered_keys.hpp"
#include "run/partition.hpp"

namespace onefold::detail {

/// The elements at some ranks.
template <class Word, key_kind Kind>
class selector {
 public:
  selector(const void* data, std::int64_t n, ordered_keys<Word, Kind> keys, const team& threads, void* values)
      : data_(data), n_(n), keys_(keys), threads_(threads), values_(values) {}

  /// Writes to values[i] the bits of the element at ranks[i], which ascend, from 0, in the order of the keys.
  void select(std::span<const std::int64_t> ranks) { select(ranks, 0, 0, 8 * sizeof(Word), 0); }

 private:
  // Bits of a digit: its histogram stays in the first cache. The first digit of many floating-point numbers is longer,
  // up to 4 bits of the fraction, so that few of them share it; the counts of most exponents stay 0.
  static constexpr int selected_bits = 11;
  static constexpr int longest_first = Kind != key_kind::real || sizeof(Word) < 4 ? 11 : sizeof(Word) == 4 ? 13 : 16;
  int first_bits() const {
    // One thread adds up the counts of all pieces: eight elements for each, of the share of a thread.
    const std::int64_t pieces = threads_.pieces(n_);
    const auto added = static_cast<std::uint64_t>(n_ / (pieces * pieces));
    return std::clamp(static_cast<int>(std::bit_width(added)) - 4, selected_bits, longest_first);
  }

  // As many elements are ordered at once; more are divided by another digit first.
  static std::int64_t most_ordered(std::int64_t n) { return std::max<std::int64_t>(1 << 14, n / 16); }

  /// Finds the wanted ones among the elements whose leading bits, all but `open`, are those of `prefix`, and of which
  /// `before` come in front.
  void select(std::span<const std::int64_t> ranks, std::size_t first, Word prefix, int open, std::int64_t before) {
    if (open == 0) {
      for (std::size_t i = 0; i < ranks.size(); ++i)
        set_word(values_, static_cast<std::int64_t>(first + i), keys_.bits(prefix));
      return;
    }
    constexpr int whole = 8 * sizeof(Word);
    const int digit = std::min(open, open == whole ? first_bits() : selected_bits), rest = open - digit;
    const std::vector<std::int64_t> of_pieces = histograms(prefix, open, digit);
    std::vector<std::int64_t> counts((std::size_t{1} << digit) + 1);
    for (std::size_t piece = 0; piece < of_pieces.size(); piece += counts.size())
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += of_pieces[piece + i];
    std::vector<int> slots(counts.size(), -1);
    std::vector<part> parts;
    std::int64_t begin = before;
    for (std::size_t b = 0, i = 0; i < ranks.size(); begin += counts[b++]) {
      const std::size_t from = i;
      while (i < ranks.size() && ranks[i] < begin + counts[b]) ++i;
      if (i == from) continue;
      const auto longer = static_cast<Word>(prefix << digit | static_cast<Word>(b));
      if (counts[b] > most_ordered(n_) || rest == 0) {
        select(ranks.subspan(from, i - from), first + from, longer, rest, begin);
      } else {
        slots[b] = static_cast<int>(parts.size());
        parts.push_back({from, i, begin, {}});
      }
    }
    if (parts.empty()) return;
    collect(prefix, open, digit, slots, of_pieces, parts);
    for (part& p : parts) {
      auto sorted = p.keys.begin();
      for (std::size_t i = p.from; i < p.to; ++i) {
        const auto at = p.keys.begin() + (ranks[i] - p.begin);
        if (at >= sorted) std::nth_element(sorted, at, p.keys.end());
        set_word(values_, static_cast<std::int64_t>(first + i), keys_.bits(*at));
        sorted = at + 1;
      }
    }
  }

  /// The elements of a digit that has some of the ranks [from, to).
  struct part {
    std::size_t from, to;
    std::int64_t begin;  ///< the rank of the first element
    std::vector<Word> keys;
  };

  static bool has_prefix(Word key, Word prefix, int open) {
    return static_cast<Word>(key >> 1 >> (open - 1)) == prefix;  // where all bits are open, none is left
  }

  /// How many elements with the prefix each piece has of each digit, and last how many it has without the prefix: to
  /// count these too is cheaper than a branch that is random.
  std::vector<std::int64_t> histograms(Word prefix, int open, int digit) const {
    const std::size_t others = std::size_t{1} << digit;
    const auto mask = static_cast<Word>(others - 1);
    std::vector<std::int64_t> counts((others + 1) * static_cast<std::size_t>(threads_.pieces(n_)));
    threads_.share_out(n_, [&](int piece, std::int64_t first, std::int64_t last) {
      std::int64_t* const own = counts.data() + (others + 1) * static_cast<std::size_t>(piece);
      const ordered_keys keys = keys_;  // which the counts cannot overlap
      for (std::int64_t i = first; i < last; ++i) {
        const Word key = keys.key(word_at<Word>(data_, i));
        const auto d = static_cast<std::size_t>(static_cast<Word>(key >> (open - digit)) & mask);
        const std::size_t none = has_prefix(key, prefix, open) ? 0 : ~std::size_t{0};
        ++own[(d & ~none) | (others & none)];
      }
    });
    return counts;
  }

  /// Fills the parts with the keys of their digits: each piece from its own place on, so that no thread allocates.
  void collect(Word prefix, int open, int digit, const std::vector<int>& slots,
               const std::vector<std::int64_t>& of_pieces, std::vector<part>& parts) const {
    const std::size_t pieces = of_pieces.size() / slots.size();
    const auto mask = static_cast<Word>(slots.size() - 2);
    std::vector<Word*> ends(parts.size() * pieces);
    for (std::size_t d = 0; d < slots.size(); ++d) {
      if (slots[d] < 0) continue;
      const auto slot = static_cast<std::size_t>(slots[d]);
      std::int64_t count = 0;
      for (std::size_t p = 0; p < pieces; ++p) count += of_pieces[p * slots.size() + d];
      parts[slot].keys.resize(static_cast<std::size_t>(count));
      Word* to = parts[slot].keys.data();
      for (std::size_t p = 0; p < pieces; ++p) {
        ends[p * parts.size() + slot] = to;
        to += of_pieces[p * slots.size() + d];
      }
    }
    threads_.share_out(n_, [&](int piece, std::int64_t first, std::int64_t last) {
      Word** const own = ends.data() + parts.size() * static_cast<std::size_t>(piece);
      for (std::int64_t i = first; i < last; ++i) {
        const Word key = keys_.key(word_at<Word>(data_, i));
        if (!has_prefix(key, prefix, open)) continue;
        const int slot = slots[static_cast<std::size_t>(static_cast<Word>(key >> (open - digit)) & mask)];
        if (slot >= 0) *own[slot]++ = key;
      }
    });
  }

  const void* data_;
  std::int64_t n_;
  ordered_keys<Word, Kind> keys_;
  const team& threads_;
  void* values_;
};

}  // namespace onefold::detail
