// Files and folders of operations as text: whose they are, what is in them, and a folder that ends with its owner.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace onefold::detail {

/// 64 bits that depend on all of a text and its length: for names and to notice damage, not against an attacker.
std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0);

/// "PATH, SIZE bytes, changed at TIME": what is another text once the file is another one; nothing where it is not a
/// regular file.
std::optional<std::string> identity_of(const std::filesystem::path& file);

/// A name for what a folder's files are, as identity_of has a file's.
std::uint64_t identity_of_files(const std::filesystem::path& folder);

/// Whether this user can write to the folder and no one else can.
bool is_private(const std::filesystem::path& folder);

/// What is in a file that belongs to this user and that no one else can write; nothing where it is not such a file.
std::optional<std::string> private_content(const std::filesystem::path& file);

/// What is in a file, up to `most` bytes; empty where it cannot be read.
std::string content_of(const std::filesystem::path& file, std::size_t most);

/// Whether all of the text was written to the file.
bool write_file(const std::filesystem::path& file, std::string_view text);

/// A new folder of this user's alone, which is removed with all that is in it.
class temporary_folder {
 public:
  /// Makes onefold-PID-XXXXXX within `parent`; is_made says whether that went well.
  explicit temporary_folder(const std::filesystem::path& parent);
  ~temporary_folder();
  temporary_folder(temporary_folder&& other) noexcept;
  temporary_folder& operator=(temporary_folder&&) = delete;

  bool is_made() const { return !path_.empty(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Removes the temporary folders within `parent` that nothing was put into for an hour and whose process is no more:
/// one that is killed while it compiles leaves its folder. Both are asked, since the process may be another machine's.
void remove_abandoned_folders(const std::filesystem::path& parent);

}  // namespace onefold::detail
