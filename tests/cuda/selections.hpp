// Selections for the tests of segments and of groups by key on a device, and what is compared of their results.
#pragma once

#include <string>
#include <vector>

#include "memory.hpp"
#include "onefold/where.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/entries.hpp"
#include "support/masks.hpp"
#include "support/result_bits.hpp"

namespace support {

/// The same mask, with copies of its bytes and bits on the device.
struct far_mask {
  explicit far_mask(const list_mask& m) : here(m), bytes(m.bytes, memory_kind::device, 3), bits(m.bits) {}

  template <class Grouped>
  Grouped select(const Grouped& what) const {
    const std::uint8_t* const first = bytes.data() + here.first();
    if (here.as == mask_form::not_nan) return onefold::where(what, onefold::not_nan);
    if (here.as == mask_form::bits)
      return onefold::where(what, onefold::bitmap(bits.data(), here.offset + here.first(), {here.n}, {here.stride}));
    return onefold::where(what, onefold::array_view<std::uint8_t>(first, {here.n}, {here.stride}));
  }

  const list_mask& here;
  copied<std::uint8_t> bytes, bits;
};

template <class T>
std::vector<T> random_data(std::int64_t n, random_numbers& r) {
  auto x = summable_data<T>(n, r.bits());
  fill_nan<T>(x.data(), n, r);
  return x;
}

/// What a call left: results, or the words of an error.
template <class R>
struct attempted {
  onefold::result_array<R> results;
  std::string refused;
};
template <class R, class Call>
attempted<R> attempt(Call call) {
  attempted<R> left{onefold::result_array<R>({0}), {}};
  try {
    left.results = call();
  } catch (const onefold::error& e) {
    CHECK(e.code() == onefold::error_code::empty_input);
    left.refused = e.what();
  }
  return left;
}

template <class R>
void check_same(const onefold::result_array<R>& found, const onefold::result_array<R>& wanted) {
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (bits_of(found[i]) != bits_of(wanted[i])) {
      FAIL_CHECK("result " << i << " of " << wanted.size() << " is not the CPU's");
      return;
    }
}

template <class R>
void check_same(const attempted<R>& found, const attempted<R>& wanted) {
  CHECK(found.refused == wanted.refused);
  if (found.refused.empty() && wanted.refused.empty()) check_same(found.results, wanted.results);
}

/// Mostly gives an initial value to operations without an identity, so that an empty selection is not an error.
template <class Op>
void choose_init(onefold::options& how, random_numbers& r) {
  if constexpr (Op::takes_init)
    if (r.integer(0, 3) != 0) how.init = 1;
}

}  // namespace support
