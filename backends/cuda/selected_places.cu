#include "selected_places.cuh"

#include <algorithm>
#include <bit>
#include <utility>

#include "onefold/detail/bit_layout.hpp"
#include "onefold/detail/cuda/shapes.cuh"
#include "selected_places.hpp"

namespace onefold::cuda {
namespace {

std::int64_t parts_of(std::int64_t n) { return std::max<std::int64_t>((n + places_of_part - 1) / places_of_part, 1); }
std::int64_t whole_words(std::int64_t bytes) { return (bytes + 15) / 16 * 16; }

/// Elements of a thread that lie beside each other, where lines allow it.
constexpr int neighbors = 4;

/// Whether they do: neighboring elements are whole words of elements, of a mask in memory, and of results.
template <place_pass Pass, class Unit>
bool are_words(const place_arguments<Unit>& p) {
  const auto follow = [&](const detail::device_axes& lines, const detail::device_axes& along, const void* first,
                          std::int64_t before, std::int64_t bytes) {
    return along.count == 1 && along.of[0].stride == 1 && before % neighbors == 0 &&
           reinterpret_cast<std::uintptr_t>(first) % std::min<std::uintptr_t>(neighbors * bytes, 16) == 0 &&
           std::all_of(lines.of, lines.of + lines.count, [](const axis& a) { return a.stride % neighbors == 0; });
  };
  return p.n % neighbors == 0 && follow(p.from, p.from_along, p.data, 0, sizeof(Unit)) &&
         (p.kind == mask_kind::not_nan ||
          follow(p.mask, p.mask_along, p.kind == mask_kind::bytes ? p.bytes : nullptr, p.offset, 1)) &&
         (Pass != place_pass::unpack || follow(p.to, p.to_along, p.out, 0, sizeof(Unit)));
}

template <class Unit, place_pass Pass, place_rule Rule, int V>
cudaError_t launch_by_length(const device_launch& how, const place_arguments<Unit>& p) {
  if constexpr (Pass != place_pass::count)
    if (p.n <= 32 * V) {
      const auto threads = static_cast<std::uint64_t>(std::max<std::int64_t>((p.n + V - 1) / V, 1));
      const int width = static_cast<int>(std::bit_ceil(threads));
      const unsigned blocks = detail::blocks_for(p.lines, place_warps * (V > 1 ? 2 : 4) * (32 / width));
      return detail::launch(how, blocks, 32 * place_warps, 0, look_at_lines<Unit, Pass, Rule, V, true>, p, width);
    }
  return detail::launch(how, detail::blocks_for(p.lines * p.parts, place_warps), 32 * place_warps, 0,
                        look_at_lines<Unit, Pass, Rule, V, false>, p, 32);
}

template <place_pass Pass, class Unit>
cudaError_t launch_pass(const device_launch& how, const place_arguments<Unit>& p) {
  const auto by = [&]<place_rule Rule>() {
    return are_words<Pass>(p) ? launch_by_length<Unit, Pass, Rule, neighbors>(how, p)
                              : launch_by_length<Unit, Pass, Rule, 1>(how, p);
  };
  if (p.from_along.count > 1 || p.mask_along.count > 1 || p.to_along.count > 1)
    return launch_by_length<Unit, Pass, place_rule::any, 1>(how, p);
  return p.kind == mask_kind::not_nan ? by.template operator()<place_rule::number>()
                                      : by.template operator()<place_rule::mask>();
}

/// Calls f(arguments) with the word of the elements' size.
template <class Function>
int with_arguments(const device_launch& how, const row_request& what, const selection& by, const row_memory& memory,
                   const void* mask, const selected_lines& lines, const Function& f) {
  const detail::bit_layout bits = detail::bit_layout_of(what.element);
  const problem &from = what.from, &results = what.to, &m = by.mask;
  const auto call = [&]<class Unit>(Unit) {
    return f(place_arguments<Unit>{
        detail::device_axes_of(from.kept, from.kept_axes),
        detail::device_axes_of(from.reduced, from.reduced_axes),
        detail::device_axes_of(m.kept, m.kept_axes),
        detail::device_axes_of(m.reduced, m.reduced_axes),
        detail::device_axes_of(results.kept, results.kept_axes),
        detail::device_axes_of(results.reduced, results.reduced_axes),
        how.first,
        from.outputs,
        from.n,
        parts_of(from.n),
        static_cast<const Unit*>(memory.data),
        static_cast<const unsigned char*>(mask),
        static_cast<Unit*>(memory.results),
        by.kind,
        by.offset,
        static_cast<Unit>(bits.sign),
        static_cast<Unit>(bits.infinity),
        static_cast<Unit>(what.operation == row_operation::log_softmax ? bits.sign | bits.infinity : 0),
        lines.counts,
        memory.weight || memory.bias ? lines.places : nullptr,
        lines.before,
        static_cast<Unit*>(lines.packed)});
  };
  switch (size_of(what.element)) {
    case 2:
      return call(std::uint16_t{});
    case 4:
      return call(std::uint32_t{});
    default:
      return call(std::uint64_t{});
  }
}

}  // namespace

selected_lines::selected_lines(void* memory, std::int64_t lines, std::int64_t n, std::int64_t element_size) {
  char* at = static_cast<char*>(memory);
  const auto next = [&](std::int64_t bytes) { return std::exchange(at, at + whole_words(bytes)); };
  packed = next(lines * n * element_size);
  before = reinterpret_cast<std::int64_t*>(next(8 * lines * parts_of(n)));
  counts = reinterpret_cast<std::int64_t*>(at);
  places = reinterpret_cast<std::uint32_t*>(counts + lines);
}

std::int64_t selected_lines::bytes(std::int64_t lines, std::int64_t n, std::int64_t element_size) {
  return whole_words(lines * n * element_size) + whole_words(8 * lines * parts_of(n)) + 8 * lines + 4 * lines * n;
}

int pack_selected(const device_launch& how, const row_request& what, const selection& by, const row_memory& memory,
                  const void* mask, const selected_lines& lines) {
  return with_arguments(how, what, by, memory, mask, lines, [&](const auto& p) {
    if (p.parts == 1) return launch_pass<place_pass::pack>(how, p);
    cudaError_t e = launch_pass<place_pass::count>(how, p);
    device_launch next = how;
    next.follows = true;
    if (e == cudaSuccess)
      e = detail::launch(next, detail::blocks_for(p.lines, 1), 1024, 0, add_up_parts, p.before, p.parts, p.lines,
                         p.counts);
    return e == cudaSuccess ? launch_pass<place_pass::pack>(next, p) : e;
  });
}

int unpack_results(const device_launch& how, const row_request& what, const selection& by, const row_memory& memory,
                   const void* mask, const selected_lines& lines) {
  return with_arguments(how, what, by, memory, mask, lines,
                        [&](const auto& p) { return launch_pass<place_pass::unpack>(how, p); });
}

}  // namespace onefold::cuda
