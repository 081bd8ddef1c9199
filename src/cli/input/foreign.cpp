// The table of magic numbers, and the command lines.
#include "input/foreign.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "input/columnar.hpp"
#include "input/failure.hpp"
#include "input/shell.hpp"
#include "input/text.hpp"

namespace onefold::cli {
namespace {

using namespace std::string_view_literals;

/// Placeholders of the commands: {} is the file, which a filter reads from standard input, too.
struct foreign_kind {
  std::string_view name;
  std::string_view magic;
  std::size_t offset = 0;
  std::string_view filter = {};   ///< writes to standard output
  std::string_view command = {};  ///< the same for what needs a file of its own; neither: the program reads the file
};

#define ONEFOLD_ARRAY_BY(modules, array) \
  "python3 -c \"import sys, numpy, " modules "; numpy.save(open(1, 'wb', 0), " array ")\" {}"

constexpr foreign_kind kinds[] = {
    {"data compressed by zstd", "\x28\xb5\x2f\xfd", 0, "zstd -dc"},
    {"data compressed by xz", "\xfd\x37zXZ\0"sv, 0, "xz -dc"},
    {"data compressed by bzip2", "1AY&SY", 4, "bzip2 -dc"},
    {"data compressed by lz4", "\x04\x22\x4d\x18", 0, "lz4 -dc"},
    {"data compressed by lzip", "LZIP\1", 0, "lzip -dc"},
    {"data compressed by gzip", "\x1f\x8b\x08", 0, "gzip -dc"},
    {"a tar archive", "ustar", 257, {}, "tar -xOf {} MEMBER"},
    {"a 7z archive", "7z\xbc\xaf\x27\x1c", 0, {}, "7z e -so {} MEMBER"},
    {"a zip archive", "PK\x03\x04", 0, {}, "unzip -p {} MEMBER"},
    {"a Parquet file", "PAR1"},
    {"an Arrow (Feather) file", "ARROW1"},
    {"a Feather file", "FEA1", 0, {}, ONEFOLD_ARRAY_BY("pandas", "pandas.read_feather(sys.argv[1])['COLUMN']")},
    {"an ORC file", "ORC\x0a", 0, {}, ONEFOLD_ARRAY_BY("pandas", "pandas.read_orc(sys.argv[1])['COLUMN']")},
    {"an HDF5 file", "\x89HDF\r\n\x1a\n", 0, {}, ONEFOLD_ARRAY_BY("h5py", "h5py.File(sys.argv[1])['DATASET'][()]")},
    {"an HDF5 file (MATLAB 7.3)",
     "\x89HDF\r\n\x1a\n",
     512,
     {},
     ONEFOLD_ARRAY_BY("h5py", "h5py.File(sys.argv[1])['VARIABLE'][()]")},
    {"a MATLAB file",
     "MATLAB 5.0 MAT-file",
     0,
     {},
     ONEFOLD_ARRAY_BY("scipy.io", "scipy.io.loadmat(sys.argv[1])['VARIABLE']")},
    {"a NetCDF file",
     "CDF\1",
     0,
     {},
     ONEFOLD_ARRAY_BY("scipy.io", "scipy.io.netcdf_file(sys.argv[1]).variables['VARIABLE'][:]")},
    {"a NetCDF file",
     "CDF\2",
     0,
     {},
     ONEFOLD_ARRAY_BY("scipy.io", "scipy.io.netcdf_file(sys.argv[1]).variables['VARIABLE'][:]")},
    {"a FITS file", "SIMPLE  =", 0, {}, ONEFOLD_ARRAY_BY("astropy.io.fits", "astropy.io.fits.getdata(sys.argv[1])")},
    {"an SQLite database", "SQLite format 3\0"sv, 0, {}, "sqlite3 {} 'SELECT column FROM table'"},
    {"a PDF document", "%PDF-", 0, {}, "pdftotext -layout {} -"},
};

constexpr foreign_kind arrow_stream{"an Arrow stream", ""};
constexpr foreign_kind utf_32{"text in UTF-32", "", 0, "iconv -f UTF-32 -t UTF-8"};
constexpr foreign_kind utf_16{"text in UTF-16", "", 0, "iconv -f UTF-16 -t UTF-8"};
constexpr foreign_kind utf_16_little{"text in UTF-16", "", 0, "iconv -f UTF-16LE -t UTF-8"};
constexpr foreign_kind utf_16_big{"text in UTF-16", "", 0, "iconv -f UTF-16BE -t UTF-8"};
constexpr foreign_kind json_list{
    "JSON", "", 0, {}, "python3 -c \"import sys, json; print(*json.load(open(sys.argv[1])))\" {}"};
constexpr foreign_kind json_object{
    "JSON", "", 0, {}, "python3 -c \"import sys, json; print(*json.load(open(sys.argv[1]))['KEY'])\" {}"};
constexpr foreign_kind json_lines{
    "JSON lines",
    "",
    0,
    {},
    "python3 -c \"import sys, json; print(*(json.loads(line)['KEY'] for line in open(sys.argv[1])))\" {}"};

#undef ONEFOLD_ARRAY_BY

/// Bytes of ASCII text, each beside a zero, from `first` on.
bool is_wide_text(std::string_view start, std::size_t first) {
  if (start.size() < 4) return false;
  for (std::size_t i = 0; i + 1 < start.size(); i += 2) {
    const char c = start[i + first];
    if (start[i + 1 - first] != '\0' || !(is_space(c) || (c > ' ' && c < '\x7f'))) return false;
  }
  return true;
}

const foreign_kind* encoding_of(std::string_view start, const foreign_rules& rules) {
  if (rules.text && start.starts_with("\xff\xfe\0\0"sv)) return &utf_32;
  const bool mark_little = start.starts_with("\xff\xfe"), mark_big = start.starts_with("\xfe\xff");
  if (mark_little || mark_big) return rules.text || is_wide_text(start.substr(2), mark_big ? 1 : 0) ? &utf_16 : nullptr;
  if (!rules.text) return nullptr;
  const bool little = is_wide_text(start, 0), big = is_wide_text(start, 1);
  return little ? &utf_16_little : big ? &utf_16_big : nullptr;
}

const foreign_kind* json_of(std::string_view start, const foreign_rules& rules) {
  const auto next = [&](std::size_t from) { return std::min(start.find_first_not_of(" \t\r\n", from), start.size()); };
  const std::size_t at = next(0);
  if (at == start.size() || (start[at] != '[' && start[at] != '{')) return nullptr;
  const std::size_t inner = next(at + 1);
  // A table may name its columns in brackets.
  if (rules.table && (inner == start.size() || std::string_view("\"[{").find(start[inner]) == std::string_view::npos))
    return nullptr;
  if (start[at] == '[') return &json_list;
  const std::size_t second = start.find("}\n", at);
  return second != std::string_view::npos && start.substr(second + 2).starts_with('{') ? &json_lines : &json_object;
}

/// Whether a file of the kind may hold text alone. All others hold control characters, which tells them from a table
/// whose first column is called PAR1.
bool is_always_text(const foreign_kind& kind) { return kind.magic == "%PDF-" || kind.magic == "SIMPLE  ="; }

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' && !is_space(c); }

const foreign_kind* kind_of(std::string_view start, const foreign_rules& rules) {
  const bool binary = std::ranges::any_of(start, is_control);
  for (const foreign_kind& kind : kinds)
    if (start.size() > kind.offset && start.substr(kind.offset).starts_with(kind.magic) &&
        (binary || is_always_text(kind)) && (kind.offset != 4 || start.starts_with("BZh")))
      return &kind;
  if (is_arrow_stream(std::as_bytes(std::span(start)))) return &arrow_stream;
  if (const foreign_kind* const encoding = encoding_of(start, rules)) return encoding;
  return rules.json ? json_of(start, rules) : nullptr;
}

/// What writes the bytes of a packed input to standard output; empty for standard input itself.
std::string unpacking(const packed_input& from) {
  const bool streams = from.path == "-";
  std::string command;
  if (!from.member.empty())
    command = fmt::format("unzip -p {} {}", streams ? "FILE" : shell_path(from.path), shell_word(from.member));
  if (from.gunzipped)
    command = !command.empty() ? fmt::format("{} | gzip -dc", command)
              : streams        ? "gzip -dc"
                               : fmt::format("gzip -dc {}", shell_path(from.path));
  return command;
}

std::string command_line(const foreign_kind& kind, const packed_input& from, const rerun_line& rerun) {
  const bool whole_file = from.is_file();
  const std::string before = unpacking(from), file = whole_file ? shell_path(from.path) : "FILE";
  if (!kind.filter.empty())
    return fmt::format("{}{}{}{} | {} -", before, before.empty() ? "" : " | ", kind.filter,
                       whole_file ? fmt::format(" {}", file) : "", rerun.command);
  if (kind.command.empty())
    return fmt::format("{} > FILE; {} FILE",
                       whole_file       ? fmt::format("cat {}", file)
                       : before.empty() ? "cat"
                                        : before,
                       rerun.command);
  const std::string storing = whole_file ? "" : fmt::format("{} > FILE; ", before.empty() ? "cat" : before.c_str());
  std::string line(kind.command);
  line.replace(line.find("{}"), 2, file);
  return fmt::format("{}{} | {} -", storing, line, rerun.command);
}

constexpr const char* taken_as_raw = " (--input raw takes the bytes as they are)";

[[noreturn]] void refuse(std::string_view what, const std::string& command, const rerun_line& rerun,
                         bool may_be_raw = false) {
  throw failure(exit_code::bad_data,
                fmt::format("expected numbers, found {}; this reads {}: {}{}", what,
                            rerun.one_of_several ? "this file alone" : "it", command, may_be_raw ? taken_as_raw : ""));
}

}  // namespace

std::string packed_input::reopened() const {
  std::error_code problem;
  const std::filesystem::path place = std::filesystem::canonical(path, problem);  // /dev/stdin is another one's own
  return is_file() && !problem && std::filesystem::is_regular_file(place, problem) ? place.string() : "";
}

void refuse_foreign(std::span<const std::byte> start, const packed_input& from, const foreign_rules& rules,
                    const rerun_line& rerun) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()), std::min(start.size(), foreign_start));
  if (text.starts_with("1fxp") && std::ranges::any_of(text, is_control))
    throw failure(exit_code::bad_data,
                  fmt::format("expected numbers, found a partial; onefold join shows its result, and "
                              "onefold reduce --partial continues it{}",
                              rules.raw ? taken_as_raw : ""));
  const foreign_kind* const kind = kind_of(text, rules);
  if (kind != nullptr && kind->filter.empty() && kind->command.empty() && !from.reopened().empty())
    throw failure(exit_code::bad_data,
                  fmt::format("expected numbers, found {}; leave --input out to read its columns{}", kind->name,
                              rules.raw ? taken_as_raw : ""));
  if (kind != nullptr) refuse(kind->name, command_line(*kind, from, rerun), rerun, rules.raw);
}

void refuse_gzip(const packed_input& from, const rerun_line& rerun) {
  const std::string file = from.path == "-" ? "" : fmt::format(" {}", shell_path(from.path));
  refuse("data compressed by gzip, which this program is built without",
         fmt::format("gzip -dc{} | {} -", file, rerun.command), rerun);
}

void refuse_zip(const packed_input& from, const rerun_line& rerun) {
  refuse("a zip archive, which this program is built without",
         fmt::format("unzip -p {} {} | {} -", from.path == "-" ? "FILE" : shell_path(from.path),
                     from.member.empty() ? "MEMBER" : shell_word(from.member), rerun.command),
         rerun);
}

}  // namespace onefold::cli
