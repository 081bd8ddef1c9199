#include "text_fold.hpp"

#include <cstring>
#include <memory>

#include "errors.hpp"
#include "onefold/detail/cuda/make_device_fold.cuh"

namespace onefold::cuda {
namespace {

/// An operation whose type is not known here, as the last part of a kernel's arguments.
struct raw_fold {
  using state = unsigned char;
  static constexpr int most_bytes = 2048;  // all arguments of a kernel have at most 4096
  unsigned char bytes[most_bytes];
};
using raw_element = unsigned char;

/// The record of a text's fold, with what its launches need.
struct text_fold : device_fold {
  const void* pages;
  detail::page_kernels of_outputs;
  const void* find_tiles;
  const void* join;

  static const text_fold& of(const device_fold& self) { return static_cast<const text_fold&>(self); }
  raw_fold object(const void* op) const {
    raw_fold copy;
    std::memcpy(copy.bytes, op, static_cast<std::size_t>(layout.fold));
    return copy;
  }
};

std::int64_t slot_bytes(const device_fold& self, std::int64_t n, int) {
  return detail::page_slot_bytes(text_fold::of(self).layout, n);
}

const char* why_not(const device_fold&, int rung) {
  return detail::is_canonical(rung) ? nullptr : detail::no_ladder::why_not(rung);
}

int launch(const device_fold& self, const device_launch& how) {
  const text_fold& f = text_fold::of(self);
  if (!f.pages) return cudaErrorInvalidDeviceFunction;
  return detail::launch_pages_of(f.layout, how, f.pages,
                                 detail::arguments_for<raw_fold, raw_element>(f.object(how.op), how.n, how));
}

std::int64_t shape_slot_bytes(const device_fold& self, const problem& p) {
  return detail::shape_slot_bytes(text_fold::of(self).layout, p);
}

int launch_shape(const device_fold& self, const device_launch& how, const problem& p, std::int32_t distance) {
  const text_fold& f = text_fold::of(self);
  if (!f.of_outputs.tiles && !f.of_outputs.scattered) return cudaErrorInvalidDeviceFunction;
  return detail::launch_shape_by(
      how, p, f.join, detail::shape_arguments<raw_fold, raw_element>(f.layout, f.object(how.op), how, p, distance),
      [&](const device_launch& first, const problem& of, const auto& a) {
        return detail::launch_pages_by(f.layout, f.of_outputs, first, of, a);
      });
}

std::int64_t segment_slot_bytes(const device_fold& self, std::int64_t segments, std::int64_t elements) {
  return detail::segment_slot_bytes(text_fold::of(self).layout, segments, elements);
}

int launch_segments(const device_fold& self, const device_launch& how, const device_segments& s,
                    std::int32_t distance) {
  const text_fold& f = text_fold::of(self);
  if (!f.find_tiles) return cudaErrorInvalidDeviceFunction;
  return detail::launch_segments_by<raw_fold, raw_element>(f.layout, {f.find_tiles, f.of_outputs, f.join},
                                                           f.object(how.op), how, s, distance);
}

bool are_equal(const fold_layout& a, const fold_layout& b) {
  return a.fold == b.fold && a.element == b.element && a.lane == b.lane && a.state == b.state &&
         a.state_align == b.state_align && a.has_tiles == b.has_tiles && a.may_be_misaligned == b.may_be_misaligned;
}

}  // namespace

const device_fold& load_text_fold(const loadable_kernels& from) {
  if (from.layout.fold > raw_fold::most_bytes)
    throw error(error_code::unsupported, "on a GPU an operation as text has at most " +
                                             std::to_string(raw_fold::most_bytes) + " bytes of members");
  cudaLibrary_t library = nullptr;
  check(cudaLibraryLoadData(&library, from.image, nullptr, nullptr, 0, nullptr, nullptr, 0),
        "loading the kernels of an operation as text");
  void* place = nullptr;
  std::size_t bytes = 0;
  fold_layout layout{};
  check(cudaLibraryGetGlobal(&place, &bytes, library, from.layout_variable), "the layout of an operation as text");
  if (bytes == sizeof layout) check(cudaMemcpy(&layout, place, bytes, cudaMemcpyDefault), "a copy");
  if (!are_equal(layout, from.layout))
    throw error(error_code::unsupported,
                "the C++ compiler and NVRTC lay it out differently; does CXX have options that change that?");
  const auto kernel = [&](const char* name) {
    cudaKernel_t found = nullptr;
    if (name) check(cudaLibraryGetKernel(&found, library, name), "a kernel of an operation as text");
    return static_cast<const void*>(found);
  };
  auto made = std::make_unique<text_fold>();
  made->size = sizeof(device_fold);
  made->layout = from.layout;
  made->slot_bytes = slot_bytes;
  made->why_not = why_not;
  made->launch = launch;
  made->shape_slot_bytes = shape_slot_bytes;
  made->launch_shape = launch_shape;
  made->segment_slot_bytes = segment_slot_bytes;
  made->launch_segments = launch_segments;
  made->pages = kernel(from.pages);
  for (int i = 0; i < 4; ++i) made->of_outputs.columns[i] = kernel(from.columns[i]);
  made->of_outputs.tiles = kernel(from.tiles);
  made->of_outputs.segments = kernel(from.segments);
  made->of_outputs.scattered = kernel(from.scattered);
  made->find_tiles = kernel(from.find_tiles);
  made->join = kernel(from.join);
  return *made.release();
}

}  // namespace onefold::cuda
