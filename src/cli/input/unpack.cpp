// At most two layers are opened: a member that is compressed again. More are a bomb's.
#include "input/unpack.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "input/gzip.hpp"
#include "input/zip.hpp"

namespace onefold::cli {
namespace {

constexpr std::string_view gzip_ending = ".gz";

bool exists(const std::string& path, bool file) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && (!file || !S_ISDIR(status.st_mode));
}

void open_zip(opened_input& in, const rerun_line& rerun, progress_counter& counted) {
  const std::uint64_t archive_bytes = bytes_of_regular(in.from.path);
  zip_member member = open_member(in.bytes, in.from.member, counted);
  if (member.content == nullptr) refuse_zip(in.from, rerun);
  counted.expected -= archive_bytes;  // of which the member's take the place
  in.from.member = in.name = member.name;
  in.bytes = std::make_unique<source>(std::move(member.content), counted);
}

void open_gzip(opened_input& in, const rerun_line& rerun, progress_counter& counted) {
  std::unique_ptr<decoder> content = gunzipped(in.bytes, counted);
  if (content == nullptr) refuse_gzip(in.from, rerun);
  in.from.gunzipped = true;
  if (in.name.ends_with(gzip_ending)) in.name.resize(in.name.size() - gzip_ending.size());
  in.bytes = std::make_unique<source>(std::move(content), counted);
}

}  // namespace

bool is_standard_input(std::string_view word) { return word == "-" || word.starts_with("-:"); }

packed_input split_member(const std::string& word) {
  if (is_standard_input(word)) return {"-", word.substr(std::min<std::size_t>(2, word.size()))};
  if (!exists(word, false))
    for (std::size_t colon = word.find(':'); colon != std::string::npos; colon = word.find(':', colon + 1))
      if (colon + 1 < word.size() && exists(word.substr(0, colon), true))
        return {word.substr(0, colon), word.substr(colon + 1)};
  return {word, ""};
}

opened_input open_input(const std::string& word, bool as_is, const rerun_line& rerun, progress_counter& counted) {
  if (word == "-:" || (word.ends_with(':') && !exists(word, false) && exists(word.substr(0, word.size() - 1), true)))
    throw failure(exit_code::bad_data, "the member's name is empty");
  packed_input from = split_member(word);
  const bool has_member = !from.member.empty();
  opened_input in{std::make_unique<source>(from.path, counted), from.path, std::move(from)};
  in.bytes->peek(std::max(zip_start, gzip_start));
  if (has_member && !is_zip(in.bytes->bytes()))
    throw failure(
        exit_code::bad_data,
        fmt::format("expected a zip archive (.npz) with the member {}, found another file", in_quotes(in.from.member)));
  if (is_zip(in.bytes->bytes()) && (!as_is || has_member || in.name.ends_with(".npz"))) open_zip(in, rerun, counted);
  if (is_gzip(in.bytes->peek(gzip_start)) && (!as_is || in.name.ends_with(gzip_ending))) open_gzip(in, rerun, counted);
  return in;
}

}  // namespace onefold::cli
