// Least significant digit first: D. E. Knuth, The Art of Computer Programming, volume 3, section 5.2.5, algorithm R,
// with counts for arrays in place of linked lists. The pieces of the words in their order have neighboring parts of
// each bucket, so that they stay in that order, whichever threads move them.
#include "run/radix_sort.hpp"

#include <algorithm>
#include <utility>

namespace onefold::detail {

void radix_sorter::resize(std::int64_t n) {
  if (n <= room_) return;
  room_ = 0;
  for (auto* const memory : {&words_, &buffer_}) {
    memory->reset();
    *memory = std::make_unique_for_overwrite<std::uint64_t[]>(static_cast<std::size_t>(n));
  }
  room_ = n;
}

/// Makes ends of counts. False where one bucket holds all words, which then are where they belong.
bool radix_sorter::make_ends(std::int64_t n, int pieces) {
  std::int64_t before = 0;
  for (std::size_t digit = 0; digit < std::size_t{1} << bucket_ends::digit_bits; ++digit) {
    const std::int64_t first = before;
    for (int piece = 0; piece < pieces; ++piece)
      before += std::exchange(ends_[static_cast<std::size_t>(piece)].next[digit], before);
    if (before - first == n) return false;
  }
  return true;
}

void radix_sorter::sort(const team& by, std::int64_t n, int first, int last) {
  const int pieces = by.pieces(n);
  ends_.resize(std::max(ends_.size(), static_cast<std::size_t>(pieces)));
  for (; first < last; first += bucket_ends::digit_bits) {
    const std::uint64_t mask = (std::uint64_t{1} << std::min(bucket_ends::digit_bits, last - first)) - 1;
    const auto digit_of = [=](std::uint64_t word) { return word >> first & mask; };
    // Each piece counts in memory of its own, which no word can be part of.
    by.share_out(n, [&, from = words_.get()](int piece, std::int64_t begin, std::int64_t end) {
      bucket_ends counts{};
      for (std::int64_t i = begin; i < end; ++i) ++counts.next[digit_of(from[i])];
      ends_[static_cast<std::size_t>(piece)] = counts;
    });
    if (!make_ends(n, pieces)) continue;
    by.share_out(n, [&, from = words_.get(), to = buffer_.get()](int piece, std::int64_t begin, std::int64_t end) {
      bucket_ends at = ends_[static_cast<std::size_t>(piece)];
      for (std::int64_t i = begin; i < end; ++i) to[at.next[digit_of(from[i])]++] = from[i];
    });
    words_.swap(buffer_);
  }
}

}  // namespace onefold::detail
