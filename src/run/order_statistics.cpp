// Selection by digits of the elements' bits: histograms of the leading ones find the few elements that are then
// ordered. Each pass reads the array once, on all threads.
#include "onefold/detail/order_statistics.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "choose.hpp"
#include "cpu.hpp"
#include "fork.hpp"
#include "modules.hpp"
#include "onefold/catalog.hpp"
#include "quantity.hpp"
#include "resolve.hpp"
#include "run/checks.hpp"
#include "run/partition.hpp"

namespace onefold::detail {
namespace {

// Bits of a digit: its histogram stays in the first cache.
constexpr int selected_bits = 11;

// As many elements are ordered at once; more are divided by another digit first.
std::int64_t most_ordered(std::int64_t n) { return std::max<std::int64_t>(1 << 14, n / 16); }

/// What the bits of an element mean.
enum class key_kind : std::uint8_t { natural, integer, real };

/// Elements as unsigned keys in their order; `infinity` has the bits of +inf.
template <class Word, key_kind Kind>
struct ordered_keys {
  static constexpr Word sign = static_cast<Word>(Word{1} << (8 * sizeof(Word) - 1));
  Word infinity;

  Word key(Word bits) const {
    if constexpr (Kind == key_kind::natural) return bits;
    if constexpr (Kind == key_kind::integer) return static_cast<Word>(bits ^ sign);
    // Without branches, which random signs would mislead.
    const auto negative = static_cast<Word>(0u - static_cast<Word>(bits >> (8 * sizeof(Word) - 1)));
    const auto nan = static_cast<Word>(0u - static_cast<Word>(static_cast<Word>(bits & ~sign) > infinity));
    return static_cast<Word>((bits ^ (negative | sign)) | nan);
  }
  Word bits(Word key) const {
    if constexpr (Kind == key_kind::natural) return key;
    if constexpr (Kind == key_kind::integer) return static_cast<Word>(key ^ sign);
    if (key == static_cast<Word>(~Word{0}))  // the quiet bit is the highest one of the fraction
      return static_cast<Word>(infinity | ((infinity & (~infinity + 1u)) >> 1));
    return static_cast<Word>((key & sign) != 0 ? key ^ sign : ~key);
  }
};

/// The elements at some ranks.
template <class Word, key_kind Kind>
class selector {
 public:
  selector(const void* data, std::int64_t n, Word infinity, const team& threads, Word* values)
      : data_(static_cast<const Word*>(data)), n_(n), keys_{infinity}, threads_(threads), values_(values) {}

  /// Finds the wanted ones among the elements whose leading bits, all but `open`, are those of `prefix`, and of which
  /// `before` come in front.
  void select(std::span<const std::int64_t> ranks, std::size_t first, Word prefix, int open, std::int64_t before) {
    if (open == 0) {
      for (std::size_t i = 0; i < ranks.size(); ++i) values_[first + i] = keys_.bits(prefix);
      return;
    }
    const int digit = std::min(open, selected_bits), rest = open - digit;
    const std::vector<std::int64_t> of_pieces = histograms(prefix, open, digit);
    std::vector<std::int64_t> counts((std::size_t{1} << digit) + 1);
    for (std::size_t i = 0; i < of_pieces.size(); ++i) counts[i % counts.size()] += of_pieces[i];
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
        values_[first + i] = keys_.bits(*at);
        sorted = at + 1;
      }
    }
  }

 private:
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
      for (std::int64_t i = first; i < last; ++i) {
        const Word key = keys_.key(data_[i]);
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
        const Word key = keys_.key(data_[i]);
        if (!has_prefix(key, prefix, open)) continue;
        const int slot = slots[static_cast<std::size_t>(static_cast<Word>(key >> (open - digit)) & mask)];
        if (slot >= 0) *own[slot]++ = key;
      }
    });
  }

  const Word* data_;
  std::int64_t n_;
  ordered_keys<Word, Kind> keys_;
  const team& threads_;
  Word* values_;
};

template <class T>
constexpr key_kind kind_of = is_float<T>    ? key_kind::real
                             : is_signed<T> ? key_kind::integer
                                            : key_kind::natural;

template <class T>
using word_of = typename integer_of<static_cast<int>(sizeof(T)), false>::type;

/// The choice of threads: what a variance, which takes about as long, would get.
choice choose_threads(dtype element, const void* data, std::int64_t n, options how) {
  const memory_location where = locate(data);
  if (where.kind == accelerator_memory::device && where.owner)
    throw error(error_code::unsupported,
                "order statistics are computed on CPUs only, and the data is in device memory: copy it to the host");
  const requested_backend asked = resolve_backend(how);
  if (is_accelerator(asked.backend))
    throw error(error_code::unsupported, std::string("order statistics are computed on CPUs only, not on backend ") +
                                             name_of(asked.backend) + "; use backend cpu or automatic");
  if (asked.backend == backend::automatic) how.backend = backend::cpu;
  how.accuracy = accuracy::native;
  request what;
  what.operation = operation_index<op::variance>;
  what.element = element;
  what.n = n;
  return choose(what, how, &where);
}

}  // namespace

void select_ranks(dtype element, const void* data, std::int64_t n, std::span<const std::int64_t> ranks, void* values,
                  const options& how) {
  const float_environment ieee;
  if (n == 0)
    throw error(error_code::empty_input, "an order statistic of no elements has no value: the input is empty");
  const choice c = choose_threads(element, data, n, how);
  check(c, data, n, nullptr);
  for (const std::int64_t rank : ranks)
    if (rank < 0 || rank >= n)
      refuse("position " + std::to_string(rank) + " is not between 0 and " + std::to_string(n - 1) + ", the last of " +
             quantity(n, "element"));
  const scheduler_session session(*c.scheduler, c.threads);
  const team threads{session.s, session.handle, threads_lost() ? 1 : c.threads};
  for_each_type(element_types{}, [&]<class T>() {
    if (dtype_of<T> != element) return;
    using Word = word_of<T>;
    Word infinity{};
    if constexpr (is_float<T>) infinity = std::bit_cast<Word>(static_cast<T>(std::numeric_limits<float>::infinity()));
    selector<Word, kind_of<T>>(data, n, infinity, threads, static_cast<Word*>(values))
        .select(ranks, 0, 0, 8 * sizeof(Word), 0);
  });
}

}  // namespace onefold::detail
