// From the name of an input to the bytes of its array: archives and compressed files are opened on the way.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "input/foreign.hpp"
#include "input/progress_counter.hpp"
#include "input/source.hpp"

namespace onefold::cli {

/// An input whose bytes can be read.
struct opened_input {
  std::unique_ptr<source> bytes;
  std::string name;   ///< the name that tells what is inside: of the member, without .gz
  packed_input from;  ///< what it took to get there
};

/// Whether a word names standard input, - or -:MEMBER.
bool is_standard_input(std::string_view word);

/// The file of `word`, FILE or FILE:MEMBER, and the member, if any. A file with the whole name wins.
packed_input split_member(const std::string& word);

/// Opens an input. Known by their first bytes, gzip data and zip archives are unpacked; as they are (`as_is`) only
/// where the name says so, too. The counter already expects the bytes of a regular file. `rerun`: as for
/// refuse_foreign.
opened_input open_input(const std::string& word, bool as_is, const rerun_line& rerun, progress_counter& counted);

}  // namespace onefold::cli
