// The folds of the first and the last element.
#include "onefold/first.hpp"

#include <cstddef>
#include <cstdint>

#include "onefold/detail/make_recipe.hpp"

namespace onefold::detail {
namespace {

/// The bits of an element of several bytes, which may lie at any address.
template <class Word, int count = 1>
struct __attribute__((packed)) element_bits {
  Word words[count];
};

/// The first or the last element; index -1: of none.
template <class Bits, bool last>
struct end_fold {
  struct traits : fold_traits {
    static constexpr bool commutative = false;
  };
  using state = indexed_element<Bits>;

  state identity() const { return {-1, {}}; }
  state lift(const Bits& x, std::int64_t index) const { return {index, x}; }
  state combine(const state& a, const state& b) const { return (last ? b.index >= 0 : a.index < 0) ? b : a; }
  bool absorbing(const state& s) const requires(!last) { return s.index >= 0; }
  state finish(const state& s) const { return s; }
};

template <class Bits, bool last>
constexpr recipe record = make_recipe<end_fold<Bits, last>, Bits, type_list<indexed_element<Bits>>>(last ? "last"
                                                                                                         : "first",
                                                                                                    false);

template <bool last>
const recipe& record_for(std::size_t element_size) {
  switch (element_size) {
    case 1:
      return record<std::uint8_t, last>;
    case 2:
      return record<element_bits<std::uint16_t>, last>;
    case 4:
      return record<element_bits<std::uint32_t>, last>;
    case 8:
      return record<element_bits<std::uint64_t>, last>;
    default:
      return record<element_bits<std::uint64_t, 2>, last>;
  }
}

}  // namespace

const recipe& ends_of(std::size_t element_size, bool last) {
  return last ? record_for<true>(element_size) : record_for<false>(element_size);
}

}  // namespace onefold::detail
