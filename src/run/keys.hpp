// Groups of elements with equal keys on the CPU, and what must hold before they are made and reduced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "onefold/detail/keys.hpp"
#include "run/gather.hpp"
#include "run/radix_sort.hpp"
#include "run/segments.hpp"

namespace onefold::detail {

/// Throws invalid_argument where there are not as many keys as elements, more than a plan is for, where a pointer to
/// them is missing, and where the keys are not aligned.
void require_keys(const key_data& from, std::int64_t most);

/// Throws invalid_argument where a pointer to what `count` groups leave is missing, not aligned, or leads into elements
/// or keys.
void require_room(const key_data& from, std::int64_t count, const choice& c, const group_room& to);

/// Groups in host memory, which keeps its size from one call to the next. All functions share out their work.
class host_groups {
 public:
  /// Groups elements, of which there are some, by their keys; how many groups there are. Throws invalid_argument for a
  /// key that is a NaN.
  std::int64_t group(const key_data& from, const team& by);

  /// The groups as segments; elements that were not in their order are copied. Valid until the next call.
  segment_list segments(const key_data& from, const team& by);

  /// Writes the key of each group: that of its first element.
  void write_keys(const key_data& from, const team& by, void* to) const;

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
  /// Elements, aligned as theirs can be.
  struct release {
    std::align_val_t align;
    void operator()(char* p) const { ::operator delete(p, align); }
  };

  template <class Function>
  void for_ranks(const key_data& from, std::int64_t first, std::int64_t last, const Function& f) const;
  std::uint64_t rank_at(const key_data& from, std::int64_t i) const;
  survey look_at_ranks(const key_data& from, const team& by);
  void sort(const key_data& from, const team& by, const survey& all);
  void find_runs(const key_data& from, const team& by);
  numbers places(std::int64_t first, std::int64_t n) const;

  order order_ = order::as_given;
  int place_bits_ = 0;                                  ///< the lower bits of a word, which have the element's number
  radix_sorter sorter_;                                 ///< a word for each element: its number, and of its rank
  std::vector<survey> surveys_;                         ///< of each piece
  std::vector<std::int64_t> offsets_;                   ///< where each group begins, and the end
  std::unique_ptr<char, release> values_{nullptr, {}};  ///< elements in the order of the groups
  std::size_t room_ = 0;                                ///< for this many bytes of them
};

}  // namespace onefold::detail
