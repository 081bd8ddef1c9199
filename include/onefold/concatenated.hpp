// Arrays in separate pieces: sum(concatenated(pieces)), with the bits of a reduction of one array.
#pragma once

#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>

#include "onefold/detail/sortable.hpp"
#include "onefold/partial.hpp"
#include "onefold/selection.hpp"

namespace onefold {
inline namespace ONEFOLD_LEVEL {

/// Pieces that the caller owns, as one array; `concatenated` returns it.
template <class Pieces>
struct concatenation {
  const Pieces* pieces;  ///< contiguous ranges
};

/// The elements of contiguous ranges, one piece after the other, as one array to reduce: `sum(concatenated(chunks))` of
/// a std::vector<std::vector<float>>, or of a std::list of spans. Each result has the bits of `reduce` over one copy of
/// them all; an index (argmax) counts from the first piece. Pieces in host memory are reduced on CPUs, by all threads
/// where a piece has a page or more, and pieces in device memory on their device. A GPU's backend is an error
/// (unsupported), and so is a CPU's for pieces in device memory (invalid_argument). Whole pages are not copied.
template <class Pieces>
concatenation<Pieces> concatenated(const Pieces& pieces) {
  static_assert(std::ranges::input_range<const Pieces>,
                "onefold: concatenated takes a range of pieces, such as a std::vector<std::vector<float>>");
  static_assert(!std::ranges::input_range<const Pieces> ||
                    contiguous_elements<std::remove_cvref_t<std::ranges::range_reference_t<const Pieces>>>,
                "onefold: each piece must be a contiguous range: a std::vector, a std::array or a std::span");
  return {&pieces};
}

/// @cond
// Diagnostic for pieces that are given one by one.
template <verb_argument First, verb_argument Second, verb_argument... More>
concatenation<std::span<const std::span<const double>>> concatenated(const First&, const Second&, const More&...) {
  static_assert(!verb_argument<First>,
                "onefold: concatenated takes one range of pieces: write sum(concatenated(std::array{std::span(x), "
                "std::span(y)}))");
  return {};
}
/// @endcond

/// Pieces are reduced to one result.
template <std::ranges::input_range Pieces>
requires contiguous_elements<std::remove_cvref_t<std::ranges::range_reference_t<const Pieces>>>
struct source_traits<concatenation<Pieces>> {
  using piece = std::remove_cvref_t<std::ranges::range_reference_t<const Pieces>>;
  using element_type = typename source_traits<piece>::element_type;
  static constexpr bool has_axes = false;
  template <class R>
  using results = R;

  /// A copy of the elements. Throws unsupported for a piece in device memory.
  static result_array<element_type> stored(const concatenation<Pieces>& all) {
    std::int64_t n = 0;
    for (const auto& piece : *all.pieces) n += std::ssize(piece);
    result_array<element_type> elements({n});
    element_type* to = elements.data();
    for (const auto& piece : *all.pieces) {
      if (std::ssize(piece) == 0) continue;
      detail::copy_elements(std::data(piece), problem_of_list(std::ssize(piece)), sizeof(element_type), to);
      to += std::ssize(piece);
    }
    return elements;
  }

  template <class Op, class R>
  static R reduce(const concatenation<Pieces>& all, const options& how, const Op& op, run_report* ran) {
    accumulator<element_type, Op> folded(partial<element_type, Op>(0, how.accuracy, op), how);
    for (const auto& piece : *all.pieces) folded.push(std::data(piece), std::ssize(piece));
    if (ran) *ran = folded.report();
    return folded.template result<R>();
  }
};

}  // namespace ONEFOLD_LEVEL
}  // namespace onefold
