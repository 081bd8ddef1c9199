// Files that hold partials.
#pragma once

#include <string>

#include "onefold/dynamic_partial.hpp"

namespace onefold::cli {

/// The partial in a file. Throws failure (bad data), with the file's name, where it does not hold one.
dynamic_partial load_partial(const std::string& path);

/// Throws failure where --save-partial does not name a file that can be written: before anything is read.
void require_partial_file(const std::string& path);

/// Writes a partial as a whole or not at all, as write_file.
void save_partial(const std::string& path, const dynamic_partial& p);

/// Whether a partial has a result to show: not one that lacks the elements before it, nor one of no elements where the
/// operation needs some or an initial value.
bool has_result(const dynamic_partial& p, bool has_init);

/// "a sum of f32 at accuracy native"
std::string description_of(const dynamic_partial& p);

}  // namespace onefold::cli
