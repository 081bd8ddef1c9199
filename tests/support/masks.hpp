// Masks that are made up at random, in every form, and elements that are NaN.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "onefold/where.hpp"
#include "support/data.hpp"
#include "support/number.hpp"
#include "support/views.hpp"

namespace support {

/// How a mask is handed over.
enum class mask_form { bytes, bools, bits, not_nan };

template <class T>
bool is_nan(const void* element) {
  T x;
  std::memcpy(&x, element, sizeof x);
  if constexpr (is_float<T>)
    return std::isnan(static_cast<double>(value_of(x)));
  else
    return false;
}

/// Makes some elements NaN, of either sign and with any payload.
template <class T>
void fill_nan(void* to, std::int64_t n, random_numbers& r) {
  if constexpr (is_float<T>) {
    const int rate = r.integer(0, 3);  // none, few, half, all
    for (std::int64_t i = 0; i < n; ++i) {
      if (rate == 0 || (rate == 1 && r.integer(0, 30) != 0) || (rate == 2 && r.integer(0, 1) == 0)) continue;
      const T x = nearest<T>(std::numeric_limits<double>::quiet_NaN());
      char bytes[sizeof x];
      std::memcpy(bytes, &x, sizeof x);
      bytes[0] = static_cast<char>(r.integer(0, 15));
      bytes[sizeof x - 1] = static_cast<char>(bytes[sizeof x - 1] ^ (r.integer(0, 1) << 7));
      std::memcpy(static_cast<char*>(to) + i * static_cast<std::int64_t>(sizeof x), bytes, sizeof x);
    }
  }
}

/// A mask that was made up: a byte for each place, and the same as bits.
struct stored_mask {
  mask_form as;
  std::vector<unsigned char> bytes;
  std::vector<unsigned char> bits;
  std::int64_t offset = 0;  ///< of the first place's bit
};

/// A mask of `size` places: none, all, few, half, most, alternating, runs, or the last ones only.
inline stored_mask random_mask(random_numbers& r, std::int64_t size) {
  stored_mask m{static_cast<mask_form>(r.integer(0, 3)), {}, {}, r.integer(0, 1) == 0 ? 0 : r.integer(1, 70)};
  m.bytes.resize(static_cast<std::size_t>(size));
  m.bits.resize(static_cast<std::size_t>((m.offset + size + 7) / 8));
  for (unsigned char& b : m.bits) b = static_cast<unsigned char>(r.bits());
  const int kind = r.integer(0, 8), step = r.integer(2, 5);
  std::int64_t run = 0;
  bool selects = false;
  for (std::int64_t i = 0; i < size; ++i) {
    if (kind == 6 && run-- == 0) {
      selects = !selects;
      run = r.integer(0, 200);
    }
    const bool is = kind == 0   ? false
                    : kind == 1 ? true
                    : kind == 2 ? r.integer(0, 99) == 0
                    : kind == 3 ? r.integer(0, 1) == 0
                    : kind == 4 ? r.integer(0, 99) != 0
                    : kind == 5 ? i % step == 0
                    : kind == 6 ? selects
                    : kind == 7 ? i >= size - 100
                                : r.integer(0, 9) != 0;
    const int set = m.as == mask_form::bytes && r.integer(0, 1) == 0 ? 1 << r.integer(0, 7) : 1;
    m.bytes[static_cast<std::size_t>(i)] = static_cast<unsigned char>(is ? set : 0);
    const std::int64_t bit = m.offset + i;
    unsigned char& byte = m.bits[static_cast<std::size_t>(bit / 8)];
    byte = static_cast<unsigned char>((byte & ~(1 << bit % 8)) | is << bit % 8);
  }
  return m;
}

/// A mask of a view, which lies in memory in its own way; its first element has the place places.before.
struct made_up_mask : stored_mask {
  made_up_view places;
};

/// What a mask selects of a view.
template <class T>
onefold::selected<T> selected(const onefold::array_view<T>& view, const made_up_mask& mask) {
  const unsigned char* const bytes = mask.bytes.data() + mask.places.before;
  switch (mask.as) {
    case mask_form::bytes:
      return onefold::where(view, view_of<std::uint8_t>(bytes, mask.places.axes));
    case mask_form::bools:
      return onefold::where(view, view_of<bool>(bytes, mask.places.axes));
    case mask_form::bits: {
      onefold::extents extents;
      onefold::strides strides;
      for (const onefold::axis& a : mask.places.axes) {
        extents.push_back(a.extent);
        strides.push_back(a.stride);
      }
      return onefold::where(view,
                            onefold::bitmap(mask.bits.data(), mask.offset + mask.places.before, extents, strides));
    }
    default:
      return onefold::where(view, onefold::not_nan);
  }
}

/// A mask of the n values of segments or groups, `stride` places apart: of one after the other, of some of more places,
/// backwards, or of one place for all.
struct list_mask : stored_mask {
  std::int64_t n = 0, stride = 1;

  std::int64_t first() const { return stride < 0 ? (n - 1) * -stride : 0; }
  /// Whether it selects value i, which is at `x`.
  template <class T>
  bool selects(std::int64_t i, const T* x) const {
    return as == mask_form::not_nan ? !is_nan<T>(x) : bytes[static_cast<std::size_t>(first() + i * stride)] != 0;
  }
  std::string text() const { return "mask " + std::to_string(static_cast<int>(as)) + " by " + std::to_string(stride); }
};
inline list_mask random_list_mask(random_numbers& r, std::int64_t n) {
  const std::int64_t strides[] = {1, 1, 1, 1, 2, 3, -1, -2, 0};
  const std::int64_t stride = n == 0 ? 1 : strides[r.bits() % std::size(strides)];
  return {random_mask(r, n == 0 ? 0 : (n - 1) * std::abs(stride) + 1), n, stride};
}

/// Segments or groups of which a mask selects.
template <class Grouped>
Grouped masked(const Grouped& what, const list_mask& m) {
  const unsigned char* const bytes = m.bytes.data() + m.first();
  const auto size = static_cast<std::size_t>(m.n);
  switch (m.as) {
    case mask_form::bytes:
      if (m.stride == 1) return onefold::where(what, std::span(bytes, size));
      return onefold::where(what, onefold::array_view<std::uint8_t>(bytes, {m.n}, {m.stride}));
    case mask_form::bools:
      return onefold::where(what, onefold::array_view<bool>(reinterpret_cast<const bool*>(bytes), {m.n}, {m.stride}));
    case mask_form::bits:
      return onefold::where(what, onefold::bitmap(m.bits.data(), m.offset + m.first(), {m.n}, {m.stride}));
    default:
      return onefold::where(what, onefold::not_nan);
  }
}

}  // namespace support
