// Kernels of operations as text, which the stand-in for CUDA looks at and does not run.
#pragma once

#include <cstring>
#include <string_view>

#include "onefold/backend.hpp"

namespace fake_cuda {

using namespace onefold;

/// The record of a text's kernels: which there are.
struct named_kernels : device_fold {
  bool arrays, shapes, segments;
};

/// Takes the machine code of a GPU whose kernels have these names, or says what is wrong.
inline const char* load_named(const loadable_kernels& from, const device_fold** loaded) {
  if (std::memcmp(from.image, "\177ELF", 4) != 0) return "no machine code";
  if (std::string_view(from.layout_variable) != "onefold_layout") return "no layout";
  bool all_are = true;
  const auto has = [&](const char* name, const char* of) {
    all_are = all_are && (!name || (std::string_view(name).starts_with("_Z") &&
                                    std::string_view(name).find(of) != std::string_view::npos));
    return name != nullptr;
  };
  bool columns = true;
  for (const char* name : from.columns) columns = has(name, "fold_columns") && columns;
  const bool tiles = has(from.tiles, "fold_tiles"), segments = has(from.segments, "fold_segments");
  const bool scattered = has(from.scattered, "fold_scattered"), join = has(from.join, "join_pages");
  const bool pages = has(from.pages, "fold_pages"), find = has(from.find_tiles, "find_tiles");
  if (!all_are) return "a kernel in another's place";
  if (from.layout.has_tiles ? scattered : tiles || segments || columns) return "kernels that the layout does not take";
  auto* const made = new named_kernels{};
  made->arrays = pages;
  made->shapes = join && (scattered || (columns && tiles && segments));
  made->segments = join && find && (scattered || segments);
  *loaded = made;
  return nullptr;
}

/// Whether a session of an operation as text has the kernels that it will launch.
inline bool has_kernels(const accelerator_work& what) {
  if (what.operation >= 0 || !what.host->device || what.host->device->launch) return true;
  const auto& there = static_cast<const named_kernels&>(*what.host->device);
  if (what.segmented || what.selects || what.keys != dtype::other) return there.segments;
  return what.shape ? there.shapes : there.arrays;
}

}  // namespace fake_cuda
