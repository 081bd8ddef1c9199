// Loads objects that operations as text were compiled to, and the folders that they are compiled in.
#pragma once

#include <filesystem>
#include <string>

#include "onefold/detail/source_record.hpp"
#include "source/files.hpp"

namespace onefold::detail {

/// A new folder within the cache or, where none can be made there or `cache` is empty, within TMPDIR or /tmp. Throws
/// unsupported where none can be made at all.
temporary_folder room_within(const std::filesystem::path& cache);

/// The record of an object, or null with the reason.
const source_record* load_object(const std::filesystem::path& object, std::string* why_not);

/// The same of an object in the cache; where it cannot be loaded, of a copy in TMPDIR or /tmp: the cache's file system
/// may not let programs run.
const source_record* load_object_or_copy(const std::filesystem::path& object, std::string* why_not);

}  // namespace onefold::detail
