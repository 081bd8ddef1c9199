#include "selected_places.cuh"

#include <algorithm>
#include <bit>

#include "onefold/detail/bit_layout.hpp"
#include "onefold/detail/cuda/shapes.cuh"
#include "selected_places.hpp"

namespace onefold::cuda {
namespace {

std::int64_t parts_of(std::int64_t n) { return std::max<std::int64_t>((n + places_of_part - 1) / places_of_part, 1); }

template <class Unit>
cudaError_t launch(device_launch how, const place_arguments<Unit>& p) {
  const int width = static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(std::clamp<std::int64_t>(p.n, 1, 32))));
  const unsigned blocks = detail::blocks_for(p.lines * p.parts, place_warps * (32 / width));
  if (p.parts > 1) {
    cudaError_t e = detail::launch(how, blocks, 32 * place_warps, 0, look_at_parts<Unit, true>, p, width);
    how.follows = true;
    if (e == cudaSuccess)
      e = detail::launch(how, detail::blocks_for(p.lines, 1), 1024, 0, add_up_parts, p.before, p.parts, p.lines,
                         p.counts);
    if (e != cudaSuccess) return e;
  }
  return detail::launch(how, blocks, 32 * place_warps, 0, look_at_parts<Unit, false>, p, width);
}

template <class Unit>
cudaError_t launch_over(const device_launch& how, const row_request& what, const selection& by,
                        const row_memory& memory, const void* mask, void* to) {
  const detail::bit_layout bits = detail::bit_layout_of(what.element);
  const problem &from = what.from, &results = what.to, &m = by.mask;
  const bool gives_one = what.operation == row_operation::logsumexp;
  auto* const counts = static_cast<std::int64_t*>(to);
  auto* const places = reinterpret_cast<std::uint32_t*>(counts + from.outputs);
  char* const end = reinterpret_cast<char*>(places + from.outputs * from.n);
  return launch<Unit>(how,
                      {detail::device_axes_of(from.kept, from.kept_axes),
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
                       gives_one ? nullptr : static_cast<Unit*>(memory.results),
                       by.kind,
                       by.offset,
                       static_cast<Unit>(bits.sign),
                       static_cast<Unit>(bits.infinity),
                       static_cast<Unit>(what.operation == row_operation::log_softmax ? bits.sign | bits.infinity : 0),
                       counts,
                       places,
                       reinterpret_cast<std::int64_t*>(end + (8 - reinterpret_cast<std::uintptr_t>(end) % 8) % 8)});
}

}  // namespace

std::int64_t place_bytes(std::int64_t lines, std::int64_t n) {
  return 8 * lines + (4 * lines * n + 7) / 8 * 8 + 8 * lines * parts_of(n);
}

int find_places(const device_launch& how, const row_request& what, const selection& by, const row_memory& memory,
                const void* mask, void* to) {
  switch (size_of(what.element)) {
    case 2:
      return launch_over<std::uint16_t>(how, what, by, memory, mask, to);
    case 4:
      return launch_over<std::uint32_t>(how, what, by, memory, mask, to);
    default:
      return launch_over<std::uint64_t>(how, what, by, memory, mask, to);
  }
}

}  // namespace onefold::cuda
