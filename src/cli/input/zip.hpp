// Members of zip archives, among them NumPy's .npz, read by libzip.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "input/decoder.hpp"
#include "input/progress_counter.hpp"
#include "input/source.hpp"

namespace onefold::cli {

/// Bytes at the start of a file that is_zip looks at.
inline constexpr std::size_t zip_start = 4;

/// Whether these bytes begin as a zip archive does, an empty one included.
bool is_zip(std::span<const std::byte> start);

/// A member of an archive: its name there, and its bytes.
struct zip_member {
  std::string name;
  std::unique_ptr<decoder> content;  ///< null where this program is built without libzip
};

/// Opens the member that is called `wanted`, or `wanted`.npy; with an empty name the only one. Takes the archive over:
/// a stream is kept in memory, as the directory of a zip archive stands at its end. Throws bad_data for a damaged
/// archive, and with the list of members where none is the one that is meant.
zip_member open_member(std::unique_ptr<source>& archive, const std::string& wanted, progress_counter& counted);

/// The version of libzip; empty where this program is built without it.
std::string version_of_libzip();

}  // namespace onefold::cli
