// How many elements are NaN, of all data that has a summary: what that adds to what the verbs say.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "onefold/detail/changed_elements.hpp"
#include "onefold/detail/result_forms.hpp"
#include "onefold/map_reduce.hpp"
#include "onefold/ranges.hpp"
#include "onefold/where.hpp"

namespace onefold::detail {
inline namespace ONEFOLD_LEVEL {

/// Whether an element is NaN, whatever the compiler's flags say of NaN.
template <class T>
constexpr bool has_nan_bits([[maybe_unused]] T x) {
  using C = canonical_t<T>;
  if constexpr (std::is_same_v<C, double>)
    return __builtin_bit_cast(std::uint64_t, x) << 1 > std::uint64_t{0x7ff} << 53;
  else if constexpr (is_float<C>)
    return __builtin_bit_cast(std::uint32_t, static_cast<float>(__builtin_bit_cast(C, x))) << 1 > std::uint32_t{0xff}
                                                                                                      << 24;
  else
    return false;
}

/// Changes a line of elements to 1 where they are NaN, and else 0.
struct flag_nan {
  template <class T>
  void operator()(T* line, std::int64_t n) const {
    for (std::int64_t i = 0; i < n; ++i) line[i] = static_cast<T>(has_nan_bits(line[i]) ? 1.0f : 0.0f);
  }
};

/// A bit of a bitmap.
struct bit_place {
  using difference_type = std::int64_t;
  const std::uint8_t* bytes;
  std::int64_t bit;

  friend bit_place operator+(bit_place p, std::int64_t distance) { return {p.bytes, p.bit + distance}; }
  bool operator*() const { return bytes[bit >> 3] >> (bit & 7) & 1; }
};

/// Whether a selected element is NaN.
struct selected_nan {
  template <class T, class Mask>
  constexpr bool operator()(const T& x, Mask is_selected) const {
    return is_selected && has_nan_bits(x);
  }
};
/// The same where none can be.
struct never_nan {
  template <class T>
  constexpr bool operator()(const T&) const {
    return false;
  }
};

/// The options for a count with those of a reduction: of computed elements, which need a CPU.
inline options counting(options how, bool computed) {
  how.init = {};
  how.accuracy = accuracy::native;
  if (computed && (is_accelerator(how.backend) || how.backend == backend::automatic)) {
    how.backend = backend::cpu;
    how.kernel = kernel::automatic;
    how.device = -1;
    how.devices = {};
  }
  return how;
}

/// Segments and groups.
template <class Data>
concept lists = requires(const Data& data) {
  data.values;
  data.selects;
};

/// Data of which NaN are counted.
template <class Data>
concept counts_nan = selects_not_nan<Data> || is_selected<Data> || is_mapped<Data> || is_scattered<Data>;

/// How many of the selected elements are NaN.
template <class Form, class T>
auto count_selected_nan(const Form& form, const onefold::selected<T>& what, const options& how) {
  const auto count = [&](const auto& flags) { return form.template reduce<op::count>(flags, counting(how, true)); };
  const auto x = place_view(what.view);
  const auto by_mask = [&]<class Place>(placed<Place> mask) {
    mask.axes.rank = what.mask.rank;
    std::copy_n(what.mask.axes, what.mask.rank, mask.axes.axes);
    return count(mapped_elements<selected_nan, const T*, Place>(selected_nan{}, x, mask));
  };
  const auto* const bytes = static_cast<const std::uint8_t*>(what.mask.data);
  if (what.mask.kind == mask_kind::bytes) return by_mask(placed<const std::uint8_t*>{bytes, array_of(bytes), {}});
  if (what.mask.kind == mask_kind::bits) return by_mask(placed<bit_place>{{bytes, what.mask.offset}, {}, {}});
  return count(mapped_elements<never_nan, const T*>(never_nan{}, x));
}

/// The same segments or groups, of other values.
template <class T, class Offset>
segmented<std::uint8_t, Offset> with_values(const segmented<T, Offset>& like, std::span<const std::uint8_t> values) {
  return {values, like.offsets, like.selects};
}
template <class T, class K>
keyed<std::uint8_t, K> with_values(const keyed<T, K>& like, std::span<const std::uint8_t> values) {
  return {values, like.keys, like.runs, like.selects};
}

/// How many of the selected values of segments or groups are NaN.
template <class Data>
auto count_nan_of_lists(const Data& data, const options& how) {
  const auto is_nan = [](const auto& x) { return has_nan_bits(x); };
  std::vector<std::uint8_t> flags(data.values.size());
  if (reduced<op::any>(mapped(is_nan, data.values), counting(how, true)))  // throws for values in device memory
    for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = is_nan(data.values[i]);
  auto flagged = with_values(data, flags);
  if (flagged.selects.kind == mask_kind::not_nan) flagged.selects = {};
  return reduced<op::count>(flagged, counting(how, false));
}

/// The elements that are not NaN, as a reduction in this form takes them.
template <class Data>
auto without_nan(const whole_data&, const Data& data) {
  return where(data, not_nan);
}
template <class Data>
auto without_nan(const data_along&, const Data& data) {
  return where(view_of(data), not_nan);
}

/// How many elements are NaN, in the form of a reduction's results.
template <class Form, counts_nan Data>
auto count_nan(const Form& form, const Data& data, const options& how) {
  if constexpr (is_mapped<Data>) {
    return form.template reduce<op::count>(changed_elements(flag_nan{}, data), counting(how, true));
  } else if constexpr (is_scattered<Data>) {
    return count_nan(form, source_traits<Data>::elements(data), how);
  } else if constexpr (is_selected<Data>) {
    return count_selected_nan(form, data, how);
  } else {
    if constexpr (lists<Data>)
      if (data.selects.kind != mask_kind::all) return count_nan_of_lists(data, how);
    return for_each_result([](std::int64_t all, std::int64_t others) { return all - others; },
                           form.template reduce<op::count>(data, counting(how, false)),
                           form.template reduce<op::count>(without_nan(form, data), counting(how, false)));
  }
}

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold::detail
