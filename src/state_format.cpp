// How the states of each entry are written, from the types of its fold.
#include "state_format.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "onefold/catalog.hpp"
#include "onefold/detail/exact/serialized.hpp"
#include "onefold/detail/folds.hpp"

namespace onefold::detail {
namespace {

// The architectures that onefold knows have their lowest byte first, so that a number is written as it lies in memory.
static_assert(std::endian::native == std::endian::little);

/// The type of the numbers that a state S consists of, without gaps between them; void where it is not known.
template <class S>
struct numbers_in {
  using type = void;
};
template <template <class> class State, class V>
struct numbers_in<State<V>> {
  using type = V;
};
template <class S>
requires requires(S s) { s.m2; }
struct numbers_in<S> {
  using type = double;
};

template <class S>
struct written;

template <class S>
bool is_as_saved(const std::byte* bytes, const S& state) {
  std::byte again[written<S>::bytes];
  written<S>::save(state, again);
  return std::memcmp(again, bytes, sizeof again) == 0;
}

/// How a state S is written: here, of numbers without gaps between them. NaN is always the same one: which one an
/// addition of two returns is left to the compiler and the CPU.
template <class S>
struct written {
  using number = typename numbers_in<S>::type;
  static constexpr std::uint32_t bytes = sizeof(S);
  static void save(const S& state, std::byte* to) {
    std::memcpy(to, &state, bytes);
    if constexpr (std::is_floating_point_v<number>) {
      static_assert(bytes % sizeof(number) == 0);
      for (std::byte* const end = to + bytes; to != end; to += sizeof(number)) {
        number x;
        std::memcpy(&x, to, sizeof x);
        x = round_to<number>(x);
        std::memcpy(to, &x, sizeof x);
      }
    }
  }
  static bool load(const std::byte* from, S& state) {
    std::memcpy(&state, from, bytes);
    return !std::is_floating_point_v<number> || is_as_saved(from, state);
  }
};

/// An element and its index, between which memory has a gap.
template <class A>
struct written<indexed<A>> {
  using element = written<plain<A>>;
  static constexpr std::uint32_t bytes = sizeof(A) + sizeof(std::int64_t);
  static void save(const indexed<A>& state, std::byte* to) {
    element::save({state.value}, to);
    std::memcpy(to + sizeof(A), &state.index, sizeof state.index);
  }
  static bool load(const std::byte* from, indexed<A>& state) {
    std::memcpy(&state.value, from, sizeof(A));
    std::memcpy(&state.index, from + sizeof(A), sizeof state.index);
    return is_as_saved(from, state);
  }
};

/// A long integer with its carries done: 32 bits a limb, in two's complement, then what was not finite.
template <int Limbs, int LowBit>
struct written<long_integer<Limbs, LowBit>> {
  using S = long_integer<Limbs, LowBit>;
  static constexpr std::uint32_t bytes = 4 * Limbs + 4;
  static void save(S state, std::byte* to) {
    carry(state);
    for (int i = 0; i < Limbs; ++i) write_bytes(to + 4 * i, static_cast<std::uint64_t>(state.limb[i]), 4);
    write_bytes(to + 4 * Limbs, state.special, 4);
  }
  static bool load(const std::byte* from, S& state) {
    state = {};
    for (int i = 0; i < Limbs; ++i) state.limb[i] = static_cast<std::int64_t>(read_bytes(from + 4 * i, 4));
    std::int64_t& highest = state.limb[Limbs - 1];
    highest = static_cast<std::int32_t>(static_cast<std::uint32_t>(highest));
    state.special = static_cast<std::uint32_t>(read_bytes(from + 4 * Limbs, 4));
    return state.special <= (positive_infinity | negative_infinity | not_a_number);
  }
};
template <>
struct written<power_sums> {
  using sums = written<superaccumulator>;
  using squares = written<product_accumulator>;
  static constexpr std::uint32_t bytes = sums::bytes + squares::bytes;
  static void save(const power_sums& state, std::byte* to) {
    sums::save(state.sum, to);
    squares::save(state.squares, to + sums::bytes);
  }
  static bool load(const std::byte* from, power_sums& state) {
    return sums::load(from, state.sum) && squares::load(from + sums::bytes, state.squares);
  }
};

/// Whether states are integers that are added or multiplied, which no order changes.
template <class S>
constexpr bool is_integer_state = false;
template <>
constexpr bool is_integer_state<integer_total> = true;
template <class V>
constexpr bool is_integer_state<wrapping<V>> = true;
template <class V>
constexpr bool is_integer_state<wrapping_factor<V>> = true;

template <class F, class T>
constexpr state_format make_format() {
  using S = tree_state<F, T>;
  return {.order_independent = is_order_free<F> || adds_exactly<F> || searches<F> || is_integer_state<S>,
          .bytes = written<S>::bytes,
          .save = [](const void* state, std::byte* to) { written<S>::save(*static_cast<const S*>(state), to); },
          .load = [](const std::byte* from, void* state) { return written<S>::load(from, *static_cast<S*>(state)); }};
}

using format_table =
    std::array<std::array<std::array<state_format, accuracy_count>, element_types::size>, operations::size>;

constexpr format_table formats = [] {
  format_table table{};
  for_each_entry([&]<class Op, class T>() {
    for_each_accuracy<Op, T>([&]<class, class, accuracy A>() {
      table[static_cast<std::size_t>(operation_index<Op>)][static_cast<std::size_t>(dtype_of<T>)]
           [static_cast<std::size_t>(A)] = make_format<fold_of<Op, T, A>, T>();
    });
  });
  return table;
}();

}  // namespace

const state_format& format_of_states(int operation, dtype element, accuracy a) {
  return formats[static_cast<std::size_t>(operation)][static_cast<std::size_t>(element)][static_cast<std::size_t>(a)];
}

}  // namespace onefold::detail
