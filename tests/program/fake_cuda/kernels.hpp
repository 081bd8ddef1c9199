// Kernels of operations as text, which the stand-in for CUDA looks at and does not run.
#pragma once

#include <cstring>
#include <string_view>

#include "program/fake_cuda/session.hpp"

namespace fake_cuda {

/// Takes the machine code of a GPU whose kernels have these names.
inline bool load_kernels(const loadable_kernels& from, const device_fold** loaded, accelerator_failure* failed) {
  static constexpr device_fold none{};
  if (std::memcmp(from.bytes,
                  "\x7f"
                  "ELF",
                  4) != 0)
    return fails(failed, error_code::device, "no machine code");
  int kernels = 0;
  const auto is_kernel = [&](const char* name, const char* of) {
    if (!name) return true;
    ++kernels;
    return std::string_view(name).starts_with("_Z") && std::string_view(name).find(of) != std::string_view::npos;
  };
  bool good = is_kernel(from.pages, "fold_pages") && is_kernel(from.tiles, "fold_tiles") &&
              is_kernel(from.segments, "fold_segments") && is_kernel(from.scattered, "fold_scattered") &&
              is_kernel(from.find_tiles, "find_tiles") && is_kernel(from.join, "join_pages");
  for (const char* name : from.columns) good = good && is_kernel(name, "fold_columns");
  if (!good || kernels == 0) return fails(failed, error_code::device, "no kernel, or one in another's place");
  *loaded = &none;
  return true;
}

}  // namespace fake_cuda
