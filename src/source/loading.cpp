#include "source/loading.hpp"

#include <dlfcn.h>

#include <system_error>

#include "environment.hpp"
#include "fork.hpp"
#include "onefold/error.hpp"
#include "onefold/recipe.hpp"

namespace onefold::detail {
namespace {

#define ONEFOLD_SOURCE_TEXT_(x) #x
#define ONEFOLD_SOURCE_TEXT(x) ONEFOLD_SOURCE_TEXT_(x)

std::filesystem::path folder_of_temporary_files() {
  const std::string& named = the_environment().tmpdir;
  return named.starts_with('/') ? named : "/tmp";
}

}  // namespace

temporary_folder room_within(const std::filesystem::path& cache) {
  if (!cache.empty())
    if (temporary_folder room(cache); room.is_made()) return room;
  const std::filesystem::path parent = folder_of_temporary_files();
  temporary_folder room(parent);
  if (!room.is_made())
    throw error(error_code::unsupported, "an operation as text cannot be compiled: no folder can be made in " +
                                             parent.string() + "; name another one in the environment variable TMPDIR");
  return room;
}

const source_record* load_object(const std::filesystem::path& object, std::string* why_not) {
  const loader_hold held;
  void* const library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library ? dlsym(library, ONEFOLD_SOURCE_TEXT(ONEFOLD_SOURCE_FUNCTION)) : nullptr;
  if (!symbol) {
    const char* said = dlerror();
    *why_not = said ? said : "unknown reason";
    return nullptr;
  }
  const source_record* const record = reinterpret_cast<const source_record* (*)()>(symbol)();
  if (record->size == sizeof(source_record) && record->fold->size == sizeof(recipe)) return record;
  *why_not = "it was compiled against another version of onefold";
  return nullptr;
}

const source_record* load_object_or_copy(const std::filesystem::path& object, std::string* why_not) {
  if (const source_record* record = load_object(object, why_not)) return record;
  const temporary_folder room(folder_of_temporary_files());
  const std::filesystem::path copy = room.path() / "operation.so";
  std::error_code failed;
  return room.is_made() && std::filesystem::copy_file(object, copy, failed) ? load_object(copy, why_not) : nullptr;
}

}  // namespace onefold::detail
