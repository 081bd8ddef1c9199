// Finding the member that is meant, and reading it through libzip, which verifies check sums.
#include "input/zip.hpp"

#include <string_view>

#ifdef ONEFOLD_LIBZIP

#include <zip.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "input/failure.hpp"
#include "onefold/error.hpp"
#include "onefold/options.hpp"
#include "quantity.hpp"

namespace onefold::cli {
namespace {

constexpr std::string_view npy_ending = ".npy";

/// The names that a message lists at most.
constexpr std::size_t most_listed = 12;

struct archive_closer {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct file_closer {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

failure damaged(zip_error_t* error) {
  failure f(exit_code::bad_data,
            fmt::format("expected a zip archive, found damage ({})", one_line(zip_error_strerror(error))));
  zip_error_fini(error);
  return f;
}

/// A member as the archive's directory has it.
struct entry {
  std::string name;
  zip_uint64_t index;
};

std::vector<entry> entries_of(zip_t* archive) {
  std::vector<entry> entries;
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_uint64_t i = 0; std::cmp_less(i, count); ++i)
    if (const char* name = zip_get_name(archive, i, 0); name != nullptr && !std::string_view(name).ends_with('/'))
      entries.push_back({name, i});
  return entries;
}

/// The names that are typed: of an array without .npy, but where nothing is left or another member has that name.
std::vector<std::string_view> typed_names(const std::vector<entry>& entries) {
  std::set<std::string_view> taken;
  for (const entry& e : entries) taken.insert(e.name);
  std::vector<std::string_view> names;
  for (const entry& e : entries) {
    const std::string_view name = e.name;
    const std::string_view bare = name.substr(0, name.size() - (name.ends_with(npy_ending) ? npy_ending.size() : 0));
    names.push_back(bare.empty() || taken.contains(bare) ? name : bare);
  }
  return names;
}

std::string listed(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names.first(std::min(names.size(), most_listed)))
    list += (list.empty() ? "" : ", ") + in_quotes(name);
  if (names.size() > most_listed) list += fmt::format(", and {} more", names.size() - most_listed);
  return list;
}

const entry& chosen_entry(const std::vector<entry>& entries, const std::string& wanted) {
  if (entries.empty()) throw failure(exit_code::bad_data, "expected an archive with an array, found an empty one");
  if (wanted.empty() && entries.size() == 1) return entries.front();
  if (wanted.empty()) {
    const std::vector<std::string_view> names = typed_names(entries);
    throw failure(exit_code::bad_data,
                  fmt::format("expected the name of an array after the file's, as in {}:{}, found an archive of {}: {}",
                              "a.npz", spelled_out(names.front()), names.size(), listed(names)));
  }
  for (const std::string& name : {wanted, wanted + std::string(npy_ending)}) {
    const auto count = std::ranges::count(entries, name, &entry::name);
    if (count > 1)
      throw failure(exit_code::bad_data, fmt::format("expected one member named {}, found {}", in_quotes(name), count));
    if (count == 1) return *std::ranges::find(entries, name, &entry::name);
  }
  std::vector<std::string_view> names = typed_names(entries);
  // The nearest of all is among the few that are listed.
  const auto nearest = std::ranges::find(names, nearest_name(wanted, names));
  if (nearest != names.end()) std::rotate(names.begin(), nearest, nearest + 1);
  const std::string others = names.size() > most_listed ? fmt::format(", and {} more", names.size() - most_listed) : "";
  names.resize(std::min(names.size(), most_listed));
  throw failure(exit_code::bad_data, unknown_name("member", wanted, names).what() + others);
}

class zip_decoder final : public decoder {
 public:
  zip_decoder(std::unique_ptr<source> packed, progress_counter& counted)
      : packed_(std::move(packed)), counted_(counted) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const bytes = source_of(error);
    archive_.reset(zip_open_from_source(bytes, ZIP_RDONLY, &error));
    if (archive_ == nullptr) {
      zip_source_free(bytes);
      throw damaged(&error);
    }
    zip_error_fini(&error);
  }

  /// Opens the member; returns its name.
  std::string open(const std::string& wanted) {
    const std::vector<entry> entries = entries_of(archive_.get());
    const entry& chosen = chosen_entry(entries, wanted);
    zip_stat_t status;
    if (zip_stat_index(archive_.get(), chosen.index, 0, &status) != 0 || (status.valid & ZIP_STAT_SIZE) == 0)
      throw damaged(zip_get_error(archive_.get()));
    size_ = status.size;
    name_ = chosen.name;
    if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE)
      throw failure(exit_code::bad_data,
                    fmt::format("member {} is encrypted; unzip -p asks for the password and writes "
                                "it to standard output",
                                in_quotes(name_)));
    file_.reset(zip_fopen_index(archive_.get(), chosen.index, 0));
    if (file_ == nullptr) throw unreadable(zip_strerror(archive_.get()));
    counted_.expected += size_;
    return name_;
  }

  std::size_t read(std::span<std::byte> room) override {
    const zip_int64_t got = zip_fread(file_.get(), room.data(), room.size());
    if (got < 0) throw unreadable(zip_file_strerror(file_.get()));
    done_ += static_cast<zip_uint64_t>(got);
    counted_.bytes += static_cast<zip_uint64_t>(got);
    if (done_ > size_ || (got == 0 && done_ < size_))
      throw bad_data(fmt::format("member {}", in_quotes(name_)), detail::quantity(size_, "byte"),
                     got == 0 ? fmt::format("the end after {}", done_) : "more");
    return static_cast<std::size_t>(got);
  }

  std::optional<std::uint64_t> size() const override { return size_; }
  void check_unchanged() const override { packed_->check_unchanged(); }
  void stop() override { packed_->stop(); }

 private:
  /// The archive's bytes: of a file, where they are read from; of a stream, in memory.
  zip_source_t* source_of(zip_error_t& error) {
    const std::optional<seekable_file> from = packed_->opened_for_seeking();
    if (!from) packed_->to_end();
    zip_source_t* const bytes =
        from ? zip_source_filep_create(from->file, from->begin, -1, &error)
             : zip_source_buffer_create(packed_->bytes().data(), packed_->bytes().size(), 0, &error);
    if (bytes != nullptr) return bytes;
    if (from) std::fclose(from->file);
    throw damaged(&error);
  }

  failure unreadable(const char* why) const {
    return bad_data(fmt::format("member {}, byte offset {}", in_quotes(name_), done_), "zip data",
                    fmt::format("damage ({})", one_line(why)));
  }

  std::unique_ptr<source> packed_;
  progress_counter& counted_;
  std::unique_ptr<zip_t, archive_closer> archive_;
  std::unique_ptr<zip_file_t, file_closer> file_;
  std::string name_;
  zip_uint64_t size_ = 0, done_ = 0;
};

}  // namespace

zip_member open_member(std::unique_ptr<source>& archive, const std::string& wanted, progress_counter& counted) {
  auto member = std::make_unique<zip_decoder>(std::move(archive), counted);
  const std::string name = member->open(wanted);
  return {name, std::move(member)};
}

std::string version_of_libzip() { return zip_libzip_version(); }

}  // namespace onefold::cli

#else

namespace onefold::cli {

zip_member open_member(std::unique_ptr<source>&, const std::string&, progress_counter&) { return {}; }
std::string version_of_libzip() { return ""; }

}  // namespace onefold::cli

#endif

namespace onefold::cli {

bool is_zip(std::span<const std::byte> start) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  return text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06");
}

}  // namespace onefold::cli
