// Kinds of files that another program turns into numbers, known by their first bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace onefold::cli {

/// Bytes at the start of a file that refuse_foreign looks at.
inline constexpr std::size_t foreign_start = 4096;

/// How the user's shell gets at the bytes of an input.
struct packed_input {
  std::string path;        ///< "-" is standard input
  std::string member;      ///< of the zip archive; empty: the file itself
  bool gunzipped = false;  ///< after that

  /// Whether the bytes are those of a file as it is.
  bool is_file() const { return member.empty() && !gunzipped && path != "-"; }
  /// The path of such a file as another process may open it; empty for a pipe, which has been read from, and a device.
  std::string reopened() const;
};

/// What an input may still turn out to be.
struct foreign_rules {
  bool text = true;    ///< text, whose encoding is looked at
  bool json = true;    ///< numbers between brackets are not a table's
  bool raw = false;    ///< elements without a header
  bool table = false;  ///< a column of a table is asked for
};

/// The program's command line without its files.
struct rerun_line {
  std::string command;
  bool one_of_several = false;  ///< the command line had more files than the one that a message is about
};

/// Throws bad_data for a file of another kind, with the command line that reduces it, for which `rerun` is the end.
/// Does nothing where the bytes say nothing.
void refuse_foreign(std::span<const std::byte> start, const packed_input& from, const foreign_rules& rules,
                    const rerun_line& rerun);

/// Throws bad_data for what this program is built without: gzip, or zip and the member asked for.
[[noreturn]] void refuse_gzip(const packed_input& from, const rerun_line& rerun);
[[noreturn]] void refuse_zip(const packed_input& from, const rerun_line& rerun);

}  // namespace onefold::cli
