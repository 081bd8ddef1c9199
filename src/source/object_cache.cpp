#include "source/object_cache.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "ascii.hpp"
#include "environment.hpp"
#include "onefold/error.hpp"
#include "source/files.hpp"

namespace onefold::detail {
namespace {

constexpr std::uint64_t mark = 0x31646c6f66656e6f;  // "onefold1"

/// What follows the key.
struct seal_end {
  std::uint64_t key_size;
  std::uint64_t hash;  ///< of the object and its key
  std::uint64_t mark;
};

/// Makes the folder where it is missing, this user's alone; those above it as programs usually do.
void make_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::create_directories(folder.parent_path(), ignored);
  mkdir(folder.c_str(), 0700);
}

/// The folder that the environment names.
std::filesystem::path named_folder() {
  const environment& e = the_environment();
  if (e.cache == "none") return {};
  if (!e.cache.empty()) {
    if (e.cache.starts_with('/')) return e.cache.substr(0, std::max<std::size_t>(1, e.cache.find_last_not_of('/') + 1));
    throw error(error_code::invalid_argument,
                "ONEFOLD_CACHE: " + in_quotes(e.cache) + " is neither an absolute path nor none");
  }
  if (e.xdg_cache_home.starts_with('/')) return e.xdg_cache_home + "/onefold/operations";
  return e.home.starts_with('/') ? e.home + "/.cache/onefold/operations" : "";
}

}  // namespace

std::filesystem::path cache_folder() {
  const std::filesystem::path folder = named_folder();
  if (folder.empty()) return {};
  make_folder(folder);
  return is_private(folder) ? folder : std::filesystem::path();
}

std::filesystem::path object_file(const std::filesystem::path& folder, std::string_view key, const char* suffix) {
  constexpr char digit[] = "0123456789abcdef";
  std::string name;
  for (const std::uint64_t half : {hash_of(key), hash_of(key, 1)})
    for (int shift = 60; shift >= 0; shift -= 4) name += digit[half >> shift & 15];
  return folder / (name + suffix);
}

std::optional<std::string> sealed_content(const std::filesystem::path& file, std::string_view key) {
  std::optional<std::string> content = private_content(file);
  seal_end end;
  if (!content || content->size() < key.size() + sizeof end) return std::nullopt;
  const std::string_view sealed(content->data(), content->size() - sizeof end);
  std::memcpy(&end, sealed.data() + sealed.size(), sizeof end);
  if (end.mark != mark || end.key_size != key.size() || !sealed.ends_with(key) || end.hash != hash_of(sealed))
    return std::nullopt;
  content->resize(sealed.size() - key.size());
  return content;
}

bool is_object_of(const std::filesystem::path& file, std::string_view key) {
  return sealed_content(file, key).has_value();
}

bool write_sealed(const std::filesystem::path& file, std::string text, std::string_view key) {
  text += key;
  const seal_end end{key.size(), hash_of(text), mark};
  std::array<char, sizeof end> bytes;
  std::memcpy(bytes.data(), &end, sizeof end);
  text.append(bytes.data(), bytes.size());
  return write_file(file, text);
}

bool seal(const std::filesystem::path& object, const std::filesystem::path& sealed, std::string_view key) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(object, failed);
  if (failed) return false;
  std::string content = content_of(object, size);
  return content.size() == size && write_sealed(sealed, std::move(content), key) && chmod(sealed.c_str(), 0700) == 0;
}

}  // namespace onefold::detail
