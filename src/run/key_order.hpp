// Elements in the order of their keys, and where the keys change.
#pragma once

#include <cstdint>
#include <vector>

#include "onefold/detail/keys.hpp"
#include "run/gather.hpp"
#include "run/partition.hpp"
#include "run/radix_sort.hpp"

namespace onefold::detail {

/// Groups of elements with equal keys, by numbers. Keeps its memory: for no more elements and groups than before,
/// sorted as well, nothing is allocated.
class key_order {
 public:
  /// Groups elements, of which there are some, by their keys. Throws invalid_argument for a key that is a NaN.
  void make(const key_data& from, const team& by);

  /// Where each group begins, and the end.
  const std::vector<std::int64_t>& offsets() const { return offsets_; }

  /// Whether the elements had to be sorted; if not, they are grouped as given.
  bool sorted() const { return order_ != order::as_given; }

  /// The numbers of n sorted elements, from place `first` on.
  numbers places(std::int64_t first, std::int64_t n) const {
    return {sorter_.words() + first, (std::uint64_t{1} << place_bits_) - 1, n};
  }

  /// The number of the element at a place of the order.
  std::uint64_t place(std::int64_t i) const {
    return sorted() ? *places(i, 1).words & places(i, 1).mask : static_cast<std::uint64_t>(i);
  }

 private:
  /// What a piece of the elements has seen of their ranks.
  struct survey {
    std::uint64_t lowest, highest;
    std::uint64_t differing;  ///< the bits in which they differ from that of the first element of all
    std::int64_t runs;        ///< of equal ones that begin here
    bool descend;
  };
  /// The order in which elements are looked at.
  enum class order : std::uint8_t {
    as_given,
    of_words,   ///< as sorted; a word has all that differs in the ranks
    of_places,  ///< as sorted; a word has the element's number, and of its rank only a part
  };
  template <class Function>
  void for_ranks(const key_data& from, std::int64_t first, std::int64_t last, const Function& f) const;
  std::uint64_t rank_at(const key_data& from, std::int64_t i) const;
  survey look_at_ranks(const key_data& from, const team& by);
  void sort(const key_data& from, const team& by, const survey& all);
  void find_runs(const key_data& from, const team& by);

  order order_ = order::as_given;
  int place_bits_ = 0;           ///< the lower bits of a word, which have the element's number
  radix_sorter sorter_;          ///< a word for each element: its number, and of its rank
  std::vector<survey> surveys_;  ///< of each piece
  std::vector<std::int64_t> offsets_;
};

}  // namespace onefold::detail
