// Files compressed by gzip (RFC 1952), read by zlib.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "input/decoder.hpp"
#include "input/progress_counter.hpp"
#include "input/source.hpp"

namespace onefold::cli {

/// Bytes at the start of a file that is_gzip looks at.
inline constexpr std::size_t gzip_start = 4;

/// Whether these bytes begin as a gzip file does.
bool is_gzip(std::span<const std::byte> start);

/// What is in the gzip file `packed`, of all its members; null where this program is built without zlib.
std::unique_ptr<decoder> gunzipped(std::unique_ptr<source>& packed, progress_counter& counted);

/// The version of zlib; empty where this program is built without it.
std::string version_of_zlib();

}  // namespace onefold::cli
