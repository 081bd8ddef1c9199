// Groups of elements with equal keys: runs of neighbours, or all of them, sorted; by the CPU, or by an accelerator.
#include <algorithm>
#include <memory>
#include <string>

#include "choose.hpp"
#include "cpu.hpp"
#include "fork.hpp"
#include "modules.hpp"
#include "onefold/detail/keys.hpp"
#include "onefold/error.hpp"
#include "quantity.hpp"
#include "wishes.hpp"

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

struct ranked {
  std::uint64_t rank;
  std::int64_t place;
};

/// Groups neighbours of equal rank.
template <class RankAt>
std::vector<std::int64_t> runs_of(std::int64_t n, const RankAt& rank_at) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < n; ++i)
    if (i == 0 || rank_at(i) != rank_at(i - 1)) offsets.push_back(i);
  offsets.push_back(n);
  return offsets;
}

template <class K>
key_groups group_as(const K* keys, std::int64_t n, bool runs) {
  bool ascends = true;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t rank = rank_of(keys[i]);
    if (is_nan_rank<K>(rank)) throw error(error_code::invalid_argument, "key " + std::to_string(i) + " is a NaN");
    ascends &= i == 0 || rank_of(keys[i - 1]) <= rank;
  }
  if (runs || ascends) return {runs_of(n, [&](std::int64_t i) { return rank_of(keys[i]); }), {}};
  // The standard library's sort needs nothing else, and beside it the reduction takes no time to speak of; ranks let
  // one instance serve all types of keys, and lie beside the places, so that no comparison leaves the cache line.
  std::vector<ranked> sorted(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) sorted[static_cast<std::size_t>(i)] = {rank_of(keys[i]), i};
  std::ranges::stable_sort(sorted, {}, &ranked::rank);
  key_groups groups{runs_of(n, [&](std::int64_t i) { return sorted[static_cast<std::size_t>(i)].rank; }), {}};
  groups.order.reserve(sorted.size());
  for (const ranked& x : sorted) groups.order.push_back(x.place);
  return groups;
}

/// Calls f.operator()<T>() for the type T of a list that `type` names.
template <class... Ts, class Function>
void with_type(type_list<Ts...>, dtype type, const Function& f) {
  static_cast<void>(((dtype_of<Ts> == type && (f.template operator()<Ts>(), true)) || ...));
}

/// Throws where there are not as many keys as elements, or pointers to them are missing.
void require_keys(const key_data& from) {
  const auto refuse = [](const std::string& why) { throw error(error_code::invalid_argument, why); };
  if (from.key_count != from.elements)
    refuse("the number of keys, " + std::to_string(from.key_count) + ", is not that of the elements, " +
           std::to_string(from.elements));
  if (from.elements == 0) return;
  if (!from.keys) refuse("the keys' pointer is null, but " + there_are(from.key_count, "key"));
  if (!from.values) refuse("the data pointer is null, but " + there_are(from.elements, "element"));
}

/// Who reduces the groups. Keys in device memory ask for its accelerator, as elements there do.
choice choose_for(const request& what, const options& how, const key_data& from) {
  const located values = locate(from.values), keys = locate(from.keys);
  if (keys.kind != accelerator_memory::device) return choose(what, how, &values);
  if (const backend asked = wished_backend(how).backend; asked != backend::automatic && !is_accelerator(asked))
    throw error(error_code::invalid_argument, std::string("the keys are in device memory, which backend ") +
                                                  name_of(asked) + " cannot read; use backend " +
                                                  name_of(backend_of(*keys.seen_by)) + " or automatic");
  return choose(what, how, &keys);
}

/// What an accelerator has made, until nobody needs it any more.
std::shared_ptr<const device_groups> group_on_device(const accelerator& by, const key_data& from, int device) {
  const std::int64_t size = size_of(from.key_type);
  if (reinterpret_cast<std::uintptr_t>(from.keys) % static_cast<std::uintptr_t>(size) != 0)
    throw error(error_code::invalid_argument, "the keys are not aligned to " + quantity(size, "byte"));
  const keyed_elements what{sizeof(keyed_elements), from.element_size, from.values, from.keys,
                            from.elements,          from.key_type,     from.runs,   device};
  device_groups made{};
  accelerator_failure failed{};
  if (!by.group_by_key(what, &made, &failed)) throw error(failed.code, failed.text);
  const auto release = [&by](const device_groups* groups) {
    if (!accelerator_lost()) by.release_groups(*groups);
    delete groups;
  };
  return {new device_groups(made), release};
}

}  // namespace

key_groups group_by_key(const request& what, const options& how, const key_data& from) {
  const float_environment ieee;
  require_keys(from);
  key_groups groups{{0}, {}};
  if (from.elements == 0) return groups;
  const choice c = choose_for(what, how, from);
  if (c.device_runs) {
    groups.on_device = group_on_device(*c.device_runs, from, c.device);
    groups.who = c.who;
    return groups;
  }
  with_type(element_types{}, from.key_type,
            [&]<class K>() { groups = group_as(static_cast<const K*>(from.keys), from.key_count, from.runs); });
  return groups;
}

void require_room(const key_groups& groups, const void* keys, std::int64_t key_room, std::int64_t result_room) {
  const auto refuse = [](const std::string& why) { throw error(error_code::invalid_argument, why); };
  const std::int64_t count = groups.count();
  if (std::min(key_room, result_room) < count)
    refuse("there are " + quantity(count, "group") + ", but there is room for " +
           std::to_string(std::min(key_room, result_room)));
  if (count == 0) return;
  if (!keys) refuse("the pointer to the groups' keys is null");
  const located to = locate(keys);
  if (!groups.on_device && to.kind == accelerator_memory::device)
    refuse("the groups' keys are in device memory, and the data is reduced on the CPU");
}

void write_keys(const key_groups& groups, const key_data& from, void* to) {
  if (const device_groups* const made = groups.on_device.get()) {
    accelerator_failure failed{};
    if (!find_accelerator(groups.who).runs->copy(to, made->keys, made->count * size_of(from.key_type), &failed))
      throw error(failed.code, failed.text);
    return;
  }
  with_type(element_types{}, from.key_type, [&]<class K>() {
    const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
    for (std::int64_t g = 0; g < groups.count(); ++g) {
      const std::int64_t first = groups.offsets[at(g)];
      static_cast<K*>(to)[g] = static_cast<const K*>(from.keys)[groups.order.empty() ? first : groups.order[at(first)]];
    }
  });
}

}  // namespace onefold::detail
