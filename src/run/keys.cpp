#include "run/keys.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "onefold/error.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"

namespace onefold::detail {
namespace {

/// A key's place among all keys of its type, which it shares with those that compare equal.
template <class K>
std::uint64_t rank_of(K key) {
  constexpr std::uint64_t top = std::uint64_t{1} << 63;
  if constexpr (is_integer<K>) {
    return static_cast<std::uint64_t>(key) ^ (is_signed<K> ? top : 0);
  } else {
    double x;  // exactly, and without arithmetic that may take subnormals for zeros
    if constexpr (is_small_float<K>)
      x = double_from_float(static_cast<float>(key));
    else if constexpr (sizeof(K) == sizeof(float))
      x = double_from_float(key);
    else
      x = key;
    const auto bits = __builtin_bit_cast(std::uint64_t, x);
    return bits > top ? ~bits : bits | top;  // -0.0 as 0.0
  }
}

/// Whether a rank is that of a NaN.
template <class K>
bool is_nan_rank(std::uint64_t rank) {
  constexpr std::uint64_t infinity = 0x7ff0000000000000u, top = std::uint64_t{1} << 63;
  return !is_integer<K> && (rank > (infinity | top) || rank < ~(infinity | top));
}

/// Where neighbours of equal rank begin, and the end.
template <class RankAt>
void find_runs(std::int64_t n, const RankAt& rank_at, std::vector<std::int64_t>& offsets) {
  offsets.clear();
  for (std::int64_t i = 0; i < n; ++i)
    if (i == 0 || rank_at(i) != rank_at(i - 1)) offsets.push_back(i);
  offsets.push_back(n);
}

/// Calls f.operator()<T>() for the type T of a list that `type` names.
template <class... Ts, class Function>
void with_type(type_list<Ts...>, dtype type, const Function& f) {
  static_cast<void>(((dtype_of<Ts> == type && (f.template operator()<Ts>(), true)) || ...));
}

/// Sorts stably by rank, with a buffer of the caller's that grows to as many items: std::stable_sort allocates one of
/// its own in each call. As fast as that (Xeon with AVX-512), where std::sort by rank and place takes up to three times
/// as long for few different ranks.
template <class Ranked>
void sort_by_rank(std::vector<Ranked>& items, std::vector<Ranked>& buffer) {
  constexpr std::size_t short_run = 8;
  const std::size_t n = items.size();
  buffer.resize(n);
  for (std::size_t first = 0; first < n; first += short_run)
    for (std::size_t i = first + 1; i < std::min(first + short_run, n); ++i) {
      const Ranked x = items[i];
      std::size_t to = i;
      for (; to > first && x.rank < items[to - 1].rank; --to) items[to] = items[to - 1];
      items[to] = x;
    }
  for (std::size_t run = short_run; run < n; run *= 2) {
    for (std::size_t first = 0; first < n; first += 2 * run) {
      const auto at = [&](std::size_t i) { return items.data() + std::min(i, n); };
      std::ranges::merge(at(first), at(first + run), at(first + run), at(first + 2 * run), buffer.data() + first, {},
                         &Ranked::rank, &Ranked::rank);
    }
    items.swap(buffer);
  }
}

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

std::int64_t host_groups::group(const key_data& from) {
  with_type(element_types{}, from.key_type, [&]<class K>() {
    const K* const keys = static_cast<const K*>(from.keys);
    const std::int64_t n = from.elements;
    bool ascends = true;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint64_t rank = rank_of(keys[i]);
      if (is_nan_rank<K>(rank)) refuse("key " + std::to_string(i) + " is a NaN");
      ascends &= i == 0 || rank_of(keys[i - 1]) <= rank;
    }
    sorted_.clear();
    if (from.runs || ascends)
      return find_runs(
          n, [&](std::int64_t i) { return rank_of(keys[i]); }, offsets_);
    // Beside sorting the reduction takes no time to speak of. Ranks let one instance serve all types of keys, and lie
    // beside the places, so that no comparison leaves the cache line.
    sorted_.reserve(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) sorted_.push_back({rank_of(keys[i]), i});
    sort_by_rank(sorted_, buffer_);
    find_runs(
        n, [&](std::int64_t i) { return sorted_[static_cast<std::size_t>(i)].rank; }, offsets_);
  });
  return static_cast<std::int64_t>(offsets_.size()) - 1;
}

segment_list host_groups::segments(const key_data& from) {
  const char* values = static_cast<const char*>(from.values);
  if (!sorted_.empty()) {
    const auto size = static_cast<std::size_t>(from.element_size), bytes = sorted_.size() * size;
    // The largest power of two that divides an element's size; no allocator has to do with more than a page of memory.
    const std::align_val_t align{std::min<std::size_t>(size & (~size + 1), 4096)};
    if (bytes > room_ || align != values_.get_deleter().align) {
      room_ = 0;
      values_ = {static_cast<char*>(::operator new(bytes, align)), release{align}};
      room_ = bytes;
    }
    char* to = values_.get();
    for (const ranked& x : sorted_) {
      std::memcpy(to, values + x.place * from.element_size, size);
      to += size;
    }
    values = values_.get();
  }
  return {values, from.elements, offsets_.data(), static_cast<std::int64_t>(offsets_.size()) - 1, true, false, false};
}

void host_groups::write_keys(const key_data& from, void* to) const {
  with_type(element_types{}, from.key_type, [&]<class K>() {
    for (std::size_t g = 0; g + 1 < offsets_.size(); ++g) {
      const std::int64_t first = offsets_[g];
      static_cast<K*>(to)[g] =
          static_cast<const K*>(from.keys)[sorted_.empty() ? first : sorted_[static_cast<std::size_t>(first)].place];
    }
  });
}

}  // namespace onefold::detail
