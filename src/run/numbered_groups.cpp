// Groups by number: a stable counting sort, in one pass over the numbers and one over the values.
#include "onefold/numbered_groups.hpp"

#include <cstring>
#include <string>

#include "onefold/error.hpp"
#include "quantity.hpp"
#include "run/checks.hpp"

namespace onefold {
namespace {

template <std::size_t size>
void gather_as(std::span<const std::uint32_t> numbers, std::span<std::int64_t> next, const char* from, char* to) {
  for (const std::uint32_t number : numbers) {
    std::memcpy(to + next[number]++ * static_cast<std::int64_t>(size), from, size);
    from += size;
  }
}

}  // namespace

numbered_groups::numbered_groups(std::span<const std::uint32_t> numbers, std::int64_t groups) : numbers_(numbers) {
  if (groups < 0) detail::refuse("the number of groups is negative: " + std::to_string(groups));
  if (groups > std::int64_t{1} << 32)
    detail::refuse(std::to_string(groups) + " groups are more than 32-bit numbers can count");
  offsets_.resize(static_cast<std::size_t>(groups) + 1);
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint32_t number = numbers[i];
    if (number >= groups)
      detail::refuse("number " + std::to_string(i) + " is " + std::to_string(number) + ", but there are " +
                     detail::quantity(groups, "group"));
    in_order_ &= number >= before;
    before = number;
    ++offsets_[std::size_t{number} + 1];
  }
  for (std::size_t g = 1; g < offsets_.size(); ++g) offsets_[g] += offsets_[g - 1];
}

void numbered_groups::gather(const void* values, std::size_t size, void* to) const {
  std::vector<std::int64_t> next(offsets_.begin(), offsets_.end() - 1);
  const char* const from = static_cast<const char*>(values);
  char* const out = static_cast<char*>(to);
  switch (size) {
    case 1:
      return gather_as<1>(numbers_, next, from, out);
    case 2:
      return gather_as<2>(numbers_, next, from, out);
    case 4:
      return gather_as<4>(numbers_, next, from, out);
    case 8:
      return gather_as<8>(numbers_, next, from, out);
    default:
      for (std::size_t i = 0; i < numbers_.size(); ++i)
        std::memcpy(out + static_cast<std::size_t>(next[numbers_[i]]++) * size, from + i * size, size);
  }
}

}  // namespace onefold
