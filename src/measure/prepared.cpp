#include "measure/prepared.hpp"

#include <algorithm>
#include <span>

namespace onefold::measure {

std::vector<std::byte> prepared_shape::bits() const {
  const auto members = plan_.members();
  if (members.size() == 1 && size_of(members.front().type) == plan_.result_size()) return last_;
  std::vector<std::byte> all;  // without the bytes between members, which are unspecified
  all.reserve(last_.size());
  const auto step = static_cast<std::size_t>(plan_.result_size());
  for (std::size_t at = 0; at < last_.size(); at += step)
    for (const result_member& m : members) {
      const auto number =
          std::span(last_).subspan(at + static_cast<std::size_t>(m.offset), static_cast<std::size_t>(size_of(m.type)));
      all.insert(all.end(), number.begin(), number.end());
    }
  return all;
}

std::uint64_t prepared_shape::bits_hash() const {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte b : bits()) hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
  return hash;
}

bool same_bits(const std::vector<scalar>& a, const std::vector<scalar>& b) {
  return std::ranges::equal(a, b,
                            [](const scalar& x, const scalar& y) { return x.type == y.type && x.bits == y.bits; });
}

}  // namespace onefold::measure
