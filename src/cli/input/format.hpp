// Which kind of file an input is: asked for, or found out by a fixed rule.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "input/source.hpp"

namespace onefold::cli {

/// The kinds of input.
enum class input_format : unsigned char { automatic, npy, raw, text, columnar };

/// The names of the kinds, in their order.
inline constexpr std::string_view input_format_names[] = {"auto", "npy", "raw", "text", "columnar"};
/// Those that --input takes: a Parquet or Arrow file is known by its first bytes alone.
inline constexpr auto asked_format_names = std::span(input_format_names).first<4>();

/// The rule for `automatic`, for help texts.
inline constexpr const char* format_rule =
    "auto reads files that begin with \\x93NUMPY or are named .npy as .npy; files named .txt .text .csv .tsv or "
    ".dat, or read with --column, as text; files named .bin or .raw as raw; anything else is text, but with --dtype it "
    "is raw if its first 4096 bytes are not all printable ASCII or white space. Names count without .gz. raw reads a "
    "file's bytes unchanged, unless it is named .gz or .npz or a member is asked for.";

/// Applies that rule. `has_type`: --dtype is given; `has_column`: --column is. Reads the start of the source.
input_format find_format(const std::string& path, source& in, bool has_type, bool has_column);

}  // namespace onefold::cli
