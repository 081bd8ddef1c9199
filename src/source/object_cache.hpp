// The cache of objects that operations as text were compiled to.
//
// An object ends with a seal: the key that it was compiled for, the key's length, a hash of all before, and a mark. The
// loader reads what the file's headers name and not its end. An object without a whole seal, or with another key, is
// not loaded: it was damaged, cut short, or its name is that of another key.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace onefold::detail {

/// The folder, which is made if it is missing; empty where there is none or it is not this user's alone. Throws
/// invalid_argument for an ONEFOLD_CACHE that is not an absolute path.
std::filesystem::path cache_folder();

/// The file of a key's object in the folder.
std::filesystem::path object_file(const std::filesystem::path& folder, std::string_view key, const char* suffix);

/// What was sealed in a file for this key; nothing unless it is all there, the file belongs to this user, and no one
/// else can write it.
std::optional<std::string> sealed_content(const std::filesystem::path& file, std::string_view key);

/// Writes a text to a file with a seal; whether that went well.
bool write_sealed(const std::filesystem::path& file, std::string text, std::string_view key);

/// Whether the file belongs to this user, no one else can write it, and it is the whole object of the key.
bool is_object_of(const std::filesystem::path& file, std::string_view key);

/// Writes an object that was compiled for a key to another file, with a seal; whether that went well.
bool seal(const std::filesystem::path& object, const std::filesystem::path& sealed, std::string_view key);

}  // namespace onefold::detail
