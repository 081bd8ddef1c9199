// Elements as unsigned integers in an order.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "onefold/detail/order_statistics.hpp"
#include "onefold/types.hpp"

namespace onefold::detail {

/// What the bits of an element mean.
enum class key_kind : std::uint8_t { natural, integer, real };

/// Elements as unsigned keys that ascend in an order.
template <class Word, key_kind Kind>
class ordered_keys {
 public:
  /// `infinity` has the bits of +inf.
  ordered_keys(Word infinity, element_order order) : infinity_(infinity), flip_(order.descending ? all : Word{0}) {
    // Ascending, the key of NaN is the last one; a step takes it to the other end, where no number is.
    if (Kind == key_kind::real && order.descending != order.nan_first) step_ = order.nan_first ? Word{1} : all;
  }

  Word key(Word bits) const { return static_cast<Word>((ascending(bits) ^ flip_) + step_); }
  Word bits(Word key) const { return bits_of_ascending(turned_back(key)); }
  bool is_nan(Word key) const { return Kind == key_kind::real && turned_back(key) == all; }

 private:
  static constexpr Word all = static_cast<Word>(~Word{0});
  static constexpr Word sign = static_cast<Word>(Word{1} << (8 * sizeof(Word) - 1));

  Word ascending(Word bits) const {
    if constexpr (Kind == key_kind::natural) return bits;
    if constexpr (Kind == key_kind::integer) return static_cast<Word>(bits ^ sign);
    // Without branches, which random signs would mislead.
    const auto negative = static_cast<Word>(0u - static_cast<Word>(bits >> (8 * sizeof(Word) - 1)));
    const auto nan = static_cast<Word>(0u - static_cast<Word>(static_cast<Word>(bits & ~sign) > infinity_));
    return static_cast<Word>((bits ^ (negative | sign)) | nan);
  }
  Word turned_back(Word key) const { return static_cast<Word>(static_cast<Word>(key - step_) ^ flip_); }
  Word bits_of_ascending(Word key) const {
    if constexpr (Kind == key_kind::natural) return key;
    if constexpr (Kind == key_kind::integer) return static_cast<Word>(key ^ sign);
    if (key == all)  // the quiet bit is the highest one of the fraction
      return static_cast<Word>(infinity_ | ((infinity_ & (~infinity_ + 1u)) >> 1));
    return static_cast<Word>((key & sign) != 0 ? key ^ sign : ~key);
  }

  Word infinity_, flip_, step_ = 0;
};

/// The bits of the i-th of some elements of another type.
template <class Word>
Word word_at(const void* elements, std::int64_t i) {
  Word word;
  std::memcpy(&word, static_cast<const char*>(elements) + i * static_cast<std::int64_t>(sizeof word), sizeof word);
  return word;
}
template <class Word>
void set_word(void* elements, std::int64_t i, Word word) {
  std::memcpy(static_cast<char*>(elements) + i * static_cast<std::int64_t>(sizeof word), &word, sizeof word);
}

/// The keys of elements of type T, and the unsigned integers that they are.
template <class T>
using word_of = typename integer_of<static_cast<int>(sizeof(T)), false>::type;
template <class T>
using keys_of = ordered_keys<word_of<T>, is_float<T>    ? key_kind::real
                                         : is_signed<T> ? key_kind::integer
                                                        : key_kind::natural>;

template <class T>
keys_of<T> keys_in(element_order order) {
  word_of<T> infinity{};
  if constexpr (is_float<T>)
    infinity = std::bit_cast<word_of<T>>(static_cast<T>(std::numeric_limits<float>::infinity()));
  return {infinity, order};
}

}  // namespace onefold::detail
