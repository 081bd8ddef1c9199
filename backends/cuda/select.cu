#include "select.hpp"

#include <algorithm>
#include <bit>

#include "errors.hpp"
#include "onefold/detail/bit_layout.hpp"
#include "scratch.hpp"
#include "select.cuh"

namespace onefold::cuda {
namespace {

device_axes axes_of(const axis* axes, std::int32_t count) {
  device_axes to{count, {}};
  std::copy_n(axes, count, to.of);
  return to;
}

std::int64_t chunks_of(std::int64_t elements) { return (elements + chunk - 1) / chunk; }

/// In memory: the elements, the offsets, and what is before each chunk.
selection_arguments arguments_of(const problem& shape, const selection& by, std::int64_t element_size,
                                 const device_segments& outputs, std::int64_t first, const void* data, const void* mask,
                                 void* memory) {
  const std::int64_t all = shape.outputs * shape.n;
  auto* const offsets =
      reinterpret_cast<std::int64_t*>(static_cast<char*>(memory) + rounded_up(all * element_size + 16));
  const problem& m = by.mask;
  return {axes_of(shape.kept, shape.kept_axes),
          axes_of(shape.reduced, shape.reduced_axes),
          axes_of(m.kept, m.kept_axes),
          axes_of(m.reduced, m.reduced_axes),
          shape.n,
          all,
          static_cast<const char*>(data),
          static_cast<const unsigned char*>(mask),
          by.kind,
          by.offset,
          detail::bit_layout_of(by.element).infinity,
          static_cast<int>(element_size),
          {outputs.offsets, outputs.wide, first, outputs.count, outputs.device_count, offsets},
          offsets + outputs.count + 1};
}

template <class Unit>
void launch_move(const selection_arguments& p, unsigned blocks, void* to, cudaStream_t stream) {
  move<Unit>
      <<<blocks, threads, 0, stream>>>(p, static_cast<Unit*>(to), p.element_size / static_cast<int>(sizeof(Unit)));
}

}  // namespace

selector::selector(const problem& shape, const selection& by, std::int64_t element_size)
    : shape_(shape), by_(by), element_size_(element_size), first_(0), outputs_{0, 0, nullptr, shape.outputs, false} {
  require_countable();
}

selector::selector(const device_segments& segments, std::int64_t first, std::int64_t n, const list_selection& by,
                   std::int64_t element_size)
    : shape_(problem_of_list(n)),
      by_(selection_of(by, n)),
      element_size_(element_size),
      first_(first),
      outputs_(segments) {
  require_countable();
}

void selector::require_countable() const {
  if (chunks_of(elements()) > 0x7fffffff)
    throw error(error_code::unsupported, "backend cuda selects from at most 2^43 elements");
}

std::int64_t selector::bytes(std::int64_t elements, std::int64_t outputs, std::int64_t element_size) {
  return rounded_up(elements * element_size + 16) + 8 * (outputs + 1 + chunks_of(elements));
}

device_segments selector::launch(const void* data, const void* mask, void* memory, cudaStream_t stream) const {
  const selection_arguments p = arguments_of(shape_, by_, element_size_, outputs_, first_, data, mask, memory);
  const std::int64_t chunks = chunks_of(p.all);
  if (chunks == 0) {
    check(cudaMemsetAsync(p.outputs.offsets, 0, static_cast<std::size_t>(8 * (outputs_.count + 1)), stream),
          "a memset");
  } else {
    const auto blocks = static_cast<unsigned>(chunks);
    count<<<blocks, threads, 0, stream>>>(p);
    add_up<<<1, 1024, 0, stream>>>(p.before, chunks);
    // The largest parts that elements consist of, wherever they are.
    const auto part =
        std::countr_zero(reinterpret_cast<std::uintptr_t>(data) | static_cast<std::uintptr_t>(element_size_));
    if (part >= 3)
      launch_move<std::uint64_t>(p, blocks, memory, stream);
    else if (part == 2)
      launch_move<std::uint32_t>(p, blocks, memory, stream);
    else if (part == 1)
      launch_move<std::uint16_t>(p, blocks, memory, stream);
    else
      launch_move<unsigned char>(p, blocks, memory, stream);
  }
  check(cudaGetLastError(), "the launch of a kernel");
  return {p.all, p.all, p.outputs.offsets, outputs_.count, true, outputs_.device_count};
}

void selector::launch_indices(const void* data, const void* mask, void* memory, std::int64_t* indices,
                              cudaStream_t stream) const {
  const selection_arguments p = arguments_of(shape_, by_, element_size_, outputs_, first_, data, mask, memory);
  if (p.all == 0) return;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((outputs_.count + warps - 1) / warps, 1 << 16));
  find_indices<<<blocks, threads, 0, stream>>>(p, indices);
  check(cudaGetLastError(), "the launch of a kernel");
}

}  // namespace onefold::cuda
