// Sorts words by some of their bits, on the threads of a CPU backend.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "run/partition.hpp"

namespace onefold::detail {

/// Words, and the memory to sort them in, which it keeps: for no more of them than before nothing is allocated.
class radix_sorter {
 public:
  /// Makes room for n words, of which nothing is kept.
  void resize(std::int64_t n);

  std::uint64_t* words() { return words_.get(); }
  const std::uint64_t* words() const { return words_.get(); }
  /// As many words, which sorting overwrites.
  std::uint64_t* spare() { return buffer_.get(); }

  /// Sorts the n words by their bits from number `first` up to before number `last`. Words that have equal ones keep
  /// their order.
  void sort(const team& by, std::int64_t n, int first, int last);

 private:
  /// Where each piece writes the next word with each value of a digit.
  struct bucket_ends {
    static constexpr int digit_bits = 8;
    std::int64_t next[1 << digit_bits];
  };
  bool make_ends(std::int64_t n, int pieces);

  std::unique_ptr<std::uint64_t[]> words_, buffer_;
  std::int64_t room_ = 0;
  std::vector<bucket_ends> ends_;  ///< of each piece
};

}  // namespace onefold::detail
