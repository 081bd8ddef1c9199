// A hash table of numbers beside the keys' bytes: 40 bytes for each key and its own.
#include "input/key_table.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"

namespace onefold::cli {

std::uint32_t key_table::number_of(std::string_view text) {
  if (keys_.size() >= slots_.size() / 2) add_slots();
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(text));
  std::size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::uint32_t number = slots_[slot] - 1;
    if (keys_[number].hash == hash && (*this)[number] == text) return number;
  }
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  if (keys_.size() == most)
    throw failure(exit_code::failed, fmt::format("there are more than {} different keys", most));
  keys_.push_back({bytes_.size(), static_cast<std::uint32_t>(text.size()), hash});
  bytes_.append(std::as_bytes(std::span(text)));
  return (slots_[slot] = static_cast<std::uint32_t>(keys_.size())) - 1;
}

void key_table::add_slots() {
  std::vector<std::uint32_t> slots(std::max<std::size_t>(slots_.size() * 2, 64));
  for (std::size_t number = 0; number < keys_.size(); ++number) {
    std::size_t slot = keys_[number].hash & (slots.size() - 1);
    while (slots[slot] != 0) slot = (slot + 1) & (slots.size() - 1);
    slots[slot] = static_cast<std::uint32_t>(number + 1);
  }
  slots_ = std::move(slots);
}

}  // namespace onefold::cli
